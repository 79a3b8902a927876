"""After any input, every number that a page draws is NumPy's for the same state, to 1e-12."""

import itertools

import numpy as np
import pytest

from tests.browser import book
from tests.browser.explorables import EXPLORABLES

MOST = 150  # combinations of switches; where there are more, a seeded choice that visits every option


def differences(figure, state, drawn):
    """Sentences about drawn numbers that are not those of the Python explorable in this state."""
    widget = figure.after(state)
    matrices, scalars = widget.matrices(), widget.scalars()
    names = {matrix["name"] for matrix in drawn["matrices"]} | {scalar["name"] for scalar in drawn["scalars"]}
    if names != set(matrices) | set(scalars):
        yield f"draws {sorted(names)}, and Python has {sorted(set(matrices) | set(scalars))}"
        return
    for matrix in drawn["matrices"]:
        name, wanted = matrix["name"], np.asarray(matrices[matrix["name"]], dtype=float)
        if tuple(matrix["shape"]) != wanted.shape:
            yield f"{name} has shape {matrix['shape']}, in Python {wanted.shape}"
            continue
        got = np.array(matrix["values"], dtype=float).reshape(wanted.shape)
        if not np.array_equal(np.isneginf(got), np.isneginf(wanted)):
            yield f"{name}: other cells are masked than in Python"
        elif not np.allclose(got, wanted, rtol=1e-12, atol=1e-12):
            worst = np.unravel_index(np.nanargmax(np.abs(got - wanted)), got.shape)
            yield f"{name}{list(map(int, worst))} is {got[worst]!r}, in Python {wanted[worst]!r}"
    for scalar in drawn["scalars"]:
        if not np.isclose(scalar["value"], scalars[scalar["name"]], rtol=1e-12, atol=1e-12):
            yield f"{scalar['name']} is {scalar['value']!r}, in Python {scalars[scalar['name']]!r}"


def combinations(switches, rng):
    """Choices of one option for each switch: all of them, or enough that every option is visited."""
    every = list(itertools.product(*(switch["options"] for switch in switches)))
    if len(every) <= MOST:
        return every or [()]
    longest = max(len(switch["options"]) for switch in switches)
    cover = [tuple(s["options"][k % len(s["options"])] for s in switches) for k in range(longest)]
    return cover + [every[k] for k in rng.choice(len(every), MOST - longest, replace=False)]


def random_values(inputs, rng):
    for entry in inputs:
        match entry["type"]:
            case "range":
                steps = round((entry["max"] - entry["min"]) / entry["step"])
                yield [entry["name"], round(entry["min"] + entry["step"] * int(rng.integers(steps + 1)), 9)]
            case "checkbox":
                yield [entry["name"], bool(rng.random() < 0.5)]


@pytest.mark.parametrize("page", book.lively())
def test_drawn_numbers_are_numpys(visit, page):
    view = visit(page)
    for figure in book.figures(page):
        if not figure.widget().matrices() and not figure.widget().scalars():
            continue
        rng = np.random.default_rng(figure.index)
        root = view.evaluate_handle("i => probe.roots()[i]", figure.index)
        unseen = EXPLORABLES[figure.name].unseen

        first = root.evaluate("root => probe.drawn(root)")
        assert list(differences(figure, {}, first)) == [], f"{figure}, first state"

        def compare(changes, wanted=()):
            after = root.evaluate("(root, changes) => probe.round(root, changes)", changes)
            state = after["state"] | root.evaluate(f"(root, state) => ({unseen})(root, state)", figure.state)
            for name, value in wanted:
                assert state[name] == value, f"{figure}: {name} did not become {value}"
            assert list(differences(figure, state, after["drawn"])) == [], f"{figure} with {state}"

        inputs = root.evaluate("root => probe.inputs(root)")
        switches = [entry for entry in inputs if entry["options"]]
        buttons = root.query_selector_all('[data-action="shuffle"]')
        for choice in combinations(switches, rng):
            for button in buttons:
                button.evaluate("button => button.click()")
            wanted = [[switch["name"], value] for switch, value in zip(switches, choice, strict=True)]
            compare([*random_values(inputs, rng), *wanted], wanted)
        for button in root.query_selector_all('[data-action^="preset-"]'):
            button.evaluate("button => button.click()")
            compare([])
            for _ in range(5):
                compare(list(random_values(inputs, rng)))


@pytest.mark.parametrize("page", book.lively())
def test_a_thousand_random_inputs(visit, page):
    view = visit(page)
    figures = book.figures(page)
    for figure in figures:
        rng = np.random.default_rng(100 + figure.index)
        moves = rng.random((max(200, 1000 // len(figures)), 2)).tolist()
        said = view.evaluate(
            "([i, moves, rules]) => probe.storm(probe.roots()[i], moves, rules)",
            [figure.index, moves, EXPLORABLES[figure.name].sums],
        )
        assert said == [], str(figure)
