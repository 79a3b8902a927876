"""XOR by attention (chapters 5 and 6): networks set by hand, what they can and can't do, and networks that learn it."""

from attn.xor._by_hand import (
    ASKER,
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
from attn.xor._learned import LOSSES, XorForward, XorModel, all_cases, noise_token_batch
from attn.xor._runs import (
    RUN_ONCE,
    RUN_RATES,
    RUN_VARIANTS,
    Ends,
    recorded_rescue,
    recorded_runs,
    recorded_source_002,
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
from attn.xor._train import History, train
from attn.xor._ways import READINGS, WAYS, WaysTable, ways_table
