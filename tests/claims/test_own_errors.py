"""Our own errors: each names a page and tests that are there. And what is shown here because no chapter's test does."""

import numpy as np
import pytest

import ledger
from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from tests.claims.pages import ROOT, assert_tests_are_there

OWN = ledger.own_errors()


@pytest.mark.parametrize("entry", OWN, ids=[entry["said"][:60] for entry in OWN])
def test_each_entry_is_whole(entry):
    assert {"page", "said", "wrong", "caught"} <= set(entry) <= {"page", "said", "wrong", "caught", "test"}
    assert (ROOT / f"{entry['page']}.ipynb").is_file(), f"there is no page {entry['page']}"
    for name in ("said", "wrong", "caught"):
        assert entry[name].rstrip('"').endswith("."), entry[name]
    assert_tests_are_there(entry.get("test", []))


def test_theorem_2_leads():
    assert OWN[0]["said"].startswith("Theorem 2")


def test_a_shorter_array_differs_in_some_bit():
    """A causal pass over 64 tokens against each sentence cut short: equal to rounding, and not in every bit."""
    q, k, v = np.random.default_rng(0).normal(size=(3, 64, 64))
    whole = scaled_dot_product_attention(q, k, v, causal_mask(64))[0]
    cut = [scaled_dot_product_attention(q[:n], k[:n], v[:n], causal_mask(n))[0] for n in range(1, 64)]
    assert max(np.abs(part - whole[: len(part)]).max() for part in cut) < 1e-13
    assert any((part != whole[: len(part)]).any() for part in cut)
