"""Every page: alive without scrolling, silent on the console, at home on its own origin, by the DOM contract."""

import pytest

from tests.browser import book
from tests.browser.explorables import EXPLORABLES


def test_every_explorable_has_a_row():
    assert set(EXPLORABLES) == {kind.__name__ for kind in book.CLASSES.values()}, (
        "see tests/browser/explorables.py"
    )


def test_every_page_is_found(book_html):
    assert "index.html" in book.pages()
    assert book.lively(), "no page has an explorable"


@pytest.mark.parametrize(
    ("page", "over"),
    [(page, "http") for page in book.pages()] + [(page, "file") for page in book.pages()],
)
def test_alive_and_silent(visit, page, over):
    view = visit(page, over=over, keep=over == "http")  # waits for the figures without scrolling
    assert view.evaluate("scrollY") == 0
    names = view.evaluate("probe.roots().map((root) => root.dataset.explorable)")
    assert names == [figure.name for figure in book.figures(page)]
    shifts = view.evaluate("shifts")
    assert sum(shift["value"] for shift in shifts) < 0.05, shifts
    # The page has a policy (bookext/safety.py), and keeps to it.
    assert view.locator("head > meta[http-equiv=Content-Security-Policy]").count() == 1
    assert view.evaluate("violations") == []
    # Icons are shapes of the style sheet: no page asks for a font of them.
    asked = view.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in asked if "fontawesome" in name] == []
    # The tab says which page it is, once.
    parts = view.title().split(" — ")
    assert len(set(parts)) == len(parts), parts
    # The embedded state is used, not left in the page as a dead widget.
    assert view.locator(".jp-OutputArea-output script, .widget-subarea").count() == 0


def test_what_a_page_leaves_behind_is_no_trouble_and_what_it_lacks_is(visit):
    view = visit("index.html", own=True)
    view.route("**/late.svg", lambda route: None)  # it never comes
    with view.expect_request("**/late.svg"):
        view.evaluate("() => { new Image().src = 'late.svg'; }")
    with view.expect_event("requestfailed"):
        view.goto(view.address)
    assert visit.trouble == []
    with view.expect_console_message():
        view.evaluate("() => fetch('lost.svg')")
    assert any(said.startswith("status 404") for said in visit.trouble)
    visit.trouble.clear()


@pytest.mark.parametrize("page", book.lively())
def test_dom_contract(visit, page):
    view = visit(page, again=True)
    for figure in book.figures(page):
        found = view.evaluate(
            "i => ({said: probe.breaches(probe.roots()[i]), inputs: probe.inputs(probe.roots()[i])})",
            figure.index,
        )
        assert found["said"] == [], str(figure)
        traits = figure.kind.class_trait_names(sync=True)
        for entry in found["inputs"]:
            trait, *path = entry["name"].split(".")
            assert trait in traits, f"{figure}: the input {entry['name']} names no trait"
            value = figure.state[trait]
            for step in path:
                value = value[int(step)]  # the entry is there
            assert not isinstance(value, list), f"{figure}: {entry['name']} names a list"


def test_search_finds_a_word(visit):
    """Scripts wait until the page stands, and the search still works: on its page, and by its button."""
    view = visit("search.html?q=causal")
    view.wait_for_selector("#search-results li a")
    found = view.locator("#search-results li a").all_inner_texts()
    assert any("mask" in title.lower() for title in found), found
    view = visit("index.html")
    view.locator(".search-button__button:visible").first.click()
    field = view.locator("#pst-search-dialog input[type=search]")
    assert field.is_visible()
    field.fill("causal")
    field.press("Enter")
    view.wait_for_selector("#search-results li a")
