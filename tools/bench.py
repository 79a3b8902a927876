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
from pathlib import Path

import numpy as np

from tools import bench_browser, bench_lighthouse, bench_text
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


def heads_by_loop(x, layer):
    """Multi-head attention as a loop over the heads; the formula of chapter 4 without checks."""
    said = []
    for w_q, w_k, w_v in zip(layer.w_q, layer.w_k, layer.w_v, strict=True):
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        said.append(weights / weights.sum(axis=-1, keepdims=True) @ v)
    return np.concatenate(said, axis=-1) @ layer.w_o


def heads():
    """One batched product for all heads (attn) against a loop over the heads."""
    from attn.multihead import MultiHeadAttention

    rng = np.random.default_rng(0)
    table = Table(
        "Multi-head self-attention of n tokens in float64: time of a call (ms)",
        ["n", "d_model", "heads", "loop", "attn", "loop / attn", "largest difference"],
        note="The loop has no checks; attn has. Both do the same arithmetic.",
    )
    for n, d_model, n_heads in [
        (8, 64, 4),
        (8, 256, 32),
        (64, 256, 4),
        (64, 256, 32),
        (256, 256, 32),
        (512, 512, 8),
    ]:
        layer, x = MultiHeadAttention.init(rng, d_model, n_heads), rng.normal(size=(n, d_model))
        t_loop = median_ms(lambda x=x, layer=layer: heads_by_loop(x, layer))
        t_attn = median_ms(lambda x=x, layer=layer: layer(x))
        gap = float(np.abs(heads_by_loop(x, layer) - layer(x)[0]).max())
        table.rows.append([str(n), str(d_model), str(n_heads), t_loop, t_attn, t_loop / t_attn, f"{gap:.0e}"])
    return table


def one_sample_at_a_time(rng, w_q, w_k, w_o, b_o, momentum, n_samples):
    """Source 002's loop in NumPy: one sample, its attention token by token, its gradient, a step of SGD; the next."""
    d, parameters = len(w_q), (w_q, w_k, w_o, b_o)
    for _ in range(n_samples):
        a, last = (np.array([rng.choice([1, -1])] * d) for _ in range(2))
        tokens = [a, rng.uniform(-1, 1, d), rng.uniform(-1, 1, d), last]
        y = int(a[0] != last[0])
        q, keys = tokens[1] @ w_q, [token @ w_k for token in tokens]
        e = np.exp(np.array([q @ key for key in keys]))
        mask = e / e.sum()
        mixed = sum(weight * token for weight, token in zip(mask, tokens, strict=True))
        e = np.exp(mixed @ w_o + b_o)
        d_logits = e / e.sum() - np.eye(2)[y]
        d_mixed = w_o @ d_logits
        d_mask = np.array([token @ d_mixed for token in tokens])
        d_scores = mask * (d_mask - mask @ d_mask)
        d_q = sum(ds * key for ds, key in zip(d_scores, keys, strict=True))
        d_k = sum(np.outer(token, ds * q) for token, ds in zip(tokens, d_scores, strict=True))
        gradients = np.outer(tokens[1], d_q), d_k, np.outer(mixed, d_logits), d_logits
        for parameter, speed, gradient in zip(parameters, momentum, gradients, strict=True):
            speed *= 0.9
            speed += gradient
            parameter -= 1e-3 * speed


def training():
    """Samples a second of attn.xor.train, batches of 256, beside the source's loop in NumPy, one sample at a time."""
    from attn.xor import XorModel, train

    d, n_samples, n_steps, batch_size = 4, 1000, 500, 256
    table = Table(
        f"Learning XOR, tokens of {d} numbers: samples a second, drawing and testing included",
        ["model", "one at a time", f"attn, batches of {batch_size}", "attn / one at a time"],
        note="One at a time is source 002's model and loop (in PyTorch it took about 1,400 samples a second).",
    )
    rng = np.random.default_rng(0)
    start = [value.copy() for value in XorModel.init(rng, d).params.values()]
    start[:2] = [value[0] for value in start[:2]]
    momentum = [np.zeros_like(value) for value in start]
    slow = 1000 * n_samples / median_ms(lambda: one_sample_at_a_time(rng, *start, momentum, n_samples))
    for name, variant in {
        "one head": {"n_heads": 1, "query_bias": False},
        "one head, query bias": {"n_heads": 1},
        "one head, query bias, ReLU of 8": {"n_heads": 1, "hidden": 8},
        "two heads, query bias": {"n_heads": 2},
        "four heads, query bias": {"n_heads": 4},
    }.items():
        run = lambda variant=variant: train(0, d=d, n_steps=n_steps, batch_size=batch_size, **variant)  # noqa: E731
        fast = 1000 * n_steps * batch_size / median_ms(run, seconds=1)
        theirs = f"{slow:,.0f}" if name == "one head" else ""
        table.rows.append([name, theirs, f"{fast:,.0f}", f"{fast / slow:.0f}"])
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
    browser = [*bench_browser.SECTIONS, *bench_text.SECTIONS, *bench_lighthouse.SECTIONS]
    return [attention, heads, training, build, *browser]


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
