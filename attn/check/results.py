"""A small file to hand in: which exercises the checkers have seen pass since Python started, or a page of the book has.

What ``make lab`` opens also remembers it when Python starts anew: the variable ``ATTN_RESULTS`` of the environment
names a file to which each try adds a line. A cell of the book's own solution is no try there.

After the checkers have run, in a notebook or a script:

>>> from attn.check import results
>>> results.write("ada.json", name="Ada")  # doctest: +SKIP

The file is plain JSON, and easy to forge: it says what somebody's own computer saw. For a grade, run the
checkers on what was handed in. Its fields are

* `"format"`: `"attn-results-1"`,
* `"name"`: as given to `write`, or null,
* `"attn"`, `"python"`: versions; a page, which runs no Python, has null for the second,
* `"written"`: when, in UTC (ISO 8601, seconds),
* `"exercises"`: a list with one entry for each exercise tried, in the order of the first try: `"exercise"` (the
  checker's name, "masked_softmax", or that of an exercise in a page, "by-hand.attention"), `"passed"` (of the last
  try; in a page, of any), `"tries"`, `"checked"` (when the last try was, in UTC).

The button *Write the file* of the page *Practice* makes the same kind of file. `read` takes both.
"""

import contextlib
import json
import os
import platform
import reprlib
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attn import __version__

FORMAT = "attn-results-1"
LONGEST = 1_000_000  # bytes of a file that is read
JOINERS = range(
    0x200C, 0x2010
)  # join letters, part them, or say which way a text runs: names are written with them

_seen: dict[str, dict[str, Any]] = {}  # exercise -> entry; as long as this Python runs


def record(exercise: str, passed: bool) -> None:
    """Note a try of an exercise; the checkers call this.

    Parameters
    ----------
    exercise : str
        The checker's name, "masked_softmax".
    passed : bool
    """
    entry = {"exercise": exercise, "passed": bool(passed), "checked": _now()}
    if not (path := _kept()):
        _count(_seen, entry)
    elif not _in_a_solution():
        with path.open("a", encoding="utf-8") as file:  # a line at once: other notebooks write too
            file.write(json.dumps(entry) + "\n")


def seen() -> list[dict[str, Any]]:
    """Return what has been tried so far: a list of entries as in the file."""
    if not (path := _kept()):
        return [dict(entry) for entry in _seen.values()]
    found: dict[str, dict[str, Any]] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for line in lines:
        # A line may have been cut off, or changed by hand.
        with contextlib.suppress(ValueError, KeyError, TypeError):
            _count(found, json.loads(line))
    return list(found.values())


def clear() -> None:
    """Forget all tries."""
    _seen.clear()
    if path := _kept():
        path.unlink(missing_ok=True)


def _kept() -> Path | None:
    """The file that remembers tries from one start of Python to the next, if there is one."""
    name = os.environ.get("ATTN_RESULTS")
    return Path(name) if name else None


def _count(entries: dict[str, dict[str, Any]], entry: dict[str, Any]) -> None:
    """Add a try to the entries: the last one counts."""
    name = entry["exercise"]
    tries = entries.get(name, {"tries": 0})["tries"] + 1
    passed, checked = bool(entry["passed"]), entry["checked"]
    entries[name] = {"exercise": name, "passed": passed, "tries": tries, "checked": checked}


