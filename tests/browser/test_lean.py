"""The joined style sheet has every rule of the sheets it was made of that matches something on a page."""

import pytest

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
        if not path.name.startswith(("site.", "math.", "katex", "sphinx-thebe"))
    ]
    seen, linked, lost = visit(page).evaluate(LOST, names)
    assert linked in (1, 2)
    assert seen > 100
    assert lost == []


def test_formulas_ask_for_no_font_file(visit):
    """The fonts of nearly all formulas come with the style sheet: no text is drawn twice."""
    view = visit("chapters/02_qk_variance.html")
    asked = view.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert not [name for name in asked if ".woff" in name]
    assert view.evaluate(
        "document.fonts.check('20px KaTeX_Main') && document.fonts.check('italic 20px KaTeX_Math')"
    )


@pytest.mark.parametrize("page", book.lively())
def test_no_letter_of_an_icon_font(visit, page):
    """The book sends none, so such a letter would be an empty box."""
    view = visit(page, again=True)
    boxes = view.evaluate("""() => [...document.querySelectorAll("body :not(.katex *)")]
      .flatMap((node) => ["::before", "::after"].map((part) => getComputedStyle(node, part).content)
      .filter((text) => /[\\uE000-\\uF8FF]/.test(text))
      .map((text) => `${node.tagName}.${node.className}`))""")
    assert boxes == []
