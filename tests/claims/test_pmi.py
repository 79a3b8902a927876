"""The claims of the PMI chapter that no other test shows, on more cases than the page has room for."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn import explore
from attn.attention import scaled_dot_product_attention
from attn.bilinear import cross_entropy, fit
from attn.data import corpus
from attn.data.corpus import WEATHER, sentences
from attn.pmi import cooccurrence_counts, joint_from_counts, mutual_information, pmi, ppmi
from attn.softmax import softmax

JOINT = np.array([[0.10, 0.70], [0.15, 0.05]])
P_ROW, P_COL = JOINT.sum(axis=1), JOINT.sum(axis=0)
CONDITIONAL = JOINT / P_ROW[:, None]


def random_joint(seed, n=6, m=5, spread=1.2):
    table = np.exp(np.random.default_rng(seed).normal(scale=spread, size=(n, m)))
    return table / table.sum()


def centered(scores):
    return scores - scores.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(20))
def test_a_constant_for_each_row_changes_nothing(seed):
    joint = random_joint(seed)
    scores = pmi(joint, np.e) + np.log(joint.sum(axis=0))
    constant = np.random.default_rng(seed).normal(size=(6, 1))
    assert_allclose(softmax(scores + constant), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)
    assert_allclose(softmax(np.log(joint)), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_attention_with_the_prior_as_a_mask_of_floats(seed):
    joint = random_joint(seed)
    prior = np.log(joint.sum(axis=0))[None]
    _, weights = scaled_dot_product_attention(pmi(joint, np.e), np.eye(5), np.eye(5), prior, scale=1)
    assert_allclose(weights, joint / joint.sum(axis=1, keepdims=True), atol=1e-13)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (6, 3), (3, 6), (5, 5)])
def test_how_long_the_vectors_must_be(n, m):
    """With the last column made 0 the target has rank m − 1 at most, so d_k = m − 1 suffices."""
    target = np.log(random_joint(1, n, m))
    target -= target[:, [-1]]
    assert np.linalg.matrix_rank(target) <= m - 1
    assert_allclose(softmax(target), softmax(np.log(random_joint(1, n, m))))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("d_k", [1, 3])
def test_svd_wins_in_squared_error_training_in_cross_entropy(seed, d_k):
    joint = random_joint(seed, 8, 8)
    target = centered(np.log(joint))
    u, s, vt = np.linalg.svd(target)
    svd = (u[:, :d_k] * s[:d_k]) @ vt[:d_k]
    trained = fit(joint, d_k, np.random.default_rng(seed), n_steps=1000).scores
    assert np.linalg.norm(svd - target) < np.linalg.norm(centered(trained) - target)
    assert cross_entropy(trained, joint)[0] < cross_entropy(svd, joint)[0]


def test_an_impossible_pair_is_only_approached():
    gap, found = 0.0, []
    for step in range(1, 10_001):
        gap += 0.1 / (1 + np.exp(gap))
        if step in (100, 1_000, 10_000):
            found.append(gap)
    assert np.diff(found) == pytest.approx(np.log(10), abs=0.1)
    assert 1 / (1 + np.exp(gap)) > 0


@pytest.mark.parametrize("n_negative", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_negative_sampling_has_its_best_scores_at_pmi_minus_log_k(seed, n_negative):
    joint = random_joint(seed)
    chance = np.outer(joint.sum(axis=1), joint.sum(axis=0))

    def loss(s):
        return (joint * np.log1p(np.exp(-s)) + n_negative * chance * np.log1p(np.exp(s))).sum()

    best = pmi(joint, np.e) - np.log(n_negative)
    rng = np.random.default_rng(seed)
    assert all(
        loss(best + rng.normal(scale=size, size=best.shape)) > loss(best) for size in (0.01, 0.1, 1, 3)
    )
    assert loss(best + 0.1) > loss(best)  # here a constant counts


@pytest.mark.parametrize("n_candidates", [2, 3])
def test_infonce_has_its_best_critic_at_pmi(n_candidates):
    joint = random_joint(3, 3, 3)
    columns = joint.sum(axis=0)

    def loss(scores):
        total = 0.0
        for i, true, *others in itertools.product(range(3), repeat=n_candidates + 1):
            chance = joint[i, true] * columns[others].prod()
            total -= chance * np.log(softmax(scores[i, [true, *others]])[0])
        return total

    best, rng = pmi(joint, np.e), np.random.default_rng(0)
    assert loss(best + rng.normal(size=(3, 1))) == pytest.approx(loss(best))
    assert loss(best + np.log(columns)) > loss(best) + 1e-3
    assert all(loss(best + rng.normal(scale=size, size=(3, 3))) > loss(best) for size in (0.01, 0.1, 1) * 10)


def grammar():
    texts, chances = zip(*sentences(WEATHER), strict=True)
    words = sorted({word for text in texts for word in text})
    each = np.zeros((len(texts), len(words), len(words)))
    for table, text in zip(each, texts, strict=True):
        counts, own = cooccurrence_counts(text, 2)
        place = [words.index(word) for word in own]
        table[np.ix_(place, place)] = counts
    return words, np.array(chances), each


def test_the_truth_of_the_grammar():
    words, chances, each = grammar()
    assert (len(words), len(chances)) == (9, 7)
    table = pmi(joint_from_counts(np.tensordot(chances, each, 1)))
    at = {word: index for index, word in enumerate(words)}
    assert table[at["sky"], at["hot"]] == -np.inf
    # sky meets the, is, its color: three of ten ends of pairs a sentence, in half of all; grey has two in 0.34.
    share = 0.25 / 10
    assert table[at["sky"], at["grey"]] == pytest.approx(np.log2(share / (1.5 / 10 * 0.68 / 10)))


def test_the_error_shrinks_with_the_root():
    """Another seed than the page's: a hundred times the text, a tenth of the error."""
    rng = np.random.default_rng(99)
    _, chances, each = grammar()
    true = pmi(joint_from_counts(np.tensordot(chances, each, 1)))
    seen = np.isfinite(true)

    def off(n):
        counted = pmi(joint_from_counts(np.tensordot(rng.multinomial(n, chances), each, 1)))
        return np.sqrt(((counted[seen] - true[seen]) ** 2).mean())

    error = [np.mean([off(n) for _ in range(60)]) for n in (1_000, 100_000)]
    assert error[0] / error[1] == pytest.approx(10, rel=0.25)


