"""Worksheets to do by hand, a different one for each seed, and their keys; `make worksheet SEED=…`.

Each module draws the problems of one chapter, all with small numbers, and lets `attn` compute the key.
"""

import importlib

import numpy as np

from tools.worksheet.sheet import Sheet

CHAPTERS = {
    "0": ("attention", "Meet attention"),
    "1": ("positional", "Encode positions with waves"),
    "2": ("variance", "Tame the variance of QKᵀ"),
    "3": ("masking", "Hide the future with a mask"),
    "4": ("multihead", "Split attention into heads"),
    "5": ("xor", "Compute XOR by attention"),
    "5b": ("learning", "Learn XOR by gradient"),
    "6": ("pmi", "Measure association with PMI"),
}


def sheet(chapter, seed):
    """The worksheet of a chapter ("0" … "6", "5b") for a seed: the same numbers whenever it is asked for."""
    if chapter not in CHAPTERS:
        raise ValueError(f"there is no chapter {chapter!r}: it is one of {', '.join(CHAPTERS)}")
    if not isinstance(seed, int) or seed < 0:
        raise ValueError(f"a seed is a whole number, 0 or more, not {seed!r}")
    module, title = CHAPTERS[chapter]
    rng = np.random.default_rng([seed, list(CHAPTERS).index(chapter)])
    problems = importlib.import_module(f"tools.worksheet.{module}").problems(rng)
    return Sheet(chapter, title, seed, tuple(problems))
