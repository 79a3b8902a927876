"""Numbers on the page: what a call refuses, and text that looks like HTML. All else stands in notebooks' outputs."""

import re

import numpy as np
import pytest

from attn.show import show, table


def test_text_in_a_page_is_text():
    page = table({"a<b": ["<script>", "&"]})._repr_mimebundle_()["text/html"]
    assert re.findall(r"<t[hd]\b[^>]*>([^<]*)</t[hd]>", page) == ["a&lt;b", "&lt;script&gt;", "&amp;"]


def test_only_pairs_have_words_above_and_a_vector_is_a_row():
    words, square = ["the", "cat", "sat"], np.arange(9.0).reshape(3, 3)
    assert str(show(words, q=square)).splitlines()[1] == "the  0  1  2"
    assert str(show(words, scores=square)).splitlines()[1].split() == words
    _, heads, row = str(show(words, weights=[0.5, 0.25, 0.25])).splitlines()
    assert (heads.split(), row.split()) == ([*words, "Σ"], ["0.50", "0.25", "0.25", "1"])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: show(), "show needs at least one named matrix, such as weights=weights, got none"),
        (lambda: show(q=np.ones((2, 3, 4))), "q must have one or two axes, got shape (2, 3, 4)"),
        (lambda: show(q=3.0), "q must have one or two axes, got shape ()"),
        (lambda: table({}), "columns must have one length, got no column"),
        (lambda: table({"a": [1], "b": [1, 2]}), "columns must have one length, got {'a': 1, 'b': 2}"),
    ],
)
def test_wrong_input_is_named(call, says):
    with pytest.raises(ValueError, match="^" + re.escape(says)):
        call()
