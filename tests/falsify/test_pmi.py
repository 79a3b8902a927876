"""The theorems of chapter 7: attacked inside their conditions, broken just outside each of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, fit
from attn.pmi import joint_from_counts, mutual_information, npmi, pmi
from attn.softmax import softmax
from tests.falsify.attack import one_by_one

JOINT = np.array([[0.10, 0.70], [0.15, 0.05]])
P_ROW, P_COL = JOINT.sum(axis=1), JOINT.sum(axis=0)
CONDITIONAL = JOINT / P_ROW[:, None]


def table_of(x, shape=(3, 4)):
    """Any flat array as a joint table, with a zero where an entry is far below the others."""
    table = np.exp(np.clip(x, -30, 30).reshape(shape))
    table[table < 1e-6 * table.max()] = 0
    return table / table.sum()


def draw(rng):
    return rng.choice([1.0, 4.0, 12.0]) * rng.normal(size=12)


def random_joint(seed, n=8, m=8):
    table = np.exp(np.random.default_rng(seed).normal(scale=1.2, size=(n, m)))
    return table / table.sum()


def centered(scores):
    return scores - scores.mean(axis=1, keepdims=True)


# The bridge --------------------------------------------------------------------------------------------------------


def bridge(table):
    """How far softmax(PMI + ln p(j)) is from p(j | i), over rows and columns that come at all."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    scores = pmi(table, np.e) + np.log(table.sum(axis=0))
    return np.abs(softmax(scores) - table / table.sum(axis=1, keepdims=True)).max()


def test_the_bridge_inside():
    assert one_by_one(lambda x: bridge(table_of(x)) - 1e-9, draw)[0] < 0


def off(scores):
    return np.abs(softmax(scores) - CONDITIONAL).max()


def test_the_bridge_just_outside():
    nats = pmi(JOINT, np.e)
    assert off(nats + np.log(P_COL)) < 1e-12
    assert off(nats + np.log(P_COL) + [[3.0], [-8]]) < 1e-12  # inside: a constant for each row
    assert off(pmi(JOINT) + np.log2(P_COL)) > 0.05  # bits
    assert off(nats) > 0.05  # no prior
    assert off(nats + np.log(P_ROW)[:, None]) > 0.05  # the prior of the rows
    assert off(nats + np.log(P_COL) + [[0.5, 0]]) > 0.05  # a constant for each column
    swapped = np.log(JOINT / np.outer(P_COL, P_ROW))
    assert off(swapped + np.log(P_COL)) > 0.05  # margins on the wrong axes
    smoothed = joint_from_counts(100 * JOINT, 10)
    assert off(pmi(smoothed, np.e) + np.log(smoothed.sum(axis=0))) > 0.05  # another table


def test_relatives_stay_in_their_ranges():
    def violation(x):
        table = table_of(x)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        return max(np.abs(npmi(table)).max() - 1 - 1e-9, -mutual_information(table) - 1e-9)

    assert one_by_one(violation, draw)[0] < 0
    assert np.abs(npmi(np.array([[0.5, 0], [0, 0.5]]))).max() == 1  # and reached


# What predicting finds ---------------------------------------------------------------------------------------------


def test_the_cross_entropy_is_convex_and_least_at_pmi_plus_the_prior_inside():
    def violation(x):
        """A table in which every pair meets, and two tables of scores."""
        table = np.exp(np.clip(x[:12], -8, 8).reshape(3, 4))
        table /= table.sum()
        one, other = x[12:24].reshape(3, 4), x[24:36].reshape(3, 4)
        losses = [cross_entropy(scores, table)[0] for scores in (one, other, (one + other) / 2)]
        best = pmi(table, np.e) + np.log(table.sum(axis=0)) + x[36:][:, None]
        least, gradient = cross_entropy(best, table)
        return (
            max(losses[2] - (losses[0] + losses[1]) / 2, least - min(losses), np.abs(gradient).max()) - 1e-9
        )

    def draw_three(rng):
        return rng.choice([0.3, 1.0, 4.0]) * rng.normal(size=39)

    assert one_by_one(violation, draw_three)[0] < 0


