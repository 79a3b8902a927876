"""One mutant: a file, and what is changed in it."""

import json
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A change to a text: `edits` are (start, end, new text) in the file, or in one cell of a notebook.

    `line` is the number of the first line that is changed; `was` and `becomes` are the lines before and after, in one.
    """

    area: str
    file: str
    kind: str
    edits: tuple
    line: int
    was: str
    becomes: str
    cell: str = ""

    @property
    def lines(self):
        """The numbers of the lines that are changed, from the first to the last."""
        return range(self.line, self.line + self.height)

    @property
    def height(self):
        return max(1, self.was.count("\n") + 1)

    def applied(self, text):
        """The file's text with the change."""
        if not self.cell:
            return edited(text, self.edits)
        book = json.loads(text)
        (cell,) = [cell for cell in book["cells"] if cell.get("id") == self.cell]
        cell["source"] = edited("".join(cell["source"]), self.edits).splitlines(keepends=True)
        return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def edited(text, edits):
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def make(area, file, kind, text, edits, cell=""):
    """A mutant of a text; the lines are found from where the edits are."""
    first = text.rfind("\n", 0, min(start for start, _, _ in edits)) + 1
    stop = text.find("\n", max(end for _, end, _ in edits))
    stop = len(text) if stop < 0 else stop
    inside = tuple((start - first, end - first, new) for start, end, new in edits)
    was = text[first:stop]
    return Mutant(
        area=area,
        file=file,
        kind=kind,
        edits=tuple(edits),
        line=text.count("\n", 0, first) + 1,
        was=was.strip(),
        becomes=edited(was, inside).strip(),
        cell=cell,
    )


def shown(mutant, room=50):
    """What changed, with a little of its line around it: "before → after"."""
    was, becomes = (re.sub(r"\s+", " ", text) for text in (mutant.was, mutant.becomes))
    same = 0
    while same < min(len(was), len(becomes)) and was[same] == becomes[same]:
        same += 1
    tail = 0
    while tail < min(len(was), len(becomes)) - same and was[-1 - tail] == becomes[-1 - tail]:
        tail += 1

    def cut(text):
        end = len(text) - tail
        first, last = max(0, same - room), min(len(text), end + room)
        return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")

    return f"{cut(was)} → {cut(becomes)}"
