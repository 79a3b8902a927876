"""Worksheets to do by hand, a different one for each seed, and their keys; `make worksheet SEED=…`.

Each module with a `CHAPTER` draws the problems of that chapter, all with small numbers; `attn` computes the key.
"""

import importlib
import pkgutil
import re
from typing import Any

import numpy as np

from attn.practice.worksheets.sheet import Sheet


def place(chapter: str) -> int:
    """Where a chapter stands in the book: "10" behind "9"."""
    if not re.fullmatch(r"[0-9]+", chapter):
        raise ValueError(f"a chapter is a number, such as 5; not {chapter!r}")
    return int(chapter)


def found() -> dict[str, Any]:
    """The modules that draw a chapter's problems, in the book's order: chapter -> module."""
    names = [name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_")]
    modules = [importlib.import_module(f"attn.practice.worksheets.{name}") for name in names]
    modules = sorted(
        (module for module in modules if hasattr(module, "CHAPTER")), key=lambda one: place(one.CHAPTER)
    )
    chapters = [module.CHAPTER for module in modules]
    if twice := {chapter for chapter in chapters if chapters.count(chapter) > 1}:
        raise ValueError(
            f"two modules of attn/practice/worksheets/ have the same CHAPTER: {', '.join(sorted(twice))}"
        )
    return dict(zip(chapters, modules, strict=True))


CHAPTERS = found()


def sheet(chapter: str, seed: int) -> Sheet:
    """The worksheet of a chapter ("0" … "7") for a seed: the same numbers whenever it is asked for."""
    if chapter not in CHAPTERS:
        raise ValueError(f"there is no chapter {chapter!r}: it is one of {', '.join(CHAPTERS)}")
    if not isinstance(seed, int) or seed < 0:
        raise ValueError(f"a seed is a whole number, 0 or more, not {seed!r}")
    module = CHAPTERS[chapter]
    rng = np.random.default_rng([seed, list(CHAPTERS).index(chapter)])
    return Sheet(chapter, module.TITLE, seed, tuple(module.problems(rng)))
