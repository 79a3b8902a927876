"""What figures and pages say, as somebody has read it and found it true: kept in a file beside its test.

Where something else is said now, all that is said is written to ``_build`` under the file's name: read each changed
sentence beside its figure, as somebody who wants to refute it, and then copy the file.
"""

import tomllib
from pathlib import Path


def stored(path):
    """What was read: name -> rows of texts."""
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(names):
    """The file: a table for each name, a line for each row of texts."""
    lines = []
    for name, rows in sorted(names.items()):
        key = name if name.isalnum() else quoted(name)
        lines += [f"{key} = [", *(f"    [{', '.join(map(quoted, row))}]," for row in rows), "]", ""]
    return "\n".join(lines)


def check(path, said):
    """Fail, and write what is said now, unless each of these names says what was read."""
    read = stored(path)
    if other := {name: rows for name, rows in said.items() if read.get(name) != rows}:
        anew = Path("_build", path.name)
        anew.parent.mkdir(exist_ok=True)
        anew.write_text(written((stored(anew) or read) | other), encoding="utf-8")
        raise AssertionError(
            f"{', '.join(other)}: not what was read. Read {anew}; if all of it is true, copy it to {path.name}"
        )
