"""Chapter 5's theorems under attack: inside their conditions nothing is found, and without each of them something is.

Each network is written out here, apart from `attn.xor`. The four cases stand along one axis, (0, 0), (1, 0), (0, 1),
(1, 1); a readout's bias is left out, since `xor_gap` asks whether some bias cuts the cases apart.
"""

from itertools import product

import numpy as np
import pytest

from tests.falsify.attack import TINY, broken, gap, normal, softmax, worst, xor_gap

FIRST, SECOND = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])  # the two bits of the four cases
LAYERS, D = 3, 3


# Theorem 1 --------------------------------------------------------------------------------------------------------

HULL = {
    "vectors": (2, D),
    "logits": (LAYERS, 4, 2, 2),  # of A: anything, so it may depend on bits and places in any way
    "w": (LAYERS, D, D),
    "value_bias": (LAYERS, D),
    "pool": (4, 2),
    "readout": (D,),
}
DROPPED = {
    "the sequence holds the two bits and nothing else": {
        "third": (D,),
        "logits": (LAYERS, 4, 3, 3),
        "pool": (4, 3),
    },
    "a bit has the same vector in either place": {"places": (2, D)},
    "the rows of A are not negative": {"signed": (LAYERS, 4, 2)},
    "the rows of A sum to one": {"lost": (LAYERS, 4, 2)},
    "one head a layer": {"logits_2": (LAYERS, 4, 2, 2), "w_2": (LAYERS, D, D)},
    "values are linear": {"nonlinear": ()},
    "W is the same for all pairs": {"w_of_pair": (4, D, D)},
    "W is the same for both rows": {"w_of_row": (2, D, D)},
    "no residual connection": {"residual": ()},
    "no feed-forward layer": {"w_in": (D, 4), "b_in": (4,), "w_out": (4, D)},
    "no normalization": {"normalize": ()},
    "the readout sees one average": {"readout_2": (D,)},
    "the readout is affine": {"bend": (1,)},
    "the readout is the same for all pairs": {"readout_of_pair": (4, D)},
}


def hull_outputs(p):
    """The outputs of n networks of three layers, (n, 4); what the dict holds beyond `HULL` drops a condition."""
    n = len(p["readout"])
    h = np.stack([p["vectors"][:, FIRST], p["vectors"][:, SECOND]], axis=2)  # (n, 4, tokens, D)
    if "places" in p:
        h = h + p["places"][:, None]
    if "third" in p:
        h = np.concatenate([h, np.broadcast_to(p["third"][:, None, None], (n, 4, 1, D))], axis=2)
    for i in range(LAYERS):
        a = softmax(p["logits"][:, i])
        if "signed" in p:  # rows still sum to one
            a = a + p["signed"][:, i, :, :, None] * [1, -1]
        if "lost" in p:
            a = a / (1 + np.exp(p["lost"][:, i, ..., None]))
        values = np.abs(h) if "nonlinear" in p else h
        new = a @ values @ p["w"][:, i, None] + p["value_bias"][:, i, None, None]
        if "logits_2" in p:
            new = new + softmax(p["logits_2"][:, i]) @ h @ p["w_2"][:, i, None]
        if "w_of_pair" in p and i == 0:
            new = a @ h @ p["w_of_pair"]
        if "w_of_row" in p and i == 0:
            new = a @ (h[..., None, :] @ p["w_of_row"][:, None])[..., 0, :]
        if "residual" in p:
            new = new + h
        if "w_in" in p:
            new = np.maximum(0, new @ p["w_in"][:, None] + p["b_in"][:, None, None]) @ p["w_out"][:, None]
        if "normalize" in p:
            new = new - new.mean(axis=-1, keepdims=True)
            new = new / np.sqrt((new**2).mean(axis=-1, keepdims=True) + 1e-5)
        # one number for all four cases: only against overflow
        h = new / np.maximum(np.abs(new).max(axis=(1, 2, 3), keepdims=True), 1e-12)
    if "readout_2" in p:
        return (h[:, :, 0] @ p["readout"][..., None] + h[:, :, 1] @ p["readout_2"][..., None])[..., 0]
    read = (softmax(p["pool"])[..., None] * h).sum(axis=2)
    if "readout_of_pair" in p:
        return (read * p["readout_of_pair"]).sum(axis=-1)
    outputs = (read @ p["readout"][..., None])[..., 0]
    return np.abs(outputs - p["bend"]) if "bend" in p else outputs


