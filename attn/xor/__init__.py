"""XOR by attention: set by hand, and learned (chapter 5)."""

from attn.xor._learned import (
    LOSSES,
    XorForward,
    XorModel,
    all_cases,
    noise_token_batch,
)
from attn.xor._train import History, train

__all__ = ["LOSSES", "History", "XorForward", "XorModel", "all_cases", "noise_token_batch", "train"]
