"""Our own errors: each names a page and tests that are there. And what is shown here because no chapter's test does."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import ledger
from attn.attention import scaled_dot_product_attention
from attn.explore import CountsUndivided, XorLab
from attn.masks import causal_mask
from attn.transformer import layer_norm
from tests.claims.pages import ROOT, assert_tests_are_there

OWN = ledger.own_errors()
# What pages said, and what no other test can tell from what is so: (page, words).
GONE = [
    ("index.md", "get two answers. Each is a head."),  # a head has a query for each word
    (
        "chapters/03_masking.ipynb",
        "It does not learn the letter for sure",
    ),  # the nearest known output does, in 0.96
    ("chapters/03_masking.ipynb", "replaces 1,024 passes with"),  # not in a single layer
    ("chapters/03_masking.ipynb", "with all keys are its **scores**"),  # they are divided by the root
    (
        "chapters/04_multi_head_attention.ipynb",
        "has to divide its weight between them",
    ),  # a fader makes up for it
    ("chapters/04_multi_head_attention.ipynb", "nothing has to be divided"),
    ("chapters/further/02_sharp_and_flat.ipynb", "it shows *medians*"),  # means
    ("chapters/further/02_sharp_and_flat.ipynb", "would do. Without a scale"),  # it would avoid the switch
    ("chapters/00_attention.ipynb", "W^Q"),  # one name: W_Q
    ("chapters/notation.md", "| $W^Q"),
]


@pytest.mark.parametrize("entry", OWN, ids=[entry["said"][:60] for entry in OWN])
def test_each_entry_is_whole(entry):
    assert {"page", "said", "wrong", "caught"} <= set(entry) <= {"page", "said", "wrong", "caught", "test"}
    assert (ROOT / f"{entry['page']}.ipynb").is_file(), f"there is no page {entry['page']}"
    for name in ("said", "wrong", "caught"):
        assert entry[name].rstrip('"').endswith("."), entry[name]
    assert_tests_are_there(entry.get("test", []))


@pytest.mark.parametrize(("page", "words"), GONE)
def test_what_was_false_is_not_said_again(page, words):
    assert words not in (ROOT / page).read_text(encoding="utf-8")


def test_theorem_2_leads():
    assert OWN[0]["said"].startswith("Theorem 2")


def test_a_shorter_array_differs_in_some_bit():
    """A causal pass over 64 tokens against each sentence cut short: equal to rounding, and not in every bit."""
    q, k, v = np.random.default_rng(0).normal(size=(3, 64, 64))
    whole = scaled_dot_product_attention(q, k, v, causal_mask(64))[0]
    cut = [scaled_dot_product_attention(q[:n], k[:n], v[:n], causal_mask(n))[0] for n in range(1, 64)]
    assert max(np.abs(part - whole[: len(part)]).max() for part in cut) < 1e-13
    assert any((part != whole[: len(part)]).any() for part in cut)


@pytest.mark.parametrize(
    ("angle", "bias", "wanted"),
    [(None, -2, [0, 0, 0, 0]), (None, 2, [1, 1, 1, 1]), (45, -2, [0, 0, 0, 1]), (45, 2, [0, 1, 1, 1])],
)
def test_the_bias_of_and_needs_the_line_at_45_degrees(angle, bias, wanted):
    """At the figure's first angle −2 gives 0 for all four pairs, and +2 gives 1."""
    state = {"bias": float(bias)} | ({} if angle is None else {"angle": float(angle)})
    assert (XorLab(**state).matrices()["output"][:, 0] > 0).astype(int).tolist() == wanted


def test_layer_norm_of_equal_numbers_is_zero():
    """Large numbers without spread; with spread the mean square is 1."""
    assert_array_equal(layer_norm(np.full((1, 4), 1000.0)), 0)
    assert (layer_norm(1000 + np.array([[1.0, 2, 3, 4]])) ** 2).mean() == pytest.approx(1, abs=1e-4)


def test_divided_by_a_thousand_both_pmi_are_above_0():
    for power, sign in ((0, -1), (3, 1)):
        assert (np.sign(CountsUndivided(log10_divisor=power).numbers()["bits"]) == sign).all()


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (
            "05_xor_by_attention",
            "what a [mask](notation.md#term-mask) hides, and the other tokens are the same in all four cases",
        ),
        ("05_xor_by_attention", "a divisor that is also a sum of terms, each of one token or of none"),
        ("05_xor_by_attention", "bit 0 has the number 1, and bit 1 the number 0"),
        ("further/05_more_bits", "Places, mask and the other tokens are the same in all $2^n$ cases"),
        ("06_learning_xor", "179 of the 191 runs that were at the wall"),
        ("06_learning_xor", "proves nothing about the accuracy"),
        (
            "further/06_run_the_source",
            "from 196 of 200 seeds the run with the loss that was meant ends lower",
        ),
        ("07_pmi", "since the $p(j \\\\mid i)$ of a row sum to one already"),
        ("further/07_learned_scores", "As they stand, none of the three is clearly better than the prior"),
        ("08_rotary_positions", "## Decay is not guaranteed"),
        ("08_rotary_positions", "The next figure has $d = 128$"),
        ("09_induction_heads", "the mask is the same in all four"),
        ("09_induction_heads", "any mask that does not depend on the words"),
        (
            "09_induction_heads",
            "begin near 0, with a [standard deviation](notation.md#term-standard-deviation) of 0.01",
        ),
        ("further/09_slots", "Places, mask, and what goes around the layer are the same in all cases"),
    ],
)
def test_a_condition_that_was_missing_stands_on_its_page(page, words):
    assert words in (ROOT / "chapters" / f"{page}.ipynb").read_text(encoding="utf-8")
