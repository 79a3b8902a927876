"""Each page in Firefox and in WebKit: its figures live, nothing on the console, the numbers are NumPy's."""

import numpy as np
import pytest

from tests.browser import book
from tests.browser.hand import DOZEN, compare, differences, random_values, read

PICTURES = (
    "[...document.images].filter((image) => image.complete && !image.naturalWidth).map((image) => image.src)"
)
# How wide each thumb of a slider is, with its rim, by Firefox's own name: one that is forgotten is the system's.
THUMBS = """() => [...document.querySelectorAll(".abh input[type=range]")].map((node) => {
  const { width, borderLeftWidth } = getComputedStyle(node, "::-moz-range-thumb");
  return parseFloat(width) + 2 * parseFloat(borderLeftWidth);
})"""


def roots(tab, page):
    """Pairs of a figure and its element."""
    return [(figure, tab.element(f"probe.roots()[{figure.index}]")) for figure in book.figures(page)]


@pytest.mark.parametrize("width", [1280, 390])
def test_alive_and_silent(visit, page, engine, width):
    """What the page says or asks for and should not fails the test at its end."""
    tab = visit(page, width=width, height=800)
    names = tab.evaluate("probe.roots().map((root) => root.dataset.explorable)")
    assert names == [figure.name for figure in book.figures(page)]
    assert tab.evaluate("violations") == []
    assert tab.evaluate(PICTURES) == []
    assert tab.evaluate("probe.wide()") == []
    assert engine != "firefox" or set(tab.evaluate(THUMBS)) <= {26}
    for figure, root in roots(tab, page):
        assert figure.nonsense(root) == [], str(figure)
        assert root.evaluate("root => probe.cut(root)") == [], str(figure)
        assert list(differences(figure.widget(), read(root))) == [], f"{figure}, first state"


def test_numbers_after_random_inputs(visit, lively):
    """An engine has its own exp and its own order of sums: the numbers are NumPy's all the same."""
    tab = visit(lively)
    for figure, root in roots(tab, lively):
        if not figure.widget().matrices() and not figure.widget().scalars():
            continue
        rng = np.random.default_rng(1000 + figure.index)
        inputs = root.evaluate("root => probe.inputs(root)")
        switches = [entry for entry in inputs if entry["options"]]
        for k in range(4):
            wanted = [[switch["name"], str(rng.choice(switch["options"]))] for switch in switches]
            compare(figure, root, [*random_values(inputs, rng, DOZEN if k else None), *wanted], wanted)
