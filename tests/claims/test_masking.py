"""The claims of the masking chapter that no other test shows, on more cases than the page has room for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.explore.masking import TOKENS, K, Q, V
from attn.masks import causal_mask, sliding_window_mask
from attn.positional import sinusoidal_encoding
from attn.rotary import rotary_attention
from attn.softmax import softmax

Q, K, V = (np.array(x, dtype=float) for x in (Q, K, V))
SCORES = Q @ K.T / 2
SEES = causal_mask(4)
IS = TOKENS.index("IS")


def after(scores, mask):
    """Masked after the softmax and not rescaled: the bug."""
    return np.where(mask, softmax(scores), 0.0)


def test_masked_after_the_rows_lose_weight():
    sums = after(SCORES, SEES).sum(axis=-1)
    assert_allclose(sums[0], 0.225, atol=5e-4)
    assert (sums[:3] < 1).all()
    assert_allclose(sums[3], 1)


def test_rescaling_after_equals_masking_before():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = rng.integers(1, 7)
        scores = rng.normal(scale=3, size=(n, n))
        mask = (rng.random((n, n)) < 0.6) | np.eye(n, dtype=bool)
        kept = after(scores, mask)
        before = softmax(np.where(mask, scores, -np.inf))
        assert_allclose(kept / kept.sum(axis=-1, keepdims=True), before, atol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_the_past_does_not_move_by_a_bit(seed):
    rng = np.random.default_rng(seed)
    n, t = 6, rng.integers(1, 6)
    q, k, v = rng.normal(size=(3, n, 5))
    old = scaled_dot_product_attention(q, k, v, causal_mask(n))[0]
    k[t:], v[t:] = 1e6 * rng.normal(size=(2, n - t, 5))
    new = scaled_dot_product_attention(q, k, v, causal_mask(n))[0]
    assert_array_equal(new[:t], old[:t])
    assert (new[t:] != old[t:]).any()


def test_the_size_of_the_leak():
    """Another seed than the page's, more draws: the page's mean lies in the 99.9 % interval of this one."""
    rng = np.random.default_rng(2026)

    def moves(weigh):
        for _ in range(4000):
            q, k, v = rng.normal(size=(3, 4, 8))
            k_new = np.vstack([k[:3], rng.normal(size=8)])
            one, two = (weigh(q @ key.T / np.sqrt(8))[1] @ v for key in (k, k_new))
            yield np.linalg.norm(one - two)

    leak = np.fromiter(moves(lambda s: after(s, SEES)), float)
    half_width = 3.29 * leak.std(ddof=1) / np.sqrt(len(leak))
    assert abs(leak.mean() - 0.238) < half_width + 0.004 * 3.29 / 1.96  # the page has an error of its own
    assert half_width < 0.02
    assert max(moves(lambda s: softmax(np.where(SEES, s, -np.inf)))) == 0


@pytest.mark.parametrize(("window", "layers"), [(1, 3), (2, 1), (2, 5), (4, 5), (7, 2)])
def test_reach_of_stacked_windows(window, layers):
    n = 40
    reached = np.linalg.matrix_power(sliding_window_mask(n, window).astype(int), layers)[n - 1] > 0
    assert reached.sum() == layers * (window - 1) + 1
    assert reached[-1]


def test_the_in_place_trick_depends_on_its_order():
    assert not hasattr(np, "infty")
    right, swapped = np.tril(np.ones((3, 3))), np.tril(np.ones((3, 3)))
    right[right == 0] = -np.inf
    right[right == 1] = 0
    swapped[swapped == 1] = 0
    swapped[swapped == 0] = -np.inf
    assert_array_equal(right, np.where(causal_mask(3), 0, -np.inf))
    assert (swapped == -np.inf).all()


def test_zero_times_infinity():
    with np.errstate(invalid="ignore"):
        table = (1 - SEES.astype(float)) * -np.inf
    assert np.isnan(table[SEES]).all()
    assert (table[~SEES] == -np.inf).all()


def test_zeros_and_ones_added_hide_nothing():
    weights = softmax(SCORES + SEES.astype(int))
    assert (weights > 0.05).all()
    assert_allclose(weights.sum(axis=-1), 1)


def test_minus_1e9_in_an_empty_row():
    row = np.array([1.0, 0.0, 2.0])
    assert_array_equal(softmax(np.full(3, -np.inf)), 0)
    assert_allclose(softmax(np.full(3, -1e9)), 1 / 3)
    assert_allclose(softmax(row - 1e9), softmax(row), atol=1e-7)
    assert_allclose(softmax(row), [0.245, 0.090, 0.665], atol=5e-4)
    assert_allclose(softmax(row.astype(np.float32) - np.float32(1e9)), 1 / 3, rtol=1e-6)
    with np.errstate(over="ignore"):
        assert np.float16(-1e9) == -np.inf


def test_an_empty_row_poisons_the_gradient():
    """The gradient of the page against finite differences, then with NaN where the mask hides a whole row."""

    def gradient(weights, d_output):
        d_weights = d_output @ V.T
        return (weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))).T @ Q / 2

    mask = causal_mask(4) & (np.arange(4) >= 2)
    d_output = np.array([[0.0, 0], [0, 0], [1, 0], [1, 0]])
    weights = scaled_dot_product_attention(Q, K, V, mask)[1]

    def loss(k):
        return (scaled_dot_product_attention(Q, k, V, mask)[0] * d_output).sum()

    numeric = np.zeros_like(K)
    for index in np.ndindex(K.shape):
        step = np.zeros_like(K)
        step[index] = 1e-6
        numeric[index] = (loss(K + step) - loss(K - step)) / 2e-6
    assert_allclose(gradient(weights, d_output), numeric, atol=1e-8)
    weights[:2] = np.nan
    assert np.isnan(gradient(weights, d_output)).all()
    assert np.isnan(weights.T @ d_output).all()  # of the values
    # Where hidden scores are replaced, theirs is set to 0 before anything is summed: the keys are spared.
    d_weights = d_output @ V.T
    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
    assert_allclose(np.where(mask, d_scores, 0).T @ Q / 2, numeric, atol=1e-8)


def rows_that_count(n, layers):
    """Of what each layer without a mask puts out for n words: how many rows the last row at the end depends on."""

    def end(nudged=None):  # (layer, row) of what is nudged
        stream = 0.3 * np.random.default_rng(n).normal(size=(n, 4))
        for layer in range(layers):
            stream = stream + scaled_dot_product_attention(stream, stream, stream)[0]
            if nudged and nudged[0] == layer:
                stream[nudged[1]] += 0.1
        return stream[-1]

    return [
        sum(np.abs(end((layer, row)) - end()).max() > 1e-9 for row in range(n)) for layer in range(layers)
    ]


def test_one_pass_saves_this_much():
    """Each row that counts has as many scores as the beginning has words: all rows, except in the last layer."""
    assert 1024**2 == 1_048_576
    assert 1024 * 1025 * 2049 // 6 == 358_438_400  # the sum of the squares up to 1,024
    counted = np.array([[n * rows for rows in rows_that_count(n, 3)] for n in range(1, 11)]).sum(axis=0)
    assert counted.tolist() == [385, 385, 55]  # against 100 of one pass
    assert sum(n * rows_that_count(n, 1)[0] for n in range(1, 11)) == 55 < 100


def test_a_readout_finds_the_leak():
    """Other heads than the page's, more sentences: chance is 1 in 4, and a mask after the softmax does better."""

    def guessed(rule, seed):
        rng = np.random.default_rng(seed)
        letters, w_v = rng.normal(size=(4, 8)), rng.normal(size=(8, 8))
        w_q, w_k = rng.normal(size=(2, 8, 8)) / np.sqrt(8)
        drawn = rng.integers(4, size=(2, 1000, 4))
        x = letters[drawn]
        third = (rule(x @ w_q @ np.swapaxes(x @ w_k, -1, -2) / np.sqrt(8)) @ x @ w_v)[..., 2, :]
        (seen, new), (known, wanted) = np.insert(third, 8, 1, axis=-1), drawn[..., 3]
        readout = np.linalg.lstsq(seen, np.eye(4)[known], rcond=None)[0]
        return np.mean((new @ readout).argmax(axis=1) == wanted)

    before = [guessed(lambda s: softmax(np.where(SEES, s, -np.inf)), seed) for seed in range(100, 160)]
    after = [guessed(lambda s: np.where(SEES, softmax(s), 0), seed) for seed in range(100, 160)]
    assert abs(np.mean(before) - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 60_000)
    assert np.mean(after) > 0.33
    assert np.mean(np.array(after) > 0.3) > 0.7


