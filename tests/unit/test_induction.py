"""Complete the pattern: what the drawn networks answer, also without a part, and how they are learned.

What is asked of the sequences, answers and counts here is written apart from `attn.induction`.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.induction import (
    VOCABULARY,
    Blocks,
    History,
    four_slots,
    hand_set,
    loss_and_gradient,
    questions,
    sentences,
    slots,
    train,
)
from attn.softmax import softmax
from attn.transformer import rms_norm

WORDS = ["BOS", "A", "B", "0", "1"]


def right(network, cut=0):
    """How many of the sixteen questions a network answers, and by how much at least."""
    margins = []
    for tokens, answer in questions():
        logits = network(tokens[cut:]).logits[-1]
        margins.append(logits[answer] - np.delete(logits, answer).max())
    return sum(margin > 1e-12 for margin in margins), min(margins)


def without(network, layer=None, **changes):
    """The network with something changed in both layers, or in one."""
    layers = [
        replace(own, **changes) if layer in (None, i) else own for i, own in enumerate(network.layers, 1)
    ]
    return replace(network, layers=layers)


def test_the_questions():
    asked = questions()
    texts = [" ".join(WORDS[t] for t in tokens) + f" -> {WORDS[answer]}" for tokens, answer in asked]
    assert list(VOCABULARY) == WORDS
    assert len(set(texts)) == 16
    assert "BOS A 1 B 0 A -> 1" in texts
    assert "BOS B 0 A 1 B -> 0" in texts
    for tokens, answer in asked:
        bos, k_1, v_1, k_2, v_2, q = (WORDS[t] for t in tokens)
        assert bos == "BOS"
        assert {k_1, k_2} == {"A", "B"}
        assert {v_1, v_2} <= {"0", "1"}
        assert WORDS[answer] == {k_1: v_1, k_2: v_2}[q]


def test_by_hand():
    """`A 1 B 0 A`, with the exponentials written out."""
    run = hand_set()(np.array([0, 1, 4, 2, 3, 1]))
    assert_allclose(
        np.diagonal(run.weights[0], -1), [np.e**5 / (np.e**5 + i) for i in range(1, 6)], atol=1e-12
    )
    assert_allclose(np.diagonal(run.weights[0], -1)[[0, -1]], [0.993, 0.967], atol=5e-4)
    assert_allclose(run.weights[1][-1, 2], 0.964, atol=5e-4)
    assert_allclose(run.logits[-1], [0.007, 0.015, 0.007, 0.007, 0.964], atol=5e-4)
    count, margin = right(hand_set())
    assert count == 16
    assert_allclose(margin, 0.947, atol=5e-4)


ABLATED = {
    "nothing": (16, lambda net: net),
    "layer 1": (0, lambda net: replace(net, layers=net.layers[1:])),
    "layer 2": (0, lambda net: replace(net, layers=net.layers[:1])),
    "what layer 1 writes": (0, lambda net: without(net, 1, w_o=0 * net.layers[0].w_o)),
    "residual round layer 1": (0, lambda net: without(net, 1, residual=False)),
    "residual round layer 2": (16, lambda net: without(net, 2, residual=False)),
    "places": (0, lambda net: replace(net, places=None)),
    "mask": (16, lambda net: replace(net, causal=False)),
    "no norm, with pre": (16, lambda net: without(net, norm="pre")),
    "no norm, with post": (16, lambda net: without(net, norm="post")),
    "no norm, with RMS pre": (16, lambda net: without(net, norm="pre", norm_1=rms_norm)),
    "no norm, with RMS post": (16, lambda net: without(net, norm="post", norm_1=rms_norm)),
}


@pytest.mark.parametrize("part", ABLATED)
def test_without_a_part(part):
    wanted, ablate = ABLATED[part]
    assert right(ablate(hand_set()))[0] == wanted


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_cases(n):
    case = slots(n, 2)
    assert len({(p, *v) for p, v in zip(case.asked, case.values.tolist(), strict=True)}) == n * 2**n
    assert set(case.values.flat) == {-1, 1}
    assert_array_equal(case.answers, [v[p] for p, v in zip(case.asked, case.values, strict=True)])


def test_how_many_slots():
    assert [slots(1, h).most for h in (1, 2, 3, 4)] == [1, 4, 7, 16]


def test_two_heads_serve_four_slots():
    case, heads = slots(4, 2), four_slots()
    arrays = (heads.key_scores, heads.key_says, heads.value_scores, heads.value_says)
    assert all((array == array.round()).all() and np.abs(array).max() <= 5 for array in arrays)
    assert (heads(case) * case.answers).min() > 0.36
    # once more, token by token
    for p, v, answer in zip(case.asked[::7], case.values[::7], case.answers[::7], strict=True):
        total = 0
        for head in range(2):
            z = n = 0
            for s in range(4):
                for scores, says, kind in (
                    (heads.key_scores, heads.key_says, int(s == p)),
                    (heads.value_scores, heads.value_says, int(v[s] > 0)),
                ):
                    e = np.exp(scores[head, s, kind])
                    z, n = z + e, n + e * says[head, s, kind]
            total += n / z
        assert total * answer > 0


def test_the_sentences():
    tokens, known = sentences(np.random.default_rng(0), 500)
    twice = set()
    for row, may in zip(tokens, known, strict=True):
        length = len(row) - len(set(row))
        twice.add(length)
        assert row[0] == 0
        assert len(set(row[: 12 - length])) == 12 - length
        assert_array_equal(row[12 - length :], row[12 - 2 * length : 12 - length])
        # the next token is known where the present one has stood before
        assert_array_equal(may, [row[i] in row[:i] for i in range(11)])
        for i in np.flatnonzero(may):
            assert row[i + 1] == row[list(row[:i]).index(row[i]) + 1]
    assert twice == {3, 4, 5}


def test_the_fall_ends_at_the_least_loss():
    """0.6 of the way from 9 to 1 is 4.2, from 9 to the last loss it would be 6."""
    losses = np.array([9.0, 5, 4, 1, 4])
    assert History(0, losses, losses, losses, (), losses).fallen(0.6) == 2


def test_first_steps():
    """Descent goes along the gradient, and Adam's first step is the learning rate for each number."""
    for optimizer, rate in (("descent", 2.0), ("adam", 0.01)):
        history = train(
            0, optimizer=optimizer, learning_rate=rate, n_steps=1, record_every=1, spread=0.5, progress=False
        )
        rng = np.random.default_rng(0)
        start = Blocks(*(rng.normal(0, 0.5, (size, size)) for size in (12, 11, 11)))
        slope = loss_and_gradient(start, *sentences(rng, 64))[1]
        for before, after, own in zip(start, history.blocks[1], slope, strict=True):
            if optimizer == "descent":
                assert_allclose(after, before - rate * own, atol=1e-15)
            else:
                assert_allclose(after, before - rate * own / (np.abs(own) + 1e-8), atol=1e-12)


