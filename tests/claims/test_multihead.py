"""The claims of the chapter on heads that no other test shows, on more cases than the page has room for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore import MultiHead
from attn.masks import padding_mask
from attn.multihead import MultiHeadAttention, merge_heads
from attn.softmax import softmax


def legible():
    widget = MultiHead()
    return MultiHeadAttention(widget.w_q, widget.w_k, widget.w_v, np.vstack(widget.w_o)), np.eye(4)[:3]


def test_a_minus_makes_a_difference():
    widget = MultiHead(faders=[1.0, -1.0])
    assert_allclose(widget.output[:2], 0, atol=1e-15)  # both heads hear the same word
    assert_allclose(widget.output[2], [-0.984, 0.984, 0, 0], atol=5e-4)
    assert_array_equal(widget.weights, MultiHead().weights)  # a fader moves no weight


def test_one_head_and_a_fader_give_every_sum():
    """Head 1's keys, a query of `sat` that scores `cat` ln w above `the`, and a fader of 1 + w."""
    layer, x = legible()
    for w in (0.1, 0.5, 1, 2, 5):
        w_q = layer.w_q[0].copy()
        w_q[2] = [20, 20 + np.log(w) * np.sqrt(3) / 3, 0]  # 20: next to nothing is left for `sat`
        one = MultiHeadAttention(w_q[None], layer.w_k[:1], layer.w_v[:1], (1 + w) * layer.w_o[:3])
        assert_allclose(one(x)[0][2], [1, w, 0, 0], atol=1e-9)


def test_one_head_treats_a_word_alike_wherever_it_found_it():
    """The neighbor's word to one place and the first word to another, for all 16 pairs: best W_O for each weight."""
    pairs = np.stack(np.meshgrid(np.arange(4), np.arange(4)), axis=-1).reshape(-1, 2)
    neighbor, first = np.eye(4)[pairs].swapaxes(0, 1)
    wanted = {
        "two places": np.hstack([neighbor, first]),
        "a minus": neighbor - first,
        "a sum": neighbor + first,
    }
    worst = dict.fromkeys(wanted, np.inf)
    for p in np.linspace(0, 1, 101):  # the weight of the neighbor; the width of W_O is not limited
        blend = p * neighbor + (1 - p) * first
        for name, output in wanted.items():
            error = np.abs(blend @ np.linalg.lstsq(blend, output, rcond=None)[0] - output).max()
            worst[name] = min(worst[name], error)
    assert worst["a sum"] < 1e-12
    assert worst["two places"] > 0.4
    assert worst["a minus"] > 0.4
    for output in wanted.values():  # two heads, each with its own rows of W_O
        both = np.hstack([neighbor, first])
        assert_allclose(both @ np.linalg.lstsq(both, output, rcond=None)[0], output, atol=1e-12)