def hull_violation(p):
    return xor_gap(hull_outputs(p))


@pytest.mark.parametrize("seed", range(3))
def test_theorem_1_holds_inside(seed):
    assert worst(normal(**HULL), hull_violation, seed) <= TINY


@pytest.mark.parametrize("name", DROPPED)
def test_theorem_1_needs_each_condition(name):
    assert broken(normal(**HULL | DROPPED[name]), hull_violation)


# Theorem 2 --------------------------------------------------------------------------------------------------------

# The first token holds bit 1, the second bit 2, the third bit 1 once more, the last two hold none.
BIT_OF = (FIRST, SECOND, FIRST, np.zeros(4, int), np.zeros(4, int))
VOTE = {"scores": (5, 2), "values": (5, 2), "bias": (), "asker": ()}
OUTSIDE = {
    "the query does not depend on the bits": {"scores_of_query": (2, 5, 2)},
    "a token holds one bit at most": {"both_score": (4,), "both_value": (4,)},
    "its key depends on that token alone": {"key_of_other": (2, 2)},
    "its value depends on that token alone": {"value_of_other": (2, 2)},
    "the asker's own contribution is the same in all four cases": {"own": (2,)},
    "one head": {"scores_2": (5, 2), "values_2": (5, 2)},
    "each token stands at the same place in all four cases": {
        "placed_scores": (2, 2),
        "placed_values": (2, 2),
    },
    "the mask is the same in all four cases": {"mask": (4, 5)},
    "the other tokens are the same in all four cases": {"other_score": (4,), "other_value": (4,)},
    "what divides is positive": {"sign": (5, 2)},
    "what divides is a sum over tokens": {"sign": (5, 2), "root": ()},
    "what divides is a sum over tokens, even if no weight is negative": {"root": ()},
    "the readout is affine": {"bend": ()},
    "the readout is the same in all four cases": {"bias_of_case": (4,)},
}


def by_case(numbers):
    """What each token has in each case, (n, 4, 5), of a number for each token and bit, (n, 5, 2)."""
    return np.stack([numbers[..., t, bit] for t, bit in enumerate(BIT_OF)], axis=-1)


def vote_outputs(p):
    n = len(p["bias"])
    scores, values = by_case(p["scores"]), by_case(p["values"])
    if "scores_of_query" in p:  # the first token asks, and its query knows its bit
        asked = p["scores_of_query"][:, FIRST]
        scores = np.stack([asked[:, np.arange(4), t, bit] for t, bit in enumerate(BIT_OF)], axis=-1)
    if "key_of_other" in p:
        scores[..., 1] = p["key_of_other"][:, FIRST, SECOND]
    if "value_of_other" in p:
        values[..., 1] = p["value_of_other"][:, FIRST, SECOND]
    if "placed_scores" in p:  # bit 2's token stands at one of two places, as bit 1 says
        scores[..., 1] = p["placed_scores"][:, FIRST, SECOND]
        values[..., 1] = p["placed_values"][:, FIRST, SECOND]
    if "other_score" in p:
        scores[..., 4], values[..., 4] = p["other_score"], p["other_value"]
    if "mask" in p:
        scores = np.where((p["mask"] > 0) | (np.arange(5) == 0), scores, -np.inf)  # somebody is seen
    if "both_score" in p:
        scores = np.concatenate([scores, p["both_score"][..., None]], axis=-1)
        values = np.concatenate([values, p["both_value"][..., None]], axis=-1)
    weights = softmax(scores)
    if "sign" in p:  # a denominator of either sign, as some linear attentions have it
        weights = weights * by_case(p["sign"])
    if "root" in p:
        total = np.sqrt((weights**2).sum(axis=-1, keepdims=True))
    elif "none" in p:
        total = np.ones((n, 1, 1))
    elif "sizes" in p:
        total = np.abs(weights).sum(axis=-1, keepdims=True)
    else:
        total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(np.abs(total) > 1e-3, total, np.nan)
    outputs = (weights * values).sum(axis=-1) + (p["bias"] + p["asker"])[:, None]
    if "own" in p:
        outputs = outputs + p["own"][:, FIRST]
    if "scores_2" in p:
        outputs = outputs + (softmax(by_case(p["scores_2"])) * by_case(p["values_2"])).sum(axis=-1)
    if "bias_of_case" in p:
        outputs = outputs + p["bias_of_case"]
    assert outputs.shape == (n, 4)
    return np.abs(outputs) - 1 if "bend" in p else outputs


