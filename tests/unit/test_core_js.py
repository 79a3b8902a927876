"""js/core.js, the mathematics of the figures, run by node beside its NumPy twins."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright._impl._driver import compute_driver_executable

from attn.positional import angular_frequencies, sinusoidal_encoding

CORE = Path(__file__).resolve().parents[2] / "attn" / "explore" / "js" / "core.js"
NODE = compute_driver_executable()[0]  # the node that Playwright carries


def run_js(expression):
    """The value of an expression in which `core` is the module."""
    names = "angularFrequencies, sinusoids, sinusoidalEncoding"
    script = (
        f"{CORE.read_text(encoding='utf-8')}\nconst core = {{ {names} }};\n"
        f"process.stdout.write(JSON.stringify({expression}));"
    )
    done = subprocess.run(
        [NODE, "--input-type=module", "-"],
        input=script,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("d_model", [2, 4, 6, 128])
@pytest.mark.parametrize("base", [10, 10000, 500000])
def test_the_encoding_of_the_page_is_numpys(d_model, base):
    frequencies, encoding = run_js(
        f"[core.angularFrequencies({d_model}, {base}), core.sinusoidalEncoding(128, {d_model}, {base})]"
    )
    assert_allclose(frequencies, angular_frequencies(d_model, base), rtol=1e-14)
    assert_allclose(encoding, sinusoidal_encoding(128, d_model, base), rtol=0, atol=1e-12)


def test_sinusoids_take_a_frequency_for_each_dimension():
    omega = [1.0, 0.3, 0.7, 0.01]
    expected = [np.sin(5), np.cos(1.5), np.sin(3.5), np.cos(0.05)]
    assert_allclose(run_js(f"core.sinusoids(5, {omega})"), expected, rtol=1e-14)
