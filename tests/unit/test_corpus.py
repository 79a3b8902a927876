"""attn.data.corpus: the grammar's sentences and chances, and the frozen text."""

import re

import pytest

from attn.data.corpus import WEATHER, book, sentences


def test_all_sentences_and_their_chances():
    found = dict(sentences(WEATHER))
    assert len(found) == 7
    assert sum(found.values()) == pytest.approx(1)
    assert found[("the", "sky", "is", "grey")] == pytest.approx(0.25)
    assert found[("the", "sea", "is", "cold")] == pytest.approx(0.03)
    assert len({word for text in found for word in text}) == 9


def test_a_symbol_inside_a_symbol():
    grammar = {"S": [(0.5, "a B c"), (0.5, "B B")], "B": [(0.25, "x"), (0.75, "y z")]}
    found = dict(sentences(grammar, "S"))
    assert found[("a", "x", "c")] == 0.125
    assert found[("x", "y", "z")] == 0.5 * 0.25 * 0.75
    assert sum(found.values()) == pytest.approx(1)


def test_the_book_is_words():
    words = book()
    assert len(words) > 5_000
    assert all(re.fullmatch(r"[a-z]+(?:'[a-z]+)*", word) for word in words)
    assert {"query", "key", "softmax", "mask"} <= set(words)
