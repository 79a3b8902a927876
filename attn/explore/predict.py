"""A question in the page: the reader commits to an answer, then sees the explanation."""

from __future__ import annotations

import textwrap

import traitlets

from attn.explore._base import Explorable


class Predict(Explorable):
    """Ask before telling.

    Parameters
    ----------
    question : str
    solution : int or float
        With ``options``: the index of the right one. Without: the number itself.
    explanation : str
        Shown after the reader commits. An empty line parts paragraphs; `code` and *emphasis* are marked as here.
    options : list of str, optional
        The answers to choose from; without them the reader types a number.
    tolerance : float
        How far a typed number may be off and still count as right.
    unit : str
        Written behind the number.

    Raises
    ------
    ValueError
        If the solution is not one of the options.
    """

    view = "predict"

    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    solution = traitlets.Float().tag(sync=True)
    tolerance = traitlets.Float(0.0).tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    explanation = traitlets.Unicode().tag(sync=True)
    answer = traitlets.Float(None, allow_none=True).tag(sync=True)
    committed = traitlets.Bool(False).tag(sync=True)

    def __init__(self, question, *, solution, explanation, options=(), **kwargs):
        options = list(options)
        if options and solution not in range(len(options)):
            raise ValueError(
                f"solution must be the index of one of the {len(options)} options, got {solution!r}"
            )
        super().__init__(
            question=question, solution=solution, explanation=explanation, options=options, **kwargs
        )

    @property
    def heights(self):
        """An estimate from the number of lines: question, answers, button."""

        def lines(text, width):
            return max(1, len(textwrap.wrap(text, width)))

        def height(frame, width):
            answers = sum(max(40, 23 * lines(text, width - 4)) + 2 for text in self.options) or 42
            return frame + 23 * lines(self.question, width) + answers

        return {0: height(88, 33), 684: height(94, 70)}

    def limits(self):
        """There is no state to share: the answer is the reader's own."""
        return dict.fromkeys(self.own_traits())

    @property
    def right(self) -> bool | None:
        """Whether the reader's answer is right; None before one is given."""
        if self.answer is None:
            return None
        return (
            self.answer == self.solution
            if self.options
            else abs(self.answer - self.solution) <= self.tolerance
        )

    def __repr__(self):
        return f"<Predict: {self.question}>"

    def alt_text(self):
        answers = "; ".join(self.options) if self.options else "a number"
        return f"Question: {self.question} Answers: {answers}."

    def draw_fallback(self, figure):
        figure.set_size_inches(
            6.4, 0.7 + 0.35 * (len(textwrap.wrap(self.question, 62)) + max(1, len(self.options)))
        )
        lines = textwrap.wrap(self.question, 62) + [
            f"   ○ {text}" for text in self.options or ["  ____ " + self.unit]
        ]
        figure.text(
            0.03,
            0.5,
            "\n".join(lines).replace("`", "").replace("$", r"\$"),
            va="center",
            fontsize=12,
            linespacing=1.7,
        )
