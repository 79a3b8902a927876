"""Checkers for the exercises: each runs your function on many small cases and says in plain words what is wrong.

`check.masked_softmax(f)` prints one message and returns a `Result`, which is true if `f` passed. A stub is "not
solved yet"; a wrong answer comes with the smallest case that shows it. `check.results.write("name.json")` writes
what has passed to a small file that can be handed in. Needs hypothesis: `pip install "attn[check]"`.
"""

from attn.check import results
from attn.check._exercise import Result
from attn.check.attention import self_attention
from attn.check.masking import cached_causal_mask, decoder_mask, leaks, masked_softmax
from attn.check.multihead import head_shares, multi_head, split_heads
from attn.check.pmi import pmi_from_counts, scores_for, window_counts
from attn.check.positional import read_position, shifted, sinusoidal
from attn.check.variance import mean_and_error, scaled_scores, variance_of_score
from attn.check.xor import attention_pattern, decode, log_loss, softmax_backward, votes

__all__ = [
    "Result",
    "attention_pattern",
    "cached_causal_mask",
    "decode",
    "decoder_mask",
    "head_shares",
    "leaks",
    "log_loss",
    "masked_softmax",
    "mean_and_error",
    "multi_head",
    "pmi_from_counts",
    "read_position",
    "results",
    "scaled_scores",
    "scores_for",
    "self_attention",
    "shifted",
    "sinusoidal",
    "softmax_backward",
    "split_heads",
    "variance_of_score",
    "votes",
    "window_counts",
]
