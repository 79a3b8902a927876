"""Each recall card is tied to claims of the ledger: its numbers stand there, and a strong word has a test behind it."""

import re

import pytest

import ledger
from attn.practice import cards
from ledger import prose
from ledger.proofs import numbers, rounds_to, rows_that_begin
from tests.claims.pages import CHAPTERS, page_of

ALL = cards.deck("")
PAGES = {str(int(path.stem[:2])): page_of(path) for path in CHAPTERS}


def rows(card):
    """The rows of the ledger that a card names, [] for words with which none, or more than one, begins."""
    found = [rows_that_begin(PAGES[card.chapter], words) for words in card.claims]
    return [each[0][1] if len(each) == 1 else None for each in found]


def loose(card):
    """What ties of a card are gone, and which of its numbers and strong words nothing holds."""
    found = rows(card)
    for words, row in zip(card.claims, found, strict=True):
        if row is None:
            yield f"no row of the ledger, or more than one, begins with {words!r}"
    known = {float(one) for row in found if row for one in numbers(row["says"])}
    text = f"{card.asks} {card.answer}"
    for number in prose.prose_numbers(text):
        if not rounds_to(number.replace(",", ""), known, f"{number} %" in text):
            yield f"{number} stands in none of its rows"
    strong = [word for sentence in prose.of_markdown(text) for word in sentence.strong]
    if strong and not any(row and row.get("test") for row in found):
        yield f"{strong[0]!r} has no test behind it"


@pytest.mark.parametrize("card", ALL, ids=lambda card: card.name)
def test_a_card_is_tied_to_claims_that_hold_its_numbers(card):
    assert card.claims
    assert list(loose(card)) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"claims": ("No row begins like this",)}, "no row"),
        ({"claims": ("With",)}, "more than one"),
        ({"answer": "It is 3.75."}, "3.75 stands in none"),
        ({"answer": "It holds for 1,025 tokens."}, "1,025 stands in none"),
        (
            {"answer": "Nobody can do it.", "claims": ("Attention is a kernel smoother",)},
            "'nobody' has no test",
        ),
    ],
)
def test_a_loose_card_is_found(changes, said):
    card = next(card for card in ALL if card.name == "card.attention.two-words")._replace(**changes)
    assert said in " ".join(loose(card))


def test_a_claim_whose_number_changes_loosens_its_card(monkeypatch):
    card = next(card for card in ALL if card.name == "card.pmi.bits-in-softmax")
    assert list(loose(card)) == []
    changed = {
        page: [row | {"says": row["says"].replace("1.443", "1.442")} for row in rows_]
        for page, rows_ in ledger.claims().items()
    }
    monkeypatch.setattr(ledger, "claims", lambda: changed)
    assert list(loose(card)) != []


def test_each_chapter_has_six_to_ten_cards():
    drafts = {
        chapter
        for chapter, page in PAGES.items()
        if any(prose.DRAFT in "".join(cell["source"]) for cell in prose.cells(page))
    }
    assert set(PAGES) - drafts <= set(cards.chapters())
    for chapter in cards.chapters():
        assert 6 <= len(cards.deck(chapter)) <= 10


def test_a_card_is_short_and_says_one_thing():
    for card in ALL:
        assert len(prose.split(card.asks)) <= 3, card.name
        assert 1 <= len(prose.split(card.answer)) <= 3, card.name
        assert len(card.answer.split()) <= 50, card.name
        assert re.search(r"[?.]$", card.asks), card.name
