"""The checkers of the exercises on the variance of scores (chapter 2)."""

from attn.check.variance._error import mean_and_error
from attn.check.variance._formula import variance_of_score
from attn.check.variance._scores import scaled_scores

__all__ = ["mean_and_error", "scaled_scores", "variance_of_score"]
