"""The exact words of each error of the mathematics, and that each names the argument that is wrong.

SAYS has a row for each `raise` in the modules of MODULES; a `raise` that no row reaches fails, so that a new one wants
its words here. NAMED feeds nonsense to each argument of each function: the error starts with that argument's name.
"""

import ast
import traceback
from pathlib import Path

import numpy as np
import pytest

import attn
from attn import (
    bias,
    bilinear,
    characters,
    masks,
    pmi,
    positional,
    rotary,
    softmax,
    transformer,
    variance,
)
from attn.attention import scaled_dot_product_attention
from attn.multihead import MultiHeadAttention, merge_heads, split_heads
from attn.transformer import Layer, Transformer

FOLDER = Path(attn.__file__).parent
MODULES = [
    "_arrays",
    "attention",
    "bias",
    "bilinear",
    "characters",
    "masks",
    "multihead",
    "pmi",
    "positional",
    "rotary",
    "softmax",
    "transformer",
    "variance",
]
nan, inf = np.nan, np.inf
HUGE = np.finfo(float).max


def attend(q=(4, 3), k=(5, 3), v=(5, 2), mask=None, **options):
    """Call attention with arrays of ones in place of shapes."""
    return scaled_dot_product_attention(
        *(np.ones(x) if isinstance(x, tuple) else np.asarray(x) for x in (q, k, v)), mask, **options
    )


def with_entry(shape, place, value):
    x = np.ones(shape)
    x[place] = value
    return x


def heads(w_q=(2, 4, 3), w_k=(2, 4, 3), w_v=(2, 4, 5), w_o=(10, 6), **biases):
    return MultiHeadAttention(
        *map(np.ones, (w_q, w_k, w_v, w_o)), **{name: np.ones(shape) for name, shape in biases.items()}
    )


def packed(w_in=(12, 4), b_in=(12,), w_out=(4, 4), b_out=(4,), n_heads=2):
    return MultiHeadAttention.from_packed(*map(np.ones, (w_in, b_in, w_out, b_out)), n_heads)


def layer(d_model=4, d_out=4, **others):
    """A layer of two heads, three wide; arrays of ones in place of shapes."""
    others = {name: np.ones(one) if isinstance(one, tuple) else one for name, one in others.items()}
    return Layer(*(np.ones((2, d_model, 3)) for _ in range(3)), np.ones((6, d_out)), **others)


def model(embedding=(7, 4), layers=None, **others):
    """A model of seven tokens and one layer."""
    others = {name: np.ones(one) if isinstance(one, tuple) else one for name, one in others.items()}
    return Transformer(np.ones(embedding), [layer()] if layers is None else layers, **others)


