"""Firefox and WebKit for the built book, one of each for all tests of a process.

ATTN_ENGINES=all opens every page; otherwise the front page and one chapter stand for all of them.
"""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser import book
from tests.browser.conftest import READY
from tests.engines.driving import Listening
from tests.engines.firefox import firefox
from tests.engines.webkit import webkit
from tools.find_engines import EngineMissing
from tools.server import serving

ENGINES = {"firefox": firefox, "webkit": webkit}
ALL = os.environ.get("ATTN_ENGINES") == "all"
SOME = ["index.html", "chapters/03_masking.html"]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("engines")


def pytest_generate_tests(metafunc):
    """A test that takes `engine` runs in each; one that takes `page` or `lively` too, on each page of the choice."""
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", ENGINES)
    choices = {"page": [*book.pages(), *book.explore_pages()], "lively": book.lively()}
    for name, pages in choices.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, [page for page in pages if ALL or page in SOME])


@pytest.fixture(scope="session")
def home(book_html):
    with serving(book_html, Listening) as address:
        yield address


@pytest.fixture(scope="session")
def tabs(home):
    """Engine -> its tab; an engine starts when the first test asks for it."""
    with ExitStack() as stack:

        class Tabs(dict):
            def __missing__(self, engine):
                try:
                    self[engine] = stack.enter_context(ENGINES[engine]())
                except EngineMissing as error:
                    pytest.fail(str(error))  # whoever asks for these tests wants to know
                self[engine].home = home
                return self[engine]

        yield Tabs()


@pytest.fixture
def visit(tabs, engine):
    """Open a page of the book: visit("index.html", width=390). Trouble on it fails the test at its end."""
    tab = tabs[engine]

    def open_page(page, width=1280, height=800):
        tab.resize(width, height)
        tab.goto(f"{tab.home}{page}")
        try:
            tab.wait_for_function(READY)
        except TimeoutError:
            tab.listen()
            raise AssertionError(f"{page} does not come to life in {engine}: {tab.trouble}") from None
        return tab

    yield open_page
    tab.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    tab.goto("about:blank")
    trouble, tab.trouble = tab.trouble, []
    assert trouble == []
