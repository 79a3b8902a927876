"""The checkers of the exercises on masking (chapter 3)."""

from attn.check.masking._leaks import leaks
from attn.check.masking._masks import cached_causal_mask, decoder_mask
from attn.check.masking._weights import masked_softmax

__all__ = ["cached_causal_mask", "decoder_mask", "leaks", "masked_softmax"]
