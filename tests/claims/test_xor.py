"""The theorems of the chapter on XOR, each on 100,000 random networks within its conditions; its ways out; its table.

A network's readout has a bias, and the best bias is known once the four outputs are: so `gap` says whether *some*
bias, and either sign, cuts the unequal pairs apart from the equal ones.
"""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.multihead import MultiHeadAttention
from attn.softmax import softmax
from attn.xor import BITS, ROPE, WAYS_OUT, accuracy, margin, one_hot_pairs, random_search

N = 100_000
X = one_hot_pairs()
XOR = np.array([0, 1, 1, 0])


def gap(outputs):
    """Half the width of the gap between the unequal and the equal pairs, (n,); negative if they overlap."""
    unequal, equal = outputs[..., [1, 2]], outputs[..., [0, 3]]
    above = unequal.min(axis=-1) - equal.max(axis=-1)
    below = equal.min(axis=-1) - unequal.max(axis=-1)
    return np.maximum(above, below) / 2


# Theorem 1 --------------------------------------------------------------------------------------------------------


def deep_reads(rng, n, layers, d, read):
    """What n random networks of one head a layer read of the four pairs, (n, 4, d): positions in the scores alone."""
    h = rng.normal(size=(n, 2, d))[:, 1 - X[..., 0].astype(int)]  # (n, 4, 2, d): a vector for each bit
    for _ in range(layers):
        w_q, w_k, w_v = 2 * rng.normal(size=(3, n, 1, d, d))
        placed = h + rng.normal(size=(n, 1, 2, d))
        attention = softmax(placed @ w_q @ np.swapaxes(placed @ w_k, -1, -2))
        h = attention @ h @ w_v
        h /= np.abs(h).max(axis=(1, 2, 3), keepdims=True)
    if read == "row 1":
        return h[:, :, 0]
    if read == "mean":
        return h.mean(axis=2)
    placed = h + rng.normal(size=(n, 1, 2, d))
    decoder = softmax(3 * (placed @ rng.normal(size=(n, 1, d, 1)))[..., 0])
    return (decoder[:, :, None] @ h)[:, :, 0]


@pytest.mark.parametrize(
    ("layers", "d", "read"), [(1, 2, "row 1"), (1, 3, "mean"), (2, 2, "decoder"), (3, 2, "decoder")]
)
def test_theorem_1_no_network_leaves_the_hull(layers, d, read):
    rng = np.random.default_rng(51)
    points = deep_reads(rng, N, layers, d, read)
    ends = points[:, [0, 3]]
    rope = ends[:, 1] - ends[:, 0]
    along = ((points - ends[:, :1]) @ rope[:, :, None])[..., 0] / (rope**2).sum(axis=-1, keepdims=True)
    assert_allclose(points, ends[:, :1] + along[..., None] * rope[:, None], atol=1e-9)  # on the rope
    assert (along > -1e-9).all()
    assert (along < 1 + 1e-9).all()
    outputs = (points @ rng.normal(size=(N, d, 1)))[..., 0]
    assert (gap(outputs) <= 1e-9).all()
    assert (outputs[:, [1, 2]].max(axis=-1) <= outputs[:, [0, 3]].max(axis=-1) + 1e-9).all()


def test_the_search_of_the_book_finds_at_most_three():
    for read, scores in product(("decoder", "mean", "row 1"), (False, True)):
        found = random_search(np.random.default_rng(52), N, read=read, position_in_scores=scores)
        assert found.accuracy.max() == 0.75, (read, scores)


def reached(outputs):
    """The truth tables that some bias makes of n networks' outputs (n, 4), as sets of the pairs that are 1."""
    order = np.argsort(outputs, axis=1)
    tables = {frozenset(), frozenset(range(4))}
    for ones in (1, 2, 3):
        apart = np.diff(np.take_along_axis(outputs, order, axis=1), axis=1)[:, 3 - ones] > 1e-9
        tables |= set(map(frozenset, order[apart, -ones:].tolist()))
    return tables


def test_ten_of_sixteen_on_the_rope_fourteen_by_vote():
    """Pairs 0 and 3 are the ends of the rope: a cut that leaves them together leaves all four together."""
    every = {frozenset(np.flatnonzero(table)) for table in product((0, 1), repeat=4)}
    rope = reached(
        random_search(np.random.default_rng(53), N, read="row 1", position_in_scores=True).networks().output
    )
    assert rope == {table for table in every if (0 in table) != (3 in table) or len(table) in (0, 4)}
    assert len(rope) == 10
    rng = np.random.default_rng(53)
    weights, values = (f(v) for f, v in zip((softmax, np.asarray), votes(rng, N, 0), strict=True))
    assert every - reached((weights * values).sum(axis=-1)) == {frozenset((1, 2)), frozenset((0, 3))}


