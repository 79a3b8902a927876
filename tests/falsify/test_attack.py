"""An attack that is too weak is found out in each file, by `broken`; here, that `each_breaks` names what is idle."""

import numpy as np
import pytest

from tests.falsify.attack import each_breaks


def test_a_case_that_breaks_nothing_is_named():
    with pytest.raises(AssertionError, match="nan"):
        each_breaks({"a": 1.0, "b": np.nan})
