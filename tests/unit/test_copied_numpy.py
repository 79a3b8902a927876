"""*Copy as NumPy*: what each figure's program gives, in a Python that has NumPy alone, is what the figure shows."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn.explore
from attn.explore._base import module_source, parts, view_scope
from attn.explore.small import FIGURES
from tests.browser.explorables import EXPLORABLES
from tests.browser.states import states
from tests.unit.node import answer

#: What has no program: the model of letters has 27,000 weights; the others are exercises, whose numbers a reader finds.
WITHOUT = {"ReadAlong", "LearningLadder", "CodeInOrder", "Cards", "Predict", *attn.explore.BY_HAND}
COPIED = sorted(name for name in EXPLORABLES if name not in WITHOUT)
ALONE = """
import json, sys
found = []
for program in json.load(sys.stdin):
    scope = {}
    exec(program, scope)
    values = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in scope.items()}
    numbers = {}
    for name, value in values.items():
        try:
            numbers[name] = json.loads(json.dumps(value))
        except TypeError:
            pass
    found.append(numbers)
assert not {"attn", "anywidget", "traitlets"} & set(sys.modules)
print(json.dumps(found))
"""


def figures_of(name):
    """A figure as it stands at first, and in other states that a hand can reach: all of it moved, or one control.

    A small figure is drawn from its program, so few ask whether the page writes it well.
    """
    example, rng = EXPLORABLES[name].example, random.Random(name)
    many = 4 if name in FIGURES else 12
    for place, state in enumerate(states(example(), many, name, wild=0)):
        if place % 3 == 2 and "p_11" not in state:  # that one is bounded by the others
            trait = rng.choice(example().state_traits())
            state = {trait: state.get(trait, getattr(example(), trait))}
        figure = example()
        figure.set_state(state)
        yield figure


def state_of(widget):
    """What a page's `compute` is given."""
    names = [*widget.own_traits(), *(["table"] if widget.has_trait("table") else [])]
    return {name: getattr(widget, name) for name in names}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """name -> (widget, its program, what that defines) of each state: one run of node, one of a bare Python."""
    figures = [(name, widget) for name in COPIED for widget in figures_of(name)]
    views = sorted({widget.view for _, widget in figures})
    shared = "\n".join(map(module_source, parts(*views)))
    each = ",\n".join(f"{view}: {view_scope(view)}" for view in views)
    given = [[name, widget.view, widget.numpy, state_of(widget)] for name, widget in figures]
    programs = answer(
        f"{shared}\nconst views = {{ {each} }};\nconst given = {json.dumps(given)};",
        "given.map(([name, view, program, state]) =>"
        " numpyFrom(name, program, { ...views[view].compute(state), ...state }))",
    )
    bare = tmp_path_factory.mktemp("numpy alone")
    home = Path(np.__file__).parent
    for folder in (home, home.with_name("numpy.libs")):
        if folder.exists():
            (bare / folder.name).symlink_to(folder)
    done = subprocess.run(
        [sys.executable, "-S", "-c", ALONE], cwd=bare, env={**os.environ, "PYTHONPATH": str(bare)},
        input=json.dumps(programs), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = {}
    for (name, widget), program, scope in zip(figures, programs, json.loads(done.stdout), strict=True):
        rows.setdefault(name, []).append((widget, program, scope))
    return rows


@pytest.mark.parametrize("name", COPIED)
def test_the_program_gives_what_the_figure_shows(ran, name):
    for widget, program, scope in ran[name]:
        shown = widget.matrices() | widget.scalars()
        called = {name.removesuffix("_now") if name not in scope else name: value for name, value in shown.items()}
        same = [name for name in called if name in scope and name not in widget.state_traits()]
        assert same, f"no number of the figure in\n{program}"
        for each in same:
            value = np.asarray(called[each], dtype=float)
            got = np.asarray(scope[each], dtype=float).reshape(value.shape)
            assert_allclose(got, value, rtol=1e-9, atol=1e-12, err_msg=f"{each}\n{program}")
        if "weights" in shown:
            assert "weights" in same
        assert program.count("import") == 1


def test_who_has_no_program():
    for name in WITHOUT - {"Cards"}:
        assert EXPLORABLES[name].example().numpy == ""
