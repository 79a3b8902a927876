"""Ladders: puzzles of rising difficulty on a chapter's own figure, and among them some that can't be solved.

A ladder is a figure's class with :class:`Ladder` before it, a view of its own that names the figure's, and `climb`: a
:class:`Rung` for each puzzle. Whether a state reaches a rung, the view says (``js/ladders/``); the frame
(``js/draw/ladder.js``) opens one rung at a time, counts, keeps lamps and best scores, and gives hints and answers.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import traitlets

from attn.explore._base import Explorable
from attn.explore._share import leaves

State = Mapping[str, Any]
HINTS = 3


# ------------------------------------------------------------ scores; less is better
@dataclass(frozen=True)
class Counted:
    """A score: what is counted of the entries of some traits, or of a part of one ("q.2"). The page counts the same.

    Attributes
    ----------
    how : "size", of all entries; "way" from where they were at first; or "changed", how many are not what they were
    of : the traits
    counts : what the page says is counted: "the sum of …"
    """

    how: str
    of: tuple[str, ...]
    counts: str

    def __call__(self, state: State, first: State) -> float:
        now, before = self._entries(state), self._entries(first)
        if self.how == "size":
            return sum(abs(float(entry)) for entry in now)
        pairs = zip(now, before, strict=True)
        if self.how == "way":
            return sum(abs(float(entry) - float(old)) for entry, old in pairs)
        return sum(entry != old for entry, old in pairs)

    def _entries(self, state: State) -> list:
        found = []
        for name in self.of:
            trait, *path = name.split(".")
            value = state[trait]
            for index in path:
                value = value[int(index)]
            found += leaves(value)
        return found


def size(*names: str, counts: str = "") -> Counted:
    """Sum of the sizes of all entries of some traits."""
    return Counted("size", names, counts)


def way(*names: str, counts: str = "") -> Counted:
    """How far the entries of some traits are from where they were at first, all together."""
    return Counted("way", names, counts)


def changed(*names: str, counts: str = "") -> Counted:
    """How many entries of some traits are not what they were at first."""
    return Counted("changed", names, counts)


@dataclass(frozen=True)
class Rung:
    """One puzzle.

    Parameters
    ----------
    asks : str
        What is to be reached; `code` and *emphasis* are marked as here.
    score : Counted
        What it took; less is better. The par is the score of the solution.
    hints : three str
    answer : str
        Of a solvable rung what its solution does; of an impossible one the proof.
    solution : dict or None
        What it changes from the first state; None where there is none.
    proof : (str, str) or None
        Of an impossible rung: where the book proves it, from the book's top folder, and what that place is called.
    uses : tuple of str
        The traits whose controls stand under the puzzle while it is open. Default: what the solution changes.

    Raises
    ------
    ValueError
        If there are not three hints, or a rung has both a solution and a proof, or neither; or
        if an impossible rung does not say what it uses.
    """

    asks: str
    score: Counted
    hints: tuple[str, str, str]
    answer: str
    solution: Mapping[str, Any] | None = None
    proof: tuple[str, str] | None = None
    uses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.hints) != HINTS:
            raise ValueError(f"a rung needs {HINTS} hints, got {len(self.hints)}")
        if (self.solution is None) == (self.proof is None):
            raise ValueError("a rung needs a solution or a proof that there is none, and not both")
        if not self.controls:
            raise ValueError(
                "a rung without a solution needs what it uses: the traits that a reader will try"
            )

    @property
    def controls(self) -> tuple[str, ...]:
        """The traits whose controls are at hand while the rung is open."""
        return self.uses or tuple(self.solution or ())


class Ladder(Explorable):
    """The frame of all ladders: mixed in before the figure's class."""

    #: "0" … "8", and the name of the chapter's topic, which the rungs' names have.
    chapter: str = ""
    topic: str = ""
    climb: Sequence[Rung] = ()
    #: Whether a puzzle's controls come up to it; not where all stand beside the picture anyway.
    lifts: bool = True

    #: The rungs, for the page: each `Rung` with its name and its par.
    rungs = traitlets.List().tag(sync=True, made=True)
    #: What the page calls the figure: the class's name.
    called = traitlets.Unicode().tag(sync=True, made=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first = self.state()
        self.called = type(self).__name__
        self.rungs = [
            {
                "name": self.name_of(n),
                "asks": rung.asks,
                "counts": rung.score.counts,
                "score": [rung.score.how, *rung.score.of],
                "uses": list(rung.controls) if self.lifts else [],
                "hints": list(rung.hints),
                "answer": rung.answer,
                "solution": None if rung.solution is None else dict(rung.solution),
                "proof": rung.proof and list(rung.proof),
                "par": rung.solution and float(rung.score(first | dict(rung.solution), first)),
            }
            for n, rung in enumerate(self.climb, 1)
        ]

    def steps_of_lecture(self) -> list[dict]:
        return []  # they would give answers away

    def state(self) -> dict[str, Any]:
        """The traits that the reader changes."""
        return {name: getattr(self, name) for name in self.state_traits()}

    @classmethod
    def name_of(cls, n: int) -> str:
        """The name of rung `n`, from 1, under which what a reader has done is kept."""
        return f"ladder.{cls.topic}.{n}"

    @classmethod
    def exercises(cls) -> list[dict[str, str]]:
        """Every rung as an exercise: its name, title, chapter and kind."""
        return [
            {"name": cls.name_of(n), "title": rung.asks, "chapter": cls.chapter, "kind": "ladder"}
            for n, rung in enumerate(cls.climb, 1)
        ]

    def lines_above(self) -> list[str]:
        lines = super().lines_above()
        for n, rung in enumerate(self.climb, 1):
            lines += textwrap.wrap(f"{n}. {rung.asks}".replace("`", "").replace("*", ""), 70)
        return lines
