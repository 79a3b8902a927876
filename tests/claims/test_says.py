"""Each sentence that a notebook prints with its own numbers (`attn.says`) stands on its page, to the letter."""

import pytest

from ledger import proofs, prose

SPEAKING = [page for page in prose.pages() if prose.printed()[page]]


@pytest.mark.parametrize("page", SPEAKING)
def test_what_a_page_prints_stands_in_its_text(page):
    text = prose.running(page)
    missing = [line for line in prose.printed()[page] if line not in text]
    assert missing == [], "`make notebooks` puts numbers that moved into the text"


@pytest.mark.parametrize("page", SPEAKING)
def test_no_sentence_has_both_an_entry_and_its_own_print(page):
    both = [entry["text"] for entry in proofs.entries(page) or [] if entry["kind"] == "computed"]
    both = [text for text in both if not prose.not_printed(page, prose.Sentence(text, text, "")).text.strip()]
    assert both == [], "take its entry out of ledger/sentences/"


def test_a_page_names_a_page_that_is_there():
    """Lines for another page begin with its name in brackets."""
    assert prose.OF_PAGE.match("[chapters/teaching/03_masking] At 2 it is 0.53.")[1] in prose.pages()
