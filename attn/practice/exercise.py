"""An exercise by hand: numbers that are given, and steps that the reader works out. A module a chapter in by_hand/.

A subclass of `Exercise` states what is given, how it is drawn, and the steps in order, each with the right answer in
NumPy and the mistakes that lead to another (`attn.practice.mistakes`). A figure asks it in a page
(`attn.explore.practice.by_hand`), which gets what is right and wrong in each of its rounds as a table;
`attn.practice.worksheets` prints it.

The numbers are whole and small. They are drawn so that each answer tells where it comes from: in no step do two known
mistakes, or a mistake and the right answer, come within reach of each other; and whoever goes on with two decimals of
the step before is right too.
"""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import whole_number
from attn._numbers import number
from attn.practice.mistakes import SLIPS, Mistakes, slips, worked

SEEDS = 40  # of a page
DRAWS = 20_000  # before we say that an exercise asks for too much of its numbers
#: How far an answer may be from the right one where nothing was rounded on the way: two decimals, rounded.
TWO_DECIMALS = 0.005
ROUNDED = "Nearly. Was something rounded on the way? Keep two decimals, or fractions."
EDGE = 1e-9  # what computing leaves
WRONG = 6  # decimals of a wrong number in a page's table

Known = dict[str, np.ndarray]
#: Whole numbers, or arrays of them.
Drawn = dict[str, Any]


@dataclass(frozen=True)
class Given:
    """A matrix that the reader is given.

    Attributes
    ----------
    name : what functions, and the page, call it
    label : its chip
    rows, cols : what stands beside its rows and above its columns; "" for nothing
    role : whose it is: "q", "k", "v" or "ink"
    unit : what a drawn whole number is multiplied by
    """

    name: str
    label: str
    rows: tuple[str, ...]
    cols: tuple[str, ...]
    role: str = "ink"
    unit: float = 1.0


@dataclass(frozen=True)
class Aid:
    """What a pencil alone doesn't have: powers of e, sines, logarithms, to look up.

    Attributes
    ----------
    title : what is looked up
    entries : of what, and its numbers, rounded to two decimals
    names : what each of the numbers is, where there are several
    note : a sentence on them, or ""
    """

    title: str
    entries: tuple[tuple[str, tuple[float, ...]], ...]
    names: tuple[str, ...] = ("",)
    note: str = ""

    def words(self) -> dict[str, Any]:
        """The same as plain data, for the page."""
        entries = [[of, *(number(value) for value in values)] for of, values in self.entries]
        return {"title": self.title, "names": list(self.names), "entries": entries, "note": self.note}

    def text(self) -> str:
        """The same in a line."""
        listed = [
            f"{of}: "
            + ", ".join(f"{name} {number(x)}".strip() for name, x in zip(self.names, values, strict=True))
            for of, values in self.entries
        ]
        return f"{self.title}: {'; '.join(listed)}. {self.note}".strip()


@dataclass(frozen=True)
class Step:
    """A matrix that the reader works out.

    Attributes
    ----------
    name, cols, label, rows, role : as of what is given; a label is its name if it has no other
    says : what to do, in a plain sentence
    right : the right answer, called with what is given and the right answers before, by name
    mistakes : the known ways to another answer, by what is said of them
    remind : what helps whoever has an answer that no known mistake gives
    tolerance : how far an answer may be off and still count
    """

    name: str
    cols: tuple[str, ...]
    says: str
    right: Callable[..., ArrayLike]
    mistakes: Mistakes
    remind: str
    label: str = ""
    rows: tuple[str, ...] = ("",)
    role: str = "ink"
    tolerance: float = TWO_DECIMALS

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name.replace("_", " "))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.cols)


