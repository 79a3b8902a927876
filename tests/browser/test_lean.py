"""The joined style sheet has every rule of the sheets it was made of that matches something on a page."""

import pytest

from bookext.fonts import FACES
from tests.browser import book

ROUND = ["index.html", "chapters/03_masking.html", "search.html", "genindex.html"]
# Selectors (single ones) of the whole sheets that match an element here and are not in the sheets the page links.
LOST = r"""async (names) => {
  const root = document.documentElement.dataset.content_root;
  const single = (sheet, found = new Set()) => {
    for (const rule of sheet.cssRules) {
      if (rule.selectorText) for (const part of rule.selectorText.split(/,(?![^(]*\))/)) found.add(part.trim());
      else if (rule.cssRules) single(rule, found);
    }
    return found;
  };
  const sheetOf = async (address) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync((await (await fetch(address)).text()).replace(/@import[^;]*;/g, ""));
    return single(sheet);
  };
  const linked = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href);
  const here = new Set((await Promise.all(linked.map(sheetOf))).flatMap((set) => [...set]));
  const lost = [];
  let seen = 0;
  for (const name of names) {
    for (const selector of await sheetOf(`${root}_static/${name}`)) {
      let matches = false;
      try {
        const plain = selector.replace(/::?(before|after|hover|focus|focus-visible|active|visited|target)\b/g, "");
        matches = document.querySelector(plain || "*");
      } catch {} // a selector of another browser
      if (!matches) continue;
      seen += 1;
      if (!here.has(selector)) lost.push(`${name}: ${selector}`);
    }
  }
  return [seen, linked.length, lost];
}"""


@pytest.mark.parametrize("page", ROUND)
def test_no_rule_is_lost(visit, page):
    static = book.folder() / "_static"
    names = [
        path.relative_to(static).as_posix()
        for path in sorted(static.rglob("*.css"))
        if not path.name.startswith(("site.", "math.", "sphinx-thebe"))
    ]
    seen, linked, lost = visit(page).evaluate(LOST, names)
    assert linked == 1
    assert seen > 100
    assert lost == []


@pytest.mark.parametrize("over", ["http", "file"])
def test_nothing_is_ever_laid_out_in_another_font(visit, over):
    """Their fonts are there when the page is first drawn, and none is asked for as a file."""
    view = visit("chapters/02_qk_variance.html", over=over)
    asked = view.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert not [name for name in asked if ".woff" in name]
    if over == "http":  # of files no times are kept
        drawn, ready = view.evaluate("""[
          performance.getEntriesByName("first-paint")[0].startTime,
          performance.getEntriesByType("resource").filter((entry) => /(math|type)\\.\\w+\\.js/.test(entry.name))
            .map((entry) => entry.responseEnd),
        ]""")
        assert len(ready) == 2
        assert max(ready) < drawn
    loaded = "[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)"
    # Signs that no font of the book has, such as ᵀ, are the system's.
    families = {family for family in view.evaluate(loaded) if "Fallback" not in family}
    assert families == {"STIX Two Math", *(family for family, *_ in FACES)}
    first = """['p', 'h2', '.abh button', '.abh svg text', 'pre'].map((each) =>
      getComputedStyle(document.querySelector(`.bd-article ${each}`)).fontFamily.split(',')[0])"""
    assert view.evaluate(first) == [*['"Source Serif 4"'] * 4, '"Source Code Pro"']


@pytest.mark.parametrize("page", book.lively())
def test_no_letter_of_an_icon_font(visit, page):
    """The book sends none, so such a letter would be an empty box."""
    view = visit(page, again=True)
    boxes = view.evaluate("""() => [...document.querySelectorAll("body :not(math *)")]
      .flatMap((node) => ["::before", "::after"].map((part) => getComputedStyle(node, part).content)
      .filter((text) => /[\\uE000-\\uF8FF]/.test(text))
      .map((text) => `${node.tagName}.${node.className}`))""")
    assert boxes == []
