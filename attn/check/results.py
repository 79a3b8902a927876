"""A small file to hand in: which exercises the checkers have seen pass since Python started.

After the checkers have run, in a notebook or a script:

>>> from attn.check import results
>>> results.write("ada.json", name="Ada")  # doctest: +SKIP

The file is plain JSON, and easy to forge: it says what somebody's own computer saw. For a grade, run the
checkers on what was handed in. Its fields are

* `"format"`: `"attn-results-1"`,
* `"name"`: as given to `write`, or null,
* `"attn"`, `"python"`: versions,
* `"written"`: when, in UTC (ISO 8601, seconds),
* `"exercises"`: a list with one entry for each exercise tried, in the order of the first try: `"exercise"` (the
  checker's name), `"passed"` (of the last try), `"tries"`, `"checked"` (when the last try was, in UTC).
"""

import json
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attn import __version__

FORMAT = "attn-results-1"

_seen: dict[str, dict[str, Any]] = {}  # exercise -> entry; as long as this Python runs


def record(exercise: str, passed: bool) -> None:
    """Note a try of an exercise; the checkers call this.

    Parameters
    ----------
    exercise : str
        The checker's name, "masked_softmax".
    passed : bool
    """
    tries = _seen.get(exercise, {"tries": 0})["tries"]
    _seen[exercise] = {
        "exercise": exercise,
        "passed": bool(passed),
        "tries": tries + 1,
        "checked": _now(),
    }


def seen() -> list[dict[str, Any]]:
    """Return what has been tried so far: a list of entries as in the file."""
    return [dict(entry) for entry in _seen.values()]


def clear() -> None:
    """Forget all tries."""
    _seen.clear()


def write(path: str | Path, *, name: str | None = None) -> Path:
    """Write what has been tried so far to a JSON file, and print one line that says so.

    Parameters
    ----------
    path : str or path
        Ends in .json. A file of that name is replaced.
    name : str, optional
        Whose results they are.

    Returns
    -------
    path : pathlib.Path

    Raises
    ------
    ValueError
        If no checker has run yet, or the path does not end in .json.
    TypeError
        If `name` is not a string.
    """
    path = Path(path)
    if path.suffix != ".json":
        raise ValueError(f"the file's name must end in .json, got {path.name!r}")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string, got {type(name).__name__}")
    if not _seen:
        raise ValueError(
            "nothing to hand in yet: run a checker first, for example check.masked_softmax(masked_softmax)"
        )
    entries = seen()
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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
