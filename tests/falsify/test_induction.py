"""One layer and the pattern under attack: the wall, the doors in it, and how many slots some heads can serve.

Each network is written out here, apart from `attn.induction` and `attn.transformer`.
"""

from itertools import product

import numpy as np
import pytest

from tests.falsify.attack import TINY, broken, normal, softmax, worst, xor_gap

# The wall: A1B0A, A0B1A, B1A0A, B0A1A want 1, 0, 0, 1. The first bit is the order, the second the first value.
ORDER, VALUE = np.array([0, 0, 1, 1]), np.array([1, 0, 1, 0])
CASES = np.stack(  # tokens A, B, 0, 1 at four places; the asker, A again, is the fifth
    [[0, 3, 1, 2, 0], [0, 2, 1, 3, 0], [1, 3, 0, 2, 0], [1, 2, 0, 3, 0]]
)
WANTED = np.array([1, 0, 0, 1])
D = 3


WALL = {
    "scores": (4, 5),  # of token and place, for the one query: anything; a mask is the same in all four
    "values": (4, 5, D),
    "residual": (D,),  # the asker is the same in all four cases
    "readout": (D,),
}
DROPPED = {
    "each score depends on its own token": {"scores_of_pairs": (4, 4)},
    "each value depends on its own token": {"values_of_pairs": (4, 4, D)},
    "the mask is the same in all cases": {"mask_of_case": (4, 5)},
    "one head": {"scores_2": (4, 5), "values_2": (4, 5, D)},
    "the readout is affine": {"w_1": (D, 4), "b_1": (4,), "w_2": (4,)},
    "no normalization before a bias": {"normalized": ()},
    "what the residual adds is the same in all cases": {"residual_of_case": (4, D)},
    "one layer": {"scores_of_asker": (4, 5), "copied": (4, D)},
}


def wall_outputs(p):
    """What n networks of one layer say of the cases, (n, 4); what the dict holds beyond `WALL` drops a condition."""
    place, before = np.arange(5), np.roll(CASES, 1, axis=1)
    scores, values = p["scores"][:, CASES, place], p["values"][:, CASES, place]
    if "scores_of_pairs" in p:
        scores = scores + p["scores_of_pairs"][:, CASES, before]
    if "values_of_pairs" in p:
        values = values + p["values_of_pairs"][:, CASES, before]
    if "mask_of_case" in p:
        scores = np.where((p["mask_of_case"] > 0) | (place == 4), scores, -np.inf)  # the asker sees itself
    if "copied" in p:  # a layer before, in which the last two tokens look around
        for i in (3, 4):
            seen = softmax(p["scores_of_asker"][:, CASES[:, : i + 1], place[: i + 1]])
            found = (seen[..., None, :] @ p["copied"][:, CASES[:, : i + 1]])[..., 0, :]
            values = values + found[:, :, None] * (place == i)[:, None]
            scores = scores + found[..., :1] * (place == i)
    read = (softmax(scores)[..., None, :] @ values)[..., 0, :]
    if "scores_2" in p:
        other = p["scores_2"][:, CASES, place], p["values_2"][:, CASES, place]
        read = read + (softmax(other[0])[..., None, :] @ other[1])[..., 0, :]
    read = read + (p["residual_of_case"] if "residual_of_case" in p else p["residual"][:, None])
    if "normalized" in p:
        away = read - read.mean(axis=-1, keepdims=True)
        read = away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + 1e-5)
    if "w_1" in p:
        hidden = np.maximum(0, read @ p["w_1"] + p["b_1"][:, None])
        return (hidden @ p["w_2"][..., None])[..., 0]
    return (read @ p["readout"][..., None])[..., 0]


def wall_gap(p):
    """How far some bias cuts the four cases as the pattern wants it."""
    return xor_gap(wall_outputs(p)[:, [1, 0, 3, 2]])


def without_a_bias(p):
    """The same where the sign alone may answer, as after a norm."""
    outputs = wall_outputs(p)
    signed = np.where(WANTED == 1, outputs, -outputs).min(axis=1)
    return signed / (1 + np.abs(outputs).max(axis=1))


def test_the_cases_are_the_pattern():
    """What a mask that looks at the words can show alone, the word after `A`, is the answer."""
    for case, order, value, wanted in zip(CASES, ORDER, VALUE, WANTED, strict=True):
        assert case[list(case).index(0) + 1] - 2 == wanted == (order == (1 - value))
        assert len(set(case[:4])) == 4
        assert (case[1] == 3) == value


def test_the_wall_stands():
    """Behind a norm, too, if no bias comes after it: it divides by a positive number, and centering is linear."""
    assert worst(normal(**WALL), wall_gap, 0) <= TINY
    assert worst(normal(**WALL, normalized=()), without_a_bias, 1) <= TINY


@pytest.mark.parametrize("condition", DROPPED)
def test_each_condition_of_the_wall_is_a_door(condition):
    assert broken(normal(**WALL, **DROPPED[condition]), wall_gap, 2)


