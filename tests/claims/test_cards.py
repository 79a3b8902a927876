"""Each recall card names what shows it: a page of its chapter has its numbers, and a strong word has a test."""

import re

import pytest

from attn.practice import cards
from ledger import proofs, prose
from tests.claims.pages import CHAPTERS, page_of

ALL = cards.deck("")
PAGES = {str(int(path.stem[:2])): page_of(path) for path in CHAPTERS}


def loose(card):
    """What ties of a card are gone, and which of its numbers and strong words nothing holds."""
    page, text = PAGES[card.chapter], f"{card.asks} {card.answer}"
    found = proofs.shown(page, card.claims)
    yield from found.complaints
    chapter = [one for one in prose.pages() if one.split("/")[-1].startswith(page.split("/")[-1][:2])]
    said = {number for one in chapter for number in proofs.numbers_of(one)}
    for number in prose.prose_numbers(text):
        if number not in said:
            yield f"no page of its chapter says {number}"
    strong = [word for sentence in prose.of_markdown(text) for word in sentence.strong]
    if strong and not found.tests:
        yield f"{strong[0]!r} has no test behind it"


@pytest.mark.parametrize("card", ALL, ids=lambda card: card.name)
def test_a_card_is_tied_to_what_shows_it(card):
    assert card.claims
    assert list(loose(card)) == []


def test_each_chapter_has_six_to_ten_cards_which_are_short_and_say_one_thing():
    assert set(PAGES) <= set(cards.chapters())
    for chapter in cards.chapters():
        assert 6 <= len(cards.deck(chapter)) <= 10
    for card in ALL:
        assert len(prose.split(card.asks)) <= 3, card.name
        assert 1 <= len(prose.split(card.answer)) <= 3, card.name
        assert len(card.answer.split()) <= 50, card.name
        assert re.search(r"[?.]$", card.asks), card.name
