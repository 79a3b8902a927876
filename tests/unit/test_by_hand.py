"""Exercises by hand: what is right in any spelling passes, each known mistake gets its own hint, all else is refused.

For all rounds of each exercise, in the JavaScript that a page gets.
"""

import gzip
import html
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
import traitlets

from attn.explore.practice.by_hand import BY_HAND
from attn.practice.exercise import EDGE, SEEDS, Exercise, Given, Step
from attn.practice.mistakes import SLIPS, worked
from bookext.standalone import page as standalone
from tests.unit.node import answer, view_of

ATTENTION = BY_HAND["AttentionByHand"]
KINDS = pytest.mark.parametrize("kind", BY_HAND.values(), ids=BY_HAND)


def steps_of(kind):
    """Each step of each draw, with what is known then."""
    for seed in range(SEEDS):
        known = kind.known(seed)
        for step in kind.steps:
            yield seed, step, known


def script(kind):
    """The view of an exercise, its draws and its words."""
    widget = kind()
    return "\n".join(
        [
            view_of(kind.view),
            f"const draws = {json.dumps(widget.draws, sort_keys=True)};",
            f"const words = {json.dumps(widget.exercise, sort_keys=True)};",
        ]
    )


# ----------------------------------------------------------------------------------------------- the verdicts


def verdicts(kind, answers):
    """What the page says of answers: triples of a seed, a step's name and rows of texts."""
    return answer(
        script(kind),
        """answers.map(([seed, name, texts]) => {
          const spec = words.steps.find((step) => step.name === name);
          const numbers = texts.map((row) => row.map(readNumber));
          return verdict(spec, words, draws.rounds[seed], numbers);
        })""",
        answers=answers,
    )


def judged(kind, cases, digits):
    """What the page says of (seed, step, known, values) written with so many digits."""
    texts = [
        (seed, step.name, [[f"{x:.{digits}f}" for x in row] for row in values.tolist()])
        for seed, step, _, values in cases
    ]
    return [SimpleNamespace(**said) for said in verdicts(kind, texts)]


@KINDS
def test_right_answers_pass(kind):
    """In two decimals and in six; how else people write them is read below."""
    for digits in (2, 6):
        cases = [(seed, step, known, known[step.name]) for seed, step, known in steps_of(kind)]
        assert all(here.right for here in judged(kind, cases, digits))


@KINDS
def test_each_known_mistake_is_refused_with_its_own_hint(kind):
    wrong = [
        (seed, step, known, hint, worked(mistake, known))
        for seed, step, known in steps_of(kind)
        for hint, mistake in step.mistakes.items()
    ]
    said = judged(kind, [(seed, step, known, value) for seed, step, known, _, value in wrong], 2)
    for (seed, step, known, hint, value), here in zip(wrong, said, strict=True):
        where = f"{step.name} of seed {seed}"
        assert (here.right, here.mistake, here.hint) == (False, "known", hint), where
        off = np.abs(value.round(2) - known[step.name]) > step.tolerance + EDGE
        assert here.cells == np.argwhere(off).tolist(), where


@KINDS
def test_whoever_goes_on_with_two_decimals_is_right(kind):
    """From the two decimals of one step to those of the next, as a reader does who writes no more."""
    cases = []
    for seed in range(SEEDS):
        known = kind.known(seed)
        mine = {name: value.round(2) for name, value in known.items()}
        mine |= {given.name: known[given.name] for given in kind.givens}
        for step in kind.steps:
            before = {name: value for name, value in mine.items() if name != step.name}
            cases.append((seed, step, known, worked(step.right, before)))
    for case, here in zip(cases, judged(kind, cases, 2), strict=True):
        assert here.right, case


@KINDS
def test_answers_at_random_are_refused(kind):
    rng = np.random.default_rng(1)
    cases = [
        (seed, step, known, value.astype(float))
        for seed, step, known in steps_of(kind)
        for value in (rng.uniform(-20, 20, step.shape), rng.integers(-9, 10, step.shape))
        if (np.abs(value - known[step.name]) > step.tolerance + EDGE).any()
    ]
    assert len(cases) > 1.8 * SEEDS * len(kind.steps)
    for here in judged(kind, cases, 4):
        assert not here.right
        assert here.hint


#: The terms of each cell of a step that is a sum, written out: (cells, terms).
TERMS = {
    ("AttentionByHand", "dots"): lambda q, k, **_: (q * k)[None],
    ("AttentionByHand", "output"): lambda weights, v, **_: (weights.T * v).T[None],
    ("EncodingByHand", "sum"): lambda word, encoding, **_: np.stack([word, encoding], axis=-1),
}


def one_cell(values, place, value):
    """A matrix with another value in one place."""
    changed = values.copy()
    changed[place] = value
    return changed


