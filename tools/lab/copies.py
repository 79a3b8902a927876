"""A reader's copies of the pages: made where missing, renewed while nobody has changed them, and never overwritten."""

import datetime
import hashlib
import json
import os
from pathlib import PurePosixPath

from tools.lab import pages

#: Has the edition that each copy was made from; tries of exercises and JupyterLab's open tabs are beside it.
OWN = ".attention_by_hand"


def renew(folder, made=None, today=None):
    """Bring the copies in `folder` up to the book's edition; return a sentence for each that stands beside another.

    `made` is the text of each copy by its name, today's book if left out.
    """
    names = pages.pages()
    made = made or {name: pages.page(name, path, names) for name, path in names.items()}
    record = folder / OWN / "copies.json"
    known = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    sentences = []
    for name, text in made.items():
        edition = what_a_reader_writes(name, text)
        copies = {one: was for one, was in known.get(name, {}).items() if (folder / one).is_file()}
        changed = {one for one, was in copies.items() if _now(folder / one) != was}
        if not (folder / name).exists() or (name in copies and name not in changed):
            if copies.get(name) != edition:
                _write(folder / name, text)
                copies[name] = edition
        elif edition not in copies.values():
            for old in set(copies) - changed:  # an edition that stood beside, and that nobody has changed
                (folder / old).unlink()
                del copies[old]
            beside = _beside(folder, name, today or datetime.date.today())
            _write(folder / beside, text)
            copies[beside] = edition
            sentences.append(
                f"{name} has your changes and stays as it is. The book's newer edition is {beside}."
            )
        known[name] = copies
    _write(record, json.dumps(known, indent=1, ensure_ascii=False) + "\n")
    return sentences


def what_a_reader_writes(name, text):
    """An edition: a hash of what a reader changes by hand, of a notebook its cells and not what they gave."""
    if not name.endswith(".ipynb"):
        return _hash(text)
    cells = json.loads(text)["cells"]
    return _hash(json.dumps([[cell["cell_type"], "".join(cell["source"])] for cell in cells]))


def _now(path):
    try:
        return what_a_reader_writes(path.name, path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError):
        return None  # not as we made it, whatever it is


def _beside(folder, name, day):
    """A free name for a newer edition beside a copy that was changed."""
    path, number = PurePosixPath(name), 1
    while True:
        more = f", {number}" if number > 1 else ""
        found = str(path.with_name(f"{path.stem} (edition of {day.isoformat()}{more}){path.suffix}"))
        if not (folder / found).exists():
            return found
        number += 1


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _write(path, text):
    """Write all of a file or nothing of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding="utf-8", newline="\n")
    os.replace(new, path)
