"""Every explorable answers the hand: the first control, keys, mouse, touch, goals, reset."""

import numpy as np
import pytest

from tests.browser import book
from tests.browser.explorables import EXPLORABLES
from tests.browser.hand import FIRST, arrays, drawn, first_control_by_keyboard, move, randomize, same

CLICK = "button => button.click()"  # it need not be on the screen
NODE = """root => [...root.querySelectorAll("input[name], select[name]")].find((node) => probe.shown(node))"""


def roots(view, page):
    """Pairs of a figure and its element on the page; a question that no figure answers has no control."""
    return [
        (figure, view.evaluate_handle("i => probe.roots()[i]", figure.index).as_element())
        for figure in book.figures(page)
        if figure.name != "Predict"
    ]


def within(root, selector, condition):
    """The elements of a figure for which a JavaScript condition on `node` is true."""
    script = f"root => [...root.querySelectorAll('{selector}')].filter((node) => {condition})"
    return [each.as_element() for each in root.evaluate_handle(script).get_properties().values()]


@pytest.mark.parametrize("page", book.lively())
def test_first_touch(visit, page):
    """One control in sight; sweeping it moves a drawn number by a fifth of its range; then the answer appears."""
    view = visit(page, again=True)
    for figure, root in roots(view, page):
        row = EXPLORABLES[figure.name]
        first = root.evaluate(FIRST)
        assert first["name"] in row.first, str(figure)
        if figure.state.get("opened") is not True:
            names = [
                entry["name"] for entry in root.evaluate("root => probe.inputs(root)") if entry["visible"]
            ]
            extra = set(names) - {first["name"]} - set(row.beside_first)
            assert not extra, f"{figure}: more than one control in sight at first, {sorted(extra)}"
        if not row.moves:
            continue
        answer = root.query_selector(".abh-answer > [role=status]")
        invitation = answer.inner_text()
        values = first["options"] or np.linspace(first["min"], first["max"], 25).tolist()
        seen = [arrays(move(root, [[first["name"], value]])["drawn"]) for value in values]
        share = {
            name: max(np.ptp([state[name] for state in seen], axis=0).ravel()) / length
            for name, length in row.moves.items()
        }
        assert max(share.values()) >= 0.2, f"{figure}: sweeping {first['name']} moves {share} of the range"
        assert answer.inner_text() != invitation, f"{figure}: no answer after the first drag"
        assert answer.is_visible()


@pytest.mark.parametrize("page", book.lively())
def test_keyboard(visit, page):
    view = visit(page, again=True)
    for figure, root in roots(view, page):
        first_control_by_keyboard(view, figure, root)


@pytest.mark.parametrize("page", book.lively())
def test_dock_and_painter_by_keyboard(visit, page):
    view = visit(page, again=True)
    for figure, root in roots(view, page):
        if not root.query_selector(".abh-dock, .abh-painter"):
            continue
        if opener := root.query_selector('[data-action="open"][aria-expanded="false"]'):
            opener.evaluate(CLICK)
        active = "[document.activeElement.name, document.activeElement.value, document.activeElement.checked]"
        if root.query_selector(".abh-dock"):
            in_sight = within(root, ".abh-dock-ranges input", "probe.shown(node)")
            assert len(in_sight) == 1, f"{figure}: {len(in_sight)} tab stops in the dock's ranges"
            assert in_sight[0].get_attribute("name").endswith(".0.0")
            in_sight[0].focus()
            view.keyboard.press("Control+ArrowDown")
            view.keyboard.press("Control+ArrowRight")
            name, old, _ = view.evaluate(active)
            assert name.endswith(".1.1"), f"{figure}: Ctrl and arrows chose {name}"
            before = drawn(root)
            view.keyboard.press("ArrowLeft" if float(old) > 2 else "ArrowRight")
            assert abs(float(view.evaluate(active)[1]) - float(old)) == pytest.approx(0.1)
            after = drawn(root)
            key, *path = name.split(".")
            place = tuple(map(int, path))  # row and column, or head, row and column
            assert abs(after[key][place] - before[key][place]) == pytest.approx(0.1)
            in_sight = within(root, ".abh-dock-ranges input", "probe.shown(node)")
            assert len(in_sight) == 1, f"{figure}: {len(in_sight)} tab stops after Ctrl and arrows"
            view.keyboard.press("Control+ArrowUp")
            view.keyboard.press("Control+ArrowUp")  # the edge: it stays
            assert view.evaluate(active)[0] == ".".join([key, *path[:-2], "0", "1"])
        if root.query_selector(".abh-painter"):
            stops = within(root, ".abh-painter input", "node.tabIndex === 0")
            assert len(stops) == 1, f"{figure}: {len(stops)} tab stops in the painter"
            stops[0].focus()
            view.keyboard.press("ArrowDown")
            view.keyboard.press("ArrowRight")
            name, _, old = view.evaluate(active)
            assert name.endswith(".1.1"), f"{figure}: arrows chose {name} in the painter"
            view.keyboard.press("Space")
            assert view.evaluate(active) == [name, "on", not old], f"{figure}: space does not paint"
            view.keyboard.press("Space")
            assert view.evaluate(active)[2] == old