def sign_violation(outputs):
    """By how much the signs are those of XOR, or of its opposite: unlike Theorem 1's, this readout's bias counts."""
    right = np.maximum((outputs * [-1, 1, 1, -1]).min(axis=-1), (outputs * [1, -1, -1, 1]).min(axis=-1))
    return right / (1 + np.abs(outputs).max(axis=-1))


def vote_violation(p):
    return sign_violation(vote_outputs(p))


@pytest.mark.parametrize("seed", range(3))
def test_theorem_2_holds_inside(seed):
    assert worst(normal(**VOTE), vote_violation, seed) <= TINY


@pytest.mark.parametrize("name", OUTSIDE)
def test_theorem_2_needs_each_condition(name):
    assert broken(normal(**VOTE | OUTSIDE[name]), vote_violation)


def test_theorem_2_does_not_need_weights_that_sum_to_one():
    """A term of the denominator that belongs to no token takes its share of the bias, and the votes still add up."""

    def violation(p):
        s, v = by_case(p["scores"]), by_case(p["values"])
        top = np.maximum(s.max(axis=(1, 2)), p["spare"])[:, None, None]
        e, spare = np.exp(s - top), np.exp(p["spare"] - top[:, 0, 0])
        return sign_violation((e * v).sum(axis=-1) / (e.sum(axis=-1) + spare[:, None]) + p["bias"][:, None])

    assert worst(normal(**VOTE, spare=()), violation) <= TINY


def test_theorem_2_allows_signed_weights():
    """If nothing divides, or a positive sum over tokens, G is still a sum of votes.

    The root of a sum of squares is positive: without a bias after it the sign of G stays.
    """
    for divisor in ("none", "sizes"):
        assert worst(normal(**VOTE, sign=(5, 2), **{divisor: ()}), vote_violation) <= TINY
    unbiased = lambda p: vote_violation(p | {"bias": 0 * p["bias"], "asker": 0 * p["asker"]})  # noqa: E731
    assert worst(normal(**VOTE, sign=(5, 2), root=()), unbiased) <= TINY


def test_theorem_2_needs_all_four_pairs():
    """Where (0, 0) does not come up, one head is right in all that comes: its bound of 75 % is for equal chances."""

    def violation(p):
        outputs = vote_outputs(p) * [np.nan, 1, 1, -1]
        return np.nanmin(outputs, axis=-1) / (1 + np.nanmax(np.abs(outputs), axis=-1))

    assert broken(normal(**VOTE), violation)


