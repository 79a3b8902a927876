"""Ladders: puzzles of rising difficulty on a chapter's own figure, and among them some that can't be solved.

A ladder is a figure's class with :class:`Ladder` before it, a view of its own that names the figure's, and `climb`: a
:class:`Rung` for each puzzle. Whether a state reaches a rung, the view says (``js/ladders/``); the frame
(``js/draw/ladder.js``) opens one rung at a time, counts, keeps lamps and best scores, and gives hints and answers.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import traitlets

from attn.explore._base import Explorable


# ------------------------------------------------------------ scores; less is better
class Counted(NamedTuple):
    """A score: what the page counts of the entries of some traits, or of a part of one ("q.2").

    Attributes
    ----------
    how : "size", of all entries; "way" from where they were at first; or "changed", how many are not what they were
    of : the traits
    counts : what the page says is counted: "the sum of …"
    """

    how: str
    of: tuple[str, ...]
    counts: str


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
    """

    asks: str
    score: Counted
    hints: tuple[str, str, str]
    answer: str
    solution: Mapping[str, Any] | None = None
    proof: tuple[str, str] | None = None
    uses: tuple[str, ...] = ()

    @property
    def controls(self) -> tuple[str, ...]:
        """The traits whose controls are at hand while the rung is open."""
        return self.uses or tuple(self.solution or ())


class Ladder(Explorable):
    """The frame of all ladders: mixed in before the figure's class."""

    #: "0" … "9".
    chapter: str = ""
    climb: Sequence[Rung] = ()
    #: Whether a puzzle's controls come up to it; not where all stand beside the picture anyway.
    lifts: bool = True

    #: The rungs, for the page: each `Rung` with its name.
    rungs = traitlets.List().tag(sync=True, made=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
        """The name of rung `n`, from 1, under which what a reader has done is kept, with that of the class's module."""
        return f"ladder.{cls.__module__.rpartition('.')[2]}.{n}"

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
