"""The policy in a real browser: what is not the book's own is refused. (That each page obeys it: test_alive.py.)"""

import re

import pytest

from attn.explore import Masking
from tests.browser import book
from tests.browser.conftest import PROBE

SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.injected = 'script'";
  document.body.append(script);
}"""
HANDLER = """() => {
  const image = document.createElement("img");
  image.setAttribute("onerror", "window.injected = 'handler'");
  image.src = "data:,";
  document.body.append(image);
}"""
APPEND = "(() => {{ const node = document.createElement('{0}'); node.{1}; document.body.append(node); node.click(); }})"
ADDRESS = APPEND.format("a", "href = 'javascript:window.injected = 1'")
BASE = APPEND.format("base", "href = 'https://example.org/'")
FRAME = APPEND.format("iframe", "src = 'data:text/html,a'")
FETCH = "() => fetch('https://example.org/').catch(() => {})"


@pytest.mark.parametrize("over", ["http", "file"])
@pytest.mark.parametrize(
    ("attack", "directive"),
    [
        (SCRIPT, "script-src-elem"),
        (HANDLER, "script-src-attr"),
        (ADDRESS, "script-src-elem"),
        (BASE, "base-uri"),
        (FRAME, "frame-src"),
        (FETCH, "connect-src"),
    ],
    ids=["inline script", "event handler", "javascript address", "base", "frame", "another origin"],
)
def test_what_is_not_the_books_own_is_refused(chromium, site, over, attack, directive):
    page = chromium.new_page()
    page.add_init_script(path=PROBE)
    page.goto(f"{site}index.html" if over == "http" else (book.folder() / "index.html").resolve().as_uri())
    page.wait_for_load_state("load")
    page.evaluate(attack)
    page.wait_for_function("() => violations.length")
    assert page.evaluate("violations[0]").startswith(directive)
    assert page.evaluate("window.injected") is None
    page.close()


@pytest.mark.parametrize("page", book.pages())
def test_no_attribute_holds_a_script(page):
    text = (book.folder() / page).read_text(encoding="utf-8")
    assert re.findall(r"<[^>]*\s(on[a-z]+)\s*=\s*[\"']", text) == []
    assert "javascript:" not in text.lower()


@pytest.mark.parametrize("page", book.pages())
def test_no_page_is_asked_for_in_advance(page):
    """Firefox would load the page that the head calls the next one, which the policy refuses on the console."""
    text = (book.folder() / page).read_text(encoding="utf-8")
    kinds = {
        kind for found in re.findall(r'<link\b[^>]*\brel="([^"]*)"', text) for kind in found.lower().split()
    }
    assert kinds & {"next", "prev", "prefetch", "prerender", "preconnect", "dns-prefetch"} == set()


@pytest.mark.parametrize(
    ("page", "back", "on"),
    [
        ("03_masking", "practice/02_qk_variance", "practice/03_masking"),
        ("practice/03_masking", "../03_masking", "../04_multi_head_attention"),
        ("further/03_measure_a_leak", "../03_masking", "03_minus_infinity"),
        ("further/03_half_precision", "03_other_shapes", "../practice/03_masking"),
    ],
)
def test_arrows_at_the_foot_lead_on_and_back(visit, page, back, on):
    """From a chapter to its practice, and on to the next chapter; further pages stand beside that way."""
    view = visit(f"chapters/{page}.html")
    places = "[...document.querySelectorAll('.prev-next-area a')].map((a) => [a.className, a.getAttribute('href')])"
    assert view.evaluate(places) == [["left-prev", f"{back}.html"], ["right-next", f"{on}.html"]]


def test_a_chapter_offers_its_further_pages_at_the_foot(visit):
    view = visit("chapters/03_masking.html")
    links = view.locator(".abh-further a")
    assert [link.get_attribute("href") for link in links.all()] == [
        f"further/03_{name}.html"
        for name in ("measure_a_leak", "minus_infinity", "other_shapes", "half_precision")
    ]
    links.first.click()
    assert view.title().startswith("Measure a leak")
    assert view.locator(".abh-further").count() == 0


def test_what_a_reader_searches_for_stays_text(visit):
    view = visit("search.html?q=%3Cimg%20src%3Dx%20onerror%3D%22injected%3D1%22%3E%20mask")
    view.wait_for_selector("#search-results p, #search-results li")
    assert view.locator("#search-results img").count() == 0
    assert view.evaluate("[window.injected ?? null, violations]") == [None, []]


def test_tokens_stay_text(mount):
    """Words that look like elements are drawn letter by letter."""
    nasty = ["<img src=x onerror=injected=1>", "</script>", "<b>c", "&amp;"]
    view = mount([Masking(tokens=nasty)])
    root = view.locator("[data-explorable]")
    assert root.locator("img").count() == 0
    assert all(token in root.text_content() for token in nasty)
    assert view.evaluate("window.injected ?? null") is None


def test_the_print_button_prints(visit):
    view = visit("chapters/03_masking.html")
    view.evaluate("window.print = () => { window.printed = true; }")
    view.locator(".dropdown-download-buttons > button").first.click()
    view.locator("[data-print]").first.click()
    assert view.evaluate("window.printed") is True