def test_the_leak_is_a_length():
    """Other heads than the page's: who may compare lengths gets nearly all, who may not gets chance."""
    assert len(list(np.ndindex(4, 4, 4, 4))) == 256  # sentences of four letters
    found = []
    for seed in range(300, 320):
        rng = np.random.default_rng(seed)
        letters, (w_q, w_k, w_v) = rng.normal(size=(4, 8)), rng.normal(size=(3, 8, 8)) / np.sqrt(8)
        drawn = rng.integers(4, size=(2, 500, 4))
        x = letters[drawn]
        scores = x @ w_q @ np.swapaxes(x @ w_k, -1, -2) / np.sqrt(8)
        weights = after(scores, SEES)
        early = softmax(np.where(SEES, scores, -np.inf)) @ x @ w_v
        assert_allclose(weights @ x @ w_v, weights.sum(axis=-1, keepdims=True) * early, atol=1e-12)
        seen, new = (weights @ x @ w_v)[..., 2, :]
        (known, wanted), sizes = drawn[..., 3], [np.linalg.norm(a, axis=1)[:, None] for a in (seen, new)]

        def nearest(seen, new, known=known):
            return known[((new[:, None] - seen) ** 2).sum(axis=-1).round(15).argmin(axis=1)]

        inputs = [np.hstack([a, size, np.ones((500, 1))]) for a, size in zip((seen, new), sizes, strict=True)]
        readout = np.linalg.lstsq(inputs[0], np.eye(4)[known], rcond=None)[0]
        directions = [(a / size).round(9) for a, size in zip((seen, new), sizes, strict=True)]
        ways = nearest(seen, new), nearest(*directions), (inputs[1] @ readout).argmax(axis=1)
        among = np.isin(*(sentences @ [64, 16, 4, 1] for sentences in drawn[::-1]))
        right = ways[0] == wanted
        found.append([*(np.mean(way == wanted) for way in ways), among.mean(), right[~among].mean()])
        assert right[among].all()
    by_length, by_direction, linear, known_ones, of_the_others = np.mean(found, axis=0)
    assert abs(known_ones - 0.86) < 0.02
    assert abs(of_the_others - 0.70) < 0.06
    assert np.min(found, axis=0)[0] > 0.9
    assert abs(by_direction - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 10_000)
    assert by_length > 0.94
    assert 0.3 < linear < 0.45


