"""The exercises by hand as figures: cells to fill in a page, and hints. What is asked is in `attn.practice.by_hand`.

Each is a table of rounds, evaluated when it is made; ``js/draw/by_hand.js`` draws and judges them all.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import traitlets

from attn.explore._base import Explorable, Figure
from attn.practice.by_hand import EXERCISES
from attn.practice.exercise import SEEDS, Exercise, Known, packed


class ByHand(Explorable, Exercise):
    """What all figures of exercises by hand share. A subclass adds the exercise.

    Parameters
    ----------
    seed : int, 0 … 39
        Which numbers are given.
    missing : int
        How many steps the reader fills: the last one, the last two, …
    """

    shows = "Tables of small numbers, and cells to fill in."

    seed = traitlets.Int(0, min=0, max=SEEDS - 1).tag(sync=True)
    missing = traitlets.Int(1, min=1).tag(
        sync=True, label="To fill in", max=lambda figure: len(figure.steps), step=1
    )
    #: What is given, right and wrong for each seed.
    draws = traitlets.Dict().tag(sync=True, state=False, made=True)
    #: The words of the exercise, for the page.
    exercise = traitlets.Dict().tag(sync=True, made=True)

    @classmethod
    def view_text(cls) -> str:
        return 'import { byHand } from "./draw/by_hand.js";\nexport default byHand;\n' if cls.steps else ""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.draws = packed(type(self))

    def _describe(self, change: Any = None) -> None:
        super()._describe(change)
        self.exercise = self.words() | {"sheet": self.sheet(10_000)}

    @traitlets.validate("missing")
    def _check_missing(self, proposal: Any) -> int:
        if proposal["value"] > len(self.steps):
            raise traitlets.TraitError(
                f"missing must be 1 … {len(self.steps)}, the number of steps, got {proposal['value']}"
            )
        return proposal["value"]

    @classmethod
    def own_traits(cls) -> list[str]:
        return ["seed", "missing", "draws"]

    @classmethod
    def exercises(cls) -> list[dict[str, str]]:
        """What the class has to practise: name, title, chapter and kind."""
        return [
            {"name": f"by-hand.{cls.topic}", "title": cls.title, "chapter": cls.chapter, "kind": "by hand"}
        ]

    def matrices(self) -> Known:
        known, asked = self.known(self.seed), [step.name for step in self.steps[-self.missing :]]
        return {name: value for name, value in known.items() if name not in asked}

    def alt_text(self) -> str:
        return " ".join(line.strip() for line in self.sheet(200))

    def sheet(self, width: int = 74) -> list[str]:
        """The exercise as lines of plain text, with blanks: what paper and a page without JavaScript show."""
        return self.lines(self.seed, self.missing, width)

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        lines = self.sheet()
        figure.set_size_inches(6.4, 0.5 + 0.24 * len(lines))
        figure.text(
            0.02, 0.98, "\n".join(lines).replace("$", r"\$"), va="top", fontsize=10.5, linespacing=1.45
        )


def _figures() -> Iterator[type[ByHand]]:
    """The figure of each exercise that a page asks, by the same name."""
    for name, exercise in EXERCISES.items():
        if exercise.asked:
            yield type(name, (ByHand, exercise), {"__doc__": exercise.__doc__, "__module__": __name__})


#: Every exercise that a page asks, as a figure, by its name.
BY_HAND: dict[str, type[ByHand]] = {figure.__name__: figure for figure in _figures()}
