"""Each term of the notation page is explained, or linked to its explanation, where a chapter first uses it."""

import re

import pytest

from tests.claims.pages import CHAPTERS, FURTHER, NOTEBOOKS
from tools.terms import GLOSSARY, LINK, anchor, glossary, pattern, undefined
from tools.text import prose

GROUPS = glossary()
ANCHORS = {anchor(term) for group in GROUPS for term in group}


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda path: path.stem)
def test_terms_are_explained_where_they_are_first_used(page):
    missing = undefined(page, CHAPTERS)
    assert not missing, f"bold with an explanation, or linked as [logits](notation.md#term-logit): {missing}"


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_lead_to_terms_and_from_the_words_that_they_explain(page):
    for word, address in LINK.findall(prose(page)):
        if (key := address.partition("notation.md#")[2]) and key.startswith("term-"):
            assert key in ANCHORS, f"{word} leads to {key}, which the notation page has not"
            (group,) = [group for group in GROUPS if key in map(anchor, group)]
            assert any(pattern(term).search(word) for term in group), f"{word} leads to {key}"


def test_the_list_is_in_the_order_of_the_alphabet():
    names = [group[0].lower() for group in GROUPS]
    assert names == sorted(names)


def test_every_term_has_a_sentence():
    text = re.sub(r"^.*?```\{glossary\}\n|\n```.*$", "", GLOSSARY.read_text(encoding="utf-8"), flags=re.S)
    for entry in text.strip().split("\n\n"):
        meaning = entry.splitlines()[-1]
        assert meaning.startswith("  ")
        assert meaning.endswith("."), entry
    assert len(FURTHER) > len(CHAPTERS)
