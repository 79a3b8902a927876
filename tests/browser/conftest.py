"""A real Chromium for the built book. Whatever a page says on the console or asks of another origin fails its test."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import book
from tools.find_chromium import FLAGS, find_chromium

PROBE = Path(__file__).parent / "probe.js"
FAULTS = Path(__file__).parent / "faults.js"
# No name but this machine's own address resolves: a page can't reach anything else.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
READY = """() => {
  const slots = document.querySelectorAll(".abh-slot[data-view]").length;
  if ("near" in document.documentElement.dataset) return false; // not all of it is laid out
  return document.readyState === "complete" && document.querySelectorAll('[data-ready="1"]').length === slots;
}"""
# What a reader sees of the figures, and what their inputs hold.
LOOK = """() => JSON.stringify(probe.roots().map((root) =>
  [probe.state(root), root.className.replace(" abh-glide", ""), root.innerText, root.offsetHeight]))"""
FORGET = (
    "() => { try { localStorage.clear(); sessionStorage.clear(); } catch { /* a page without a store */ } }"
)


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of this process."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium, Chrome or Edge: see `python -m tools.find_chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, ALONE], timeout=180_000)
        yield browser
        browser.close()


class Windows:
    """A browser's windows, one for each kind of screen, with the tabs in them that no test uses.

    They are kept, since to make a window takes as long as to open a page, and a new tab a third of it.
    """

    def __init__(self, browser):
        self.browser, self.contexts, self.idle = browser, {}, {}

    def tab(self, own=False, **options):
        """An empty tab, and the name of its window; with `own` one that nobody had before."""
        window = json.dumps(options, sort_keys=True)
        if window not in self.contexts:
            self.contexts[window] = self.browser.new_context(**options)
            self.contexts[window].set_default_timeout(60_000)  # a machine may be busy
            self.contexts[window].add_init_script(path=PROBE)
            self.contexts[window].add_init_script(path=FAULTS)
        idle = self.idle.setdefault(window, [])
        return (idle.pop() if idle and not own else self.contexts[window].new_page()), window

    def back(self, page, window):
        """Take a tab back: empty, and as large as it was."""
        page.goto("about:blank")
        restore(page, window)
        self.idle[window].append(page)


def dress(page, **media):
    """Print a page, or turn the reader's system dark: as page.emulate_media, until the tab is taken back."""
    page.emulate_media(**media)
    page.dressed = True


def turn(page, theme):
    """The reader's system turns dark, or light, and the page follows."""
    dress(page, color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


def restore(page, window):
    """Give a tab the size and the colors of its window; it is not on paper."""
    options = json.loads(window)
    if page.viewport_size != options["viewport"]:
        page.set_viewport_size(options["viewport"])
    if getattr(page, "dressed", False):
        page.emulate_media(
            media="null",
            color_scheme=options["color_scheme"],
            forced_colors=options.get("forced_colors", "null"),
        )
        page.dressed = False


@pytest.fixture(scope="session")
def windows(chromium):
    return Windows(chromium)


class Visitor:
    """Opens pages, keeps a list of all that went wrong on them, and leaves nothing of them behind."""

    def __init__(self, windows, site):
        self.windows, self.site, self.trouble = windows, site, []
        self.pages = {}  # page -> its window, or None for a tab that nobody else may have
        self.heard = {}

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
        own=False,
        reduced_motion="reduce",
        **options,
    ):
        """Open a page of the book by its path (or any other address) and wait until its explorables live.

        A page at another address may ask for what lies beside it, or below `home`. A test that changes more of its
        tab than its size, or its colors and medium by `dress`, says `own`. Nothing glides, unless a test asks for it.
        """
        options |= {
            "viewport": {"width": width, "height": height},
            "color_scheme": "dark" if dark else "light",
            "reduced_motion": reduced_motion,
            "permissions": ["clipboard-read", "clipboard-write"],
        }
        page, window = self.windows.tab(own=own, **options)
        self.pages[page] = None if own else window
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
        """Take back all pages, with what they stored; return the trouble."""
        trouble = list(self.trouble)
        for page, window in self.pages.items():
            if page.is_closed():
                continue
            page.evaluate(FORGET)
            for event, call in self.heard.pop(page).items():
                page.remove_listener(event, call)
            if trouble or not window:
                page.close()
            else:
                self.windows.back(page, window)
        return trouble

    def listen(self, page, home):
        def console(message):
            if message.type in ("error", "warning"):
                self.trouble.append(f"console {message.type}: {message.text}")

        def request(asked):
            if not asked.url.startswith((home, "data:", "blob:")):
                self.trouble.append(f"asked another origin: {asked.url}")

        def response(got):
            if got.status >= 400:
                self.trouble.append(f"status {got.status}: {got.url}")

        def failed(asked):
            # "csp": how a browser without JavaScript refuses scripts. Aborted: the page was left before it came, as the
            # icon often is. What a server lacks has a status, and what can't be reached another error.
            if asked.failure not in ("csp", "net::ERR_ABORTED"):
                self.trouble.append(f"failed: {asked.url} {asked.failure}")

        def error(thrown):
            self.trouble.append(f"page error: {thrown}")

        heard = {
            "pageerror": error,
            "request": request,
            "console": console,
            "requestfailed": failed,
            "response": response,
        }
        for event, call in heard.items():
            page.on(event, call)
        self.heard[page] = heard


@pytest.fixture
def visit(windows, site):
    """Open a page: visit("index.html", width=360, dark=True). Trouble on the page fails the test at its end."""
    visitor = Visitor(windows, site)
    yield visitor
    assert visitor.leave() == []


@pytest.fixture
def mount(windows, tmp_path):
    """Open a page that holds given explorables alone, from a file: mount([Masking(), Masking()], width=360)."""
    from bookext.standalone import page as standalone

    visitor = Visitor(windows, "")
    yield lambda widgets, **options: visitor.html(standalone(widgets), tmp_path, **options)
    assert visitor.leave() == []


@pytest.fixture
def opened(mount):
    """The root of a figure's example, with all that is behind its button: opened("Masking", width=390)."""
    from tests.browser.explorables import EXPLORABLES

    def open_it(name, **options):
        widget = EXPLORABLES[name].example()
        if "opened" in widget.traits():
            widget.opened = True
        view = mount([widget], **options)
        if (button := view.locator('[data-action="open"][aria-expanded="false"]')).count():
            button.click()  # a phone opens it by hand
        return view.query_selector("[data-explorable]")

    return open_it


@pytest.fixture(scope="session")
def one_page(windows, tmp_path_factory):
    from tests.browser.mounted import Mounted

    return Mounted(windows, tmp_path_factory.mktemp("mounted"))


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
