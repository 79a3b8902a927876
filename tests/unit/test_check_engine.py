"""What checkers have in common beside their answers: the case that is shown, the result, what is left behind.

And the attends of chapter 3's exercises, whose names a learner reads.
"""

import itertools
import os
import random
import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from attn import check
from attn.attention import scaled_dot_product_attention
from attn.check._leaks import KINDS, TOKENS, Attend
from attn.masks import causal_mask
from attn.softmax import softmax
from tests.unit.leaks import both_ways

inf = np.inf


def right(n_q, n_k):
    return causal_mask(n_q, n_k, offset=n_k - n_q)


def masked_late(scores, mask):
    return softmax(scores) * mask


SMALL = [
    ("masked_softmax", masked_late, ["scores = [[0, 0]]", "mask   = [[True, False]]", "yours", "right"]),
    ("cached_causal_mask", lambda n_q, n_k: causal_mask(n_q, n_k), ["n_q   = 1", "n_k   = 2"]),
    (
        "decoder_mask",
        lambda lens, n: np.repeat(causal_mask(n)[None], len(lens), 0),
        ["lengths = [0]", "n       = 1"],
    ),
    (
        "leaks",
        lambda attend, x: np.tri(len(x), dtype=bool),
        ["attention without a mask", "x      = [[0.5, 1], [0.5, 1]]"],
    ),
    ("scaled_scores", lambda q, k: q @ k.T / q.shape[-1], ["q     = [[1, 1]]"]),
    ("mean_and_error", lambda x: np.array([np.mean(x), np.std(x)]), ["draws = [0, 1]"]),
]


@pytest.mark.parametrize(("name", "function", "lines"), SMALL, ids=[row[0] for row in SMALL])
def test_the_case_shown_is_the_smallest(name, function, lines):
    message = getattr(check, name)(function).message
    assert [line for line in lines if line not in message] == [], message


def test_where_many_answers_are_right_none_is_shown():
    message = check.break_the_vote(lambda gain: np.zeros((4, 2))).message
    assert "yours" in message
    assert "right =" not in message


def stub_later(scores, mask):
    if len(scores) == 1:
        raise NotImplementedError
    return softmax(np.where(mask, scores, -inf))


def test_half_a_stub_is_a_stub():
    assert "not solved yet" in check.masked_softmax(stub_later).message
    assert "TypeError" in check.leaks(lambda: None).message


@pytest.mark.parametrize("thing", [np.ones((2, 2)), 3, "f"])
def test_what_is_no_function(thing):
    result = check.decoder_mask(thing)
    assert not result
    assert type(thing).__name__ in result.message


def test_answers_that_change_from_call_to_call():
    calls = itertools.count()
    message = check.cached_causal_mask(lambda n_q, n_k: right(n_q, n_k) ^ (next(calls) == 3)).message
    assert "different answers" in message


def test_the_reader_may_interrupt():
    def endless(n_q, n_k):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check.cached_causal_mask(endless)


def test_the_result_is_small_and_frozen(capsys):
    passed, failed = check.cached_causal_mask(right), check.cached_causal_mask(None)
    assert passed
    assert not failed
    assert (repr(passed), repr(failed)) == ("Result(passed=True)", "Result(passed=False)")
    with pytest.raises(FrozenInstanceError):
        failed.passed = True
    assert isinstance(passed, check.Result)
    formatters = pytest.importorskip("IPython.core.formatters")
    assert formatters.DisplayFormatter().format(passed) == ({}, {})  # a notebook shows the message once


def test_random_numbers_and_print_options_stay():
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    with np.printoptions(precision=1), np.errstate(all="raise"):
        message = check.masked_softmax(masked_late).message
        assert np.geterr()["divide"] == "raise"
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    assert message == check.masked_softmax(masked_late).message


def test_what_a_learners_function_prints_is_not_heard(capsys):
    def loud(scores, mask):
        print("a print that was forgotten")
        print("and one more", file=sys.stderr)
        return scores

    heard = check.masked_softmax(loud).message + "\n"
    assert capsys.readouterr() == (heard, "")


def test_the_same_message_everywhere_and_no_files(tmp_path):
    """In another folder, with another hash seed and other modules loaded."""
    (tmp_path / "mine.py").write_text("numbers = [1, 2, 3, 17, 1234567, 0.125, 3.5]\n", encoding="utf-8")
    code = "import mine; import numpy as np; from attn import check; check.masked_softmax(lambda s, m: np.exp(s) * m)"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == check.masked_softmax(lambda s, m: np.exp(s) * m).message + "\n"
    assert done.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


CAUSAL = ["0", "01", "012", "0123"]
# What a learner reads of an attend, and which tokens its words say can move each of four outputs.
MOVED_BY = {
    "attention without a mask": ["0123"] * 4,
    "causal attention": CAUSAL,
    "attention in a window of 2": ["0", "01", "12", "23"],
    "a copy of the token before": ["", "0", "1", "2"],
    "attention masked after the softmax, not renormalized": ["0123"] * 4,
    "causal attention, but output 0 sees the last token": ["03", *CAUSAL[1:]],
    "causal attention, but 0.01 of the last token is added to output 0": ["03", *CAUSAL[1:]],
    "causal attention to the second feature": CAUSAL,
    "causal attention to the first feature": CAUSAL,
    "a sum of the past that notices smaller features only": CAUSAL,
    "a sum of the past that notices larger features only": CAUSAL,
}
UNNOTICED = {
    "second": [[1, 0], [-1, 0]], "first": [[0, 1], [0, -1]], "smaller": [[1, 1], [0, 1]], "larger": [[-1, -1], [0, -1]],
}  # fmt: skip


def test_an_attend_does_what_its_name_says():
    assert [repr(Attend(kind, TOKENS)) for kind in KINDS] == list(MOVED_BY)
    for kind in KINDS:
        attend = Attend(kind, TOKENS)
        moved = ["".join(map(str, np.flatnonzero(row))) for row in both_ways(attend, TOKENS)]
        assert moved == MOVED_BY[kind.label]
        for feature, changes in UNNOTICED.items():
            same = [np.allclose(attend(TOKENS + change), attend(TOKENS)) for change in changes]
            assert all(same) == (f"{feature} feature" in kind.label), (kind.label, feature)
    _, causal, _, _, _, _, faint, *_ = (Attend(kind, TOKENS)(TOKENS) for kind in KINDS)
    np.testing.assert_allclose(causal, scaled_dot_product_attention(*[TOKENS] * 3, causal_mask(4))[0])
    np.testing.assert_allclose(faint[0] - causal[0], TOKENS[-1] / 100)
