"""After any input, every number that a page draws is NumPy's for the same state, to 1e-12.

The states are thousands, so a script sets the inputs. That a hand brings each control to its values, with the same
numbers, is asked in test_gestures.py.
"""

import itertools

import numpy as np
import pytest

from tests import tiers
from tests.browser import book
from tests.browser.hand import DOZEN, compare, differences, random_values, read

MOST = 20  # combinations of switches; where there are more, a seeded choice that visits every option


def combinations(switches, rng):
    """Choices of one option for each switch: all of them, or enough that every option is visited."""
    every = list(itertools.product(*(switch["options"] for switch in switches)))
    if len(every) <= MOST:
        return every or [()]
    longest = max(len(switch["options"]) for switch in switches)
    cover = [tuple(s["options"][k % len(s["options"])] for s in switches) for k in range(longest)]
    return cover + [every[k] for k in rng.choice(len(every), MOST - longest, replace=False)]


@pytest.mark.parametrize(("page", "which"), book.parted())
def test_drawn_numbers_are_numpys(visit, page, which):
    view = visit(page)
    for figure in book.chosen(page, which):
        if not figure.widget().matrices() and not figure.widget().scalars():
            continue
        rng = np.random.default_rng(figure.index)
        root = view.evaluate_handle("i => probe.roots()[i]", figure.index)

        first = read(root)
        assert list(differences(figure.widget(), first)) == [], f"{figure}, first state"

        inputs = root.evaluate("root => probe.inputs(root)")
        switches = [entry for entry in inputs if entry["options"]]
        buttons = root.query_selector_all('[data-action="shuffle"]')
        for k, choice in enumerate(combinations(switches, rng)):
            for button in buttons:
                button.evaluate("button => button.click()")
            wanted = [[switch["name"], value] for switch, value in zip(switches, choice, strict=True)]
            values = random_values(inputs, rng, DOZEN if k else None)
            compare(figure, root, [*values, *wanted], wanted)
        for button in root.query_selector_all('[data-action^="preset-"]'):
            button.evaluate("button => button.click()")
            compare(figure, root, [])
            for _ in range(5 if tiers.ALL else 2):
                compare(figure, root, list(random_values(inputs, rng, DOZEN)))
