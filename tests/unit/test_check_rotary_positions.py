"""Chapter 8's checkers. Right answers of every style pass; the wrong ones that people give get their hint."""

import cmath

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn import check
from attn.check.rotary_positions import _DECODE_STEP, _ROPE, _ROPE_ATTENTION, _TO_HALVES
from tests.unit.checkers import STUBS, assert_hint, assert_not_solved_yet, assert_passes

# By complex numbers, apart from attn: a pair (x, y) is x + iy, and a turn is a factor.


def turned_row(
    row, place, *, omega=lambda i, d: 10000.0 ** (-2 * i / d), pair=lambda i, d: (2 * i, 2 * i + 1)
):
    d = len(row)
    out = [0.0] * d
    for i in range(d // 2):
        one, two = pair(i, d)
        z = complex(row[one], row[two]) * cmath.exp(1j * omega(i, d) * float(place))
        out[one], out[two] = z.real, z.imag
    return out


def by_complex_numbers(x, positions, **how):
    return [turned_row(row, place, **how) for row, place in zip(x, positions, strict=True)]


def by_matrices(x, positions):
    d = x.shape[1]
    out = []
    for row, place in zip(x, positions, strict=True):
        block = np.zeros((d, d))
        for i in range(d // 2):
            a = place * np.exp(-2 * i / d * np.log(10000))
            block[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        out.append(block @ row)
    return np.array(out)


def by_hand_softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attending(start=0, key_start=0, sign=1, key_sign=1, scale=True, turn_v=False, turn_q=True, turn_k=True):
    def output(q, k, v):
        n, d = q.shape
        places, key_places = sign * (start + np.arange(n)), key_sign * (key_start + np.arange(n))
        q = np.array(by_complex_numbers(q, places)) if turn_q else q
        k = np.array(by_complex_numbers(k, key_places)) if turn_k else k
        v = np.array(by_complex_numbers(v, places)) if turn_v else v
        return by_hand_softmax(q @ k.T / (d**0.5 if scale else 1)) @ v

    return output


def by_offsets(q, k, v):
    """Nothing but the difference of the places comes in."""
    n, d = q.shape
    out = []
    for p in range(n):
        scores = np.array([np.dot(q[p], turned_row(k[j], j - p)) for j in range(n)]) / d**0.5
        out.append(by_hand_softmax(scores) @ v)
    return np.array(out)


def stepping(place=lambda n: n - 1, again=0, scale=True):
    def output(q, keys, values):
        n = len(keys)
        if again:
            keys = np.array(by_complex_numbers(keys, again * np.arange(n)))
        scores = np.array([np.dot(turned_row(q, place(n)), key) for key in keys])
        return by_hand_softmax(scores / (len(q) ** 0.5 if scale else 1)) @ values

    return output


def seen_from_the_query(q, keys, values):
    """The cache turned back by the query's place in place of the query turned on."""
    n, d = keys.shape
    keys = np.array(by_complex_numbers(keys, [1 - n] * n))
    return by_hand_softmax(keys @ q / d**0.5) @ values


def reordered(w, n_heads, order):
    w = np.asarray(w)
    d = w.shape[1] // n_heads
    return np.hstack([w[:, h * d : (h + 1) * d][:, order(d)] for h in range(n_heads)])


def evens_then_odds(d):
    return [*range(0, d, 2), *range(1, d, 2)]


def by_axes(w, n_heads):
    """As Meta's weights are converted: pairs and their members change places."""
    return w.reshape(len(w), n_heads, -1, 2).swapaxes(-1, -2).reshape(w.shape)


RIGHT = {
    "rope": [by_complex_numbers, by_matrices],
    "rope_attention": [attending(), attending(1, 1), attending(500, 500), by_offsets],
    "decode_step": [stepping(), seen_from_the_query],
    "to_halves": [by_axes, lambda w, n_heads: reordered(w, n_heads, evens_then_odds).tolist()],
}


def with_signs(first, second):
    def turned(x, positions):
        out = np.zeros_like(x)
        for row, place in enumerate(positions):
            for i in range(x.shape[1] // 2):
                a = place * 10000.0 ** (-2 * i / x.shape[1])
                one, two = x[row, 2 * i], x[row, 2 * i + 1]
                out[row, 2 * i] = one * np.cos(a) + first * two * np.sin(a)
                out[row, 2 * i + 1] = second * one * np.sin(a) + two * np.cos(a)
        return out

    return turned


def in_place(x, positions):
    out = x.copy()
    for row, place in enumerate(positions):
        for i in range(x.shape[1] // 2):
            a = place * 10000.0 ** (-2 * i / x.shape[1])
            out[row, 2 * i] = out[row, 2 * i] * np.cos(a) - out[row, 2 * i + 1] * np.sin(a)
            out[row, 2 * i + 1] = out[row, 2 * i] * np.sin(a) + out[row, 2 * i + 1] * np.cos(a)
    return out


def angles_of_halves_on_neighbors(x, positions):
    d = x.shape[1]
    out = np.zeros_like(x)
    for row, place in enumerate(positions):
        for c in range(d):
            a = place * 10000.0 ** (-2 * (c % (d // 2)) / d)
            other = x[row, c + 1] if c % 2 == 0 else x[row, c - 1]
            out[row, c] = x[row, c] * np.cos(a) + (-1 if c % 2 == 0 else 1) * other * np.sin(a)
    return out


def with_waves_added(x, positions):
    d = x.shape[1]
    waves = [
        [(np.cos if c % 2 else np.sin)(place * 10000.0 ** (-2 * (c // 2) / d)) for c in range(d)]
        for place in positions
    ]
    return x + np.array(waves)


def every_other_column(w, n_heads):
    heads = [w[:, h::n_heads] for h in range(n_heads)]
    return np.hstack([head[:, evens_then_odds(head.shape[1])] for head in heads])


def down_the_columns(q, k, v):
    n, d = q.shape
    q, k = (np.array(by_complex_numbers(x, range(n))) for x in (q, k))
    return by_hand_softmax((q @ k.T / d**0.5).T).T @ v


WRONG = {
    "rope": {
        "as it was": (lambda x, positions: x, ["Is anything turned"]),
        "the other way": (lambda x, positions: by_complex_numbers(x, -positions), ["the other way", "one word ahead"]),
        "both plus": (with_signs(1, 1), ["One sign is off"]),
        "both minus": (with_signs(-1, -1), ["One sign is off"]),
        "in place": (in_place, ["after* the turn"]),
        "halves": (
            lambda x, positions: by_complex_numbers(x, positions, pair=lambda i, d: (i, i + d // 2)),
            ["the other layout"],
        ),
        "mixed up": (angles_of_halves_on_neighbors, ["they don't share an angle"]),
        "i / d": (
            lambda x, positions: by_complex_numbers(x, positions, omega=lambda i, d: 100.0 ** (-2 * i / d)),
            ["half of what it should be"],
        ),
        "4 i / d": (
            lambda x, positions: by_complex_numbers(x, positions, omega=lambda i, d: 1e8 ** (-2 * i / d)),
            ["exponent is doubled"],
        ),
        "one clock": (
            lambda x, positions: by_complex_numbers(x, positions, omega=lambda i, d: 1.0),
            ["All pairs turn equally fast"],
        ),
        "degrees": (lambda x, positions: by_complex_numbers(x, positions * np.pi / 180), ["radians"]),
        "rows": (lambda x, positions: by_complex_numbers(x, range(len(x))), ["Their positions are given"]),
        "added": (with_waves_added, ["Nothing is added"]),
        "nearly": (lambda x, positions: 1.02 * by_matrices(x, positions), ["should be"]),
    },
    "rope_attention": {
        "plain": (attending(turn_q=False, turn_k=False), ["turned at all"]),
        "queries alone": (attending(turn_k=False), ["The keys are not turned"]),
        "keys alone": (attending(turn_q=False), ["The queries are not turned"]),
        "values too": (attending(turn_v=True), ["The values are turned as well"]),
        "the query ahead": (attending(start=1), ["one further than the keys"]),
        "against": (attending(key_sign=-1), ["*sum* of the positions"]),
        "mirror": (attending(sign=-1, key_sign=-1), ["one word back counts as one word ahead"]),
        "no scale": (attending(scale=False), ["Is the scale missing"]),
        "columns": (down_the_columns, ["down the columns"]),
        "nearly": (lambda *case: 1.02 * by_offsets(*case), ["should be"]),
    },
    "decode_step": {
        "at 0": (stepping(lambda n: 0), ["as if it stood at 0"]),
        "at n": (stepping(lambda n: n), ["one too far"]),
        "twice": (stepping(again=1), ["a second time"]),
        "backward": (stepping(lambda n: 1 - n), ["turns the other way"]),
        "turned back": (stepping(lambda n: 0, again=-1), ["turned *back*"]),
        "no scale": (stepping(scale=False), ["Is the scale missing"]),
        "nearly": (lambda *case: 1.02 * stepping()(*case), ["should be"]),
    },
    "to_halves": {
        "as it was": (lambda w, n_heads: w, ["Nothing is reordered"]),
        "across heads": (lambda w, n_heads: reordered(w, 1, evens_then_odds), ["from one head to another"]),
        "the way back": (
            lambda w, n_heads: reordered(w, n_heads, lambda d: np.argsort(evens_then_odds(d))),
            ["the way back", "at 6 not"],
        ),
        "heads apart": (
            every_other_column,
            ["every second column"],
        ),
        "odds first": (
            lambda w, n_heads: reordered(w, n_heads, lambda d: [*range(1, d, 2), *range(0, d, 2)]),
            ["should be"],
        ),
    },
}  # fmt: skip


def flat(table):
    return [(name, row) for name, rows in table.items() for row in rows]


@pytest.mark.parametrize(("name", "function"), flat(RIGHT))
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


@pytest.mark.parametrize(
    ("name", "function", "words"),
    [(name, *row) for name, rows in WRONG.items() for row in rows.values()],
    ids=[f"{name}: {title}" for name, rows in WRONG.items() for title in rows],
)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=8, characters=900)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("stub", STUBS)
def test_a_stub_is_not_solved_yet(name, stub, capsys):
    assert_not_solved_yet(name, stub, capsys)


def test_what_is_called_right_is_right():
    rng = np.random.default_rng(0)
    x, places = rng.normal(size=(4, 8)), rng.integers(0, 500, size=4)
    assert_allclose(_ROPE.right(x, places), by_complex_numbers(x, places), atol=1e-12)
    q, k, v = rng.normal(size=(3, 5, 6))
    assert_allclose(_ROPE_ATTENTION.right(q, k, v), by_offsets(q, k, v), atol=1e-12)
    cache = np.array(by_complex_numbers(k, range(5)))
    for n in range(1, 6):  # what a whole causal pass gives its row n − 1
        step = _DECODE_STEP.right(q[n - 1], cache[:n], v[:n])
        assert_allclose(step, by_offsets(q[:n], k[:n], v[:n])[-1], atol=1e-12)
    w = rng.normal(size=(3, 24))
    assert_allclose(_TO_HALVES.right(w, 3), by_axes(w, 3))


def test_cases_where_nothing_shows_are_not_all_there_is():
    """One word, four columns a head: there two of the mistakes are right, so the checkers go on to more."""
    one = {"q": np.array([1.0, 2]), "keys": np.array([[2.0, 1]]), "values": np.array([[3.0]])}
    assert_allclose(stepping(lambda n: 0)(**one), stepping()(**one))
    assert any(len(case["keys"]) > 1 for case in _DECODE_STEP.fixed)
    w = np.arange(8.0)[None]
    assert_allclose(reordered(w, 2, lambda d: np.argsort(evens_then_odds(d))), by_axes(w, 2))
    assert any(case["w"].shape[1] // case["n_heads"] >= 6 for case in _TO_HALVES.fixed)


def test_names_are_the_chapters():
    assert {"decode_step", "rope", "rope_attention", "to_halves"} <= set(check.__all__)
