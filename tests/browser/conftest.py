"""A real Chromium for the built book. Whatever a page says on the console or asks of another origin fails its test."""

from pathlib import Path

import pytest

from tests.browser import book

PROBE = Path(__file__).parent / "probe.js"
FAULTS = Path(__file__).parent / "faults.js"
READY = """() => {
  const slots = document.querySelectorAll(".abh-slot[data-view]").length;
  if ("near" in document.documentElement.dataset) return false; // not all of it is laid out
  return document.readyState === "complete" && document.querySelectorAll('[data-ready="1"]').length === slots;
}"""
# What a reader sees of the figures, and what their inputs hold.
LOOK = """() => JSON.stringify(probe.roots().map((root) =>
  [probe.state(root), root.className.replace(" abh-glide", ""), root.innerText, root.offsetHeight]))"""


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


def turn(page, theme):
    """The reader's system turns dark, or light, and the page follows."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


class Visitor:
    """Opens pages, each in a window of its own, and keeps a list of all that went wrong on them."""

    def __init__(self, browser, site):
        self.browser, self.site, self.trouble, self.windows = browser, site, [], []

    def __call__(
        self,
        where,
        *,
        width=1280,
        height=800,
        dark=False,
        over="http",
        wait=True,
        home=None,
        reduced_motion="reduce",
        **options,
    ):
        """Open a page of the book by its path (or any other address) and wait until its explorables live.

        A page at another address may ask for what lies beside it, or below `home`. Nothing glides, unless a test asks
        for it.
        """
        options |= {
            "viewport": {"width": width, "height": height},
            "color_scheme": "dark" if dark else "light",
            "reduced_motion": reduced_motion,
            "permissions": ["clipboard-read", "clipboard-write"],
        }
        self.windows.append(self.browser.new_context(**options))
        self.windows[-1].set_default_timeout(60_000)  # a machine may be busy
        for script in (PROBE, FAULTS):
            self.windows[-1].add_init_script(path=script)
        page = self.windows[-1].new_page()
        if ":" in where:
            address, home = where, home or where.rsplit("/", 1)[0]
        else:
            home = self.site if over == "http" else book.folder().resolve().as_uri()
            address = f"{home.rstrip('/')}/{where}"
        self.listen(page, home)
        page.address = address
        if wait:
            page.goto(address)
            if options.get("java_script_enabled", True):
                page.wait_for_function(READY)
        return page

    def html(self, text, tmp_path, **options):
        """Open a page from its text."""
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        return self(path.as_uri(), **options)

    def leave(self):
        """Close all windows; return the trouble."""
        trouble = list(self.trouble)
        for window in self.windows:
            window.close()
        return trouble

    def listen(self, page, home):
        say, own = self.trouble.append, (home, "data:", "blob:")
        loud, left = ("error", "warning"), ("csp", "net::ERR_ABORTED")
        page.on("pageerror", lambda thrown: say(f"page error: {thrown}"))
        page.on("console", lambda said: said.type in loud and say(f"console {said.type}: {said.text}"))
        page.on(
            "request", lambda asked: asked.url.startswith(own) or say(f"asked another origin: {asked.url}")
        )
        page.on("response", lambda got: got.status >= 400 and say(f"status {got.status}: {got.url}"))
        # "csp": how a browser without JavaScript refuses scripts. Aborted: the page was left before it came, as the
        # icon often is. What a server lacks has a status, and what can't be reached another error.
        page.on(
            "requestfailed",
            lambda asked: asked.failure in left or say(f"failed: {asked.url} {asked.failure}"),
        )


@pytest.fixture
def visit(chromium, site):
    """Open a page: visit("index.html", width=360, dark=True). Trouble on the page fails the test at its end."""
    visitor = Visitor(chromium, site)
    yield visitor
    assert visitor.leave() == []


@pytest.fixture
def mount(chromium, tmp_path):
    """Open a page that holds given explorables alone, from a file: mount([Masking(), Masking()], width=360)."""
    from bookext.standalone import page as standalone

    visitor = Visitor(chromium, "")
    yield lambda widgets, **options: visitor.html(standalone(widgets), tmp_path, **options)
    assert visitor.leave() == []


@pytest.fixture(scope="session")
def one_page(chromium, tmp_path_factory):
    from tests.browser.mounted import Mounted

    return Mounted(chromium, tmp_path_factory.mktemp("mounted"))


@pytest.fixture
def mounted(one_page):
    """One page for any figure in any state: see mounted.py. Trouble on it fails the test at its end."""
    yield one_page
    said, one_page.trouble[:] = list(one_page.trouble), []
    assert said == []


@pytest.fixture
def take():
    """Take a page into a hand, Mouse, Finger or Pen: take(Mouse, page)."""
    taken = []

    def give(kind, page):
        taken.append(kind(page))
        return taken[-1]

    yield give
    for hand in taken:
        hand.leave()
