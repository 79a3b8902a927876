"""The block that *What you can now read* writes in NumPy is the block of Llama, as Transformers computes it."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.reference.golden import Golden

ROOT = Path(__file__).resolve().parents[2]
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GOLDEN = Golden("llama").arrays
WEIGHTS = ["gain_1", "gain_2", "w_q", "w_k", "w_v", "w_o", "w_gate", "w_up", "w_down"]


@pytest.fixture
def page():
    """The names of the page's first two cells, with the weights of the library's layer."""
    text = (ROOT / "chapters" / "what_you_can_read.md").read_text(encoding="utf-8")
    names = {}
    for cell in CELL.findall(text)[:2]:
        exec(cell, names)
    return names | {name: GOLDEN[name] for name in WEIGHTS}


def run(names, case):
    """What its `block` makes of the golden words, with a causal mask."""
    scope = dict(names)
    function = type(names["block"])(names["block"].__code__, scope)
    x = GOLDEN[f"{case}/x"]
    return function(x, GOLDEN[f"{case}/places"], np.tri(len(x), dtype=bool))


@pytest.mark.parametrize("case", ["start", "later"])
def test_the_lines_of_the_page_are_llamas_block(page, case):
    assert list(GOLDEN["versions"]) == ["5.23.0", "2.13.0"]
    out, weights = run(page, case)
    # Norms and angles have 24 bits there.
    assert 9 <= np.abs(out).max() < 10
    np.testing.assert_allclose(out, GOLDEN[f"{case}/out"], rtol=0, atol=0.00001)
    np.testing.assert_allclose(weights, GOLDEN[f"{case}/weights"], rtol=0, atol=0.00001)


@pytest.mark.parametrize("case", ["start", "later"])
def test_each_choice_of_the_block_counts(page, case):
    """One that is made otherwise shows, by far more than the library's rounding."""
    source = (ROOT / "chapters" / "what_you_can_read.md").read_text(encoding="utf-8")
    block = CELL.findall(source)[1]
    for old, new in [
        ('layout="halves"', 'layout="interleaved"'),
        ("np.repeat(one, share, axis=0)", "np.tile(one, (share, 1, 1))"),
        ("np.exp(-gate)", "np.exp(gate)"),
        ("x = x + merge_heads", "x = merge_heads"),
        ("return x + out", "return out"),
        ("rms_norm(x, gain_1)", "x"),
        ("rms_norm(x, gain_2)", "rms_norm(x)"),
        ("(q, k, v, mask)", "(q, k, v, mask, scale=1)"),
        ("(q, k, v, mask)", "(q, k, v)"),
    ]:
        assert old in block
        scope = dict(page)
        exec(block.replace(old, new), scope)
        out, _ = run(scope, case)
        assert np.abs(out - GOLDEN[f"{case}/out"]).max() > 1e-2, (old, new)
