"""The PMI part of js/core.js, run by node beside attn.pmi."""

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright._impl._driver import compute_driver_executable

from attn.pmi import mutual_information, npmi, pmi

CORE = Path(__file__).resolve().parents[2] / "attn" / "explore" / "js" / "core.js"
NODE = compute_driver_executable()[0]  # the node that Playwright carries

TABLES = [
    [[0.1, 0.7], [0.15, 0.05]],
    [[0.25, 0.55], [0.0, 0.2]],
    [[0.5, 0.0], [0.0, 0.5]],
    [[1.0, 0.0], [0.0, 0.0]],
    [[0.2, 0.1, 0.1], [0.3, 0.1, 0.2]],
    [[0.0, 0.3], [0.3, 0.1], [0.2, 0.1]],
]


@pytest.fixture(scope="module")
def answers():
    script = f"""{CORE.read_text(encoding="utf-8")}
const shown = (x) => (x === -Infinity ? "-inf" : x);
const all = {json.dumps(TABLES)}.map((joint) => (
  {{ pmi: pmi(joint).map((row) => row.map(shown)), npmi: npmi(joint), mutual: mutualInformation(joint) }}
));
process.stdout.write(JSON.stringify(all));"""
    command = [NODE, "--input-type=module", "-"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


@pytest.mark.parametrize("index", range(len(TABLES)))
def test_the_measures_of_the_page_are_numpys(answers, index):
    joint, got = np.array(TABLES[index]), answers[index]
    assert_allclose(np.array(got["pmi"], dtype=float), pmi(joint, math.e), rtol=0, atol=1e-14)
    assert_allclose(got["npmi"], npmi(joint), rtol=0, atol=1e-14)
    assert_allclose(got["mutual"], mutual_information(joint, math.e), rtol=0, atol=1e-14)
