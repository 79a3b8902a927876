"""PmiTable in Python: what its margins allow, and what its weights are."""

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore import PmiTable


def test_the_first_state_is_the_sources_table():
    table = PmiTable()
    assert_allclose(table.joint, [[0.1, 0.7], [0.15, 0.05]])
    assert_allclose(table.weights, [[0.125, 0.875], [0.75, 0.25]])
    assert_allclose(table.scalars()["mutual_information"], 0.214171, atol=5e-7)


def test_at_independence_attention_returns_the_prior():
    table = PmiTable(p_11=0.2)
    assert_allclose(table.matrices()["pmi"], 0, atol=1e-15)
    assert_allclose(table.weights, [[0.25, 0.75]] * 2)


@pytest.mark.parametrize(("p_11", "cell"), [(0.05, (1, 1)), (0.25, (1, 0))])
def test_at_either_end_a_pair_never_meets(p_11, cell):
    table = PmiTable(p_11=p_11)
    assert table.joint[cell] == 0
    for name in ("pmi", "scores"):
        assert_array_equal(np.argwhere(np.isneginf(table.matrices()[name])), [cell])
    assert table.weights[cell] == 0


def test_weights_are_the_conditional_distribution_everywhere():
    rng = np.random.default_rng(0)
    for _ in range(200):
        p_row, p_column = rng.integers(1, 20, size=2) / 20
        low, high = PmiTable(p_row=p_row, p_column=p_column).bounds
        table = PmiTable(p_row=p_row, p_column=p_column, p_11=low + rng.random() * (high - low))
        assert (table.joint >= 0).all()
        assert_allclose(table.joint.sum(), 1)
        assert_allclose(table.weights, table.joint / table.joint.sum(axis=1, keepdims=True), atol=1e-12)


def test_impossible_tables_are_refused():
    with pytest.raises(ValueError, match=r"from 0.05 to 0.25 where p_row is 0.8 and p_column 0.25, got 0.3"):
        PmiTable(p_11=0.3)
    with pytest.raises(traitlets.TraitError, match="from 0.05 to 0.25"):
        PmiTable().p_11 = 0.04
    with pytest.raises(ValueError, match="rows must be two words, got 3"):
        PmiTable(rows=["a", "b", "c"])


def test_a_margin_takes_the_meeting_along():
    table = PmiTable()
    table.p_row = 0.05
    assert table.p_11 == 0.05
    table.p_row = 0.95
    assert table.p_11 == pytest.approx(0.2)
    assert PmiTable(p_column=0.05).p_11 == 0.05


def test_bits_and_nats():
    bits, nats = PmiTable(unit="bits").matrices(), PmiTable(unit="nats").matrices()
    assert_allclose(bits["pmi"] * np.log(2), nats["pmi"])
    assert_array_equal(bits["scores"], nats["scores"])
