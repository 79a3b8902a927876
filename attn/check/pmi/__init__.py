"""The checkers of the exercises on PMI (chapter 7). Rows, columns and words count from 0 in all messages."""

from attn.check.pmi._measure import pmi_from_counts
from attn.check.pmi._negatives import negative_scores
from attn.check.pmi._scores import scores_for
from attn.check.pmi._window import window_counts

__all__ = ["negative_scores", "pmi_from_counts", "scores_for", "window_counts"]
