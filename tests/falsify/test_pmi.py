"""The theorems of chapter 7: attacked inside their conditions, broken just outside each of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, fit
from attn.pmi import cooccurrence_counts, joint_from_counts, mutual_information, npmi, pmi
from attn.softmax import softmax
from tests.falsify.attack import TINY, each_breaks, one_by_one

JOINT = np.array([[0.10, 0.70], [0.15, 0.05]])
P_ROW, P_COL = JOINT.sum(axis=1), JOINT.sum(axis=0)
CONDITIONAL = JOINT / P_ROW[:, None]
NEVER = np.array([[0.25, 0.55], [0.0, 0.20]])  # a pair that never meets


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


def off(scores):
    return np.abs(softmax(scores) - CONDITIONAL).max()


def test_the_bridge():
    """softmax(PMI in nats + ln p(j)) is p(j | i), whatever constant is added to a row."""
    assert one_by_one(lambda x: bridge(table_of(x)), draw).violation <= TINY
    nats, prior = pmi(JOINT, np.e), np.log(P_COL)
    assert off(nats + prior) < 1e-12
    assert off(nats + prior + [[3.0], [-8]]) < 1e-12  # inside: a constant for each row
    days = 100 * JOINT  # and counts that are not divided: all PMI are off by ln 100
    undivided = np.log(days / np.outer(days.sum(axis=1), days.sum(axis=0)))
    assert_allclose(nats - undivided, np.log(100))
    assert off(undivided + prior) < 1e-12
    bits = softmax(pmi(JOINT) + np.log2(P_COL))  # scores that are 1.443 times too large: a temperature
    assert_allclose(bits, softmax((nats + prior) * 1.443), atol=1e-4)
    assert_allclose(np.log(2), 0.69, atol=5e-3)
    smoothed = joint_from_counts(100 * JOINT, 10)
    outside = {
        "nats": off(pmi(JOINT) + np.log2(P_COL)),
        "the prior is added": off(nats),
        "once": off(nats + 2 * prior),
        "the prior of the columns": off(nats + np.log(P_ROW)[:, None]),
        "no constant for each column": off(nats + prior + [[0.5, 0]]),
        "margins on their own axes": off(np.log(JOINT / np.outer(P_COL, P_ROW)) + prior),
        "the same table": off(pmi(smoothed, np.e) + np.log(smoothed.sum(axis=0))),
    }
    assert each_breaks(outside, 0.05)
    instead = np.where(NEVER > 0, pmi(NEVER, np.e), 0) + np.log(NEVER.sum(axis=0))  # 0 in place of −∞
    assert_allclose(softmax(instead)[1], [0.2, 0.8])


def test_relatives_stay_in_their_ranges():
    def violation(x):
        table = table_of(x)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        return max(np.abs(npmi(table)).max() - 1, -mutual_information(table))

    assert one_by_one(violation, draw).violation <= TINY
    assert np.abs(npmi(np.array([[0.5, 0], [0, 0.5]]))).max() == 1  # and reached


# What predicting finds ---------------------------------------------------------------------------------------------


def test_the_cross_entropy_is_convex_and_least_at_pmi_plus_the_prior():
    """In the scores, not in the vectors; and where a pair never meets, each score can be bettered."""

    def violation(x):
        """A table in which every pair meets, and two tables of scores."""
        table = np.exp(np.clip(x[:12], -8, 8).reshape(3, 4))
        table /= table.sum()
        one, other = x[12:36].reshape(2, 3, 4)
        losses = [cross_entropy(scores, table)[0] for scores in (one, other, (one + other) / 2)]
        least, gradient = cross_entropy(pmi(table, np.e) + np.log(table.sum(axis=0)) + x[36:][:, None], table)
        return max(losses[2] - (losses[0] + losses[1]) / 2, least - min(losses), np.abs(gradient).max())

    assert (
        one_by_one(violation, lambda rng: rng.choice([0.3, 1.0, 4.0]) * rng.normal(size=39)).violation <= TINY
    )
    best = np.log(JOINT[:, [0]] / JOINT[:, [1]])
    ends = [cross_entropy(sign * best @ (sign * np.array([[1.0, 0.0]])), JOINT)[0] for sign in (1, -1)]
    assert ends[0] == ends[1] < cross_entropy(np.zeros((2, 2)), JOINT)[0] - 0.1
    losses = [cross_entropy(np.array([[np.log(0.25 / 0.55), 0], [-s, 0]]), NEVER)[0] for s in range(20)]
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
    short = min(fit(table, m - 2, np.random.default_rng(s), n_steps=600).loss[-1] for s in range(3))
    assert short - least > 1e-5


@pytest.mark.parametrize("d_k", [1, 3])
def test_svd_has_the_least_squared_error(d_k):
    target = centered(np.log(random_joint(2, 5, 5)))
    u, s, vt = np.linalg.svd(target)
    best = np.linalg.norm((u[:, :d_k] * s[:d_k]) @ vt[:d_k] - target)

    def violation(x):
        q, k = x.reshape(2, 5, d_k)
        for _ in range(3):  # alternating least squares from there: each half is the best for the other
            q = np.linalg.lstsq(k, target.T, rcond=None)[0].T
            k = np.linalg.lstsq(q, target, rcond=None)[0].T
        return best - np.linalg.norm(q @ k.T - target)

    assert one_by_one(violation, lambda rng: rng.normal(size=10 * d_k), n=60, rounds=10).violation <= TINY


def test_svd_loses_once_there_are_weights():
    """Weights p(i, j): a few weighted steps from the SVD already beat it."""
    table = random_joint(2, 6, 6)
    target = centered(np.log(table))
    u, s, vt = np.linalg.svd(target)
    q, k = u[:, :2] * s[:2], vt[:2].T
    start = (table * (q @ k.T - target) ** 2).sum()
    for _ in range(20):
        for side, other, of, w in ((q, k, target, np.sqrt(table)), (k, q, target.T, np.sqrt(table).T)):
            for i in range(6):
                side[i] = np.linalg.lstsq(w[i][:, None] * other, w[i] * of[i], rcond=None)[0]
    assert (table * (q @ k.T - target) ** 2).sum() < 0.8 * start


# Negative sampling -------------------------------------------------------------------------------------------------


def loss(s, rivals, n):
    noise = n * np.outer(P_ROW, rivals)
    return (JOINT * np.logaddexp(0, -s) + noise * np.logaddexp(0, s)).sum()


def powered(power):
    return P_COL**power / (P_COL**power).sum()


@pytest.mark.parametrize("power", [1.0, 0.75, 0.0])
@pytest.mark.parametrize("n", [1, 5])
def test_negative_sampling(power, n):
    """The best scores are ln p(i, j) − ln n p(i) r(j), a constant included; the search ends there, too."""
    rivals = powered(power)
    best = np.log(JOINT / (n * np.outer(P_ROW, rivals)))

    def violation(x):
        return loss(best, rivals, n) - loss(x.reshape(2, 2), rivals, n)

    found = one_by_one(violation, lambda rng: 3 * rng.normal(size=4), rounds=120)
    assert found.violation <= TINY
    assert_allclose(found.instance["x"].reshape(2, 2), best, atol=0.05)
    assert loss(best + 0.1, rivals, n) > loss(best, rivals, n)  # no softmax swallows a constant


def test_negative_sampling_just_outside():
    n, rivals = 5, powered(0.75)
    plain = pmi(JOINT, np.e) - np.log(n)
    best = np.log(JOINT / (n * np.outer(P_ROW, rivals)))
    u, s, vt = np.linalg.svd(best)
    outside = {
        "rivals from p": loss(best, powered(1.0), n) - loss(plain, powered(1.0), n),
        "rivals from r": loss(plain, rivals, n) - loss(best, rivals, n),
        "vectors long enough for the table": loss((u[:, :1] * s[:1]) @ vt[:1], rivals, n)
        - loss(best, rivals, n),
    }
    assert each_breaks(outside, 1e-4)
    assert (best - plain)[0, P_COL.argmax()] > 0.05  # frequent words end higher than PMI − ln k,
    assert (best - plain)[0, P_COL.argmin()] < -0.05  # rare ones lower


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
    again = glove(moved, rows - np.log(total) - [[1.0], [-2]], columns - [0.5, 3])
    assert again == pytest.approx(0, abs=1e-20)
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


def test_log2_of_n_is_the_most():
    """Any whole counts: PMI = log2(n_ij N / (n_i n_j)), where n_i and n_j are at least n_ij, and that at least 1."""

    def violation(x):
        counts = np.floor(np.abs(x)).reshape(3, 3)
        if not counts.sum():
            return -1.0
        counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
        return pmi(joint_from_counts(counts)).max() - np.log2(counts.sum())

    assert one_by_one(violation, lambda rng: rng.choice([1, 3, 30]) * rng.normal(size=9)).violation <= TINY
    once, part = np.diag([1.0, 99]), np.diag([0.1, 99.9])
    assert pmi(joint_from_counts(once)).max() == pytest.approx(np.log2(100))  # reached
    assert pmi(joint_from_counts(once, 1)).max() < np.log2(100) - 2  # smoothing the whole table lowers it
    assert (
        pmi(joint_from_counts(part)).max() > np.log2(part.sum()) + 3
    )  # whole counts, not weighed by distance


def test_words_that_occur_once_in_a_window():
    """A text of words that all occur once: rows sum to 20, and neighbors have log2(N / 400) bits."""
    counts, _ = cooccurrence_counts(list(range(1000)), 10)
    assert (counts[20:980].sum(axis=1) == 20).all()
    table, wanted = pmi(joint_from_counts(counts)), np.log2(counts.sum() / 400)
    assert_allclose(table[20:980, 20:980][counts[20:980, 20:980] > 0], wanted)
    assert table[0, 1] > wanted + 0.5  # outside: at the ends a word has fewer neighbors
