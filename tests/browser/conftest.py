"""A real Chromium for the built book. Whatever a page says on the console or asks of another origin fails its test."""

import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import book
from tools.find_chromium import FLAGS, find_chromium
from tools.server import make_server

PROBE = Path(__file__).parent / "probe.js"
# No name but this machine's own address resolves: a page can't reach anything else.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
READY = """() => {
  const slots = document.querySelectorAll(".abh-slot[data-view]").length;
  return document.readyState === "complete" && document.querySelectorAll('[data-ready="1"]').length === slots;
}"""


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
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, ALONE])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(book_html):
    """The address of the built book on this machine."""
    with make_server(book_html, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class Visitor:
    """Opens pages, each in a context of its own, and keeps a list of all that went wrong on them."""

    def __init__(self, chromium, site):
        self.chromium, self.site, self.contexts, self.trouble = chromium, site, [], []

    def __call__(
        self, where, *, width=1280, height=800, dark=False, over="http", wait=True, home=None, **options
    ):
        """Open a page of the book by its path (or any other address) and wait until its explorables live.

        A page at another address may ask for what lies beside it, or below `home`.
        """
        context = self.chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            **options,
        )
        context.set_default_timeout(60_000)  # a machine may be busy
        self.contexts.append(context)
        context.add_init_script(path=PROBE)
        page = context.new_page()
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
                page.wait_for_function(READY, timeout=30_000)
        return page

    def html(self, text, tmp_path, **options):
        """Open a page from its text."""
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        return self(path.as_uri(), **options)

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

        page.on("pageerror", lambda error: self.trouble.append(f"page error: {error}"))
        page.on("request", request)

        def failed(asked):
            if asked.failure != "csp":  # how a browser without JavaScript refuses scripts
                self.trouble.append(f"failed: {asked.url} {asked.failure}")

        page.on("console", console)
        page.on("requestfailed", failed)
        page.on("response", response)


@pytest.fixture
def visit(chromium, site):
    """Open a page: visit("index.html", width=360, dark=True). Trouble on the page fails the test at its end."""
    visitor = Visitor(chromium, site)
    yield visitor
    trouble = list(visitor.trouble)
    for context in visitor.contexts:
        context.close()
    assert trouble == []


@pytest.fixture
def mount(chromium, tmp_path):
    """Open a page that holds given explorables alone, from a file: mount([Masking(), Masking()], width=360)."""
    from bookext.standalone import page as standalone

    visitor = Visitor(chromium, "")
    yield lambda widgets, **options: visitor.html(standalone(widgets), tmp_path, **options)
    trouble = list(visitor.trouble)
    for context in visitor.contexts:
        context.close()
    assert trouble == []