SAYS = [
    # _arrays
    (
        lambda: softmax.softmax(np.ma.ones(2)),
        "x is a NumPy masked array, whose mask would be lost: pass a plain array",
    ),
    (
        lambda: softmax.softmax([[1, 2], [1]]),
        "x must be an array of numbers, but its rows differ in shape: …",
    ),
    (lambda: softmax.softmax([True]), "x must hold numbers, got bool: is this a mask in the wrong place?"),
    (lambda: softmax.softmax(["a"]), "x must hold real numbers, got an array of dtype <U1"),
    (lambda: attend(q=with_entry((4, 3), (1, 2), nan)), "q must be finite, got nan at q[1, 2]"),
    (lambda: softmax.softmax(nan), "x has 0 axes, so there is no axis -1"),
    (lambda: masks.causal_mask(2.0), "n_q must be a whole number, 0 or more, got 2.0 of type float"),
    (lambda: masks.causal_mask(True), "n_q must be a whole number, 0 or more, got True of type bool"),
    (lambda: masks.causal_mask(2, offset=1.5), "offset must be a whole number, got 1.5 of type float"),
    (lambda: masks.causal_mask(-1), "n_q must be a whole number, 0 or more, got -1"),
    (lambda: masks.sliding_window_mask(3, 0), "window must be a whole number, 1 or more, got 0"),
    (lambda: variance.score_variance(4, var_q="a"), "var_q must be one number, got 'a' of type str"),
    (lambda: variance.score_variance(4, mean_q=nan), "mean_q must be finite, got nan"),
    (lambda: softmax.softmax(np.ones((2, 3)), axis=2), "x has 2 axes, so there is no axis 2"),
    (lambda: softmax.softmax(np.ones((2, 3)), axis=-3), "x has 2 axes, so there is no axis -3"),
    # softmax
    (
        lambda: softmax.entropy([1.0], base=1),
        "base must be above 1, such as e for nats or 2 for bits, got 1.0",
    ),
    (lambda: softmax.softmax([0, nan]), "x must not hold NaN or +inf, got nan at x[1]"),
    (lambda: softmax.log_softmax([[0, 1], [0, inf]]), "x must not hold NaN or +inf, got inf at x[1, 1]"),
    (lambda: softmax.entropy([1.5, -0.5]), "p must hold weights, 0 or more, got -0.5 at p[1]"),
    (lambda: softmax.softmax_jacobian([1.5, -0.5]), "p must hold weights, 0 or more, got -0.5 at p[1]"),
    (
        lambda: softmax.entropy([[0.5, 0.5], [0.5, 0.25]]),
        "p must sum to 1 along axis 1, or be all zero, got 0.75 at sum[1]",
    ),
    (
        lambda: softmax.entropy([0.5, 0.25]),
        "p must sum to 1 along axis 0, or be all zero, got 0.75 at sum",
    ),
    # attention
    (lambda: attend(q=(3,)), "q must have at least 2 axes, (..., n, d), got shape (3,)"),
    (lambda: attend(k=(3,)), "k must have at least 2 axes, (..., n, d), got shape (3,)"),
    (lambda: attend(v=(3,)), "v must have at least 2 axes, (..., n, d), got shape (3,)"),
    (
        lambda: attend(k=(5, 2)),
        "q and k must have the same d_k, their last axis, got shapes (4, 3) and (5, 2)",
    ),
    (
        lambda: attend(q=(4, 0), k=(5, 0)),
        "d_k must be 1 or more: q of shape (4, 0) and k of shape (5, 0) hold no features",
    ),
    (
        lambda: attend(v=(6, 2)),
        "k and v must have the same n_k, their next to last axis, got shapes (5, 3) and (6, 2)",
    ),
    (
        lambda: attend(q=(2, 4, 3), k=(3, 5, 3)),
        "the batch axes of q and k do not fit, got shapes (2, 4, 3) and (3, 5, 3)",
    ),
    (
        lambda: attend(q=(2, 4, 3), v=(3, 5, 2)),
        "the batch axes of v do not fit those of q and k, got shapes (3, 5, 2), (2, 4, 3) and (5, 3)",
    ),
    (
        lambda: attend(mask=np.ones((4, 5), np.int64)),
        "mask holds integers (int64), and 0 and 1 could mean either convention: pass Booleans, True = may look, for "
        "example mask == 1; or floats to add to the scores",
    ),
    (lambda: attend(mask="causal"), "mask must be Boolean (True = may look) or floating, got dtype <U6"),
    (
        lambda: attend(mask=with_entry((4, 5), (1, 3), nan)),
        "a floating mask must not hold NaN or +inf, got nan at mask[1, 3]",
    ),
    (
        lambda: attend(mask=np.ones((3, 5), bool)),
        "mask of shape (3, 5) does not broadcast to the scores' shape (..., n_q, n_k) = (4, 5)",
    ),
    (
        lambda: attend(q=with_entry((4, 3), 0, 1e200), k=with_entry((5, 3), 1, -1e201)),
        "the scores q kᵀ · scale overflow float64: q has entries up to 1e+200, k up to 1e+201, and scale is 0.577",
    ),
    (
        lambda: attend([[1e154]], [[-1e154]], [[1.0]], mask=np.array([[-1e308]]), scale=1),
        "scores + mask overflows float64, got -1e+308 at mask[0, 0]",
    ),
    (
        lambda: attend((64, 3), (64, 3), np.full((64, 2), HUGE), np.sin(np.arange(4096.0)).reshape(64, 64)),
        "v is too large: weights @ v overflows float64",
    ),
    # masks
    (
        lambda: masks.padding_mask([1.5], 3),
        "lengths must be whole numbers, one a sequence, got an array of dtype float64",
    ),
    (lambda: masks.padding_mask([1, 4], 3), "lengths must lie between 0 and n_k = 3, got 1 … 4"),
    (lambda: masks.padding_mask([-1, 3], 3), "lengths must lie between 0 and n_k = 3, got -1 … 3"),
    (lambda: masks.prefix_mask(2, 3), "n_prefix must be at most n = 2, got 3"),
    (
        lambda: masks.to_additive(np.array([0, 1])),
        "mask must be Boolean, True = may look, got an array of dtype int64",
    ),
    (
        lambda: masks.to_additive([True], np.int64),
        "dtype must be a float dtype, which can hold −inf, got int64",
    ),
    # variance
    (
        lambda: variance.sample_scores(0, 1, 1),
        "rng must be a numpy.random.Generator, such as np.random.default_rng(0), got int",
    ),
    (lambda: variance.score_variance(2, var_q=-1), "var_q is a variance and must be 0 or more, got -1.0"),
    (lambda: variance.score_mean(2, var_k=-1), "var_k is a variance and must be 0 or more, got -1.0"),
    (lambda: variance.score_variance(2, correlation=1.5), "correlation must lie between -1 and 1, got 1.5"),
    # positional
    (lambda: positional.angular_frequencies(4, base=0.5), "base must be 1 or more, such as 10000, got 0.5"),
    (
        lambda: positional.sinusoidal_encoding(4, 3),
        "d_model must be even, got 3: each sine needs its cosine, or no matrix can shift the encoding",
    ),
    # rotary
    (
        lambda: rotary.rotate(np.ones((3, 4)), 0, layout="half"),
        "layout must be one of 'interleaved', 'halves', got 'half'",
    ),
    (
        lambda: rotary.to_layout(np.ones(4), "interleaved", 2),
        "to must be one of 'interleaved', 'halves', got 2",
    ),
    (lambda: rotary.rotate(np.ones(4), 0), "x must have at least 2 axes, (..., n, d), got shape (4,)"),
    (lambda: rotary.rotate(with_entry((2, 4), (1, 2), nan), 0), "x must be finite, got nan at x[1, 2]"),
    (
        lambda: rotary.rotate(np.ones((3, 5)), 0),
        "x must have an even number d of columns a head, 2 or more, as they turn in pairs, got shape (3, 5)",
    ),
    (
        lambda: rotary.rotate(np.ones((3, 0)), 0),
        "x must have an even number d of columns a head, 2 or more, as they turn in pairs, got shape (3, 0)",
    ),
    (
        lambda: rotary.to_layout(np.ones((4, 6)), "halves", "interleaved", n_heads=2),
        "w must have an even number d of columns a head, 2 or more, as they turn in pairs, got shape (4, 6) "
        "with n_heads = 2",
    ),
    (
        lambda: rotary.to_layout(np.ones((4, 6)), "halves", "interleaved", n_heads=4),
        "w must have a last axis of n_heads = 4 heads, got shape (4, 6)",
    ),
    (
        lambda: rotary.to_layout(1.0, "halves", "interleaved"),
        "w must have a last axis of n_heads = 1 heads, got shape ()",
    ),
    (
        lambda: rotary.rotate(np.ones((2, 3, 4)), [0, 1]),
        "positions must be one number, have shape (3,), or have an axis for each of (2, 3) (it may be 1), as x has "
        "shape (2, 3, 4); got shape (2,)",
    ),
    (
        lambda: rotary.rotate(np.ones((3, 4)), [0, nan, 1]),
        "positions must be finite, got nan at positions[1]",
    ),
    (lambda: rotary.rotate(np.ones((3, 4)), 0, n_rotary=3), "n_rotary must be even and at most d = 4, got 3"),
    (lambda: rotary.rotate(np.ones((3, 4)), 0, n_rotary=6), "n_rotary must be even and at most d = 4, got 6"),
    (
        lambda: rotary.rotate(np.ones((3, 4)), 0, frequencies=[1.0]),
        "frequencies must have shape (2,), one for each pair of the 4 numbers that turn, got shape (1,)",
    ),
    (
        lambda: rotary.rotate(np.full((1, 2), 6e4, np.float16), 5.5),
        "x is too large: turned, it overflows float16",
    ),
    (
        lambda: rotary.rotary_attention(np.ones((1, 4)), np.ones((3, 4)), np.ones((3, 2))),
        "positions must be given where n_q = 1 queries meet n_k = 3 keys: say where each of them stands",
    ),
    (
        lambda: rotary.stretch(1.0, 4, "ntk"),
        "frequencies must have shape (n_pairs,), n_pairs 1 or more, got shape ()",
    ),
    (
        lambda: rotary.stretch([0.1, 1], 4, "ntk"),
        "frequencies must fall from fast to slow and stay above 0, got 1 … 1",
    ),
    (
        lambda: rotary.stretch([1, 0.5, 0], 4, "ntk"),
        "frequencies must fall from fast to slow and stay above 0, got 1 … 0",
    ),
    (
        lambda: rotary.stretch([1, 0.5], 0.25, "ntk"),
        "factor must be 1 or more, such as 4 for texts 4 times as long, got 0.25",
    ),
    (
        lambda: rotary.stretch([1, 0.5], 4, "linear"),
        "how must be one of 'interpolation', 'ntk', 'yarn', got 'linear'",
    ),
    (
        lambda: rotary.stretch([1, 0.5], 4, "yarn"),
        "n_trained must be given for 'yarn': it asks how many turns a clock made in training",
    ),
    (
        lambda: rotary.stretch([1, 0.5], 4, "yarn", n_trained=100, few_turns=32),
        "few_turns must be 0 or more and below many_turns, got 32 and 32",
    ),
    # bias
    (
        lambda: bias.alibi_slopes(12),
        "n_heads = 12 is no power of two, and there the ALiBi paper's sentence and its code give other slopes: say "
        "rule='sentence' or rule='code', the one that the model was trained with",
    ),
    (lambda: bias.alibi_slopes(8, "paper"), "rule must be one of 'sentence', 'code', got 'paper'"),
    (lambda: bias.alibi_bias(2, 2, 0.5), "slopes must have shape (n_heads,), got shape ()"),
    (
        lambda: bias.alibi_bias(2, 2, [0.5, -0.25]),
        "slopes must be 0 or more, as the bias subtracts them, got -0.25 at slopes[1]",
    ),
    (lambda: bias.t5_bucket([0.5]), "offset must hold whole numbers, got an array of dtype float64"),
    (lambda: bias.t5_bucket(1, bidirectional=0), "bidirectional must be True or False, got 0"),
    (
        lambda: bias.t5_bucket(1, n_buckets=7),
        "n_buckets must be even, half for each direction, got 7",
    ),
    (
        lambda: bias.t5_bucket(1, max_distance=8),
        "max_distance must be above 8, the distances that have a bucket of their own, got 8",
    ),
    # pmi
    (
        lambda: pmi.cooccurrence_counts("a b", 1),
        "tokens must be a list of words, got one string: split it first",
    ),
    (lambda: pmi.cooccurrence_counts([], 1), "tokens must hold at least one word, got none"),
    (lambda: pmi.joint_from_counts(np.ones((2, 2)), -1), "smoothing must be 0 or more, got -1.0"),
    (
        lambda: pmi.joint_from_counts(np.zeros((2, 2))),
        "counts must not all be zero, got shape (2, 2) with sum 0",
    ),
    (lambda: pmi.pmi([[1.0]], base=1), "base must be above 1, such as 2 for bits or e for nats, got 1.0"),
    (lambda: pmi.pmi([1.0]), "joint must be a table of shape (..., n, m), got shape (1,)"),
    (
        lambda: pmi.joint_from_counts([[1, 2], [3, inf]]),
        "counts must hold finite numbers, 0 or more, got inf at counts[1, 1]",
    ),
    (
        lambda: pmi.pmi([[0.5, 0.25]]),
        "joint must sum to 1 over its last two axes, got a sum of 0.75; joint_from_counts(counts) divides counts by "
        "their sum",
    ),
    (
        lambda: pmi.pmi([[[0.5, 0.5]], [[0.5, 0.25]]]),
        "joint must sum to 1 over its last two axes, got a sum of 0.75 at sum[1]; joint_from_counts(counts) divides "
        "counts by their sum",
    ),
    # bilinear
    (
        lambda: bilinear.cross_entropy(np.ones((2, 3)), np.ones((2, 2))),
        "scores and joint must have one shape, got (2, 3) and (2, 2)",
    ),
    # multihead
    (
        lambda: split_heads(np.ones(4), 2),
        "x must have at least 2 axes, (..., n, n_heads * d), got shape (4,)",
    ),
    (lambda: split_heads(np.ones((3, 4)), 3), "n_heads = 3 must divide the last axis of x, got shape (3, 4)"),
    (
        lambda: merge_heads(np.ones((3, 4))),
        "heads must have at least 3 axes, (..., n_heads, n, d), got shape (3, 4)",
    ),
    (
        lambda: heads(w_v=(2, 4, 0)),
        "w_v must have shape (n_heads, d_model, d), each 1 or more, got (2, 4, 0)",
    ),
    (
        lambda: heads(w_q=(2, 4)),
        "w_q must have shape (n_heads, d_model, d), each 1 or more, got (2, 4)",
    ),
    (
        lambda: heads(w_k=(2, 4, 2)),
        "w_k must have shape (2, 4, 3) beside w_q (2, 4, 3) and w_v (2, 4, 5), got (2, 4, 2)",
    ),
    (
        lambda: heads(w_o=(9, 6)),
        "w_o must have shape (10, 6) beside w_q (2, 4, 3) and w_v (2, 4, 5), got (9, 6)",
    ),
    (
        lambda: heads(w_o=(10,)),
        "w_o must have shape (10, d_out) beside w_q (2, 4, 3) and w_v (2, 4, 5), got (10,)",
    ),
    (
        lambda: heads(b_o=(5,)),
        "b_o must have shape (6,) beside w_q (2, 4, 3) and w_v (2, 4, 5), got (5,)",
    ),
    (lambda: heads().prune([0, 1]), "can't prune heads [0, 1] of 2: one at least must stay"),
    (lambda: heads().prune(2), "can't prune heads [2] of 2: one at least must stay"),
    (
        lambda: MultiHeadAttention.init(np.random.default_rng(0), 4, 3),
        "n_heads must divide d_model, got n_heads = 3 and d_model = 4",
    ),
    (
        lambda: packed(w_in=(11, 4)),
        "in_proj_weight must have shape (3 * d_model, d_model), got (11, 4)",
    ),
    (lambda: packed(w_out=(4, 3)), "out_proj_weight must have shape (d_out, 4), got (4, 3)"),
    (lambda: packed(n_heads=3), "n_heads must divide d_model, got n_heads = 3 and d_model = 4"),
    (lambda: packed(b_in=(11,)), "in_proj_bias must have shape (12,), got (11,)"),
    (
        lambda: heads()(np.ones((3, 5))),
        "x_q must have shape (..., n, d_model) with d_model = 4, got (3, 5)",
    ),
    (
        lambda: heads()(np.ones((3, 4)), np.ones(4)),
        "x_kv must have shape (..., n, d_model) with d_model = 4, got (4,)",
    ),
    (
        lambda: heads()(np.ones((2, 3, 4)), np.ones((3, 3, 4))),
        "the batch axes of x_q and x_kv do not fit, got shapes (2, 3, 4) and (3, 3, 4)",
    ),
    (
        lambda: heads()(np.ones((7, 3, 4)), mask=np.ones((6, 3, 3), bool)),
        "mask has shape (6, 3, 3), but for batch axes (7,), 2 heads, 3 queries and 3 keys it must be one of (3, 3), "
        "(7, 3, 3), (7, 2, 3, 3) (an axis may be 1); add the axes that are missing",
    ),
    # transformer
    (lambda: layer(d_out=5), "w_o must lead back to d_model = 4, got shape (6, 5)"),
    (lambda: layer(norm="before"), "norm must be one of None, 'pre', 'post', got 'before'"),
    (lambda: layer(scale=nan), "scale must be finite, got nan"),
    (lambda: layer(w_1=(4, 9)), "a feed-forward needs both w_1 and w_2, got one of them"),
    (lambda: layer(w_2=(9, 4)), "a feed-forward needs both w_1 and w_2, got one of them"),
    (lambda: layer(b_1=(9,)), "b_1 and b_2 belong to a feed-forward, but w_1 and w_2 are missing"),
    (lambda: layer(b_2=(4,)), "b_1 and b_2 belong to a feed-forward, but w_1 and w_2 are missing"),
    (lambda: layer(w_1=(4, 9), w_2=(8, 4)), "w_2 must have shape (9, 4), got (8, 4)"),
    (lambda: layer(w_1=(5, 9), w_2=(9, 4)), "w_1 must have shape (4, 9), got (5, 9)"),
    (lambda: layer(w_1=(9,), w_2=(9, 4)), "w_1 must have shape (4, 0), got (9,)"),
    (lambda: layer(w_1=(4, 9), w_2=(9, 4), b_1=(4,)), "b_1 must have shape (9,), got (4,)"),
    (lambda: layer(w_1=(4, 9), w_2=(9, 4), b_2=(9,)), "b_2 must have shape (4,), got (9,)"),
    (
        lambda: layer(w_1=with_entry((4, 9), (2, 8), nan), w_2=(9, 4)),
        "w_1 must be finite, got nan at w_1[2, 8]",
    ),
    (
        lambda: layer().feed_forward(np.ones((3, 4))),
        "this layer has no feed-forward: it was given no w_1 and w_2",
    ),
    (
        lambda: Layer.from_products(np.ones((2, 4, 3)), np.ones((2, 4, 3))),
        "w_qk and w_ov must both have shape (n_heads, d_model, d_model), got (2, 4, 3) and (2, 4, 3)",
    ),
    (
        lambda: Layer.from_products(np.ones((4, 4)), np.ones((1, 4, 4))),
        "w_qk and w_ov must both have shape (n_heads, d_model, d_model), got (4, 4) and (1, 4, 4)",
    ),
    (
        lambda: Layer.from_products(np.ones((1, 1, 4, 4)), np.ones((1, 1, 4, 4))),
        "w_qk and w_ov must both have shape (n_heads, d_model, d_model), got (1, 1, 4, 4) and (1, 1, 4, 4)",
    ),
    (lambda: model((7,)), "embedding must have shape (n_vocab, d_model), got (7,)"),
    (lambda: model((0, 4)), "embedding must have shape (n_vocab, d_model), got (0, 4)"),
    (lambda: model(layers=layer()), "layers must be a list of Layers, got Layer"),
    (lambda: model(layers="layers"), "layers must be a list of Layers, got str"),
    (lambda: model(layers=[layer(), layer]), "layers must hold Layers, got function at layers[1]"),
    (
        lambda: model(layers=[layer(), layer(5, 5)]),
        "layers[1] has d_model = 5, but embedding has shape (7, 4)",
    ),
    (lambda: model(unembedding=(7, 4)), "unembedding must have shape (4, 7), got (7, 4)"),
    (lambda: model(places=4.0), "places must have shape (0, 4), got ()"),
    (lambda: model(places=(9, 5)), "places must have shape (9, 4), got (9, 5)"),
    (lambda: model(b_u=(4,)), "b_u must have shape (7,), got (4,)"),
    (lambda: model()([0.0]), "tokens must be whole numbers, got an array of dtype float64"),
    (lambda: model()([True]), "tokens must be whole numbers, got an array of dtype bool"),
    (lambda: model()(np.array(3)), "tokens must have shape (..., n), n 1 or more, got ()"),
    (lambda: model()(np.ones((2, 0), int)), "tokens must have shape (..., n), n 1 or more, got (2, 0)"),
    (lambda: model()([3, 7, 1]), "tokens must be 0 to 6, got 1 to 7"),
    (lambda: model()([3, -1, 1]), "tokens must be 0 to 6, got -1 to 3"),
    (lambda: model(places=(2, 4))([3, 2, 1]), "there are 2 places, got 3 tokens"),
    (
        lambda: transformer.layer_norm(1.0),
        "x must have shape (..., d_model), d_model 1 or more, got ()",
    ),
    (
        lambda: transformer.rms_norm(np.ones((2, 0))),
        "x must have shape (..., d_model), d_model 1 or more, got (2, 0)",
    ),
    (lambda: transformer.rms_norm([1.0, inf]), "x must be finite, got inf at x[1]"),
    (lambda: transformer.layer_norm([1.0], eps=-1), "eps must be 0 or more, got -1.0"),
    (lambda: transformer.rms_norm([1.0], eps=-0.5), "eps must be 0 or more, got -0.5"),
    (
        lambda: transformer.layer_norm(np.ones((3, 2)), gain=np.ones(3)),
        "gain must have shape (2,), got (3,)",
    ),
    (
        lambda: transformer.layer_norm(np.ones((3, 2)), bias=[1.0, nan]),
        "bias must be finite, got nan at bias[1]",
    ),
    # characters
    (
        lambda: characters.encode("it's 2 o'clock, Ann"),
        "text must hold lower-case letters, apostrophes and spaces, got ','",
    ),
    (
        lambda: characters.encode("Ann"),
        "text must hold lower-case letters, apostrophes and spaces, got 'A'",
    ),
]


