"""The book's account of what it says: each claim with its proof, errors in the wild, and the book's own errors.

The files beside this one are content, like the chapters. The pages *How we know* and *Errors in the wild* are
made from them, and tests hold each row against the book. Both read them here. Needs Python alone.
"""

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
CLAIMS, ERRORS, OWN_ERRORS = FOLDER / "claims", FOLDER / "errors.toml", FOLDER / "own_errors.toml"


def claims():
    """What each page claims, and what shows it: page -> rows, which have their `kind` (ledger/proofs.py)."""
    found = {}
    for path in sorted(CLAIMS.glob("*.toml")):
        for page, kinds in loaded(path).items():
            for kind, rows in kinds.items():
                found.setdefault(page, []).extend({"kind": kind, **row} for row in rows)
    return found


def file_of(page):
    """The file, from the book's root, with the rows of a page, or where its first one would go."""
    files = [path for path in sorted(CLAIMS.glob("*.toml")) if page in loaded(path)]
    chapter = sorted(CLAIMS.glob(f"{page.rpartition('/')[2][:2]}_*.toml"))
    return [*files, *chapter, CLAIMS / "other_pages.toml"][0].relative_to(FOLDER.parent).as_posix()


def errors():
    """The errors that each page takes apart, and where they were met: page -> rows, in the file's order."""
    return loaded(ERRORS)


def own_errors():
    """What earlier versions of the book said: rows, the worst first."""
    return loaded(OWN_ERRORS)["error"]


@cache
def loaded(path):
    """What a TOML file says; its errors name the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.relative_to(FOLDER.parent)}: {error}") from None
