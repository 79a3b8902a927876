"""What is still a draft. `make chapter` marks what an author has to replace; a book with such marks isn't published.

A mark is the word below, in capitals and with a colon. `python -m tools.drafts` lists those that are left. Needs the
standard library alone.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MARK = "DRAFT: "
PARTS = ["index.md", "_toc.yml", "references.bib", "attn", "chapters", "ledger", "tests"]
KINDS = {".bib", ".css", ".ipynb", ".js", ".md", ".py", ".toml", ".yml"}


class Draft(NamedTuple):
    """A mark that is left: the file, the line or cell in it, and what stands there."""

    file: str
    place: str
    says: str


def files(root=ROOT):
    """The files that make the book and its proofs."""
    for part in PARTS:
        path = root / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in KINDS and file.is_file() and ".ipynb_checkpoints" not in file.parts:
                yield file


def pieces(path):
    """The text of a file in pieces that can be named: a notebook's cells without their outputs, or else lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        yield from ((f"line {number}", line) for number, line in enumerate(text.splitlines(), start=1))
        return
    for number, cell in enumerate(json.loads(text)["cells"], start=1):
        for line in "".join(cell["source"]).splitlines():
            yield f"cell {cell.get('id', number)}", line


def left(root=ROOT):
    """All marks that are left in the book."""
    return [
        Draft(path.relative_to(root).as_posix(), place, line[line.index(MARK) :].rstrip(' "'))
        for path in files(root)
        for place, line in pieces(path)
        if MARK in line
    ]


def text_of(drafts):
    """The marks as lines to print, file by file."""
    lines, last = [], None
    for draft in drafts:
        if draft.file != last:
            lines.append(f"  {draft.file}")
            last = draft.file
        lines.append(f"    {draft.place}: {draft.says}")
    return "\n".join(lines)


def refuse(what, root=ROOT):
    """Whether the book holds drafts; if so, say that the command `what` takes none, and name them."""
    drafts = left(root)
    if drafts:
        print(
            f"{what} is for a book that is done, and this one holds drafts. Replace what stands at these {len(drafts)} "
            f"places, and the mark with it:\n{text_of(drafts)}\n`make serve` and `make test` take drafts.",
            file=sys.stderr,
        )
    return bool(drafts)


def main():
    drafts = left()
    print(text_of(drafts) or "The book holds no drafts.")
    return 1 if drafts else 0


if __name__ == "__main__":
    sys.exit(main())