def error_of(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return caught.value


@pytest.mark.parametrize(("call", "words"), SAYS, ids=[words[:60] for _, words in SAYS])
def test_the_exact_words(call, words):
    said = str(error_of(call))
    assert said.startswith(words[:-1]) if words.endswith("…") else said == words


def raises(path):
    """The lines of each `raise` of a module that says something, as ranges."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield range(node.lineno, node.end_lineno + 1)


def test_each_error_has_its_words_here():
    reached = set()
    for call, _ in SAYS:
        frame = traceback.extract_tb(error_of(call).__traceback__)[-1]
        reached.add((Path(frame.filename).resolve(), frame.lineno))
    for name in MODULES:
        path = (FOLDER / f"{name}.py").resolve()
        for lines in raises(path):
            assert any((path, line) in reached for line in lines), f"{path.name}, line {lines[0]}"


RNG = np.random.default_rng(0)
JOINT = np.full((2, 2), 0.25)
X = np.ones((3, 4))
LAW = {"var_q": 1, "var_k": 1, "mean_q": 0, "mean_k": 0, "correlation": 0, "scale": 1}
# Functions, and arguments that they take.
NAMED = [
    (scaled_dot_product_attention, {"q": X, "k": X, "v": X, "scale": 1.0}),
    (softmax.softmax, {"x": X, "axis": 0}),
    (softmax.log_softmax, {"x": X, "axis": 0}),
    (softmax.entropy, {"p": JOINT * 2, "axis": 1, "base": 2}),
    (softmax.softmax_jacobian, {"p": JOINT * 2}),
    (masks.causal_mask, {"n_q": 2, "n_k": 3, "offset": 1}),
    (masks.padding_mask, {"lengths": [1, 2], "n_k": 2}),
    (masks.sliding_window_mask, {"n": 3, "window": 2}),
    (masks.prefix_mask, {"n": 3, "n_prefix": 2}),
    (variance.score_variance, dict(d_k=4, **LAW)),
    (variance.score_mean, dict(d_k=4, **LAW)),
    (lambda **given: variance.sample_scores(RNG, **given), dict(n_samples=2, d_k=4, **LAW)),
    (variance.saturation, {"weights": JOINT * 2}),
    (positional.angular_frequencies, {"d_model": 4, "base": 100.0}),
    (positional.sinusoidal_encoding, {"n_positions": 3, "d_model": 4, "base": 100.0}),
    (positional.shift_matrix, {"offset": 3, "d_model": 4, "base": 100.0}),
    (
        rotary.rotate,
        {
            "x": X,
            "positions": [0, 1, 2],
            "base": 100.0,
            "layout": "halves",
            "n_rotary": 4,
            "frequencies": [1, 2],
        },
    ),
    (
        rotary.to_layout,
        {"w": X, "from_": "halves", "to": "interleaved", "n_heads": 2, "n_rotary": 2},
    ),
    (
        rotary.rotary_attention,
        {
            "q": X,
            "k": X,
            "v": X,
            "positions": [0, 1, 2],
            "k_positions": [0, 1, 2],
            "scale": 1.0,
            "base": 100.0,
        },
    ),
    (
        rotary.stretch,
        {
            "frequencies": [1, 0.5],
            "factor": 4,
            "how": "yarn",
            "n_trained": 100,
            "few_turns": 1,
            "many_turns": 32,
        },
    ),
    (bias.alibi_slopes, {"n_heads": 8, "rule": "code"}),
    (bias.alibi_bias, {"n_q": 2, "n_k": 3, "slopes": [0.5], "offset": 1}),
    (bias.t5_bucket, {"offset": [1, 2], "n_buckets": 16, "max_distance": 60, "bidirectional": True}),
    (pmi.pmi, {"joint": JOINT, "base": 2}),
    (pmi.ppmi, {"joint": JOINT, "base": 2}),
    (pmi.npmi, {"joint": JOINT}),
    (pmi.mutual_information, {"joint": JOINT, "base": 2}),
    (pmi.joint_from_counts, {"counts": JOINT, "smoothing": 1.0}),
    (lambda window: pmi.cooccurrence_counts(["a"], window), {"window": 1}),
    (bilinear.cross_entropy, {"scores": JOINT, "joint": JOINT}),
    (split_heads, {"x": X, "n_heads": 2}),
    (merge_heads, {"heads": np.ones((2, 3, 2))}),
    (lambda **given: heads()(**given), {"x_q": X, "x_kv": X}),
    (lambda **given: MultiHeadAttention.init(RNG, **given), {"d_model": 4, "n_heads": 2}),
    (
        MultiHeadAttention.from_packed,
        {
            "in_proj_weight": np.ones((12, 4)),
            "in_proj_bias": np.ones(12),
            "out_proj_weight": np.ones((4, 4)),
            "out_proj_bias": np.ones(4),
            "n_heads": 2,
        },
    ),
    (
        MultiHeadAttention,
        {
            **{name: np.ones((1, 3, 4)) for name in ("w_q", "w_k", "w_v")},
            **{name: np.ones((1, 4)) for name in ("b_q", "b_k", "b_v")},
            "w_o": np.ones((4, 2)),
            "b_o": np.ones(2),
        },
    ),
    (transformer.layer_norm, {"x": X, "gain": np.ones(4), "bias": np.ones(4), "eps": 1e-5}),
    (transformer.rms_norm, {"x": X, "gain": np.ones(4), "eps": 1e-5}),
    (lambda **given: transformer.pre_norm_block(**given, part=np.negative), {"x": X}),
    (lambda **given: transformer.post_norm_block(**given, part=np.negative), {"x": X}),
    (lambda **given: layer()(**given), {"x": X}),
    (lambda **given: layer(w_1=(4, 9), w_2=(9, 4)).feed_forward(**given), {"x": X}),
    (
        layer,
        {"norm": "pre", "scale": 0.5, "w_1": (4, 9), "b_1": (9,), "w_2": (9, 4), "b_2": (4,)},
    ),
    (Layer.from_products, {"w_qk": np.ones((4, 4)), "w_ov": np.ones((4, 4)), "scale": 1.0}),
    (
        Transformer,
        {
            "embedding": np.ones((7, 4)),
            "layers": [],
            "unembedding": np.ones((4, 7)),
            "places": np.ones((9, 4)),
            "b_u": np.ones(7),
        },
    ),
    (lambda **given: model()(**given), {"tokens": [1, 2]}),
]
CALLED = {
    "weights": "p",
    "out_proj_bias": "b_o",
}  # what an error calls an argument that another function checks


@pytest.mark.parametrize(
    ("function", "given", "name"),
    [(function, given, name) for function, given in NAMED for name in given],
    ids=[f"{function.__name__} {name}" for function, given in NAMED for name in given],
)
def test_an_error_names_the_argument(function, given, name):
    function(**given)
    said = str(error_of(lambda: function(**{**given, name: np.array("nonsense")})))
    assert said.startswith((f"{name} ", f"{CALLED.get(name, name)} ")), said