@pytest.mark.parametrize(("size", "n"), [(8, 1_000), (8, 10_000), (4, 1_000)])
def test_counted_information_is_too_large(size, n):
    rng = np.random.default_rng(1)
    tables = rng.multinomial(n, np.full(size**2, size**-2.0), size=400).reshape(-1, size, size)
    found = mutual_information(joint_from_counts(tables))
    expected = (size - 1) ** 2 / (2 * n * np.log(2))
    assert found.mean() == pytest.approx(expected, rel=0.08)
    assert mutual_information(np.full((size, size), size**-2.0)) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000])
def test_one_coincidence_has_the_highest_pmi(n):
    once = joint_from_counts(np.diag([1, n - 1]))
    assert pmi(once)[0, 0] == pytest.approx(np.log2(n))
    assert pmi(joint_from_counts(np.diag([1, n - 1]), 1))[0, 0] < np.log2(n) - 2


def test_bits_in_a_softmax_are_a_temperature():
    bits = pmi(JOINT) + np.log2(P_COL)
    assert 1 / np.log(2) == pytest.approx(1.443, abs=5e-4)
    assert np.log(2) == pytest.approx(0.69, abs=5e-3)
    assert_allclose(softmax(bits), softmax(np.log(CONDITIONAL) / np.log(2)))
    assert (softmax(bits).max(axis=1) > CONDITIONAL.max(axis=1)).all()


def test_swapped_margins_are_found():
    def swapped(table):
        return np.log2(table / (table.sum(axis=0)[:, None] * table.sum(axis=1)[None]))

    independent = np.outer(P_ROW, P_COL)
    assert_allclose(pmi(independent), 0, atol=1e-15)
    assert np.abs(swapped(independent)).max() > 3
    assert (JOINT * swapped(JOINT)).sum() > 1 >= mutual_information(JOINT)


def test_counts_that_are_not_divided():
    days = np.array([[10, 70], [15, 5]])
    raw = np.log2(days / np.outer(days.sum(axis=1), days.sum(axis=0)))
    assert_allclose(pmi(JOINT) - raw, np.log2(100))
    assert_array_equal(np.maximum(raw, 0), 0)
    assert_allclose(softmax(raw * np.log(2) + np.log(P_COL)), CONDITIONAL)
    with pytest.raises(ValueError, match="a sum of 100"):
        pmi(days)


def test_zero_in_place_of_minus_infinity():
    never = np.array([[0.25, 0.55], [0.0, 0.20]])
    scores, prior = pmi(never, np.e), np.log(never.sum(axis=0))
    assert_allclose(softmax(scores + prior)[1], [0, 1])
    assert_allclose(softmax(np.where(never > 0, scores, 0) + prior)[1], [0.2, 0.8])
    assert ppmi(never)[1, 0] == 0


