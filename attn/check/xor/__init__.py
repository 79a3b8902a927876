"""The checkers of the exercises on XOR: by hand (chapter 5) and learned (chapter 5b)."""

from attn.check.xor._attend import attention_pattern, decode
from attn.check.xor._learn import log_loss, softmax_backward
from attn.check.xor._votes import votes

__all__ = ["attention_pattern", "decode", "log_loss", "softmax_backward", "votes"]