def test_seven_of_eight_are_the_most():
    """All eight cases with A asked, values free: seven can be right, and by the wall not eight."""
    keys_and_values = product(((0, 1), (1, 0)), product((2, 3), repeat=2))
    cases = np.array([[one, first, other, second, 0] for (one, other), (first, second) in keys_and_values])
    wanted = np.array([case[list(case[:4:2]).index(0) * 2 + 1] == 3 for case in cases])

    def but_one(p):  # above zero where at most one is wrong
        said = (softmax(p["scores"][:, cases, np.arange(5)]) * p["values"][:, cases, np.arange(5)]).sum(
            axis=-1
        )
        return np.sort(np.where(wanted, said, -said), axis=1)[:, 1] / (1 + np.abs(said).max(axis=1))

    assert broken(normal(scores=(4, 5), values=(4, 5)), but_one, n=40_000, enough=1e-3)


# Slots: h heads, added up, serve at most 2^h of them; one less where h is odd. ---------------------------------------


def slot_cases(n):
    signs = np.array(list(product((0, 1), repeat=n)))
    return np.repeat(np.arange(n), len(signs)), np.tile(signs, (n, 1))


def slot_numbers(n, heads):
    """Keys may know which slot is asked for, whichever slot they stand in; values know their own sign."""
    return {
        "key_weight": (heads, n),  # the logarithm of the weight of all keys together
        "key_says": (heads, n),
        "value_scores": (heads, n, 2),
        "value_says": (heads, n, 2),
        "bias": (),
    }


def slot_margin(n):
    asked, signs = slot_cases(n)
    right = np.where(signs[np.arange(len(asked)), asked] == 1, 1, -1)

    def margin(p):
        slot = np.arange(n)
        scores = p["value_scores"][:, :, slot, signs]
        e, keys = np.exp(np.clip(scores, -30, 30)), np.exp(np.clip(p["key_weight"], -30, 30))[:, :, asked]
        says = p["value_says"][:, :, slot, signs]
        if "says_if_asked" in p:  # the value sees the key before it
            says = says + p["says_if_asked"][:, :, signs] * (asked[:, None] == slot)
        total = keys + e.sum(axis=-1)
        said = (keys * p["key_says"][:, :, asked] + (e * says).sum(axis=-1)) / total
        outputs = said.sum(axis=1) + p["bias"][:, None]
        return (outputs * right).min(axis=1) / (1 + np.abs(outputs).max(axis=1))

    return margin


@pytest.mark.parametrize(("n", "heads"), [(2, 1), (3, 1), (5, 2), (6, 2)])
def test_too_many_slots(n, heads):
    """More than 2^h, or one less where h is odd. Else one head serves two: if its values see the key before them."""
    assert n > 2**heads - heads % 2
    draw = normal(**slot_numbers(n, heads))
    assert worst(draw, slot_margin(n), 3, n=4_000, climbers=20, rounds=60) <= TINY
    if (n, heads) == (2, 1):
        draw = normal(**slot_numbers(n, heads), says_if_asked=(1, 2))
        assert broken(draw, slot_margin(n), 5, enough=1e-4)


@pytest.mark.parametrize(("n", "heads"), [(1, 1), (2, 2)])
def test_few_enough_slots(n, heads):
    """Four slots with two heads: see `four_slots` in tests/unit/test_induction.py. Seven with three: we don't know."""
    assert broken(normal(**slot_numbers(n, heads)), slot_margin(n), 4, enough=1e-4, rounds=300)


def test_the_readout_must_be_affine():
    """A layer of ReLUs draws any broken line: one head serves three slots, once it tells all cases apart."""
    n = 3
    asked, signs = slot_cases(n)
    says = ((2 * signs - 1) @ [1, 2, 4] + 16 * asked) / (n + 1)  # the weights are alike
    order = np.argsort(says)
    right = np.where(signs[np.arange(len(asked)), asked] == 1, 1.0, -1.0)
    kinks, slopes = says[order], np.diff(right[order]) / np.diff(says[order])
    bends = np.diff(slopes, prepend=0)
    output = right[order][0] + np.maximum(0, says[:, None] - kinks[:-1]) @ bends
    np.testing.assert_allclose(output, right, atol=1e-9)


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_the_sum_over_slots_is_even(heads):
    """The step of the proof: some combination of the slots makes the numerator's sum an even function of the signs."""
    rng, most = np.random.default_rng(heads), 2**heads - heads % 2
    n = most + 1
    asked, signs = slot_cases(n)
    p = {name: rng.normal(size=shape) for name, shape in slot_numbers(n, heads).items()}
    slot = np.arange(n)
    e = np.exp(p["value_scores"][:, slot, signs])
    z_all = np.exp(p["key_weight"])[:, asked] + e.sum(axis=-1)
    n_all = np.exp(p["key_weight"])[:, asked] * p["key_says"][:, asked]
    n_all = n_all + (e * p["value_says"][:, slot, signs]).sum(axis=-1)
    n_all[0] = n_all[0] + p["bias"] * z_all[0]
    g = sum(
        n_all[k] * np.prod([z_all[j] for j in range(heads) if j != k], axis=0) for k in range(heads)
    ).reshape(n, -1)  # (slot, signs)
    odd = (g - g[:, ::-1]) / 2  # the last row of signs is the first one's opposite
    u, sizes, _ = np.linalg.svd(odd)
    rank = (sizes > 1e-10 * sizes[0]).sum()
    assert rank <= most
    assert np.abs(u[:, most:].T @ odd).max() < 1e-10 * np.abs(g).max()
