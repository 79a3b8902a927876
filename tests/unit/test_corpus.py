"""attn.data.corpus: the grammar's sentences and chances, and the frozen text."""

import re

import numpy as np
import pytest

from attn.data.corpus import WEATHER, book, draw_sentences, sentences


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


def test_draws_follow_the_chances():
    drawn = draw_sentences(WEATHER, 20_000, np.random.default_rng(0))
    for text, chance in sentences(WEATHER):
        assert drawn.count(text) / 20_000 == pytest.approx(chance, abs=4 * np.sqrt(chance / 20_000))


def test_the_book_is_words():
    words = book()
    assert len(words) > 5_000
    assert all(re.fullmatch(r"[a-z]+(?:'[a-z]+)*", word) for word in words)
    assert {"query", "key", "softmax", "mask"} <= set(words)
