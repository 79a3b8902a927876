"""The theorems of the chapter on masks: nothing within their conditions breaks them, something outside each does."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.check.masking import _lowest
from attn.masks import causal_mask, prefix_mask, sliding_window_mask
from attn.softmax import softmax
from tests.falsify.attack import normal, worst


def bits(array):
    """The bytes of an array, with −0 as 0: the two are one number."""
    return (np.asarray(array) + 0.0).tobytes()


# "The output of token i is the same, bit for bit, whatever finite keys and values the tokens after it have." ---------


def masks_of(n, rng):
    yield causal_mask(n)
    yield sliding_window_mask(n, int(rng.integers(1, n + 1)))
    yield np.tril(rng.random((n, n)) < 0.6)  # holes, and rows that see nothing


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [2, 3, 5, 8, 17, 64, 200])
def test_no_hidden_value_moves_a_bit(n, dtype):
    """Sizes from tiny to nearly overflowing, zeros of both signs, copies of what is in sight; also in batches."""
    rng = np.random.default_rng(n)
    largest = np.sqrt(np.finfo(dtype).max) / 1e3  # scores must not overflow: attn refuses them
    for trial in range(60 if n < 64 else 15):
        batch = () if trial % 3 else (2, 3)
        d, cut = int(rng.integers(1, 12)), int(rng.integers(1, n))
        q, k, v = rng.normal(size=(3, *batch, n, d)).astype(dtype)
        for mask in masks_of(n, rng):
            old = scaled_dot_product_attention(q, k, v, mask)
            hidden = rng.normal(size=(2, *batch, n - cut, d)) * 10.0 ** rng.integers(-30, 15)
            for extreme in (
                hidden,
                0 * hidden,
                -0.0 * hidden,
                np.sign(hidden) * largest,
                0 * hidden + 5e-324,
            ):
                new_k, new_v = k.copy(), v.copy()
                new_k[..., cut:, :], new_v[..., cut:, :] = extreme.astype(dtype)
                new = scaled_dot_product_attention(q, new_k, new_v, mask)
                for one, two in zip(old, new, strict=True):
                    assert bits(one[..., :cut, :]) == bits(two[..., :cut, :])


def test_without_equal_shapes_some_bit_differs():
    """The condition is needed: a pass over the first words alone is equal up to rounding, and not to the last bit."""
    differ, largest = 0, 0.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        q, k, v = rng.normal(size=(3, 64, 8))
        whole = scaled_dot_product_attention(q, k, v, causal_mask(64))[0]
        for n in range(1, 64):
            alone = scaled_dot_product_attention(q[:n], k[:n], v[:n], causal_mask(n))[0]
            differ += bits(alone) != bits(whole[:n])
            largest = max(largest, np.abs(alone - whole[:n]).max())
    assert differ > 0
    assert largest < 1e-12


def test_an_infinite_value_gets_through_a_weight_of_zero():
    weights, v = softmax(np.array([[0.0, -np.inf]])), np.array([[1.0], [np.inf]])
    with np.errstate(invalid="ignore"):
        assert np.isnan(weights @ v).all()
    with pytest.raises(ValueError, match="v"):
        scaled_dot_product_attention(np.ones((1, 1)), np.ones((2, 1)), v, np.array([[True, False]]))


def test_masked_after_the_softmax_the_past_moves():
    scores, v = np.random.default_rng(0).normal(size=(20, 4, 4)), np.random.default_rng(1).normal(size=(4, 3))
    one, two = (np.where(causal_mask(4), softmax(s), 0) @ v for s in (scores, scores + [0, 0, 0, 1]))
    assert (np.abs(one - two)[:, :3].max(axis=-1) > 1e-6).all()


# "Rescaled after the softmax, the weights are those that were masked before." ------------------------------------


def rescaled(scores, mask):
    kept = np.where(mask, softmax(scores), 0)
    with np.errstate(invalid="ignore"):
        return kept / kept.sum(axis=-1, keepdims=True)


def test_rescaling_equals_masking_before_where_nothing_underflows():
    """Hidden scores climb wherever the difference grows, to 30 above the visible ones."""
    mask = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 1]], dtype=bool)

    def violation(p):
        scores = np.clip(p["scores"], -30, 30)
        return np.abs(rescaled(scores, mask) - softmax(np.where(mask, scores, -np.inf))).max(axis=(1, 2))

    assert worst(normal(scores=(3, 4)), violation) < 1e-14
    for scores, seen in (
        ([0.0, 1, 800], [1, 1, 0]),
        ([0.0, 1, 2], [0, 0, 0]),
    ):  # the visible underflow; none is
        assert np.isnan(rescaled(np.array([scores]), np.array([seen], dtype=bool))).all()


# "After L layers with windows of w the last L(w − 1) + 1 tokens have a path to a token." --------------------------


def reached(masks):
    """Who has a path to the last token, by walking."""
    here = {len(masks[0]) - 1}
    for mask in masks:
        here = {j for i in here for j in range(len(mask)) if mask[i, j]}
    return here


def test_the_reach_of_stacked_windows():
    """One token that all may see reaches further."""
    for n, w, layers in itertools.product((5, 12, 30), (1, 2, 3, 7), (1, 2, 4)):
        found = reached([sliding_window_mask(n, w)] * layers)
        assert found == set(range(n - min(n, layers * (w - 1) + 1), n))
    windows = sliding_window_mask(30, 4) | (np.arange(30) == 0)
    assert 0 in reached([windows] * 2)
    assert 0 not in reached([sliding_window_mask(30, 4)] * 2)


# "Under a causal mask the first token has nothing to mix with." -------------------------------------------------


def test_the_first_token_is_its_own_value():
    rng = np.random.default_rng(1)
    for _ in range(200):
        n, d = rng.integers(1, 9, 2)
        q, k, v = rng.normal(size=(3, n, d)) * 10.0 ** rng.integers(-3, 4)
        output, weights = scaled_dot_product_attention(q, k, v, causal_mask(n))
        assert weights[0, 0] == 1
        assert bits(output[0]) == bits(v[0])
    seen = scaled_dot_product_attention(q, k, v, prefix_mask(n, n))[0] if n > 1 else output + 1
    assert not np.allclose(seen[0], v[0])  # with a prefix it mixes


# "Letters drawn evenly and independently: who doesn't see the target pays ln of their number." --------------------


def lowest_by_tables(mask, n_symbols, texts=None):
    """The best that any guesser can do, from the joint distribution of what it sees and what it should guess."""
    n, total = len(mask), 0.0
    texts = texts or list(itertools.product(range(n_symbols), repeat=n + 1))
    for i in range(n):
        counts = {}
        for text in texts:
            seen = tuple(text[j] for j in range(n) if mask[i, j])
            counts.setdefault(seen, [0] * n_symbols)[text[i + 1]] += 1
        for row in counts.values():
            total -= sum(count * math.log(count / sum(row)) for count in row if count)
    return total / len(texts) / n


def test_the_lowest_loss_of_every_mask_of_three():
    """Where each letter repeats the one before, an honest guess costs nothing: letters must be independent."""
    for flat in itertools.product((False, True), repeat=9):
        mask = np.array(flat).reshape(3, 3)
        for n_symbols in (2, 3):
            expected = lowest_by_tables(mask, n_symbols)
            assert_allclose(_lowest(mask, n_symbols), expected, atol=1e-12)
    assert lowest_by_tables(causal_mask(1), 3, [(a, a) for a in range(3)]) == 0
    assert _lowest(causal_mask(1), 3) == pytest.approx(math.log(3))


def test_two_layers_can_carry_what_one_may_not_see():
    """ "One layer" is needed: token 0 may look at 2, which may look at 1, the target of 0."""
    mask = np.array([[1, 0, 1], [0, 1, 0], [0, 1, 1]])
    assert (mask[0, 1], (mask @ mask)[0, 1]) == (0, 1)


# "The test finds a leak of the future; it does not find a mask that hides too much." ------------------------------


def test_changing_the_future_finds_leaks_and_no_mask_that_hides_too_much():
    rng = np.random.default_rng(3)
    q, k, v = rng.normal(size=(3, 4, 5))
    changed = np.vstack([k[:3], k[3] + 1])

    def past_moves(mask):
        one, two = (scaled_dot_product_attention(q, keys, v, mask)[0] for keys in (k, changed))
        return bool(np.abs(one - two)[:3].max() > 1e-9)

    assert past_moves(causal_mask(4, offset=1))
    assert past_moves(~causal_mask(4))
    assert not past_moves(causal_mask(4))
    assert not past_moves(causal_mask(4, offset=-1))
    assert not past_moves(np.eye(4, dtype=bool))
    assert not past_moves(np.zeros((4, 4), dtype=bool))  # it hides all from all, and there is no leak
    one_row = causal_mask(4)
    one_row[0, 1] = True  # a leak into a row from a token that the test did not change
    assert not past_moves(one_row)

    def something_before_moves(mask):  # the test that the chapter says to keep
        found = False
        for j in range(1, 4):
            k_new, v_new = k.copy(), v.copy()
            k_new[j] += 1
            v_new[j] += 1
            moved = (
                scaled_dot_product_attention(q, k_new, v_new, mask)[0]
                - scaled_dot_product_attention(q, k, v, mask)[0]
            )
            found |= bool(np.abs(moved)[:j].max() > 1e-9)
        return found

    assert not something_before_moves(causal_mask(4))
    for i, j in zip(*np.triu_indices(4, 1), strict=True):  # each single leak of the future
        leak = causal_mask(4)
        leak[i, j] = True
        assert something_before_moves(leak), (i, j)
