"""The checkers of the exercises on XOR: by hand (chapter 5) and learned (chapter 6)."""

from attn.check.xor._attend import attention_pattern, decode
from attn.check.xor._break import break_the_vote
from attn.check.xor._learn import log_loss, softmax_backward
from attn.check.xor._step import adam_step
from attn.check.xor._votes import votes

__all__ = [
    "adam_step",
    "attention_pattern",
    "break_the_vote",
    "decode",
    "log_loss",
    "softmax_backward",
    "votes",
]