def test_the_cross_entropy_just_outside():
    """Convex in the scores, not in the vectors; and where a pair never meets, each score can be bettered."""
    best = np.log(JOINT[:, [0]] / JOINT[:, [1]])
    ends = [cross_entropy(sign * best @ (sign * np.array([[1.0, 0.0]])), JOINT)[0] for sign in (1, -1)]
    assert ends[0] == ends[1] < cross_entropy(np.zeros((2, 2)), JOINT)[0] - 0.1
    never = np.array([[0.25, 0.55], [0.0, 0.20]])
    losses = [cross_entropy(np.array([[np.log(0.25 / 0.55), 0], [-s, 0]]), never)[0] for s in range(20)]
    assert (np.diff(losses) < 0).all()


# How long the vectors must be --------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [3, 5, 8])
def test_one_number_less_is_too_short(m):
    """m − 1 suffice for m columns; m − 2 do not, whatever is added to the rows."""
    table = random_joint(m, 8, m)
    singular = np.linalg.svd(centered(np.log(table)), compute_uv=False)
    assert singular[m - 1] < 1e-12  # centered rows: rank m − 1 at most
    assert singular[m - 2] > 1e-3  # and a constant for each row makes it no smaller
    least = cross_entropy(np.log(table), table)[0]
    short = (
        min(fit(table, m - 2, np.random.default_rng(s), n_steps=600).loss[-1] for s in range(3))
        if m > 2
        else 0
    )
    assert short - least > 1e-5


@pytest.mark.parametrize("d_k", [1, 3])
def test_svd_has_the_least_squared_error_inside(d_k):
    target = centered(np.log(random_joint(2, 5, 5)))
    u, s, vt = np.linalg.svd(target)
    best = np.linalg.norm((u[:, :d_k] * s[:d_k]) @ vt[:d_k] - target)

    def violation(x):
        q, k = x.reshape(2, 5, d_k)
        for _ in range(3):  # alternating least squares from there: each half is the best for the other
            q = np.linalg.lstsq(k, target.T, rcond=None)[0].T
            k = np.linalg.lstsq(q, target, rcond=None)[0].T
        return best - np.linalg.norm(q @ k.T - target) - 1e-9

    assert one_by_one(violation, lambda rng: rng.normal(size=10 * d_k), n=60, rounds=10)[0] < 0


def test_svd_loses_once_there_are_weights():
    """Weights p(i, j): a few weighted steps from the SVD already beat it."""
    table = random_joint(2, 6, 6)
    target = centered(np.log(table))
    u, s, vt = np.linalg.svd(target)
    q, k = u[:, :2] * s[:2], vt[:2].T

    def weighted(q, k):
        return (table * (q @ k.T - target) ** 2).sum()

    start = weighted(q, k)
    for _ in range(20):
        for i in range(6):
            w = np.sqrt(table[i])[:, None]
            q[i] = np.linalg.lstsq(w * k, w[:, 0] * target[i], rcond=None)[0]
        for j in range(6):
            w = np.sqrt(table[:, j])[:, None]
            k[j] = np.linalg.lstsq(w * q, w[:, 0] * target[:, j], rcond=None)[0]
    assert weighted(q, k) < 0.8 * start


# Negative sampling -------------------------------------------------------------------------------------------------


def loss(s, rivals, n):
    noise = n * np.outer(P_ROW, rivals)
    return (JOINT * np.logaddexp(0, -s) + noise * np.logaddexp(0, s)).sum()


def powered(power):
    return P_COL**power / (P_COL**power).sum()


@pytest.mark.parametrize("power", [1.0, 0.75, 0.0])
@pytest.mark.parametrize("n", [1, 5])
def test_negative_sampling_inside(power, n):
    rivals = powered(power)
    best = np.log(JOINT / (n * np.outer(P_ROW, rivals)))

    def violation(x):
        return loss(best, rivals, n) - loss(x.reshape(2, 2), rivals, n) - 1e-9

    found, where = one_by_one(violation, lambda rng: 3 * rng.normal(size=4), rounds=120)
    assert found < 0
    assert_allclose(where.reshape(2, 2), best, atol=0.05)  # the search ends there, too


def test_negative_sampling_just_outside():
    n, rivals = 5, powered(0.75)
    plain = pmi(JOINT, np.e) - np.log(n)
    best = np.log(JOINT / (n * np.outer(P_ROW, rivals)))
    assert loss(plain, powered(1.0), n) < loss(best, powered(1.0), n) - 1e-4
    assert loss(best, rivals, n) < loss(plain, rivals, n) - 1e-4  # rivals from another distribution
    assert loss(best + np.log(n), rivals, n) > loss(best, rivals, n) + 0.01  # no softmax swallows a constant
    assert (best - plain)[0, P_COL.argmax()] > 0.05  # frequent words end higher than PMI − ln k,
    assert (best - plain)[0, P_COL.argmin()] < -0.05  # rare ones lower
    narrow = np.linalg.svd(best)
    one = (narrow[0][:, :1] * narrow[1][:1]) @ narrow[2][:1]
    assert loss(one, rivals, n) > loss(best, rivals, n) + 1e-4  # vectors that are too short for the table


