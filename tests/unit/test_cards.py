"""Recall cards: a deck a chapter, names that stay unique, and a text that Anki can import."""

import html
import re

import pytest

from attn.explore import Cards
from attn.practice import cards


def test_all_decks_make_up_the_book():
    assert [card for chapter in cards.chapters() for card in cards.deck(chapter)] == cards.deck("")
    assert cards.chapters() == [str(chapter) for chapter in range(len(cards.chapters()))]


@pytest.mark.parametrize("chapter", ["10", "03", "three", " "])
def test_a_chapter_without_cards_is_refused(chapter):
    with pytest.raises(ValueError, match=rf"chapter must be one of 0, 1, .*, or empty for all, got '{chapter}'"):
        cards.deck(chapter)
    with pytest.raises(ValueError, match="chapter must be"):
        Cards(chapter)


def read_by_anki(text):
    """The notes of a text, as Anki's manual says: headers first, then a line a note with the declared columns."""
    lines = text.splitlines()
    headers = dict(line[1:].split(":", 1) for line in lines if line.startswith("#"))
    assert [line.startswith("#") for line in lines] == sorted((line.startswith("#") for line in lines), reverse=True)
    assert headers["separator"] == "tab"
    assert headers["html"] == "true"
    columns = headers["columns"].split("\t")
    notes = [line.split("\t") for line in lines if not line.startswith("#")]
    assert {len(note) for note in notes} == {len(columns)}
    guid, tags = (int(headers[f"{what} column"]) - 1 for what in ("guid", "tags"))
    return [(note[guid], note[columns.index("Front")], note[columns.index("Back")], note[tags]) for note in notes]


def test_a_card_without_an_answer_is_named(monkeypatch):
    whole = '[[card]]\nname = "a"\nasks = "?"\nanswer = "!"\nclaims = []\n'
    monkeypatch.setattr(cards, "_files", lambda: {"0": ("x", whole + whole.replace("answer", "anwser"), "")})
    expected = "card 2 of chapter 0 must have answer, asks, claims, name, got anwser, asks, claims, name"
    with pytest.raises(ValueError, match=expected):
        cards.deck("0")


def test_anki_gets_every_card_under_its_name():
    notes = read_by_anki(cards.anki())
    assert [note[0] for note in notes] == [entry["name"] for entry in Cards.exercises()]
    for (_, front, back, tags), card in zip(notes, cards.deck(""), strict=True):
        assert html.unescape(re.sub(r"</?(?:code|em)>", "", front)) == re.sub("[`*]", "", card.asks)
        assert html.unescape(re.sub(r"</?(?:code|em)>", "", back)) == re.sub("[`*]", "", card.answer)
        assert tags == f"attention-by-hand::chapter-{card.chapter}"


def test_signs_that_html_or_a_table_would_take_are_escaped(monkeypatch):
    odd = cards.Card("card.x.y", 'a < b\tand "c"\n& `d<e>` *f*', "#g", "0", ())
    monkeypatch.setattr(cards, "deck", lambda chapter: [odd])
    note = cards.anki().splitlines()[-1].split("\t")
    assert note[1] == "a &lt; b and &quot;c&quot; &amp; <code>d&lt;e&gt;</code> <em>f</em>"


def test_the_figure_holds_its_chapter_and_shares_nothing():
    figure = Cards("3")
    assert [card["name"] for card in figure.cards] == [card.name for card in cards.deck("3")]
    assert all(set(card) == {"name", "asks", "answer", "chapter", "page"} for card in figure.cards)
    assert figure.rules == {}
    assert len(Cards().cards) == len(cards.deck(""))
    assert figure.cards[0]["asks"] in figure.alt
    assert not any(card["answer"] in figure.alt for card in figure.cards)
