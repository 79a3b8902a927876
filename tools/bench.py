"""Measurements, each a table: `python -m tools.bench` prints all, `python -m tools.bench attention` one.

A section is a function that returns a Table; add it to sections(). Times are medians of several runs after a
warm-up, and the line under the tables says what machine they are from.
"""

import argparse
import math
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass
class Table:
    title: str
    columns: list
    rows: list = field(default_factory=list)
    note: str = ""

    def __str__(self):
        cells = [self.columns, *self.rows]
        cells = [[cell if isinstance(cell, str) else f"{cell:.3g}" for cell in row] for row in cells]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.columns))]
        lines = [
            "| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " |"
            for row in cells
        ]
        lines.insert(1, "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|")
        return "\n".join([f"### {self.title}", "", *lines, *(["", self.note] if self.note else [])])


def median_ms(function, *, seconds=0.5, most=200):
    """Median time of a call in milliseconds: one warm-up, then calls for about `seconds`, at least five."""
    function()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or (time.perf_counter() < end and len(times) < most):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def source_attention(q, k, v, mask=None):
    """The formula of the notebooks that this book grew from: an additive mask, exp and sum, no maximum."""
    scores = q @ k.T / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = np.exp(scores) / np.sum(np.exp(scores), axis=-1, keepdims=True)
    return weights @ v, weights


def attention():
    """attn against the source's formula, causal, for L = 8 … 2048 tokens."""
    from attn.attention import scaled_dot_product_attention
    from attn.masks import causal_mask

    d = 64
    rng = np.random.default_rng(0)
    table = Table(
        f"Causal attention of L tokens, d_k = d_v = {d}: time of a call (ms)",
        ["L", "dtype", "source's formula", "attn", "source / attn", "largest difference"],
        note="The source's formula has no row maximum and no checks; attn has both.",
    )
    for length in [8, 32, 128, 512, 2048]:
        visible = causal_mask(length)
        for dtype in [np.float32, np.float64]:
            q, k, v = rng.standard_normal((3, length, d)).astype(dtype)
            additive = np.where(visible, 0, -np.inf).astype(dtype)
            theirs = source_attention(q, k, v, additive)[0]
            ours = scaled_dot_product_attention(q, k, v, visible)[0]
            t_source = median_ms(lambda q=q, k=k, v=v, mask=additive: source_attention(q, k, v, mask))
            t_attn = median_ms(
                lambda q=q, k=k, v=v, mask=visible: scaled_dot_product_attention(q, k, v, mask)
            )
            gap = float(np.abs(theirs - ours).max())
            name = np.dtype(dtype).name
            table.rows.append([str(length), name, t_source, t_attn, t_source / t_attn, f"{gap:.0e}"])
    return table


def build():
    """The time of a cold build (all notebooks run) and of a warm one (their outputs from the cache)."""
    from tools.commands import build as build_book
    from tools.environment import ROOT

    table = Table("Time to build the book (s)", ["build", "time"])
    shutil.rmtree(ROOT / "_build" / ".jupyter_cache", ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in ["cold", "warm"]:
            start = time.perf_counter()
            if build_book(output=Path(folder), quiet=True):
                raise RuntimeError("the book has warnings, see above")
            table.rows.append([name, time.perf_counter() - start])
    return table


def sections():
    from tools import bench_browser  # it imports Table from here

    return [attention, build, *bench_browser.SECTIONS]


def main(arguments=None):
    names = [section.__name__ for section in sections()]
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of: {', '.join(names)}")
    wanted = parser.parse_args(arguments).sections
    if unknown := set(wanted) - set(names):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for section in sections():
        if not wanted or section.__name__ in wanted:
            print(section(), end="\n\n", flush=True)
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {system}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