def test_a_leak_is_worth_nothing_when_the_model_writes():
    """Other heads than the page's: readouts fitted with the fourth letter in the table, used without it."""

    def third(x, w_q, w_k, w_v):
        scores = x @ w_q @ np.swapaxes(x @ w_k, -1, -2) / np.sqrt(8)
        return np.insert((after(scores, causal_mask(x.shape[1])) @ x @ w_v)[:, 2], 8, 1, axis=-1)

    trained, written = [], []
    for seed in range(200, 260):
        rng = np.random.default_rng(seed)
        letters, matrices = rng.normal(size=(4, 8)), rng.normal(size=(3, 8, 8)) / np.sqrt(8)
        known, wanted = rng.integers(4, size=(2, 1000, 4))
        readout = np.linalg.lstsq(third(letters[known], *matrices), np.eye(4)[known[:, 3]], rcond=None)[0]
        for shares, drawn in ((trained, wanted), (written, wanted[:, :3])):
            guesses = (third(letters[drawn], *matrices) @ readout).argmax(axis=1)
            shares.append(np.mean(guesses == wanted[:, 3]))
    assert np.mean(trained) > 0.33
    assert abs(np.mean(written) - 0.25) < 4 * np.sqrt(0.25 * 0.75 / 60_000)


def test_a_batch_read_as_queries():
    """A mask of (batch, n_k) is taken in silence where the batch is as large as the sentences are long."""
    rng = np.random.default_rng(5)
    for n_batch in (3, 4, 5):
        x, lengths = rng.normal(size=(n_batch, 4, 8)), rng.integers(1, 4, size=n_batch)
        real = np.arange(4) < lengths[:, None]
        right = scaled_dot_product_attention(x, x, x, real[:, None])[1]
        assert (right[~np.broadcast_to(real[:, None], right.shape)] == 0).all()
        if n_batch == 4:
            wrong = scaled_dot_product_attention(x, x, x, real)[1]
            assert_array_equal(wrong > 0, np.broadcast_to(real, wrong.shape))
        else:
            with pytest.raises(ValueError, match="mask"):
                scaled_dot_product_attention(x, x, x, real)


@pytest.mark.parametrize("n", [2, 4, 7])
def test_the_triangle_hides_padding_at_the_end_from_every_real_word_and_not_at_the_start(n):
    """With padding at the end the rule for padding changes the rows of padding alone."""
    triangle = causal_mask(n)
    for real in range(1, n):
        end, start = np.arange(n) < real, np.arange(n) >= n - real
        assert_array_equal((triangle & end)[end], triangle[end])
        assert ((triangle & end)[~end] != triangle[~end]).any()
        assert ((triangle & start)[start] != triangle[start]).any(axis=1).all()


def test_padding_at_the_start_moves_the_places():
    """Positions that are added are right when counted from the first real token; rotary scores need no count."""
    rng = np.random.default_rng(0)
    words, junk = rng.normal(size=(4, 8)), rng.normal(size=(3, 8))
    padded, real = np.vstack([junk, words]), np.arange(7) >= 3
    alone = words + sinusoidal_encoding(4, 8)
    places = np.maximum(real.cumsum(axis=-1) - 1, 0)
    table, sees = sinusoidal_encoding(7, 8), real & causal_mask(7)
    counted, ranged = (padded + table[p] for p in (places, np.arange(7)))
    right = scaled_dot_product_attention(alone, alone, alone, causal_mask(4))[0]
    assert_allclose(scaled_dot_product_attention(counted, counted, counted, sees)[0][3:], right)
    assert np.abs(scaled_dot_product_attention(ranged, ranged, ranged, sees)[0][3:] - right).max() > 0.1
    turned = rotary_attention(words, words, words, mask=causal_mask(4))[0]
    assert_allclose(rotary_attention(padded, padded, padded, mask=sees)[0][3:], turned)