def by_lines(first, keys, values=None, causal=True, cut=0):
    """How many of sixteen: the weights of layer 1 and the scores of layer 2's last row come from functions."""
    count = 0
    for tokens, answer in questions():
        x = np.eye(5)[tokens[cut:]]
        n = len(x)
        hide = np.triu(np.full((n, n), -np.inf), 1) if causal else 0
        seen = softmax(first(x) + hide) @ x
        weights = softmax(keys(x, seen))
        logits = weights @ (x if values is None else values(x, seen))
        count += logits[answer] > np.delete(logits, answer).max()
    return count


def test_without_bos_the_first_token_is_its_own_predecessor():
    assert right(hand_set(), cut=1)[0] == 8
    logits = hand_set()(np.array([1, 4, 2, 3, 1])).logits[-1]
    assert_allclose(logits[[1, 4]], [0.507, 0.486], atol=5e-4)


def test_no_bos_where_the_first_place_is_avoided():
    even = np.array([-9.0, 0, 0, 0, 0])

    def first(x):
        return 9 * np.eye(5, k=-1)

    assert by_lines(first, lambda x, seen: 9 * seen @ x[-1], cut=1) == 8
    assert by_lines(first, lambda x, seen: 9 * seen @ x[-1] + even, cut=1) == 16