def test_the_prior_is_added_once():
    """Whatever multiple of ln p(j) is added, the weights are those of the days at once alone."""
    off = []
    for share in np.arange(41) / 20:
        numbers = explore.PriorShare(share=share).numbers()
        assert_allclose(numbers["days"], CONDITIONAL[:1])
        off.append(numbers["weights"][0, 0] - numbers["days"][0, 0])
    assert off[20] == pytest.approx(0, abs=1e-12)
    assert (np.diff(off) < -1e-3).all()


@pytest.mark.parametrize(("row", "share"), [(0, 0.125), (1, 0.75)])
def test_each_row_is_lowest_at_its_own_share(row, share):
    def loss(score):
        return explore.LossOfOneRow(score=score).numbers()["loss_now"][row, 0]

    best = np.log(share / (1 - share))
    assert loss(best) == pytest.approx(-share * np.log(share) - (1 - share) * np.log(1 - share))
    assert explore.LossOfOneRow(score=best).numbers()["weight"].item() == pytest.approx(share)
    assert all(loss(score) > loss(best) + 1e-9 for score in np.arange(-40, 41) / 10)
    line = explore.LossOfOneRow().numbers()["loss"][row]
    assert (np.diff(line, 2) > 0).all()  # a bowl


def test_one_coincidence_of_rare_words_beats_frequent_words_that_always_meet():
    """524,288 = 2^19 entries; two words in k places of 20 neighbors each, counted out in a table."""
    found = []
    for power in range(9):
        times = 2**power
        for met, shown in zip(
            (times, 1), explore.OneCoincidence(log2_times=power).numbers()["bits_now"], strict=True
        ):
            counts = np.zeros((3, 3))
            counts[0, 1] = counts[1, 0] = met
            counts[:2, 2] = counts[2, :2] = 20 * times - met
            counts[2, 2] = 524_288 - counts.sum()
            assert shown[0] == pytest.approx(pmi(joint_from_counts(counts))[0, 1])
            found.append(shown[0])
    assert found[0] == found[1] == max(found) == pytest.approx(10.36, abs=0.005)
    assert max(found[2:]) < 9.5


@pytest.mark.parametrize("power", range(4))
def test_a_wrong_divisor_moves_pmi_and_no_weight(power):
    numbers = explore.CountsUndivided(log10_divisor=power).numbers()
    assert_allclose(numbers["bits"][0] - pmi(JOINT)[0], np.log2(10.0**power / 100), atol=1e-12)
    assert_allclose(numbers["weights"][0], CONDITIONAL[0])


def test_in_this_book_no_pair_has_a_higher_pmi_than_those_that_met_once():
    counts, _ = cooccurrence_counts(corpus.book(), 10)
    once = np.triu(counts == 1, 1)
    counted = pmi(joint_from_counts(counts))
    assert counted[once].max() >= np.triu(np.where(counts > 0, counted, -np.inf), 1).max() - 1e-9
    groups = [counted[np.triu(counts == n, 1)] for n in (1, 5, 10, 20, 40)]
    assert (np.diff([group.max() for group in groups]) < 0).all()


@pytest.mark.parametrize("d_k", [2, 7, 64])
def test_the_root_moves_into_queries_and_keys(d_k):
    q, k = np.random.default_rng(d_k).normal(size=(2, 5, d_k))
    _, plain = scaled_dot_product_attention(q, k, k, scale=1)
    _, divided = scaled_dot_product_attention(d_k**0.25 * q, d_k**0.25 * k, k)
    assert_allclose(divided, plain, rtol=1e-10)


def test_pairs_that_never_met_pay_through_the_sum():
    """A slope of the cross-entropy is p(i) w_ij − p(i, j); where p(i, j) = 0, the softmax gives all of it."""
    rng = np.random.default_rng(0)
    joint = rng.random((4, 5))
    joint[[0, 2, 3], [1, 0, 4]] = 0
    joint /= joint.sum()

    def loss(scores):
        return -(joint * (scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))).sum()

    scores, step = rng.normal(size=joint.shape), 1e-6
    weights = softmax(scores)
    for place in np.ndindex(joint.shape):
        move = np.zeros(joint.shape)
        move[place] = step
        slope = (loss(scores + move) - loss(scores - move)) / (2 * step)
        assert slope == pytest.approx(joint.sum(axis=1)[place[0]] * weights[place] - joint[place], abs=1e-8)
        assert slope > 0 or joint[place] > 0