def test_the_counter_example_by_hand():
    """The asker holds a bit, and a residual connection hands it on: −0.125, 0.125, 0.25, −0.25, which is XOR."""
    found = []
    for a, d in ((0, 0), (1, 0), (0, 1), (1, 1)):
        first, second = 1.0, (3.0, 1.0)[d]  # e^s: 0, and ln 3 for bit 0 or 0 for bit 1
        values = (-0.5, -3.5)[a], (0.0, 1.0)[d]
        found.append((first * values[0] + second * values[1]) / (first + second) + a)
    assert found == [-0.125, 0.125, 0.25, -0.25]


# Theorem 3 --------------------------------------------------------------------------------------------------------


def parity_outputs(p, n):
    """Heads added up: each token has a score and a value of its own for each head; (instances, 2ⁿ)."""
    bits = np.array(list(product((0, 1), repeat=n)))
    token = np.arange(n)
    scores, values = (
        p[name][:, :, token, bits] for name in ("scores", "values")
    )  # (instances, heads, 2ⁿ, n)
    return (softmax(scores) * values).sum(axis=-1).sum(axis=1) + p["bias"][:, None]


def parity_violation(n):
    sign = 1 - 2 * (np.array(list(product((0, 1), repeat=n))).sum(axis=1) % 2)

    def violation(p):
        outputs = parity_outputs(p, n)
        right = np.maximum((outputs * sign).min(axis=-1), (-outputs * sign).min(axis=-1))
        return right / (1 + np.abs(outputs).max(axis=-1))

    return violation


@pytest.mark.parametrize(("n", "heads"), [(2, 1), (3, 1), (3, 2), (4, 3)])
def test_theorem_3_fewer_heads_than_bits(n, heads):
    draw = normal(scores=(heads, n, 2), values=(heads, n, 2), bias=())
    assert worst(draw, parity_violation(n)) <= TINY


@pytest.mark.parametrize("n", [3, 5])
def test_theorem_3_needs_places_that_know_no_bit(n):
    """The last bit's token stands at one of two places, as the other bits say: one head computes parity."""
    for bits in product((0, 1), repeat=n):
        values = np.zeros(n + 1)
        odd = sum(bits[:-1]) % 2
        values[n - 1 + odd] = (2 * bits[-1] - 1) * (1, -1)[odd]
        assert (softmax(np.zeros(n + 1)) @ values > 0) == sum(bits) % 2


@pytest.mark.parametrize("n", [2, 3])
def test_theorem_3_as_many_heads_are_enough(n):
    draw = normal(scores=(n, n, 2), values=(n, n, 2), bias=())
    assert broken(draw, parity_violation(n), rounds=1500, enough=1e-3)


# The smaller claims -----------------------------------------------------------------------------------------------

EVERY = [set(np.flatnonzero(table)) for table in product((0, 1), repeat=4)]


@pytest.mark.parametrize("table", [t for t in EVERY if 0 < len(t) < 4], ids=str)
def test_sixteen_functions(table):
    """On the rope those with f(0, 0) ≠ f(1, 1); by votes all but XOR and its opposite. The constants need no test."""
    above = sorted(table)
    assert broken(normal(**HULL), lambda p: gap(hull_outputs(p), above)) == ((0 in table) != (3 in table))
    sign = np.where(np.isin(np.arange(4), above), 1, -1)

    def by_votes(p):
        outputs = vote_outputs(p)
        return (outputs * sign).min(axis=-1) / (1 + np.abs(outputs).max(axis=-1))

    assert broken(normal(**VOTE), by_votes) == (table not in ({1, 2}, {0, 3}))


def test_what_residual_weights_must_satisfy():
    """Some bias gives XOR or its opposite if and only if −Δr / 2Δν lies strictly between m and 1 − m."""

    def parts(p):
        m = 1 / (1 + np.exp(p["m"]))
        middle, end = p["dr"] / 2 + m * p["dv"], p["dr"] + p["dv"]
        rho = -p["dr"] / (2 * p["dv"])
        inside = -(rho - m) * (rho - (1 - m))  # above zero strictly between
        found = xor_gap(np.stack([np.zeros_like(m), middle, middle, end], axis=-1))
        return found, inside

    draw = normal(m=(), dr=(), dv=())
    assert worst(draw, lambda p: np.minimum(parts(p)[0], -parts(p)[1])) <= TINY  # XOR, and not inside
    assert worst(draw, lambda p: np.minimum(-parts(p)[0], parts(p)[1])) <= TINY  # inside, and no XOR
    assert broken(draw, lambda p: parts(p)[0])


