"""How a claim of the kind "no network of this form can" is attacked: by chance first, then uphill.

A claim comes as two functions. `draw(rng, n)` makes n instances inside its conditions: a dict of float arrays with n
along the first axis, any real numbers. `violation(instances)` says for each by how much it breaks the claim, (n,):
above zero it does. Both work on many instances at once.

A claim is held against `worst(…) <= TINY`, and what lies just outside must break it: for each condition, the claim with
that condition dropped is `broken(…)` by the same attack, or an instance by hand stands in `each_breaks(…)`. So no
condition is missing and none is idle, and an attack that is too weak to find anything is found out.
"""

from typing import NamedTuple

import numpy as np

TINY = 1e-9  # rounding, in violations that are relative to the size of the numbers
CLEAR = 1e-2  # a violation that nobody takes for rounding


class Attack(NamedTuple):
    """The largest violation that was found, and the instance that has it."""

    violation: float
    instance: dict


def attack(draw, violation, seed, *, n=10_000, climbers=40, rounds=120, enough=np.inf):
    """Search for the largest violation, and stop early once it is `enough`.

    The best of n random instances climb. In each round every climber tries, side by side, a step in all numbers, a
    step in a few, and its numeric gradient; what does not improve is taken back. Steps grow with success and shrink
    with failure, each climber's on its own.
    """
    rng = np.random.default_rng(seed)
    drawn = draw(rng, n)
    found = _finite(violation(drawn))
    top = np.argsort(found)[-climbers:]
    at, best = {name: value[top].copy() for name, value in drawn.items()}, found[top]
    size = np.full(len(top), 0.5)
    for turn in range(rounds):
        if best.max() >= enough:
            break
        for share in (
            1,
            0.15,
            *((0,) if turn % 8 == 7 else ()),
        ):  # of the numbers that take a step; 0 is uphill
            step = _random(rng, at, share) if share else _uphill(at, violation)
            tried = {name: value + _like(size, value) * step[name] for name, value in at.items()}
            value = _finite(violation(tried))
            better = value > best
            best = np.where(better, value, best)
            for name, numbers in at.items():
                numbers[better] = tried[name][better]
            size = np.clip(np.where(better, 1.5 * size, 0.93 * size), 1e-6, 8)
    i = int(best.argmax())
    return Attack(float(best[i]), {name: value[i] for name, value in at.items()})


def worst(draw, violation, seed=0, **more):
    """The largest violation that the attack finds."""
    return attack(draw, violation, seed, **more).violation


def broken(draw, violation, seed=0, enough=CLEAR, **more):
    """Whether the attack finds a clear violation."""
    return worst(draw, violation, seed, enough=enough, **more) >= enough


def each_breaks(cases, enough=0.1):
    """Whether each case breaks the claim: what was dropped -> by how much it is broken then."""
    idle = {dropped: by for dropped, by in cases.items() if not by > enough}
    assert not idle, f"the claim should be broken by more than {enough} without this, got {idle}"
    return True


def one_by_one(violation, draw, *, n=150, climbers=8, rounds=60, **more):
    """The same search where the claim knows one instance at a time: `draw(rng)` and `violation(x)` of a flat array."""
    return attack(
        lambda rng, n: {"x": np.array([draw(rng) for _ in range(n)], dtype=float)},
        lambda instances: np.array([violation(x) for x in instances["x"]], dtype=float),
        **{"seed": 0, "n": n, "climbers": climbers, "rounds": rounds} | more,
    )


def normal(**shapes):
    """A `draw` of normal numbers, of several sizes, so that soft and nearly hard softmaxes come up: name=shape."""

    def draw(rng, n):
        size = np.exp(rng.uniform(-1, 2, n))
        return {
            name: size.reshape(-1, *[1] * len(shape)) * rng.normal(size=(n, *shape))
            for name, shape in shapes.items()
        }

    return draw


def softmax(scores):
    """Apart from the book's own."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def xor_gap(outputs):
    """How far some bias cuts the unequal pairs apart from the equal ones, either way, by the outputs' size; (…, 4)."""
    return np.maximum(gap(outputs, [1, 2]), gap(outputs, [0, 3]))


def gap(outputs, above):
    """How far the cases `above` lie above all others, by the size of the outputs; below zero if they don't."""
    rest = np.setdiff1d(np.arange(outputs.shape[-1]), above)
    apart = outputs[..., above].min(axis=-1) - outputs[..., rest].max(axis=-1)
    return apart / (1 + np.abs(outputs).max(axis=-1))


def _random(rng, at, share):
    return {
        name: rng.normal(size=value.shape) * (1 if share == 1 else 2 * (rng.random(value.shape) < share))
        for name, value in at.items()
    }


def _uphill(at, violation, h=1e-4):
    """The gradient by central differences, of length 1 for each climber."""
    slope = {name: np.zeros_like(value) for name, value in at.items()}
    for name, value in at.items():
        for index in np.ndindex(value.shape[1:]):
            step = np.zeros_like(value)
            step[(slice(None), *index)] = h
            up, down = (_finite(violation(at | {name: value + sign * step})) for sign in (1, -1))
            with np.errstate(invalid="ignore"):
                slope[name][(slice(None), *index)] = np.nan_to_num((up - down) / (2 * h), posinf=0, neginf=0)
    length = np.sqrt(sum((value.reshape(len(value), -1) ** 2).sum(axis=1) for value in slope.values()))
    return {name: value / _like(np.maximum(length, 1e-300), value) for name, value in slope.items()}


def _finite(value):
    return np.where(np.isfinite(value), value, -np.inf)


def _like(numbers, value):
    return numbers.reshape(-1, *[1] * (value.ndim - 1))