class Exercise:
    """What all exercises by hand share. A subclass adds the attributes below and :meth:`draw`; nobody makes one."""

    #: Of "by-hand.<topic>", by which what is practised is kept; also where its draws begin.
    topic: ClassVar[str] = ""
    title: ClassVar[str] = ""
    chapter: ClassVar[str] = ""
    #: The question.
    task: ClassVar[str] = ""
    #: What a pencil alone doesn't have.
    aid: ClassVar[Aid | None] = None
    #: Whether a page asks it; else it is for paper alone.
    asked: ClassVar[bool] = True
    givens: ClassVar[Sequence[Given]] = ()
    steps: ClassVar[Sequence[Step]] = ()

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        """Whole numbers for all that is given, by name; drawn again until they tell all mistakes apart."""
        raise NotImplementedError

    @classmethod
    def known(cls, seed: int) -> Known:
        """What is given for a seed, a whole number, and the right answers of all steps, by name: matrices."""
        return worked_out(cls, _given(cls, seed))

    @classmethod
    def step(cls, name: str) -> Step:
        """One of the steps, by its name."""
        for step in cls.steps:
            if step.name == name:
                return step
        raise ValueError(
            f"{cls.__name__} has no step {name!r}; it has {', '.join(step.name for step in cls.steps)}"
        )

    @classmethod
    def words(cls) -> dict[str, Any]:
        """What the page says, as plain data."""
        return {
            "name": f"by-hand.{cls.topic}",
            "title": cls.title,
            "task": cls.task,
            "aid": cls.aid.words() if cls.aid else None,
            "givens": [_frame(given) for given in cls.givens],
            "steps": [
                _frame(s)
                | {"says": s.says, "remind": s.remind, "tolerance": s.tolerance, "hints": list(s.mistakes)}
                for s in cls.steps
            ],
            "rounded": ROUNDED,
            "slips": [list(slip) for slip in SLIPS.items()],
            "levels": _levels(len(cls.steps)),
        }

    @classmethod
    def lines(cls, seed: int, missing: int, width: int) -> list[str]:
        """The exercise as lines of plain text, with blanks for the last steps: what a page without JavaScript shows."""
        known, plain = cls.known(seed), _plainly
        lines = textwrap.wrap(plain(cls.task), width)
        for given in cls.givens:
            lines += _listed(plain(given.label), given.rows, given.cols, known[given.name], width)
        if cls.aid:
            lines += textwrap.wrap(plain(cls.aid.text()), width)
        for place, step in enumerate(cls.steps):
            lines += ["", *textwrap.wrap(f"{place + 1}. {plain(step.says)}", width)]
            open_step = place >= len(cls.steps) - missing
            lines += _listed(
                plain(step.label), step.rows, step.cols, None if open_step else known[step.name], width
            )
        return lines


def _frame(matrix: Given | Step) -> dict[str, Any]:
    """What stands round the numbers of a matrix, and its role."""
    names = {"rows": list(matrix.rows), "cols": list(matrix.cols)}
    return {"name": matrix.name, "label": matrix.label, "role": matrix.role} | names


def _plainly(text: str) -> str:
    """A text without its marks; d_k as a line of text can have it."""
    return re.sub(r"\bd_k\b", "dₖ", text.replace("`", "").replace("*", ""))


def _levels(count: int) -> list[str]:
    """What it is called that 1, 2 … steps are missing."""
    counted = ["the last step", *(f"the last {number} steps" for number in ("two", "three", "four", "five"))]
    return [*counted[: count - 1], "all steps"]


def _listed(
    label: str, rows: Sequence[str], cols: Sequence[str], values: np.ndarray | None, width: int
) -> list[str]:
    """A matrix as lines of text; None for blanks."""
    found = []
    for i, row in enumerate(rows):
        cells = []
        for j, col in enumerate(cols):
            text = "______" if values is None else short(float(values[i, j]))
            cells.append(f"{col} {text}".strip())
        found.append(f"{row}: {', '.join(cells)}" if row else ", ".join(cells))
    text = f"{label}:  {';  '.join(found)}".replace("`", "")
    return textwrap.wrap(text, width, subsequent_indent="      ", break_long_words=False)


def short(value: float) -> str:
    """As the page writes it: up to three decimals, none that is not needed."""
    text = number(round(value, 3), 3)
    return text.rstrip("0").rstrip(".") if "." in text else text


def worked_out(kind: type[Exercise], given: Mapping[str, np.ndarray]) -> Known:
    """What is given, and the right answer of each step."""
    known = dict(given)
    for step in kind.steps:
        known[step.name] = worked(step.right, known)
    return known


