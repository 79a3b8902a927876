"""Every explorable answers the hand: the first control, keys, mouse, touch. Goals: test_lamps.py."""

import json

import numpy as np
import pytest

from attn._numbers import number
from attn.explore import Masking
from tests.browser import book
from tests.browser.explorables import EXPLORABLES, STANDS_ON
from tests.browser.hand import FIRST, arrays, drawn, first_control_by_keyboard, with_controls

CLICK = "button => button.click()"  # it need not be on the screen


# What a figure draws on the way over its first control, from end to end. That a hand goes there: test_gestures.py.
SWEEP = """(root, { name, options, min, max }) => {
  const values = options.length ? options : [...Array(13).keys()].map((k) => min + ((max - min) * k) / 12);
  return probe.text(values.map((value) => {
    probe.set(root, name, value);
    return probe.drawn(root);
  }));
}"""


@pytest.mark.parametrize(("page", "which"), book.parted())
def test_first_touch(visit, page, which):
    """One control in sight; the way over it moves a drawn number by a fifth of its range; then the answer appears."""
    view = visit(page)
    for figure, root in with_controls(view, page, which):
        row = EXPLORABLES[figure.name]
        first, inputs = root.evaluate(FIRST), root.evaluate("root => probe.inputs(root)")
        # A ladder brings up the controls that its puzzle takes; test_ladders.py asks where they are.
        taken = row.example.climb[0].controls if figure.name in STANDS_ON else ()
        taken = {one["name"] for one in inputs if one["name"].split(".")[0] in taken}
        if figure.state.get("opened") is not True:
            names = {one["name"] for one in inputs if one["visible"]}
            extra = names - {first["name"]} - set(row.beside_first) - taken
            elsewhere = "move it to fig.next or fig.later, or name it in beside_first"
            assert not extra, (
                f"{figure}: more than one control in sight at first, {sorted(extra)}; {elsewhere}"
            )
        if not row.moves or first["type"] == "checkbox":  # a mask is painted: test_gestures.py
            continue
        answer = root.query_selector(".abh-answer > [role=status]")
        invitation = answer.inner_text()
        seen = [arrays(now) for now in json.loads(root.evaluate(SWEEP, first))]
        share = {
            name: max(np.ptp([state[name] for state in seen], axis=0).ravel()) / length
            for name, length in row.moves.items()
        }
        assert max(share.values()) >= 0.2, f"{figure}: sweeping {first['name']} moves {share} of the range"
        assert answer.inner_text() != invitation, f"{figure}: no answer after the first drag"
        assert answer.is_visible() or figure.name in STANDS_ON  # a ladder has its own words


@pytest.mark.parametrize(("page", "which"), book.parted())
def test_keyboard(visit, page, which):
    view = visit(page)
    for figure, root in with_controls(view, page, which):
        first_control_by_keyboard(view, figure, root)


def grids(view, figure, root):
    """Each matrix that is edited is one tab stop; arrows move in it, + and − change, Enter finds the slider."""
    spoken = "[document.activeElement.getAttribute('aria-label'), document.activeElement.dataset.value]"
    stops = root.query_selector_all(".abh-editable td[tabindex='0']:visible")
    panels = root.query_selector_all(".abh-editable:visible")
    assert len(stops) == len(panels), f"{figure}: {len(stops)} tab stops in {len(panels)} grids"
    for stop in stops:
        assert stop.evaluate(
            "cell => [cell.getAttribute('role'), cell.closest('table').getAttribute('role')]"
        ) == ["gridcell", "grid"]
    stops[0].focus()
    for _ in range(3):
        view.keyboard.press("ArrowUp")
    view.keyboard.press("Home")
    view.keyboard.press("ArrowDown")
    view.keyboard.press("ArrowRight")
    place = view.evaluate("[document.activeElement.dataset.row, document.activeElement.dataset.col]")
    below = stops[0].evaluate("cell => Math.min(1, cell.closest('tbody').rows.length - 1)")
    assert place == [str(below), "1"], f"{figure}: arrow keys in the grid lead to {place}"
    before = float(view.evaluate(spoken)[1])
    there, back = ("-", "+") if before > 2 else ("+", "-")
    view.keyboard.press(there)
    said, value = view.evaluate(spoken)
    assert abs(float(value) - before) == pytest.approx(0.1), f"{figure}: {there} makes {value} of {before}"
    row, col = root.evaluate("""() => {
      const cell = document.activeElement;
      const heads = [...cell.closest("table").querySelectorAll("thead th")];
      return [cell.parentElement.querySelector("th").textContent, heads[Number(cell.dataset.col)].textContent];
    }""")
    assert said == f"{row}, {col}: {number(float(value))}", f"{figure}: a cell is spoken as {said}"
    view.keyboard.press(back)
    key = view.evaluate("document.activeElement.closest('[data-matrix]').dataset.matrix")
    view.keyboard.press("Enter")
    name = view.evaluate("document.activeElement.name")
    assert name.startswith(f"{key}."), f"{figure}: Enter leads to {name}"
    assert name.endswith(f".{below}.1"), f"{figure}: Enter leads to {name}"