def layers_outputs(p, layers, read, *, residual=False, positions=False):
    """Self-attention in which scores and values see what is in the rows, and nothing else; (n, 4)."""
    h = np.stack([p["vectors"][:, FIRST], p["vectors"][:, SECOND]], axis=2)
    for i in range(layers):
        a = softmax(h @ p["b"][:, i, None] @ np.swapaxes(h, -1, -2))
        values = h + p["places"][:, None] if positions and i == 0 else h
        h = a @ values @ p["w"][:, i, None] + (h if residual else 0)
        h = h / np.maximum(np.abs(h).max(axis=(1, 2, 3), keepdims=True), 1e-12)
    rows = {"row 1": h[:, :, :1], "mean": h.mean(axis=2, keepdims=True), "both rows": h}[read]
    return np.einsum("nctd,ntd->nc", rows, p["readouts"][:, : rows.shape[2]])


@pytest.mark.parametrize(
    ("story", "layers", "holds", "more"),
    [
        ("(i)", 1, True, {"read": "both rows"}),
        ("(i) at any depth", 3, True, {"read": "both rows"}),
        ("(ii)", 1, True, {"read": "mean", "positions": True}),
        ("(ii) with two layers", 2, False, {"read": "mean", "positions": True}),
        ("(ii) by row", 1, False, {"read": "row 1", "positions": True}),
        ("(iii)", 1, True, {"read": "row 1", "residual": True}),
        ("(iii) with two layers", 2, False, {"read": "row 1", "residual": True}),
        ("(iii) by the mean", 1, False, {"read": "mean", "residual": True}),
        ("(iii) with positions", 1, False, {"read": "row 1", "residual": True, "positions": True}),
    ],
)
def test_the_three_stories_and_their_depth(story, layers, holds, more):
    draw = normal(vectors=(2, D), places=(2, D), b=(3, D, D), w=(3, D, D), readouts=(2, D))
    attacked = lambda p: xor_gap(layers_outputs(p, layers, **more))  # noqa: E731
    if holds:
        assert worst(draw, attacked) <= TINY, story
    else:
        assert broken(draw, attacked, rounds=400), story


# Case 1's luck ----------------------------------------------------------------------------------------------------


def lost(scores):
    """How far the rows of a softmax down the columns are from summing to one."""
    e = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    return np.abs((e / e.sum(axis=-2, keepdims=True)).sum(axis=-1) - 1).max(axis=-1)


def test_case_1s_luck_takes_equal_sums_too():
    """Symmetric scores are not enough; if all sums of e^s over rows and columns are equal, symmetry is not needed."""
    two = normal(q=(2, 2))  # two tokens, W_Q = W_K: a query is its own key

    def of_queries(q):
        return lost(q @ np.swapaxes(q, -1, -2))

    assert broken(two, lambda p: of_queries(p["q"]))
    length = lambda q: q / np.linalg.norm(q, axis=-1, keepdims=True)  # noqa: E731
    assert worst(two, lambda p: of_queries(length(p["q"]))) <= TINY
    assert worst(two, lambda p: lost(length(p["q"]) @ np.swapaxes(2 * length(p["q"]), -1, -2))) <= TINY
    assert broken(normal(q=(3, 2)), lambda p: of_queries(length(p["q"])))  # for three tokens it is not enough
    turned = np.array(
        [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    )  # not symmetric, but each number once a row and a column
    assert worst(normal(s=(3,)), lambda p: lost(p["s"][:, turned])) <= TINY
