"""Where 200 runs of every network of chapter 5b end: recorded, since they take longer than a page should."""

from pathlib import Path

#: The networks, by what `train` is told of them.
RUN_VARIANTS = {
    "one head, no query bias": {"n_heads": 1, "query_bias": False},
    "two heads, no query bias": {"n_heads": 2, "query_bias": False},
    "one head": {"n_heads": 1},
    "two heads": {"n_heads": 2},
    "four heads": {"n_heads": 4},
    "one head, ReLU": {"n_heads": 1, "hidden": 8},
    "one head, ReLU, no query bias": {"n_heads": 1, "hidden": 8, "query_bias": False},
}
#: The step sizes that Adam starts with.
RUN_RATES = (0.1, 0.03, 0.01)
FILE = Path(__file__).resolve().parent.parent / "data" / "xor_runs.npz"
