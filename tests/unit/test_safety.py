"""The pages' policy: exactly the page's own scripts, and no way around it in what the book is made of."""

import re
from pathlib import Path

import pytest

from bookext import safety

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<html><head>
<meta charset="utf-8" />
<script>let a = 1;</script>
<script type="module">let b = 2;</script>
<script type="application/json" data-abh>{"a": 1}</script>
<script defer src="a.js"></script>
</head></html>"""


def test_the_policy_allows_the_pages_scripts_and_no_others():
    assert list(safety.inline_scripts(PAGE)) == ["let a = 1;", "let b = 2;"]
    text = safety.guarded(PAGE)
    (scripts,) = re.findall(r"script-src ([^;]*)", text)
    assert scripts.split() == ["'self'", *sorted(map(safety.hash_of, ["let a = 1;", "let b = 2;"]))]
    assert text.index("Content-Security-Policy") < text.index("<script")


def test_the_policy_is_not_wider_than_it_must_be():
    rules = dict(rule.strip().split(" ", 1) for rule in safety.policy(PAGE).split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["base-uri"] == "'none'"
    for name, allowed in rules.items():
        assert not re.search(r"\*|https?:|unsafe-eval|blob:", allowed), name
        assert ("'unsafe-inline'" in allowed) == (name == "style-src"), name


def test_a_page_without_a_place_for_it_is_an_error():
    with pytest.raises(ValueError, match="expected a page with <meta charset"):
        safety.guarded("<html></html>")


# One reads what is copied; the other makes of a cell's markup what can do no harm.
READ = {"formulas.js", "harmless.js"}
SOURCES = sorted([*(ROOT / "attn" / "explore" / "js").rglob("*.js"), *(ROOT / "bookext").rglob("*.js")])
SOURCES = [path for path in SOURCES if path.name not in READ]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_text_never_becomes_html_or_code(path):
    text = path.read_text(encoding="utf-8")
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|setHTML|srcdoc|DOMParser|createContextualFragment"
    ways += r"|document\.write|\beval\(|new Function"
    assert re.findall(ways, text) == []
    assert re.findall(r"""setAttribute\(\s*["'`]on""", text) == []