# Theorem 2 --------------------------------------------------------------------------------------------------------


def votes(rng, n, others, positions=True, d=3):
    """n random heads whose query is independent of the bits: (scores, values), (n, 4, 2 + others) each.

    The query is one of the other tokens; values stand for readout · value + bias.
    """
    bits = rng.normal(size=(n, 2, d))[:, BITS]  # (n, 4, 2, d)
    noise = np.broadcast_to(rng.normal(size=(n, 1, others, d)), (n, 4, others, d))
    tokens = np.concatenate([bits, noise], axis=2)
    if positions:
        tokens = tokens + rng.normal(size=(n, 1, 2 + others, d))
    w_q, w_k = rng.normal(size=(2, n, 1, d, d))
    query = tokens[:, :1, 2:3] if others else rng.normal(size=(n, 1, 1, d))
    scores = (tokens @ w_k @ np.swapaxes(query @ w_q, -1, -2))[..., 0] / np.sqrt(d)
    values = (tokens @ rng.normal(size=(n, 1, d, 1)))[..., 0] + rng.normal(size=(n, 1, 1))
    return scores, values


@pytest.mark.parametrize("others", [0, 1, 2, 5])
def test_theorem_2_the_votes_add_up(others):
    scores, values = votes(np.random.default_rng(54 + others), N, others)
    outputs = (softmax(scores) * values).sum(axis=-1)
    shift = scores.max(axis=(1, 2), keepdims=True)  # one positive factor for all four: no sign changes
    total = (np.exp(scores - shift) * values).sum(axis=-1)
    size = np.abs(total).max(axis=-1)
    assert_allclose((total[:, 0] + total[:, 3] - total[:, 1] - total[:, 2]) / size, 0, atol=1e-12)
    assert (np.sign(outputs) == np.sign(total))[np.abs(total) > 1e-12 * size[:, None]].all()
    right = ((total > 0) == (XOR > 0)).sum(axis=-1)
    assert right.max() == 3
    assert ((total > 0) != (XOR > 0)).sum(axis=-1).max() == 3  # nor its opposite


def test_the_bound_is_reached():
    """OR: three of four, whatever the noise says."""
    rng = np.random.default_rng(55)
    noise = rng.uniform(-1, 1, size=(N, 1, 2))
    values = np.concatenate(
        [np.broadcast_to(2.0 * BITS - 1, (N, 4, 2)), np.broadcast_to(noise, (N, 4, 2))], axis=2
    )
    scores = np.array([5.0, 5.0, 0.0, 0.0]) + np.zeros((N, 4, 4))
    outputs = (softmax(scores) * values).sum(axis=-1) + 0.5
    assert (((outputs > 0) == (XOR > 0)).sum(axis=-1) == 3).all()


# The table --------------------------------------------------------------------------------------------------------

READS = ("row 1", "mean", "decoder", "both rows", "asked directly")


def table_outputs(rng, n, way, read, in_scores):
    """Outputs (n, 4) before the bias of n random networks with one way out; values in the plane.

    `in_scores`: the scores are any function of both tokens and both places; otherwise of both tokens alone.
    """
    if read == "asked directly":
        return direct_outputs(rng, n, way)
    heads = 2 if way == "second head" else 1
    tokens, bits = 2, BITS
    if way == "third token":
        tokens, bits = 3, np.column_stack([BITS, np.full(4, 2)])
    vectors = rng.normal(size=(n, 3, 2))
    read_of = 0.0
    for _ in range(heads):
        table = 3 * rng.normal(size=(n, tokens, 3, tokens, 3))
        if not in_scores:
            table = table[:, :1, :, :1] + np.zeros((1, tokens, 1, tokens, 1))
        place = np.arange(tokens)
        scores = np.stack([table[:, place[:, None], b[:, None], place[None], b[None]] for b in bits], axis=1)
        values = vectors[:, bits] @ rng.normal(size=(n, 1, 2, 2))
        if way == "position":
            values = values + rng.normal(size=(n, 1, tokens, 2))
        read_of = read_of + softmax(scores) @ values
    h = read_of + vectors[:, bits] if way == "residual" else read_of
    if way == "ReLU":
        h = np.maximum(0, h @ rng.normal(size=(n, 1, 2, 4)) + rng.normal(size=(n, 1, 1, 4)))
    readout = rng.normal(size=(n, 2, h.shape[-1]))
    if read == "both rows":
        return np.einsum("ncid,nid->nc", h[:, :, :2], readout)
    if read == "decoder":
        share = softmax((h @ (3 * rng.normal(size=(n, 1, h.shape[-1], 1))))[..., 0])
    else:
        share = np.zeros(tokens) + 1 / tokens if read == "mean" else np.eye(tokens)[0]
    return np.einsum("ncid,nci,nd->nc", h, np.broadcast_to(share, h.shape[:-1]), readout[:, 0])


