"""The PMI part of js/core.js, run by node beside attn.pmi."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore._base import module_source
from attn.pmi import mutual_information, npmi, pmi
from tests.unit.node import answer

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
    measures = """(joint) => ({
      pmi: pmi(joint).map((row) => row.map((x) => (x === -Infinity ? "-inf" : x))),
      npmi: npmi(joint),
      mutual: mutualInformation(joint),
    })"""
    return answer(module_source("core"), f"{json.dumps(TABLES)}.map({measures})")


@pytest.mark.parametrize("index", range(len(TABLES)))
def test_the_measures_of_the_page_are_numpys(answers, index):
    joint, got = np.array(TABLES[index]), answers[index]
    assert_allclose(np.array(got["pmi"], dtype=float), pmi(joint, math.e), rtol=0, atol=1e-14)
    assert_allclose(got["npmi"], npmi(joint), rtol=0, atol=1e-14)
    assert_allclose(got["mutual"], mutual_information(joint, math.e), rtol=0, atol=1e-14)


def test_a_sum_and_a_changed_matrix():
    """`sumOf` adds up a vector; `mapped` gives each entry with its row and column."""
    matrix = "mapped([[1, 2], [3, 4]], (value, i, j) => 100 * value + 10 * i + j)"
    said = answer(module_source("core"), f"[sumOf([1, 2.5, -4]), sumOf([]), {matrix}]")
    assert said == [-0.5, 0, [[100, 201], [310, 411]]]
