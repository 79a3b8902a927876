"""Each figure's numbers, three ways: by NumPy, by the page, and by the program of *Copy as NumPy*, with NumPy alone.

Small figures have a table, which test_small_figures.py asks in more states.
"""

import json
import os
import random
import subprocess
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn.explore
from attn.explore import FirstTouch, Masking, MultiHead, SelfAttention, TrainingReplay
from attn.xor import RUN_VARIANTS, train
from tests.browser.explorables import EXPLORABLES, SHARED, SMALL, STANDS_ON
from tests.browser.states import Twin, possible, random_state, states, whole
from tests.unit.node import answer, view_of

#: What has no program: the model of letters has 27,000 weights; the others are exercises, whose numbers a reader finds.
WITHOUT = {"ReadAlong", "LearningLadder", "CodeInOrder", *attn.explore.BY_HAND}
#: What a reader changes only together with all else, by a story.
GIVEN = {
    "MultiHead": {"tokens"},
    "PmiTable": {"rows", "columns"},
    "TrainingReplay": {"runs", "steps", "noise"},
}
ALONE = """
import json, sys
for program in json.load(sys.stdin):
    scope, numbers = {}, {}
    exec(program, scope)
    for name, value in scope.items():
        try:
            numbers[name] = json.loads(json.dumps(value.tolist() if hasattr(value, "tolist") else value))
        except TypeError:
            pass
    print(json.dumps(numbers))
assert not {"attn", "anywidget", "traitlets"} & set(sys.modules)
"""
PAGE = """states.map((state, i) => {
  const computed = compute(state);
  return [computed, numpyFrom(name, programs[i], { ...computed, ...state })];
})"""


def words(n):
    return [f"t{i}" for i in range(n)]


def some_masking(rng):
    n, d_k, d_v = rng.integers(2, 7), rng.integers(1, 5), rng.integers(1, 4)
    return Masking(words(n), *(np.zeros((n, d)) for d in (d_k, d_k, d_v)))


def some_first_touch(rng):
    n = rng.integers(3, 6)
    return FirstTouch(words(n), np.zeros((n, 2)), links=[])


def some_self_attention(rng):
    n = rng.integers(2, 9)
    return SelfAttention(words(n), *np.zeros((3, n, 2)))


def some_multi_head(rng):
    n, d_model, d_k, d_v, d_out = rng.integers(2, 5), *rng.integers(1, 5, 4)
    shapes = {
        "w_q": (2, d_model, d_k),
        "w_k": (2, d_model, d_k),
        "w_v": (2, d_model, d_v),
        "w_o": (2, d_v, d_out),
    }
    given = {name: np.zeros(shape) for name, shape in shapes.items()}
    return MultiHead(tokens=words(n), n_tokens=n, x=np.zeros((n, d_model)), **given)


def every_kind_of_run(rng):
    """Networks with no bias, with one head, with a ReLU layer."""
    kinds = {name: kind for name, kind in RUN_VARIANTS.items() if kind["n_heads"] < 3}
    kinds["two heads, ReLU"] = {"hidden": 3}
    return TrainingReplay(
        {name: train(0, n_steps=40, record_every=10, **kind) for name, kind in kinds.items()}
    )


#: Figures whose sizes follow what they are given, and of how many sizes each is asked.
OF_SOME_SIZE = {
    "Masking": (15, some_masking),
    "FirstTouch": (15, some_first_touch),
    "SelfAttention": (15, some_self_attention),
    "MultiHead": (15, some_multi_head),
    "TrainingReplay": (1, every_kind_of_run),
}


def in_state(widget, state):
    """The figure in a state, for which a small one may write its program anew."""
    widget.set_state(state)
    return widget


def drawn_states(name):
    """Pairs of what puts a figure into a state, and a state: its stories, then sizes and all traits at random.

    After each random state comes one that differs in one trait: what a view keeps from one state must not be used in
    the next.
    """
    rng, (sizes, make) = random.Random(name), OF_SOME_SIZE.get(name, (1, None))
    for k in range(sizes):
        widget = make(np.random.default_rng(k)) if make else EXPLORABLES[name].example()
        at = partial(in_state, widget) if name in SMALL else Twin(widget).at
        yield from ((at, whole(widget, told["changes"])) for told in widget.stories)
        drawn = states(widget, 4 if name in SMALL else 60 // sizes, f"{name} {k}", wild=0)
        for state, other in pairwise(drawn):
            trait = rng.choice(list(state))
            yield at, state
            yield at, possible(state | {trait: other[trait]})


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A folder with NumPy alone."""
    folder, home = tmp_path_factory.mktemp("numpy alone"), Path(np.__file__).parent
    for part in (home, home.with_name("numpy.libs")):
        if part.exists():
            (folder / part.name).symlink_to(part)
    return folder


@pytest.mark.parametrize("name", SHARED)
def test_three_ways_give_the_same_numbers(bare, name):
    """In states in which all that a reader can change is drawn."""
    given, programs, wanted = [], [], []
    for at, state in drawn_states(name):
        widget = at(state)
        traits = [*widget.own_traits(), *(["table"] if widget.has_trait("table") else [])]
        given.append({trait: getattr(widget, trait) for trait in traits})
        programs.append(widget.numpy)
        wanted.append(widget.matrices() | widget.scalars())
        assert bool(widget.numpy) == (name not in WITHOUT)
    moved = set(random_state(widget, random.Random(0)))
    assert set(widget.state_traits()) - moved == GIVEN.get(STANDS_ON.get(name, name), set())
    for trait in moved if name not in SMALL else ():
        assert len({json.dumps(state[trait]) for state in given}) > 1, f"{trait} is never changed"

    page = answer(view_of(widget.view), PAGE, name=name, states=given, programs=programs)
    for state, (computed, _), numbers in zip(given, page, wanted, strict=True):
        second = {f"{each}_2": value for each, value in (computed.get("second") or {}).items()}
        got = state | computed | second
        for each, value in numbers.items():
            shown = np.array(got[each], dtype=float).reshape(np.shape(value))
            assert_allclose(shown, value, rtol=1e-12, atol=1e-12, err_msg=f"{each} of {state}")
    if name in WITHOUT:
        return

    done = subprocess.run(
        [sys.executable, "-S", "-c", ALONE], cwd=bare, env={**os.environ, "PYTHONPATH": str(bare)},
        input=json.dumps([program for _, program in page]), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for (_, program), scope, numbers in zip(
        page, map(json.loads, done.stdout.splitlines()), wanted, strict=True
    ):
        assert program.count("import") == 1
        called = {
            each.removesuffix("_now") if each not in scope else each: value for each, value in numbers.items()
        }
        same = [each for each in called if each in scope and each not in widget.state_traits()]
        assert same, f"no number of the figure in\n{program}"
        assert "weights" in same or "weights" not in numbers
        for each in same:
            got = np.asarray(scope[each], dtype=float).reshape(np.shape(called[each]))
            assert_allclose(got, called[each], rtol=1e-9, atol=1e-12, err_msg=f"{each}\n{program}")
