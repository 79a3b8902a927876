"""What a hand finds on each figure, by a table that a person has read: each control's label, ends, step, and
start, and the buttons of states.

A control that changes on purpose changes its row: the test leaves what it found in `_build/controls.json`.
"""

import inspect
import json
from pathlib import Path

from attn import explore
from attn.explore._base import Explorable

ROOT = Path(__file__).resolve().parents[2]
OF_RUNS = {"TrainingReplay"}  # which shows runs that it is given: tests/unit/test_figures.py
TABLE = Path(__file__).with_name("controls.json")


def figures():
    """All public figures that stand without an argument, by name."""
    for name in sorted(explore.__all__):
        one = getattr(explore, name)
        if (
            inspect.isclass(one)
            and issubclass(one, Explorable)
            and one.state_traits()
            and name not in OF_RUNS
        ):
            yield name, one


def controls(figure):
    """For each trait a reader can change: what its control is told, and where it starts; then buttons of states."""
    traits = figure.state_traits()
    told = {name: {**figure.control(name), "start": getattr(figure, name)} for name in traits}
    stories = getattr(figure, "stories_told", list)()
    return told | {f"button {story['name']}": story for story in stories}


def text_of(found):
    """One line a control."""
    lines = [
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(
            f" {json.dumps(trait)}: {json.dumps(told, ensure_ascii=False)}" for trait, told in traits.items()
        )
        + "\n}"
        for name, traits in found.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def test_each_control_is_as_the_table_says():
    found = text_of({name: controls(one()) for name, one in figures()})
    assert found.count('"button ') > 20
    (ROOT / "_build").mkdir(exist_ok=True)
    (ROOT / "_build" / "controls.json").write_text(found, encoding="utf-8", newline="\n")
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert json.loads(found) == table
    assert found == text_of(table), "The table is as the test writes it."
