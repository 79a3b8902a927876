"""No sentence is read as a formula, and no formula as a sentence: a `$` in the wrong place makes one of the other."""

import re

from bs4 import BeautifulSoup

NAMES = re.compile(r"\\(?:text|operatorname|mathrm|mathit|mathbf)\w*\*?\{[^}]*\}|\\[a-zA-Z]+")
WORDS = re.compile(r"\b[A-Za-z]{2,},? [A-Za-z]{2,}\b")
NOT_READ = "script, style, code, pre, .abh-explorable"


def astray(page):
    """Words inside the page's formulas, and dollars outside of them."""
    soup = BeautifulSoup(page, "html.parser")
    formulas = soup.select("[data-tex]")
    words = [WORDS.findall(NAMES.sub("", formula["data-tex"])) for formula in formulas]
    for node in [*formulas, *soup.select(NOT_READ)]:
        node.decompose()
    text = soup.get_text(" ")
    return [*sum(words, []), *(text[max(0, m.start() - 20) : m.end() + 20] for m in re.finditer(r"\$", text))]


def test_no_sentence_is_a_formula(book_html):
    pages = sorted(book_html.rglob("*.html"))
    assert len(pages) > 50
    wrong = {str(page.relative_to(book_html)): astray(page.read_text(encoding="utf-8")) for page in pages}
    assert {page: found for page, found in wrong.items() if found} == {}
