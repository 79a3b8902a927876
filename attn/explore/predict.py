"""A question in the page that no figure answers: the reader commits to an answer, then sees the explanation."""

from types import ModuleType
from typing import Any

from attn.explore import _question
from attn.explore._base import Explorable, Figure


class Predict(Explorable):
    """Ask before telling. What a figure's first drag answers belongs into that figure: ``Masking(predict=dict(…))``.

    Parameters
    ----------
    question : str
    solution, explanation, options, tolerance, unit
        As in ``_question.asked``; a figure's argument ``predict`` takes the same.

    Raises
    ------
    ValueError
        If the solution is not one of the options.
    """

    def __init__(
        self, question: str | None = None, *, predict: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        own: dict[str, Any] = {
            name: kwargs.pop(name)
            for name in ("solution", "explanation", "options", "tolerance", "unit")
            if name in kwargs
        }
        super().__init__(predict=predict or {"question": question, **own}, **kwargs)

    def __repr__(self) -> str:
        return f"<Predict: {self.predict['question']}>"

    def alt_text(self) -> str:
        return _question.alt(self.predict)

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        lines = _question.lines(self.predict)
        figure.set_size_inches(6.4, 0.7 + 0.35 * len(lines))
        figure.text(0.03, 0.5, "\n".join(lines), va="center", fontsize=12, linespacing=1.7)
