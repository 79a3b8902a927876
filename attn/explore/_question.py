"""A question that is asked before the first drag: what it holds, whether an answer is right, how it looks on paper."""

from __future__ import annotations

import textwrap

#: The widths of letters in a wide sans serif, in em; of capitals 0.7, of all others 0.62. A little is added to all.
_WIDE = {
    **dict.fromkeys("ijl.,:;|!' ", 0.31),
    **dict.fromkeys("tfr()[]-`*", 0.39),
    **dict.fromkeys("sczkvxy?", 0.56),
}
_WIDE |= {**dict.fromkeys("wW−+%=≠", 0.83), **dict.fromkeys("mM@", 0.97)}


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


def _width(text, size):
    return 1.045 * size * sum(_WIDE.get(letter, 0.7 if letter.isupper() else 0.62) for letter in text)


def _rows(text, room, size=16.0):
    """How many lines of `room` pixels a text takes."""
    rows, used = 1, 0.0
    for word in text.split():
        wide = _width(word, size)
        if used and used + wide > room:
            rows, used = rows + 1, 0.0
        used += wide + _width(" ", size)
    return rows


def height(asks, least, *, alone=False):
    """Pixels that a question takes, with its answers or with what is said later, in a column of at least `least`.

    Parameters
    ----------
    least : {0, 684}
        A phone's column, which has 328 pixels or more, or a laptop's, which has 688.
    alone : bool
        Whether it stands alone, so that nothing is to be dragged and "Skip" has its place below.
    """
    room = 660 if least else 308
    choices = [_width(text, 15) + 26 for text in asks["options"]] or [240]
    flow, used = 0.0, room + 1.0
    for wide, text in zip(choices, asks["options"] or [""], strict=True):
        if used + wide > room:
            flow, used = flow + 5.6, 0.0
            flow += 40 if _rows(text, room - 29, 15) == 1 else 49
        used += wide + 8
    wrong = [text for index, text in enumerate(asks["options"]) if index != asks["solution"]]
    said = max([*wrong, "1000 " + asks["unit"]], key=len)
    right = asks["options"][asks["solution"]] if asks["options"] else str(asks["solution"])
    note = _rows(f"You said: {said}. Now drag, and see.", room - 10, 16.5)
    ask = flow - 5.6 + (0 if alone else 5.6 + max(40, 21 * note))
    verdict = f"You said: {said}. It is: {right}. "
    bold = "m" * (len(verdict) // 20)  # the verdict is wider than its letters
    told = sum(_rows(text, room - 12) for text in f"{verdict}{bold} {asks['explanation']}".split("\n\n"))
    return 2 + round(22.4 * _rows(asks["question"], room, 17.3) + max(ask, 22.4 * told))
