"""Complete the pattern: the small figures."""

from __future__ import annotations

import numpy as np
import traitlets

from attn.explore import _small as made
from attn.explore._small import Numbers, Small

#: The order of the names is A, B or B, A; that of the digits 1, 0 or 0, 1; `A` asks.
CASES = ("A1B0A", "A0B1A", "B1A0A", "B0A1A")
WANTED = np.array([1, -1, -1, 1])  # 1 or 0 is right


class FourCasesOneHead(Small):
    """What one head's votes for 1 come to in four cases: one of the names' order and one of the order of the digits.

    Parameters
    ----------
    vote : float in [−4, 4]
        Of the names in the order A, B. That of B, A is −1; the digits 1, 0 vote 0.5, and 0, 1 vote 2.
    """

    view = "four_cases_one_head"
    shows = (
        "For four cases the sum of the votes as a bar; beside it the sums of two cases each, those that want 1 and "
        "those that want 0, and how many of the four are right."
    )

    vote = traitlets.Float(-1.0, min=-4, max=4).tag(sync=True, label="Vote of the names A, B", step=0.1)
    made_of = (
        made.columns("sums", "sum of the votes: above 0 says 1", names=CASES, ends=(-4, 7), role="v"),
        made.columns("totals", "two and two added", names=("want 1", "want 0"), ends=(-4, 7), role="ink"),
        made.figures(right="of the four right"),
    )
    OTHER, DIGITS = -1.0, np.array([0.5, 2.0])  # of the names B, A; of the digits 1, 0 and 0, 1

    def numbers(self) -> Numbers:
        sums = np.add.outer([self.vote, self.OTHER], self.DIGITS).ravel()
        return {
            "sums": sums[None],
            "totals": np.array([[sums[WANTED > 0].sum(), sums[WANTED < 0].sum()]]),
            "right": np.array([[float((sums * WANTED > 1e-9).sum())]]),
        }