def blind(x, layer):
    """Reshape without transpose, on the way in and on the way out."""
    packed = (x @ merge_heads(w) for w in (layer.w_q, layer.w_k, layer.w_v))
    q, k, v = (made.reshape(layer.n_heads, len(x), -1) for made in packed)
    weights = softmax(q @ np.swapaxes(k, 1, 2) / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(len(x), -1) @ layer.w_o, weights


def test_reshape_alone_raises_nothing_and_breaks_the_promise():
    rng = np.random.default_rng(0)
    for n, n_heads in ((4, 2), (5, 3), (6, 4)):
        layer, x = MultiHeadAttention.init(rng, 24, n_heads), rng.normal(size=(n, 24))
        output, weights = blind(x, layer)
        assert output.shape == layer(x)[0].shape
        assert weights.shape == layer(x)[1].shape
        assert_allclose(weights.sum(axis=-1), 1)
        order = np.roll(np.arange(n), 1)
        assert_allclose(layer(x[order])[0], layer(x)[0][order], atol=1e-12)
        assert np.abs(blind(x[order], layer)[0] - output[order]).max() > 1e-3


def test_a_batch_can_land_on_the_heads():
    layer, _ = legible()
    pair, hide = np.stack([np.eye(4), np.eye(4)]), padding_mask(np.array([4, 2]), 4)
    scores = pair[:, None] @ layer.w_q @ np.swapaxes(pair[:, None] @ layer.w_k, -1, -2) / np.sqrt(3)
    silent = softmax(np.where(hide, scores, -np.inf))
    right = layer(pair, mask=hide)[1]
    assert silent.shape == right.shape
    assert_allclose(right[1, :, :, 2:], 0)
    assert silent[1, 0, :, 2:].sum() > 1  # head 1 sees the padding of the second sentence
    assert_allclose(silent[0, 1, :, 2:], 0)  # and head 2 is blind to the last words of the first


def test_the_scale_of_d_model_blurs():
    """Scores divided by √d_model are √h smaller than those divided by √d_k, so no row is sharper."""
    rng = np.random.default_rng(1)
    layer, x = MultiHeadAttention.init(rng, 24, 4), rng.normal(size=(5, 24))
    scores = x @ layer.w_q @ np.swapaxes(x @ layer.w_k, 1, 2)
    right, wrong = softmax(scores / np.sqrt(6)), softmax(scores / np.sqrt(24))
    assert (wrong.max(axis=-1) <= right.max(axis=-1)).all()


def test_a_head_of_eight_carries_an_eighth():
    """Another seed than the page's, more draws."""
    rng = np.random.default_rng(2026)
    parts = []
    for _ in range(1500):
        shares = MultiHeadAttention.init(rng, 32, 8).shares(rng.normal(size=(6, 32)))
        parts.append(np.sum(shares[0] ** 2) / np.sum(shares.sum(axis=0) ** 2))
    error = 3.3 * np.std(parts) / np.sqrt(len(parts))
    assert abs(np.mean(parts) - 0.125) < error + 0.005


def test_one_head_that_is_silent_on_repeats_is_silent():
    """u_a = v_a W_O: the output on a repeated word. Without it nothing is left; and it is the hull's corner."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        words = rng.normal(size=(4, 5))
        w_q, w_k, w_v = 2 * rng.normal(size=(3, 1, 5, 3))
        layer = MultiHeadAttention(w_q, w_k, w_v, rng.normal(size=(3, 2)))
        corners = np.array([layer(np.stack([word] * 3))[0][0] for word in words])
        assert_allclose(corners, words @ w_v[0] @ layer.w_o, atol=1e-12)
        output, weights = layer(words)
        assert_allclose(output, weights[0] @ corners, atol=1e-11)


def test_a_slider_moves_a_weight_only_where_two_scores_are_close():
    """Each of the 48 entries of W_Q and W_K of source 003 swept alone: 0.005 is moved only at a gap below 6."""
    widget, moved = MultiHead("source"), 0
    x, first = np.array(widget.x)[:2], (np.array(widget.w_q), np.array(widget.w_k))

    def scores(w_q, w_k):
        return x @ w_q @ np.swapaxes(x @ w_k, 1, 2) / np.sqrt(3)

    start = softmax(scores(*first))
    assert np.abs(np.diff(scores(*first))).min() > 20
    assert sum(w.size for w in first) == 48
    for which in (0, 1):
        for place in np.ndindex(2, 4, 3):
            for value in np.linspace(-2, 2, 81):
                swept = [w.astype(float) for w in first]
                swept[which][place] = value
                seen = scores(*swept)
                visible = np.abs(softmax(seen) - start).max(axis=-1) >= 0.005
                gaps = seen[..., 1] - seen[..., 0]
                assert (gaps[visible] < 6).all()
                moved += visible.sum()
    assert moved > 0


@pytest.mark.parametrize("n_heads", [2, 3, 4])
def test_a_split_into_blocks_of_tokens_passes_where_each_block_is_one_token(n_heads):
    """And is caught with more tokens than heads, by shuffling: the chapter's test needs that."""
    rng = np.random.default_rng(n_heads)

    def blind(x, w):
        q, k, v = ((x @ one).reshape(n_heads, len(x), -1) for one in w)
        return (softmax(q @ k.swapaxes(1, 2)) @ v).reshape(len(x), -1)

    for n_tokens, kept in ((n_heads, True), (n_heads + 1, False), (2 * n_heads, False)):
        x, w = rng.normal(size=(n_tokens, 24)), rng.normal(size=(3, 24, 24)) / 5
        order = np.roll(np.arange(n_tokens), 1)
        assert np.allclose(blind(x[order], w), blind(x, w)[order], atol=1e-9) == kept
