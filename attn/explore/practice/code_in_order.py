"""Lines of code to be put in order, among them some that don't belong; what each order computes comes from runs."""

import random
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import traitlets

from attn.explore._base import Explorable, Figure
from attn.practice.arrangements import table_of
from attn.practice.program import Program
from attn.practice.programs import PROGRAMS

#: What a worksheet asks.
ON_PAPER = "Number the lines that belong, in order."


def shuffled(program: Program) -> list[int]:
    """The order in which a program's lines are given: the same each time, and ``return`` last."""
    n = len(program.all_lines)
    rng = random.Random(program.name)
    right = set(range(len(program.lines)))
    while True:
        order = rng.sample(range(n), n)
        # Not as it should be, even without the lines that don't belong, and with no line of those in a row at the end.
        kept = [line for line in order if line in right]
        if sum(a == b for a, b in zip(kept, sorted(kept), strict=True)) < 2 and order[-1] in right:
            return [*order, n]


class CodeInOrder(Explorable):
    """The lines of a program, to be put in order. Lines below ``return`` are left out.

    Each order is judged by what it computes: orders that compute the same are equally right, and of a wrong one the
    figure says which line can't run, or what comes out instead. All of that was found by running the lines in NumPy
    (:mod:`attn.practice.arrangements`).

    Parameters
    ----------
    exercise : str
        One of the names that :meth:`exercises` lists, such as "order.causal-attention".
    order : list of int
        A permutation: which line stands at each place. The right lines come first in this count, then the wrong ones;
        the last number is the line ``return``.

    Raises
    ------
    ValueError
        If there is no such exercise, or `order` is no permutation of its lines.
    """

    exercise = traitlets.Unicode().tag(sync=True, state=False)
    #: Of the exercise: title, asks, head, foot, its lines, which of them are wrong, and the table of its arrangements.
    task = traitlets.Dict().tag(sync=True, state=False)
    order = traitlets.List(traitlets.Int()).tag(sync=True, label="The lines")

    def __init__(
        self, exercise: str = "order.causal-attention", order: Sequence[int] | None = None, **kwargs: Any
    ) -> None:
        if exercise not in PROGRAMS:
            raise ValueError(f"exercise must be one of {', '.join(PROGRAMS)}, got {exercise!r}")
        program = PROGRAMS[exercise]
        n = len(program.all_lines)
        order = shuffled(program) if order is None else list(order)
        if sorted(order) != list(range(n + 1)):
            raise ValueError(f"order must be a permutation of 0 … {n}, got {order}")
        kwargs.pop("task", None)
        task = {
            "paper": ON_PAPER, "title": program.title, "asks": program.asks, "head": program.head, "foot": program.foot,
            "lines": list(program.all_lines.values()), "wrong": list(range(len(program.lines), n)),
            "given": [line for line in shuffled(program) if line < n],
            "table": table_of(program),
        }  # fmt: skip
        super().__init__(exercise=exercise, task=task, order=order, **kwargs)

    @classmethod
    def exercises(cls) -> list[dict[str, str]]:
        """All exercises: ``name``, ``title``, ``chapter`` and ``kind`` of each, in the order of the chapters."""
        return [
            {"name": program.name, "title": program.title, "chapter": program.chapter, "kind": "order"}
            for program in PROGRAMS.values()
        ]

    def limits(self) -> dict[str, list | None]:
        return {"order": ["order", 0, len(self.task["lines"])], "exercise": ["fixed"], "task": None}

    @property
    def program(self) -> Program:
        """The exercise's program."""
        return PROGRAMS[self.exercise]

    def __repr__(self) -> str:
        return f"<CodeInOrder: {self.exercise}>"

    def _texts(self) -> list[str]:
        return [[*self.task["lines"], self.task["foot"]][line] for line in self.order]

    def alt_text(self) -> str:
        foot = self.order.index(len(self.task["lines"]))
        run, left = self._texts()[:foot], self._texts()[foot + 1 :]
        out = f" Left out: {'; '.join(left)}." if left else ""
        return (
            f"Lines of code to be put in order, some of which don't belong. {self.task['asks']} They stand so: "
            f"{self.task['head']} {'; '.join(run)}; {self.task['foot']}.{out}"
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        """A worksheet: each line with a place for its number."""
        import textwrap

        asks = textwrap.wrap(
            f"{self.task['title']}. {self.task['asks']} {ON_PAPER}".replace("`", ""),
            76,
        )
        foot = len(self.task["lines"])
        lines = [text for line, text in zip(self.order, self._texts(), strict=True) if line != foot]
        rows = [
            *asks,
            "",
            self.task["head"],
            *(f"____    {text}" for text in lines),
            f"              {self.task['foot']}",
        ]
        high = 0.27 * len(rows) + 0.3
        figure.set_size_inches(6.4, high)
        for place, text in enumerate(rows):
            figure.text(0.03, 1 - (place + 1) * 0.27 / high, text, va="center", fontsize=11)