@pytest.mark.parametrize(("name", "step"), TERMS, ids=lambda part: part)
def test_a_slip_is_named_where_it_is_one_and_never_where_it_is_none(name, step):
    """The terms written out: one with its sign turned, one left out; and at random, where what is named has to hold."""
    kind, rng, named = BY_HAND[name], np.random.default_rng(3), 0
    step, found, slipped, drawn = kind.step(step), {"minus-lost": 0, "left-out": 0}, [], []
    for seed in range(SEEDS):
        known = kind.known(seed)
        right, terms = known[step.name], TERMS[name, step.name](**known)
        place = (0, int(rng.integers(right.shape[1])))
        own = terms[place]
        np.testing.assert_allclose(terms.sum(axis=-1), right)
        gives = {
            "minus-lost": [right[place] - 2 * x for x in own],
            "left-out": [right[place] - x for x in own],
        }
        for slip, values in gives.items():
            slipped += [
                (slip, (seed, step, known, one_cell(right, place, value.round(2)))) for value in values
            ]
        gives["minus-lost"].append(sum(map(abs, own)))  # no sign at all
        for value in (right[place] + rng.uniform(-6, 6, 20)).round(9):
            drawn.append((gives, value, (seed, step, known, one_cell(right, place, value))))
    for (slip, _), here in zip(slipped, judged(kind, [case for _, case in slipped], 9), strict=True):
        found[slip] += here.mistake == slip
    for (gives, value, case), here in zip(drawn, judged(kind, [case for *_, case in drawn], 9), strict=True):
        if here.mistake in gives:
            named += 1
            assert min(abs(value - other) for other in gives[here.mistake]) <= step.tolerance + EDGE, case
    assert min(found.values()) > 0.2 * SEEDS
    assert named < 0.1 * 20 * SEEDS


def test_a_dropped_minus_and_swapped_columns_have_names():
    """The answers of somebody who works chapter 0 with pencil and paper."""
    known = ATTENTION.known(0)
    step, right, v, (weights,) = ATTENTION.step("output"), known["output"], known["v"], known["weights"]
    row, column = np.argwhere(v < 0)[0]
    dropped = one_cell(
        right, (0, column), weights @ np.where(np.arange(3) == row, np.abs(v[:, column]), v[:, column])
    )
    short = one_cell(right, (0, 1 - column), weights[:2] @ v[:2, 1 - column])
    given = {"minus-lost": dropped, "left-out": short, "swapped": right[:, ::-1], "other-sign": -right}
    both = np.where(dropped == right, short, dropped)
    *said, last = judged(ATTENTION, [(0, step, known, numbers) for numbers in [*given.values(), both]], 2)
    assert [(here.mistake, here.hint) for here in said] == [(slip, SLIPS[slip]) for slip in given]
    assert last.mistake == "", "no one slip gives both"


def one_step(tolerance=0.005):
    mistakes = {
        "Half of it.": lambda right: right / 2,
        "Nothing.": lambda right: 0 * right,
    }
    return Step("right", ("", ""), "", lambda: None, mistakes, "Think again.", label="", tolerance=tolerance)


def test_a_verdict_names_cells_and_what_explains_them():
    known = {"right": np.array([[2.0, 4.0]])}

    def said(*values, step=None):
        step = step or one_step()
        spec = {"name": "right", "tolerance": step.tolerance, "remind": step.remind}
        spec["hints"] = list(step.mistakes)
        wrong = [worked(mistake, known) for mistake in step.mistakes.values()]
        found = answer(
            view_of(ATTENTION.view),
            "verdict(spec, words, { known, wrong: { right: wrong }, slips: { right: [] } }, values)",
            spec=spec, words={"rounded": "", "slips": []},
            known=known, wrong=wrong, values=[values],
        )  # fmt: skip
        return found["right"], found["mistake"], found["hint"], found["cells"]

    assert said(2, 4) == said(2.005, 3.995) == (True, "", "", [])
    assert said(2.006, 4) == (False, "", "Think again.", [[0, 0]])
    assert said(1, 2) == (False, "known", "Half of it.", [[0, 0], [0, 1]])
    assert said(2, 2) == (False, "known", "Half of it.", [[0, 1]])  # one cell right, the other by the mistake
    assert said(0, 0) == (False, "known", "Nothing.", [[0, 0], [0, 1]])
    assert said(1, 0)[1] == "", "no one mistake gives both"
    loose = one_step(tolerance=0.02)
    assert said(2.05, 4, step=loose)[1] == "rounded"
    assert said(2.09, 4, step=loose)[1] == ""
    assert said(2.015, 4)[1] == "", "where nothing is rounded on the way, near is not nearly"


