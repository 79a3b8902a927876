"""The right answers of the exercises by hand against PyTorch, for all draws, by golden vectors."""

import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore.practice.by_hand import BY_HAND
from attn.practice.exercise import SEEDS
from tests.reference.golden import Golden

GOLDEN = Golden("by_hand")


@pytest.mark.parametrize("name", BY_HAND)
def test_each_draw_has_pytorchs_answers(name):
    """What is given is what PyTorch was given; each step's answer is what it found."""
    kind = BY_HAND[name]
    stored = GOLDEN.case(name)
    assert set(stored) == {one.name for one in (*kind.givens, *kind.steps)}
    assert {len(rows) for rows in stored.values()} == {SEEDS}
    for seed in range(SEEDS):
        known = kind.known(seed)
        for given in kind.givens:
            assert_array_equal(known[given.name], stored[given.name][seed], err_msg=f"{seed}: {given.name}")
        for step in kind.steps:
            said = f"{seed}: {step.name}"
            assert_allclose(known[step.name], stored[step.name][seed], rtol=1e-12, atol=1e-12, err_msg=said)
