"""The checkers of the exercises on masking (chapter 3)."""

from attn.check.masking._leaks import leaks, mask_audit
from attn.check.masking._masks import cached_causal_mask, decoder_mask
from attn.check.masking._targets import inputs_and_targets, lowest_loss
from attn.check.masking._weights import masked_softmax

__all__ = [
    "cached_causal_mask",
    "decoder_mask",
    "inputs_and_targets",
    "leaks",
    "lowest_loss",
    "mask_audit",
    "masked_softmax",
]