READ = [
    ("0.33", 0.33), (".33", 0.33), ("0,33", 0.33), (",5", 0.5), ("3.", 3), ("+2", 2), ("-2", -2), ("−2", -2),
    ("–2", -2), ("—2", -2), ("－2", -2), (" − 2 ", -2), ("1/3", 1 / 3), ("-1/3", -1 / 3), ("1 / 3", 1 / 3),
    ("1⁄3", 1 / 3), ("1.5/2", 0.75), ("33%", 0.33), ("33 %", 0.33), ("-0", 0), ("0042", 42), ("1:4", 0.25),
    ("1,296", 1296), ("−12,345.5", -12345.5), ("1,296,000", 1296000), ("1 296", 1296), ("0,296", 0.296), ("1,5", 1.5),
    ("1,2345", 1.2345), ("1e3", 1000), ("1e-3", 0.001), ("−2.5E+1", -25), ("", None), ("-", None), (".", None),
    ("1/0", None), ("1/", None), ("/3", None), ("abc", None), ("1 2", None), ("1.296,5", None), ("1 29", None),
    ("1e", None), ("1e999", None), ("0x10", None), ("1.2.3", None), ("1,234,5", None), ("1/2/3", None), ("--2", None),
    ("2-", None), ("Infinity", None), ("NaN", None), ("1/3%", None), ("٣", None), ("2²", None), ("⅓", None),
    ("1 1/2", None), ("1" * 40, None),
]  # fmt: skip


def test_numbers_are_read_as_people_write_them():
    found = answer(view_of("attention_by_hand"), "texts.map(readNumber)", texts=[text for text, _ in READ])
    wanted = [float("nan") if value is None else value for _, value in READ]
    assert dict(zip(READ, found, strict=True)) == pytest.approx(
        dict(zip(READ, wanted, strict=True)), nan_ok=True
    )


# -------------------------------------------------------------------------------------------------- the words


@KINDS
def test_each_step_knows_three_mistakes_and_each_has_a_hint_of_its_own(kind):
    for step in kind.steps:
        assert len(step.mistakes) >= 3, step.name
        hints = [step.remind, *step.mistakes]
        assert len(hints) == len(set(hints))
        for hint in hints:
            assert re.fullmatch(r"[A-Z].*[.?]", hint), hint
            assert not re.search(r"\d\.\d", hint), "a hint says no answer"


def in_a_line(text):
    """A text as a line on paper has it."""
    return text.replace("`", "").replace("*", "").replace("d_k", "dₖ")


@KINDS
def test_the_exercise_reads_as_a_worksheet_where_nothing_runs(kind):
    widget = kind(missing=1)
    text, known = "\n".join(widget.sheet()), kind.known(0)
    assert text.count("______") == known[kind.steps[-1].name].size
    assert "\n".join(kind(missing=len(kind.steps)).sheet()).count("______") == sum(
        known[step.name].size for step in kind.steps
    )
    flat = " ".join(text.split())
    for given in kind.givens:
        (line,) = (line for line in widget.sheet(10_000) if line.startswith(in_a_line(given.label) + ": "))
        named = re.sub(r"[^:;,]*: ", "", line.removeprefix(in_a_line(given.label) + ":") + " ")
        found = [float(text) for text in re.findall(r"-?[\d.]+(?=[,;]|\s*$)", named.replace("−", "-"))]
        assert found[-len(known[given.name][-1]) :] == known[given.name][-1].tolist(), line
    for step in kind.steps:
        assert " ".join(in_a_line(step.says).split()) in flat
    assert max(map(len, widget.sheet())) <= 74
    assert "______" in widget.alt
    page = standalone([widget], pictures=True).split('<script type="application/json"')[0]
    seen = html.unescape(re.sub(r"<[^>]+>", "", page.split('class="abh-still"')[1]))
    for line in widget.sheet(10_000):
        assert line in seen
    before = widget.exercise["sheet"]
    widget.seed = 5
    assert widget.exercise["sheet"] == widget.sheet(10_000) != before


@KINDS
def test_what_a_page_gets_of_an_exercise(kind):
    """Matrices are what is not asked for, and the draws travel in a few kilobytes."""
    for missing in range(1, len(kind.steps) + 1):
        shown, steps = kind(missing=missing).matrices(), [step.name for step in kind.steps]
        assert list(shown) == [given.name for given in kind.givens] + steps[:-missing]
    assert len(gzip.compress(json.dumps(kind().draws).encode())) < 14_000
    assert len({str(kind.known(seed)) for seed in range(SEEDS)}) > 0.7 * SEEDS


class NeverApart(Exercise):
    topic = "never-apart"
    givens = (Given("x", "x", ("",), ("", "")),)
    steps = (Step("y", ("", ""), "", lambda x: x, {"?": lambda x: x + 0.01}, ""),)

    @classmethod
    def draw(cls, rng):
        return {"x": [0, 62]}


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: ATTENTION.step("dot"), ValueError, "no step .dot.; it has dots, scores, weights"),
        (lambda: ATTENTION.known(-1), ValueError, "seed must be a whole number, 0 or more, got -1"),
        (
            lambda: ATTENTION(missing=5),
            traitlets.TraitError,
            "missing must be 1 … 4, the number of steps, got 5",
        ),
        (lambda: ATTENTION(seed=SEEDS), traitlets.TraitError, "seed"),
        (lambda: worked(lambda x, z: x, {"x": 1}), KeyError, "the function needs z; known are x"),
        (
            lambda: NeverApart.known(0),
            RuntimeError,
            "NeverApart: 20,000 draws for seed 0, and none tells all apart",
        ),
    ],
)
def test_wrong_input(call, error, says):
    with pytest.raises(error, match=says):
        call()
