"""What a worksheet is made of. One description serves both prints: on the sheet a blank is a box, in the key a number.

A problem's `parts` are what the student reads: sentences, tables and questions. Where a number is asked for stands a
`Blank`, which names an entry of `answers`; so a key can't differ from what was asked.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from attn._numbers import number
from attn.practice.mistakes import Mistakes, worked

DRAWS = 20_000  # before we say that a worksheet asks for too much


@dataclass(frozen=True)
class Blank:
    """A number that the student finds: an entry of the problem's answers.

    Attributes
    ----------
    name : str
        The key in `Problem.answers`.
    at : tuple of int
        Which entry of that answer, if it is an array.
    fraction : bool
        Write it as a fraction in lowest terms.
    """

    name: str
    at: tuple = ()
    fraction: bool = False


#: What stands in a table.
Cell = str | float | Blank


@dataclass(frozen=True)
class Table:
    """A head, and rows of cells: text, numbers and blanks. The first cell of a row is its heading."""

    head: tuple
    rows: tuple


@dataclass(frozen=True)
class Ask:
    """A question in words, and the blanks for its answer."""

    text: str
    blanks: tuple


@dataclass(frozen=True)
class Problem:
    """One problem: what is read (`parts`), the numbers in it (`given`), and the numbers asked for (`answers`).

    `mistakes` are known ways to other answers: what an answer is called in words -> its name in `answers`, and its
    mistakes (`attn.practice.mistakes`), which the key tells apart. They are computed from what is given, the answers
    and `also`.
    """

    title: str
    parts: tuple
    given: dict
    answers: dict
    mistakes: dict[str, tuple[str, Mistakes]] = field(default_factory=dict)
    also: dict[str, Any] = field(default_factory=dict)

    def blanks(self) -> Iterator[Blank]:
        """All blanks, in the order in which they are read."""
        for part in self.parts:
            if isinstance(part, Ask):
                yield from part.blanks
            elif isinstance(part, Table):
                yield from (cell for row in part.rows for cell in row if isinstance(cell, Blank))

    def answer(self, blank: Blank) -> Any:
        """The value behind a blank: a number, or a word."""
        value = self.answers[blank.name]
        return value if isinstance(value, str) else np.asarray(value)[blank.at].item()

    def slips(self) -> Iterator[tuple[str, str, str]]:
        """For the key: what an answer is called, the numbers that a known mistake gives, and its hint.

        A mistake that gives the right answer with these numbers, to two decimals, is left out, and so is one that
        gives what another before it gives: nobody could tell them apart. So is one that gives no finite number.
        """
        known = self.answers | self.given | self.also
        for called, (name, mistakes) in self.mistakes.items():
            seen = [texts(self.answers[name])]
            for mistake in mistakes.values():
                value = worked(mistake.function, known)
                if np.isfinite(value).all() and (found := texts(value)) not in seen:
                    seen.append(found)
                    yield called, ", ".join(found), mistake.hint

    def key(self, blank: Blank) -> str:
        """What the key prints in place of a blank."""
        value = self.answer(blank)
        return fraction(value) if blank.fraction else show(value)


@dataclass(frozen=True)
class Sheet:
    """The worksheet of a chapter for one seed."""

    chapter: str
    title: str
    seed: int
    problems: tuple = field(repr=False)


def show(value: float | str) -> str:
    """A number as the book writes it, without the dust that computing leaves: 2.0000000004 is 2."""
    return value if isinstance(value, str) else number(round(value, 9))


def texts(values: Any) -> list[str]:
    """Numbers as the key shows them."""
    return [show(float(value)) for value in np.ravel(np.asarray(values, dtype=float))]


def fraction(value: float) -> str:
    """A number as a fraction in lowest terms; `ValueError` if it is none that one would write by hand."""
    found = Fraction(value).limit_denominator(10_000)
    if abs(float(found) - value) > 1e-9:
        raise ValueError(f"{value} is not a fraction with a denominator of at most 10,000")
    return str(found).replace("-", "−")


def vector(values: Iterable[float]) -> str:
    """Some numbers in parentheses: (1, −2)."""
    return f"({', '.join(show(float(value)) for value in values)})"


def added(value: float) -> str:
    """A number as the end of a sum: + 3, or − 3."""
    return f"{'−' if value < 0 else '+'} {show(abs(value))}"


def row(name: str, *at: int, n: int, fraction: bool = False) -> tuple[Blank, ...]:
    """The blanks of a row: entries (*at, 0), (*at, 1) … of an answer."""
    return tuple(Blank(name, (*at, j), fraction) for j in range(n))


def whole(rng: np.random.Generator, low: Any, high: Any, size: int | tuple[int, ...] | None = None) -> Any:
    """Whole numbers, low … high, both included; where these are several, one for each."""
    return rng.integers(low, high, size=size, endpoint=True)


def first_good(draw: Callable[[], Any], good: Callable[[Any], bool]) -> Any:
    """Draw until the numbers are worth a student's time: no ties, nothing trivial, nothing too large."""
    for _ in range(DRAWS):
        drawn = draw()
        if good(drawn):
            return drawn
    raise RuntimeError(f"{draw.__qualname__}: {DRAWS:,} draws, and none was good enough for a worksheet")


EXPONENTIALS = Table(
    ("s", *(show(s) for s in range(-4, 5))),
    (("e to the s", *(show(float(np.exp(s))) for s in range(-4, 5))),),
)
