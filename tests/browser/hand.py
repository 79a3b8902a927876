"""Read a figure as a reader sees it, and move it at random. `root` is a handle of its element."""

import json

import numpy as np

from tests.browser import book
from tests.browser.explorables import DRAWN, EXPLORABLES

FIRST = "root => probe.inputs(root).find((entry) => entry.visible) ?? null"
DOZEN = 12  # inputs that move between two comparisons, after all of them moved once


def roots(view):
    """The elements of all figures of a page."""
    return [handle.as_element() for handle in view.evaluate_handle("probe.roots()").get_properties().values()]


def with_controls(view, page, which=None):
    """Pairs of a figure and its element on the page, of those with a control that moves numbers."""
    return [
        (figure, view.evaluate_handle("i => probe.roots()[i]", figure.index).as_element())
        for figure in (book.chosen(page, which) if which else book.figures(page))
        if figure.name in DRAWN
    ]


def read(root):
    """Every number that a figure shows, as probe.js lists them."""
    return json.loads(root.evaluate("root => probe.text(probe.drawn(root))"))


def move(root, changes):
    """Put [name, value] pairs into a figure's inputs; return its state and every number that it shows then."""
    return json.loads(root.evaluate("(root, changes) => probe.text(probe.round(root, changes))", changes))


def drawn(root):
    """Name -> array, as the figure shows it."""
    return arrays(read(root))


def arrays(shown):
    """Name -> array of what `read` found; a name that stands twice must show the same."""
    found = {}
    for matrix in shown["matrices"]:
        array = np.array(matrix["values"]).reshape(matrix["shape"])
        assert np.array_equal(found.setdefault(matrix["name"], array), array), matrix["name"]
    for scalar in shown["scalars"]:
        found[scalar["name"]] = np.array(scalar["value"])
    return found


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


PRESS = """(root, shares) => {
  const buttons = [...root.querySelectorAll('button:not([data-action="reset"], [data-action="open"])')];
  for (const share of shares) buttons[Math.floor(share * buttons.length)]?.click();
  return probe.nonsense(root);
}"""


def randomize(root, seed):
    """All inputs go anywhere, before and after presses of some buttons; nothing is NaN then."""
    rng = np.random.default_rng(seed)
    for presses in (10, 0):
        inputs = root.evaluate("root => probe.inputs(root)")
        switches = [
            [entry["name"], rng.choice(entry["options"]).item()] for entry in inputs if entry["options"]
        ]
        move(root, [*switches, *random_values(inputs, rng)])
        assert root.evaluate(PRESS, rng.random(presses).tolist())[:5] == []


def differences(widget, drawn):
    """Sentences about drawn numbers (`read`) that are not those of the Python explorable."""
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


def random_values(inputs, rng, most=None):
    """Values for all inputs but switches, or for so many of them: the others keep theirs."""
    free = [entry for entry in inputs if not entry["options"]]
    for k in rng.permutation(len(free))[:most]:
        match (entry := free[k])["type"]:
            case "range":
                steps = round((entry["max"] - entry["min"]) / entry["step"])
                yield [entry["name"], round(entry["min"] + entry["step"] * int(rng.integers(steps + 1)), 9)]
            case "checkbox":
                yield [entry["name"], bool(rng.random() < 0.5)]
            case "text":
                yield [entry["name"], "whom does it look at here"[: int(rng.integers(2, 25))]]


def compare(figure, root, changes, wanted=()):
    """Make the changes, and compare every number that is drawn with NumPy's for the state that the inputs show."""
    after = move(root, changes)
    state = after["state"]
    if unseen := EXPLORABLES[figure.name].unseen:
        state |= root.evaluate(
            f"(root, state) => ({unseen})(root, JSON.parse(state))", json.dumps(figure.state)
        )
    for name, value in wanted:
        assert state[name] == value, f"{figure}: {name} did not become {value}"
    assert list(differences(figure.after(state), after["drawn"])) == [], f"{figure} with {state}"


def focus_before(root):
    """Put the focus just before the figure's first control, as Tab would find it behind the prediction."""
    root.evaluate("""root => {
      const stage = root.querySelector(".abh-stage");
      stage.tabIndex = -1;
      stage.focus();
    }""")


def first_control_by_keyboard(view, figure, root):
    """Tab finds the first control; arrow keys move it and the picture."""
    first = root.evaluate(FIRST)
    if not first:  # a prediction that stands alone: its answers are buttons
        return
    before = drawn(root)
    focus_before(root)
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.name") == first["name"], str(figure)
    if not EXPLORABLES[figure.name].moves:
        return
    name, value = first["name"], "root => probe.state(root)"
    old = root.evaluate(value)[name]
    at_top = "max" in first and old >= first["max"]
    if "max" not in first and not first["options"]:  # a switch
        view.keyboard.press("Space")
        assert root.evaluate(value)[name] != old, f"{figure}: Space does not switch {name}"
        return
    for _ in range(1 if first["options"] else 3):  # after three of three options the first comes again
        view.keyboard.press("ArrowLeft" if at_top else "ArrowDown" if first["options"] else "ArrowRight")
    new = root.evaluate(value)[name]
    assert new != old, f"{figure}: arrow keys do not move {name}"
    if not first["options"]:
        step = -first["step"] if at_top else first["step"]
        assert abs(new - (old + 3 * step)) < 1e-9, f"{figure}: three arrow keys are three steps"
    assert not same(before, drawn(root)), f"{figure}: arrow keys move {name}, but no number"