def direct_outputs(rng, n, way):
    heads = 2 if way == "second head" else 1
    h = 0.0
    for _ in range(heads):
        scores, first = votes(rng, n, 1 if way == "third token" else 0, positions=way == "position")
        second = first * rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, 1, 1))
        weights = softmax(scores)
        h = h + np.stack([(weights * first).sum(-1), (weights * second).sum(-1)], axis=-1)
    if way == "residual":
        h = h + rng.normal(size=(n, 1, 2))  # the query's own token holds no bit
    if way == "ReLU":
        h = np.maximum(0, h @ rng.normal(size=(n, 2, 4)) + rng.normal(size=(n, 1, 4)))
    return (h @ rng.normal(size=(n, h.shape[-1], 1)))[..., 0]


# Yes and no for scores of the tokens alone, then for scores of tokens and places.
TABLE = {
    "nothing": {"both rows": (False, True)},
    "second head": dict.fromkeys(READS, (True, True)),
    "position": {
        "row 1": (True, True),
        "mean": (False, True),
        "decoder": (True, True),
        "both rows": (True, True),
    },
    "residual": {"mean": (True, True), "decoder": (True, True), "both rows": (True, True)},
    "ReLU": dict.fromkeys(READS, (True, True)),
    "third token": dict.fromkeys(READS[:4], (True, True)),
}
CELLS = [(way, read, i) for way in TABLE for read in READS for i in (0, 1)]


@pytest.mark.parametrize(("way", "read", "in_scores"), CELLS)
def test_each_cell_of_the_table(way, read, in_scores):
    expected = TABLE[way].get(read, (False, False))[in_scores]
    rng = np.random.default_rng([56, *map(ord, way + read)])
    n = 20_000 if expected else N
    found = gap(table_outputs(rng, n, way, read, in_scores))
    if expected:
        assert found.max() > 0.02
    else:
        assert found.max() <= 1e-9


def test_residual_and_one_row_share_a_sign():
    """f(1, 1) − f(1, 0) and f(0, 0) − f(0, 1) have opposite signs if row 1 is read: XOR wants both below 0."""
    rng = np.random.default_rng(57)
    f = table_outputs(rng, N, "residual", "row 1", True)
    assert ((f[:, 1] - f[:, 3]) * (f[:, 2] - f[:, 0]) <= 1e-15).all()


@pytest.mark.parametrize(("way", "read"), [("position", "mean"), ("nothing", "both rows")])
def test_the_average_of_the_unequal_lies_between(way, read):
    """Scores without places: swapping the tokens swaps the weights, so places cancel in f(1, 0) + f(0, 1)."""
    f = table_outputs(np.random.default_rng(58), N, way, read, False)
    middle, ends = (f[:, 1] + f[:, 2]) / 2, np.sort(f[:, [0, 3]], axis=-1)
    assert (middle >= ends[:, 0] - 1e-9).all()
    assert (middle <= ends[:, 1] + 1e-9).all()


# The ways out, by hand --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "least"),
    [("second head", 0.66), ("max − min", 0.66), ("position", 0.7), ("residual", 0.5), ("ffn", 0.75)],
)
def test_ways_out_by_hand(name, least):
    assert accuracy(WAYS_OUT[name]().output) == 1
    assert_allclose(margin(WAYS_OUT[name]().output), least, atol=5e-3)


def test_what_theorem_1_needs():
    """A bias in the values passes through; weights that sum to less than one, masked after the softmax, do not."""
    rng = np.random.default_rng(62)
    weights = softmax(3 * rng.normal(size=(N, 4, 2)))
    values = rng.normal(size=(N, 2))[:, BITS] + rng.normal(size=(N, 1, 1))
    weights[:, [0, 3]] = 0.5  # equal tokens, equal weights
    assert (gap((weights * values).sum(axis=-1)) <= 1e-12).all()
    row = ROPE().attention[:, 0] * [1, 0]  # the other token hidden after the softmax: 0.5 and 0.881 are left
    assert gap(row.sum(axis=-1)) > 0.19  # both bits have the value 1


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_max_minus_min_is_tanh(beta):
    """Queries +β and −β on ±1 tokens: (head 1 − head 2)/2 is tanh β on unequal bits and 0 on equal ones."""
    bits = 2.0 * BITS - 1
    up, down = ((softmax(s * beta * bits) * bits).sum(axis=-1) for s in (1, -1))
    assert_allclose((up - down) / 2, np.tanh(beta) * XOR, atol=1e-15)


