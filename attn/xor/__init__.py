"""XOR by attention (chapter 5): networks set by hand, what they can and can't do, and networks that learn it."""

from attn.xor._by_hand import (
    BITS,
    BOTH_ROWS,
    ROPE,
    WAYS_OUT,
    XOR,
    Search,
    XorNetwork,
    XorState,
    accuracy,
    margin,
    one_hot_pairs,
    random_search,
)
from attn.xor._source import (
    SOURCE_DECODER,
    SOURCE_OUTPUT,
    SOURCE_QUERY,
    SourceRun,
    recover_query,
    source_network,
    source_run,
    source_sum,
)

__all__ = [
    "BITS",
    "BOTH_ROWS",
    "ROPE",
    "SOURCE_DECODER",
    "SOURCE_OUTPUT",
    "SOURCE_QUERY",
    "WAYS_OUT",
    "XOR",
    "Search",
    "SourceRun",
    "XorNetwork",
    "XorState",
    "accuracy",
    "margin",
    "one_hot_pairs",
    "random_search",
    "recover_query",
    "source_network",
    "source_run",
    "source_sum",
]
