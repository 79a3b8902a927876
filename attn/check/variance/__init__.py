"""The checkers of the exercises on the variance of scores (chapter 2)."""

from attn.check.variance._error import mean_and_error
from attn.check.variance._formula import variance_of_score
from attn.check.variance._scores import scaled_scores
from attn.check.variance._start import deviation_at_start

__all__ = ["deviation_at_start", "mean_and_error", "scaled_scores", "variance_of_score"]