def _in_a_solution() -> bool:
    """Whether the cell that runs is a solution of the book's: JupyterLab says which cell it is."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return str(parent.get("metadata", {}).get("cellId", "")).endswith("-solution")


def write(path: str | Path, *, name: str | None = None) -> Path:
    """Write what has been tried so far to a JSON file, and print one line that says so.

    Parameters
    ----------
    path : str or path
        Ends in .json. A file of that name is replaced.
    name : str, optional
        Whose results they are: one line of text, of at most 200 letters.

    Returns
    -------
    path : pathlib.Path

    Raises
    ------
    ValueError
        If no checker has run yet, the path does not end in .json, or `name` is no line of text.
    TypeError
        If `name` is not a string.
    """
    path = Path(path)
    if path.suffix != ".json":
        raise ValueError(f"the file's name must end in .json, got {path.name!r}")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string, got {type(name).__name__}")
    if name is not None and not _is_text(name):
        raise ValueError(
            "name must be one line of 1 to 200 letters that can be printed, without tabs, or None; "
            f"got {reprlib.repr(name)}"
        )
    entries = seen()
    if not entries:
        raise ValueError(
            "nothing to hand in yet: run a checker first, for example check.masked_softmax(masked_softmax)"
        )
    handed_in = {
        "format": FORMAT,
        "name": name,
        "attn": __version__,
        "python": platform.python_version(),
        "written": _now(),
        "exercises": entries,
    }
    path.write_text(json.dumps(handed_in, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    passed = sum(entry["passed"] for entry in entries)
    print(f"{path.name}: {passed} of {len(entries)} exercises passed.")
    return path


def read(path: str | Path) -> dict[str, Any]:
    """Read a file that `write` or the page *Practice* has written, and check that it is one.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    dict
        The file's fields, as this module's text names them, and nothing else.

    Raises
    ------
    ValueError
        If it is no such file; the message says what was expected and what came.
    OSError
        If it can't be opened.
    """
    path = Path(path)

    def expect(sound: bool, what: str, got: Any) -> None:
        if not sound:
            raise ValueError(f"{path.name}: expected {what}, got {reprlib.repr(got)}")

    def known(mapping: Any, what: str, fields: Sequence[str]) -> dict[str, Any]:
        expect(isinstance(mapping, dict), what, mapping)
        for field in fields:
            expect(field in mapping, f'{what} with "{field}"', sorted(mapping))
        return {field: mapping[field] for field in fields}

    with path.open("rb") as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise ValueError(f"{path.name}: expected at most {LONGEST:,} bytes, got more")
    try:
        found = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path.name}: expected a file of results in JSON, got {error}") from None
    expect(isinstance(found, dict), "a file of results", found)
    expect(found.get("format") == FORMAT, f'"format" to be "{FORMAT}"', found.get("format"))
    kept = known(found, "a file of results", ["format", "name", "attn", "python", "written", "exercises"])
    expect(
        kept["name"] is None or _is_text(kept["name"]), '"name" to be a line of text or null', kept["name"]
    )
    expect(_is_text(kept["attn"]), '"attn" to be a version', kept["attn"])
    expect(
        kept["python"] is None or _is_text(kept["python"]), '"python" to be a version or null', kept["python"]
    )
    expect(_is_time(kept["written"]), '"written" to be a time with its zone', kept["written"])
    expect(isinstance(kept["exercises"], list), '"exercises" to be a list', kept["exercises"])
    kept["exercises"] = [
        known(entry, "an exercise", ["exercise", "passed", "tries", "checked"]) for entry in kept["exercises"]
    ]
    for entry in kept["exercises"]:
        expect(_is_text(entry["exercise"]), '"exercise" to be a name', entry["exercise"])
        expect(isinstance(entry["passed"], bool), '"passed" to be true or false', entry["passed"])
        expect(
            type(entry["tries"]) is int and 0 < entry["tries"] < 10**6,
            '"tries" to be a count',
            entry["tries"],
        )
        expect(_is_time(entry["checked"]), '"checked" to be a time with its zone', entry["checked"])
    names = [entry["exercise"] for entry in kept["exercises"]]
    expect(len(set(names)) == len(names), "each exercise once", names)
    return kept


def _is_text(value: Any) -> bool:
    """Whether it is one line of text that can be printed. Persian joins letters by what isn't."""
    if not isinstance(value, str) or len(value) > 200:
        return False
    return bool(value.strip()) and value.translate(dict.fromkeys(JOINERS)).isprintable()


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