def test_what_residual_weights_must_satisfy():
    """The mean is read: some bias gives XOR or its opposite iff −Δρ/2Δν lies strictly between m and 1 − m."""
    rng = np.random.default_rng(59)
    rho, nu = rng.normal(size=(2, N, 2))
    m = rng.uniform(size=N)  # how much the 1 weighs in the mean of both rows, in an unequal pair
    unequal = rho.mean(axis=1) + (1 - m) * nu[:, 0] + m * nu[:, 1]
    f = np.stack([rho[:, 0] + nu[:, 0], unequal, unequal, rho[:, 1] + nu[:, 1]], axis=1)
    ratio = -np.diff(rho)[:, 0] / (2 * np.diff(nu)[:, 0])
    inside = (ratio - m) * (ratio - (1 - m)) < 0
    assert ((gap(f) > 0) == inside).all()
    assert 0 < inside.mean() < 0.2


# More bits --------------------------------------------------------------------------------------------------------


def bits_of(n):
    return np.array(list(product((-1.0, 1.0), repeat=n)))


def temperature_heads(bits, betas):
    return np.stack([(softmax(beta * bits) * bits).sum(axis=-1) for beta in betas], axis=-1)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_n_heads_are_enough_for_the_parity_of_n_bits(n):
    """Any n constant queries: a readout of their n averages and a bias gives the parity."""
    bits, betas = bits_of(n), np.arange(n) - (n - 1) / 2 + 0.25
    parity = (bits > 0).sum(axis=1) % 2
    heads = np.column_stack([temperature_heads(bits, betas), np.ones(len(bits))])
    weights = np.linalg.lstsq(heads, 2.0 * parity - 1)[0]
    assert_allclose(heads @ weights, 2.0 * parity - 1, atol=1e-6)


@pytest.mark.parametrize(("n", "heads"), [(2, 1), (3, 1), (3, 2), (4, 3)])
def test_fewer_heads_than_bits_miss_at_least_one_case(n, heads):
    """Σ (−1)^ones · G = 0 for G = output · all denominators, and no random network gets the parity right."""
    rng = np.random.default_rng(60)
    count = N if n < 4 else N // 4
    which = (bits_of(n) > 0).astype(int)
    numerator, denominator = 0.0, np.ones((count, 2**n))
    for _ in range(heads):
        z = np.exp(rng.normal(size=(count, n, 2)))[
            :, np.arange(n), which
        ]  # each token has a weight of its own
        v = rng.normal(size=(count, n, 2))[:, np.arange(n), which]
        total = z.sum(axis=-1)
        numerator, denominator = numerator * total + (z * v).sum(axis=-1) * denominator, denominator * total
    bias = rng.normal(size=(count, 1))
    g = numerator + bias * denominator
    signs = 1 - 2 * (which.sum(axis=1) % 2)
    assert_allclose(g @ signs / np.abs(g).max(axis=1), 0, atol=1e-11)
    right = ((g > 0) == (signs < 0)).sum(axis=1)
    assert right.max() <= 2**n - 1


@pytest.mark.parametrize(("turned", "most"), [(False, 0.75), (True, 1.0)])
def test_two_pooling_queries_break_the_rope_if_one_goes_through_a_matrix_of_its_own(turned, most):
    """Merely added, the two make twice an average: the sum for unequal pairs lies between those for equal ones."""
    rng = np.random.default_rng(0)
    found = 0.0
    for _ in range(4000):
        ends, queries = rng.normal(0, 2, (2, 2)), rng.normal(0, 2, (2, 2))
        rows = np.array([[ends[a], ends[b]] for a in (0, 1) for b in (0, 1)])  # (4 cases, 2 tokens, 2)
        one, two = ((softmax(rows @ query)[..., None] * rows).sum(axis=1) for query in queries)
        read = one + (two @ rng.normal(0, 2, (2, 2)) if turned else two)
        output = read @ rng.normal(size=2)
        for bias in -np.sort(output)[:-1] - np.diff(np.sort(output)) / 2:
            found = max(found, accuracy(output + bias), accuracy(-output - bias))
    assert found == most


def test_a_head_of_attn_can_be_the_vote():
    """The additive vote with the book's own layer: fixed query, two bits, two noise tokens, at most three right."""
    rng = np.random.default_rng(61)
    right = []
    for _ in range(200):
        layer = MultiHeadAttention.init(rng, 4, 1)
        ends, noise = np.array([-np.ones(4), np.ones(4)]), rng.uniform(-1, 1, (2, 4))
        x = np.array([np.vstack([ends[a], noise, ends[d]]) for a, d in BITS])
        output = layer(x[:, 1:2], x)[0][:, 0] @ rng.normal(size=4) + rng.normal()
        right.append(((output > 0) == (XOR > 0)).sum())
    assert max(right) <= 3
