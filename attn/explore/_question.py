"""A question that is asked before the first drag: what it holds, whether an answer is right, how it looks on paper."""

import textwrap
from collections.abc import Sequence
from typing import Any


def asked(
    question: str,
    *,
    solution: float,
    explanation: str,
    options: Sequence[str] = (),
    tolerance: float = 0.0,
    unit: str = "",
    about: Sequence[str] = (),
    exercise: str = "",
) -> dict[str, Any]:
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
    about : list of str
        The traits that the question is about: in a figure, the first drag of one of these is answered, and a drag of
        another leaves the question open. Empty for any.
    exercise : str
        The name under which the reader's answer is kept on her device; "" where it is not.

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
        "explanation": explanation, "about": list(about), **({"exercise": exercise} if exercise else {}),
    }  # fmt: skip


def is_right(asks: dict[str, Any], answer: float | None) -> bool | None:
    """Whether an answer (the index of an option, or a number) is right; None where there is none."""
    if answer is None or not asks:
        return None
    if asks["options"]:
        return answer == asks["solution"]
    return abs(answer - asks["solution"]) <= asks["tolerance"]


def alt(asks: dict[str, Any]) -> str:
    """The question in a sentence or two."""
    answers = "; ".join(asks["options"]) if asks["options"] else "a number"
    return f"Question: {asks['question']} Answers: {answers}."


def lines(asks: dict[str, Any], width: int = 62) -> list[str]:
    """The question and its answers as lines of plain text."""
    answers = [f"   ○ {text}" for text in asks["options"]] or ["   ____ " + asks["unit"]]
    return [
        line.replace("`", "").replace("$", r"\$") for line in textwrap.wrap(asks["question"], width) + answers
    ]
