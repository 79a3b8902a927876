"""The book's account of what it says: each claim with its proof, errors in the wild, and the book's own errors.

The files beside this one are content, like the chapters. The pages *How we know* and *Errors in the wild* are
made from them, and tests hold each row against the book. Both read them here. Needs Python alone.
"""

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
CLAIMS, ERRORS, OWN_ERRORS = (FOLDER / f"{name}.toml" for name in ("claims", "errors", "own_errors"))


def claims():
    """What each page claims, and what shows it: page -> rows, in the file's order."""
    return _content(CLAIMS)


def errors():
    """The errors that each page takes apart, and where they were met: page -> rows, in the file's order."""
    return _content(ERRORS)


def own_errors():
    """What earlier versions of the book said: rows, the worst first."""
    return _content(OWN_ERRORS)["error"]


@cache
def _content(path):
    return loaded(path)


def loaded(path):
    """What a TOML file says; its errors name the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.relative_to(FOLDER.parent)}: {error}") from None
