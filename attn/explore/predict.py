"""A question in the page that no figure answers: the reader commits to an answer, then sees the explanation."""

from __future__ import annotations

from attn.explore import _question
from attn.explore._base import Explorable


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

    view = "predict"

    def __init__(self, question=None, *, predict=None, **kwargs):
        own = {
            name: kwargs.pop(name)
            for name in ("solution", "explanation", "options", "tolerance", "unit")
            if name in kwargs
        }
        super().__init__(predict=predict or {"question": question, **own}, **kwargs)

    @property
    def heights(self):
        """An estimate from the number of lines; frame and bar stand around them."""
        return {
            least: frame + _question.height(self.predict, least, alone=True)
            for least, frame in ((0, 79), (684, 84))
        }

    def __repr__(self):
        return f"<Predict: {self.predict['question']}>"

    def alt_text(self):
        return _question.alt(self.predict)

    def draw_fallback(self, figure):
        lines = _question.lines(self.predict)
        figure.set_size_inches(6.4, 0.7 + 0.35 * len(lines))
        figure.text(0.03, 0.5, "\n".join(lines), va="center", fontsize=12, linespacing=1.7)