def slips_of(step: Step, known: Known) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """What the slips of `SLIPS` give, and the cells that may have it while others have none.

    A number within the right answer's reach is no slip: NaN stands in its place.
    """
    reach = 2 * step.tolerance + TWO_DECIMALS
    return {
        name: [
            (np.where(np.abs(value - known[step.name]) > reach, value, np.nan), alone)
            for value, alone in ways
        ]
        for name, ways in slips(step.right, known).items()
    }


def apart(step: Step, known: Known) -> bool:
    """Whether no answer to a step can be two things: right and a known mistake, or two mistakes."""
    answers = [known[step.name], *(worked(wrong, known) for wrong in step.mistakes.values())]
    if not all(answer.shape == step.shape and np.isfinite(answer).all() for answer in answers):
        return False
    reach = 2 * step.tolerance + TWO_DECIMALS
    return all(
        np.abs(one - other).max() > reach for place, one in enumerate(answers) for other in answers[:place]
    )


def two_decimals_do(kind: type[Exercise], known: Known) -> bool:
    """Whether a reader who goes on with two decimals of each step, and gives two, is right in all steps."""
    rounded = dict(known)
    for step in kind.steps:
        rounded[step.name] = np.round(known[step.name], 2)
    return all(
        (np.abs(worked(step.right, rounded) - known[step.name]) + TWO_DECIMALS <= step.tolerance + EDGE).all()
        for step in kind.steps
    )


#: What is given, by topic and seed; and a page's rounds, by topic. (Each figure that is made has its own class.)
_DRAWN: dict[tuple[str, int], Known] = {}
_PACKED: dict[str, dict[str, Any]] = {}


def _given(kind: type[Exercise], seed: int) -> Known:
    """What is given for a seed: the first draw that tells all mistakes apart."""
    whole_number(seed, "seed", 0)
    if (kind.topic, seed) in _DRAWN:
        return _DRAWN[kind.topic, seed]
    rng = np.random.default_rng([seed, *map(ord, kind.topic)])
    for _ in range(DRAWS):
        whole = kind.draw(rng)
        given = {given.name: given.unit * np.atleast_2d(whole[given.name]) for given in kind.givens}
        for matrix in given.values():
            matrix.flags.writeable = False  # all figures of this kind share it
        known = worked_out(kind, given)
        if two_decimals_do(kind, known) and all(apart(step, known) for step in kind.steps):
            return _DRAWN.setdefault((kind.topic, seed), given)
    raise RuntimeError(f"{kind.__name__}: {DRAWS:,} draws for seed {seed}, and none tells all apart")


def packed(kind: type[Exercise]) -> dict[str, Any]:
    """What is given, right and wrong in each round of a page, as plain data, the same for each figure: read only."""
    if kind.topic not in _PACKED:
        _PACKED[kind.topic] = {"rounds": [_round(kind, kind.known(seed)) for seed in range(SEEDS)]}
    return _PACKED[kind.topic]


def _round(kind: type[Exercise], known: Known) -> dict[str, Any]:
    """What a page knows of a round: the right numbers, and for each step what its mistakes give, and the slips."""
    return {
        "known": {name: _plain(value) for name, value in known.items()},
        "wrong": {
            step.name: [_plain(worked(wrong, known).round(WRONG)) for wrong in step.mistakes.values()]
            for step in kind.steps
        },
        "slips": {
            step.name: [_ways(step.shape, ways) for ways in slips_of(step, known).values()]
            for step in kind.steps
        },
    }


def _ways(shape: tuple[int, int], ways: list[tuple[np.ndarray, np.ndarray]]) -> dict[str, list]:
    """What a slip gives: in each cell that may have it while others have none, and in all cells together."""
    cells = [
        [
            sorted(
                {
                    float(value[i, j].round(WRONG))
                    for value, may in ways
                    if may[i, j] and np.isfinite(value[i, j])
                }
            )
            for j in range(shape[1])
        ]
        for i in range(shape[0])
    ]
    whole = [_plain(value.round(WRONG)) for value, may in ways if (np.isfinite(value) & ~may).any()]
    return {
        "cells": cells,
        "whole": [value for place, value in enumerate(whole) if value not in whole[:place]],
    }


def _plain(values: np.ndarray) -> list[list[float | None]]:
    """Rows of numbers, whole ones without a point; None for what is no number."""
    return [
        [None if not np.isfinite(x) else int(x) if x == int(x) else x for x in row] for row in values.tolist()
    ]