def test_glove_does_not_pin_its_product():
    """Two solutions of the same loss, 0 both: in one q·k is PMI, in the other it is not."""
    counts = np.array([[10.0, 70], [15, 5]])
    log, total = np.log(counts), counts.sum()
    rows, columns = np.log(counts.sum(axis=1, keepdims=True)), np.log(counts.sum(axis=0))
    weight = np.minimum(1, (counts / 100) ** 0.75)

    def glove(product, row_bias, column_bias):
        return (weight * (product + row_bias + column_bias - log) ** 2).sum()

    nats = pmi(joint_from_counts(counts), np.e)
    assert glove(nats, rows - np.log(total), columns) == pytest.approx(0, abs=1e-20)
    moved = nats + [[1.0], [-2]] + [0.5, 3]
    assert glove(moved, rows - np.log(total) - [[1.0], [-2]], columns - [0.5, 3]) == pytest.approx(
        0, abs=1e-20
    )
    assert np.abs(moved - nats).max() > 1


# Counting ----------------------------------------------------------------------------------------------------------


def test_the_bias_of_counted_information():
    """(K − r − c + 1)/(2N ln 2): upward with all pairs possible, downward with one a row; and half of all below."""
    rng, n = np.random.default_rng(5), 200
    sure = np.diag([0.5, 0.3, 0.2])
    mixed = np.full((3, 3), 1 / 9)
    for table, pairs, sign in ((JOINT, 4, 1), (mixed, 9, 1), (sure, 3, -1)):
        r, c = table.shape
        drawn = rng.multinomial(n, table.ravel(), size=40_000).reshape(-1, r, c)
        found = mutual_information(joint_from_counts(drawn))
        bias = found.mean() - mutual_information(table)
        formula = (pairs - r - c + 1) / (2 * n * np.log(2))
        assert np.sign(formula) == sign
        assert bias == pytest.approx(formula, rel=0.25)
    below = (found < mutual_information(sure)).mean()
    assert 0.4 < below < 0.6
    drawn = rng.multinomial(100, JOINT.ravel(), size=20_000).reshape(-1, 2, 2)
    below = (mutual_information(joint_from_counts(drawn)) < mutual_information(JOINT)).mean()
    assert 0.45 < below < 0.55


def test_log2_of_n_is_the_most_inside():
    """Any whole counts: PMI = log2(n_ij N / (n_i n_j)), where n_i and n_j are at least n_ij, and that at least 1."""

    def violation(x):
        counts = np.floor(np.abs(x)).reshape(3, 3)
        if not counts.sum():
            return -1.0
        counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
        return pmi(joint_from_counts(counts)).max() - np.log2(counts.sum()) - 1e-9

    assert one_by_one(violation, lambda rng: rng.choice([1, 3, 30]) * rng.normal(size=9))[0] < 0
    once = np.diag([1.0, 99])
    assert pmi(joint_from_counts(once)).max() == pytest.approx(np.log2(100))  # reached


def test_log2_of_n_is_passed_just_outside():
    part = np.diag([0.1, 99.9])  # counts that are not whole, as with distance weights
    assert pmi(joint_from_counts(part)).max() > np.log2(part.sum()) + 3


def test_words_that_occur_once_in_a_window():
    """A text of words that all occur once: rows sum to 20, and neighbors have log2(N / 400) bits."""
    from attn.pmi import cooccurrence_counts

    counts, _ = cooccurrence_counts(list(range(1000)), 10)
    inner = counts[20:980, 20:980]
    assert (counts[20:980].sum(axis=1) == 20).all()
    table = pmi(joint_from_counts(counts))[20:980, 20:980]
    assert_allclose(table[inner > 0], np.log2(counts.sum() / 400))
    near_the_end = pmi(joint_from_counts(counts))[0, 1]
    assert near_the_end > np.log2(counts.sum() / 400) + 0.5  # outside: at the ends a word has fewer neighbors