@pytest.mark.parametrize("page", book.lively())
def test_dock_and_painter_by_keyboard(visit, page):
    view = visit(page)
    for figure, root in with_controls(view, page):
        if not root.query_selector(".abh-matrix-editor, .abh-painter"):
            continue
        if opener := root.query_selector('[data-action="open"][aria-expanded="false"]'):
            opener.evaluate(CLICK)
        active = "[document.activeElement.name, document.activeElement.value, document.activeElement.checked]"
        if root.query_selector(".abh-matrix-editor"):
            in_sight = root.query_selector_all(".abh-editor-ranges input:visible")
            assert len(in_sight) == 1, f"{figure}: {len(in_sight)} tab stops in the dock's ranges"
            assert in_sight[0].get_attribute("name").endswith(".0.0")
            in_sight[0].focus()
            below = min(1, drawn(root)[in_sight[0].get_attribute("name").split(".")[0]].shape[-2] - 1)
            view.keyboard.press("Control+ArrowDown")  # a matrix of one row ends there
            view.keyboard.press("Control+ArrowRight")
            name, old, _ = view.evaluate(active)
            assert name.endswith(f".{below}.1"), f"{figure}: Ctrl and arrows chose {name}"
            before = drawn(root)
            view.keyboard.press("ArrowLeft" if float(old) > 2 else "ArrowRight")
            assert abs(float(view.evaluate(active)[1]) - float(old)) == pytest.approx(0.1)
            after = drawn(root)
            key, *path = name.split(".")
            place = tuple(map(int, path))  # row and column, or head, row and column
            assert abs(after[key][place] - before[key][place]) == pytest.approx(0.1)
            in_sight = root.query_selector_all(".abh-editor-ranges input:visible")
            assert len(in_sight) == 1, f"{figure}: {len(in_sight)} tab stops after Ctrl and arrows"
            view.keyboard.press("Control+ArrowUp")
            view.keyboard.press("Control+ArrowUp")  # the edge: it stays
            assert view.evaluate(active)[0] == ".".join([key, *path[:-2], "0", "1"])
            grids(view, figure, root)
            for tab in root.query_selector_all(".abh-matrix-editor .abh-tab:visible"):
                tab.evaluate(CLICK)
                what, chosen = tab.get_attribute("data-action").split("-")
                assert tab.get_attribute("aria-pressed") == "true"
                (entry,) = root.query_selector_all(".abh-editor-ranges input:visible")
                assert entry.get_attribute("name").split(".")[what == "head"] == chosen, str(figure)
        if root.query_selector(".abh-painter"):
            stops = root.query_selector_all(".abh-painter input:not([tabindex='-1'])")
            assert len(stops) == 1, f"{figure}: {len(stops)} tab stops in the painter"
            stops[0].focus()
            view.keyboard.press("ArrowDown")
            view.keyboard.press("ArrowRight")
            name, _, old = view.evaluate(active)
            assert name.endswith(f".{below}.1"), f"{figure}: arrows chose {name} in the painter"
            view.keyboard.press("Space")
            assert view.evaluate(active) == [name, "on", not old], f"{figure}: space does not paint"
            view.keyboard.press("Space")
            assert view.evaluate(active)[2] == old


@pytest.mark.parametrize("width", [1280, 390])
def test_keys_of_a_dock(mount, width):
    """Less, More, the sign and an exact number, of a cell that was chosen by hand."""
    view = mount([Masking()], width=width)
    root = view.locator("[data-explorable]").element_handle()
    view.locator('[data-action="open"]').click()
    cell = view.locator('.abh-matrix-editor [data-matrix="q"] td[data-row="1"][data-col="1"]')
    cell.click()
    field = view.get_by_label("Exact value", exact=True)
    start = float(cell.get_attribute("data-value"))
    field.fill("0.7")
    field.press("Enter")
    assert start != 0.7
    for label, value in [
        ("Change the sign", -0.7),
        ("More", -0.6),
        ("Change the sign", 0.6),
        ("Less", 0.5),
        ("Less", 0.4),
    ]:
        view.get_by_role("button", name=label, exact=True).click()
        view.evaluate("probe.settled()")
        assert drawn(root)["q"][1, 1] == pytest.approx(value), label
        assert field.input_value() == str(value), label
