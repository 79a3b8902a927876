"""The policy in a real browser: what is not the book's own is refused. (That each page obeys it: test_pages.py.)"""

import pytest

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
ATTACKS = [
    (SCRIPT, "script-src-elem"),
    (HANDLER, "script-src-attr"),
    (APPEND.format("a", "href = 'javascript:window.injected = 1'"), "script-src-elem"),
    (APPEND.format("base", "href = 'https://example.org/'"), "base-uri"),
    (APPEND.format("iframe", "src = 'data:text/html,a'"), "frame-src"),
    ("() => fetch('https://example.org/').catch(() => {})", "connect-src"),
]


@pytest.mark.parametrize("over", ["http", "file"])
def test_what_is_not_the_books_own_is_refused(visit, over):
    view = visit("chapters/notation.html", over=over)
    for attack, directive in ATTACKS:
        view.evaluate("() => { violations.length = 0; }")
        view.evaluate(attack)
        view.wait_for_function("() => violations.length")
        assert view.evaluate("violations[0]").startswith(directive)
        assert view.evaluate("window.injected") is None
    visit.trouble.clear()  # each refusal is said on the console


def test_what_a_reader_searches_for_stays_text(visit):
    view = visit("search.html?q=%3Cimg%20src%3Dx%20onerror%3D%22injected%3D1%22%3E%20mask")
    view.wait_for_selector("#search-results p, #search-results li")
    assert view.locator("#search-results img").count() == 0
    assert view.evaluate("[window.injected ?? null, violations]") == [None, []]