@pytest.mark.parametrize("page", book.lively())
def test_goals_can_be_reached(visit, page):
    """Each lamp is dark at first, also after one touch, and is lit by inputs that a reader can make; no line moves."""
    view = visit(page, width=360, height=640, has_touch=True, is_mobile=True, again=True)
    lamps = "root => [...root.querySelectorAll('[data-lamp]')].map((lamp) => lamp.dataset.lamp)"
    # The lamps after a touch that changes nothing, after the way, and after a reset; and what the goal says when lit.
    walk = f"""(root, [name, way, k]) => {{
      const lamps = {lamps}, reset = () => root.querySelector('[data-action="reset"]').click();
      const height = () => root.querySelector(".abh-goals").offsetHeight;
      reset();
      const tall = height();
      root.querySelector(`[name='${{name}}']`).dispatchEvent(new Event("input"));
      const seen = [lamps(root)];
      probe.round(root, way);
      seen.push(lamps(root), root.querySelectorAll(".abh-goals li")[k].textContent, height() - tall);
      reset();
      return [...seen, lamps(root)];
    }}"""
    for figure, root in roots(view, page):
        ways = EXPLORABLES[figure.name].goals(figure.widget())
        count = len(root.evaluate(lamps))
        assert count == len(ways), f"{figure} has {count} goals, its row in explorables.py {len(ways)}"
        first = root.evaluate(FIRST)
        for k, way in enumerate(ways):
            touched, lit, said, grown, after = root.evaluate(walk, [first["name"], way, k])
            assert set(touched) == {"0"}, f"{figure}: a lamp is lit from the start"
            assert lit[k] == "1", f"{figure}: {way} does not light lamp {k}"
            assert "✓" in said
            assert "done" in said
            assert grown == 0, f"{figure}: the goals are {grown} px higher when lamp {k} is lit"
            assert set(after) == {"0"}, f"{figure}: reset leaves a lamp lit"


@pytest.mark.parametrize("page", book.lively())
def test_reset(visit, page):
    """After a storm of inputs, reset brings back every number and every input."""
    view = visit(page, again=True)
    snapshot = "root => ({state: probe.state(root), text: root.innerText})"
    for figure, root in roots(view, page):
        before, numbers = root.evaluate(snapshot), drawn(root)
        for seed in range(10):  # a storm may happen to end where it began
            randomize(root, seed)
            if not EXPLORABLES[figure.name].moves or not same(numbers, drawn(root)):
                break
        else:
            pytest.fail(f"{figure}: the storm changed nothing")
        reset = root.query_selector('[data-action="reset"]')
        reset.evaluate(CLICK)
        assert same(numbers, drawn(root)), f"{figure}: reset does not bring back the first numbers"
        after = root.evaluate(snapshot)
        assert after["state"] == before["state"], f"{figure}: reset leaves an input as it was"
        view.evaluate("probe.settled()")
        assert after["text"] == before["text"], f"{figure}: reset leaves words behind"
