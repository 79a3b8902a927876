"""The first figure, `SelfAttention`: what it refuses, and other words than its own."""

import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.explore import SelfAttention

Q = K = [[1.0, 0], [0, 2]]
V = [[2.0, 1], [-1, 0]]


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"k": [[1, 0], [0, 1]]}, ValueError, r"k must have shape \(3, 2\), got \(2, 2\)"),
        ({"asks": "dog"}, ValueError, "asks must be one of the, cat, sat, got 'dog'"),
        ({"tokens": ["the", "cat", "the"]}, ValueError, "all be different"),
        ({"tokens": ["the"]}, ValueError, "two to eight words, got 1"),
        ({"mask": None}, TypeError, "has no mask"),
    ],
)
def test_it_says_what_is_wrong(given, error, says):
    with pytest.raises(error, match=says):
        SelfAttention(**given)


def test_it_takes_other_words():
    figure = SelfAttention(["a", "b"], Q, K, V, asks="a")
    assert_allclose(figure.output, scaled_dot_product_attention(Q, K, V)[0])
    assert "query of a" in figure.alt
    assert figure.png()[:4] == b"\x89PNG"
    with pytest.raises(Exception, match="asks must be one of"):
        figure.asks = "dog"
