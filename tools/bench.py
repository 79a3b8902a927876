"""Measurements, each a table: `python -m tools.bench` prints all, `python -m tools.bench attention` one.

A section is a function that returns a Table; add it to sections(). Times are medians of several runs after a
warm-up, and the line under the tables says what machine they are from.
"""

import argparse
import math
import os
import platform
import statistics
import sys
import time
from functools import partial

import numpy as np

from tools import bench_browser, bench_lighthouse, bench_python
from tools.bench_table import Table


def median_ms(function, *, seconds=0.5, most=200):
    """Median time of a call in milliseconds: one warm-up, then calls for about `seconds`, at least five."""
    function()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or (time.perf_counter() < end and len(times) < most):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def compared(theirs, ours):
    """The times of two calls, their ratio, and how far their answers are apart."""
    slow, fast = median_ms(theirs), median_ms(ours)
    return [slow, fast, slow / fast, f"{np.abs(theirs() - ours()[0]).max():.0e}"]


def source_attention(q, k, v, mask):
    """The formula of the notebooks that this book grew from: an additive mask, exp and sum, no maximum."""
    scores = q @ k.T / math.sqrt(k.shape[-1]) + mask
    return np.exp(scores) / np.sum(np.exp(scores), axis=-1, keepdims=True) @ v


def attention():
    """attn against the source's formula, causal, for L = 8 … 2048 tokens."""
    from attn.attention import scaled_dot_product_attention
    from attn.masks import causal_mask

    rng = np.random.default_rng(0)
    table = Table(
        "Causal attention of L tokens, d_k = d_v = 64: time of a call (ms)",
        ["L", "dtype", "source's formula", "attn", "source / attn", "largest difference"],
        note="The source's formula has no row maximum and no checks; attn has both.",
    )
    for length in [8, 32, 128, 512, 2048]:
        for dtype in ["float32", "float64"]:
            q, k, v = rng.standard_normal((3, length, 64)).astype(dtype)
            mask = causal_mask(length)
            theirs = partial(source_attention, q, k, v, np.where(mask, 0, -np.inf).astype(dtype))
            ours = partial(scaled_dot_product_attention, q, k, v, mask)
            table.rows.append([str(length), dtype, *compared(theirs, ours)])
    return table


def heads():
    """One batched product for all heads (attn) against a loop over the heads."""
    from attn.attention import scaled_dot_product_attention
    from attn.multihead import MultiHeadAttention

    def by_loop(layer, x):
        weights = zip(layer.w_q, layer.w_k, layer.w_v, strict=True)
        said = [scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)[0] for w_q, w_k, w_v in weights]
        return np.concatenate(said, axis=-1) @ layer.w_o

    rng = np.random.default_rng(0)
    table = Table(
        "Multi-head self-attention of n tokens in float64: time of a call (ms)",
        ["n", "d_model", "heads", "loop", "attn", "loop / attn", "largest difference"],
    )
    sizes = [(8, 64, 4), (8, 256, 32), (64, 256, 4), (64, 256, 32), (256, 256, 32), (512, 512, 8)]
    for n, d_model, n_heads in sizes:
        layer, x = MultiHeadAttention.init(rng, d_model, n_heads), rng.normal(size=(n, d_model))
        table.rows.append(
            [str(n), str(d_model), str(n_heads), *compared(partial(by_loop, layer, x), partial(layer, x))]
        )
    return table


def sections():
    return [attention, heads, *bench_browser.SECTIONS, bench_lighthouse.lighthouse, *bench_python.SECTIONS]


def main(arguments=None):
    names = [section.__name__ for section in sections()]
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of: {', '.join(names)}")
    parser.add_argument("--pages", help="of lighthouse: which pages, as index,chapters/03_masking")
    options = parser.parse_args(arguments)
    wanted = options.sections
    more = {"lighthouse": {"names": options.pages.split(",")}} if options.pages else {}
    if unknown := set(wanted) - set(names):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for section in sections():
        if not wanted or section.__name__ in wanted:
            print(section(**more.get(section.__name__, {})), end="\n\n", flush=True)
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {system}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
