"""A question that is asked before the first drag: what it holds, whether an answer is right, how it looks on paper."""

from __future__ import annotations

import textwrap

#: Letters that find room in a line of a phone, and of a laptop beside both sidebars.
LINE = {0: 42, 684: 84}


def asked(question, *, solution, explanation, options=(), tolerance=0.0, unit=""):
    """Check a question and return it as plain data, which the page gets.

    Parameters
    ----------
    question : str
    solution : int or float
        With ``options``: the index of the right one. Without: the number itself.
    explanation : str
        Shown after the reader commits, in a figure after the first drag. An empty line parts paragraphs; `code` and
        *emphasis* are marked as here.
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
    options = list(options)
    if options and solution not in range(len(options)):
        raise ValueError(f"solution must be the index of one of the {len(options)} options, got {solution!r}")
    return {
        "question": question, "options": options, "solution": solution, "tolerance": tolerance, "unit": unit,
        "explanation": explanation,
    }  # fmt: skip


def is_right(asks, answer):
    """Whether an answer (the index of an option, or a number) is right; None where there is none."""
    if answer is None or not asks:
        return None
    if asks["options"]:
        return answer == asks["solution"]
    return abs(answer - asks["solution"]) <= asks["tolerance"]


def alt(asks):
    """The question in a sentence or two."""
    answers = "; ".join(asks["options"]) if asks["options"] else "a number"
    return f"Question: {asks['question']} Answers: {answers}."


def lines(asks, width=62):
    """The question and its answers as lines of plain text."""
    answers = [f"   ○ {text}" for text in asks["options"]] or ["   ____ " + asks["unit"]]
    return [
        line.replace("`", "").replace("$", r"\$") for line in textwrap.wrap(asks["question"], width) + answers
    ]


def height(asks, least):
    """Pixels that the question takes with its answers, or with what is said later, in a column of at least `least`."""

    def rows(text, letters):
        return max(1, len(textwrap.wrap(text, letters)))

    letters = LINE[least]
    question = 23 * rows(asks["question"], letters - 3)
    if least:  # short answers stand side by side
        widths, answers, used = [9 * len(text) + 34 for text in asks["options"]] or [240], 1, 0
        for wide in [*widths, 60]:
            used += wide
            if used > 640:
                answers, used = answers + 1, wide
        ask = 48 * answers
    else:
        ask = sum(26 + 20 * rows(text, letters - 4) for text in asks["options"] or ["a number"]) + 46
    told = 23 * (
        rows(asks["explanation"], letters) + rows(max([*asks["options"], ""], key=len), letters - 14)
    )
    return question + max(ask, told)
