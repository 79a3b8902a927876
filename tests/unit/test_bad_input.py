"""Wrong input of the mathematics: its error says what was expected and what came, in whatever words.

WRONG has a call for each `raise` in the modules of MODULES, and the facts that its message must hold: names, shapes,
values, no phrases. A `raise` that no call reaches fails, so that a new one wants a row. GOOD has an argument for each
name that functions share; each is made nonsense in turn, and the error names it.
"""

import ast
import inspect
import re
import traceback
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import attn
from attn import (
    bias,
    bilinear,
    induction,
    masks,
    pmi,
    positional,
    rotary,
    softmax,
    transformer,
    variance,
    xor,
)
from attn.attention import scaled_dot_product_attention
from attn.characters import encode
from attn.induction import SlotHeads, guards, hand_set, in_lanes, induction_score, second_circuit, slots
from attn.masks import causal_mask, padding_mask
from attn.multihead import MultiHeadAttention, merge_heads, split_heads
from attn.transformer import Layer, Transformer
from attn.xor import ROPE, XorModel, XorNetwork

FOLDER = Path(inspect.getfile(attn)).resolve().parent
MODULES = [
    *("_arrays", "_guards", "bias", "bilinear", "characters", "induction", "masks", "multihead", "pmi"),
    *("positional", "rotary", "softmax", "transformer", "variance"),
    *("xor/_by_hand", "xor/_learned", "xor/_source", "xor/_train"),
]
nan, inf = np.nan, np.inf
HUGE = np.finfo(float).max
ONES = np.ones
RNG = np.random.default_rng(0)


def with_entry(shape, place, value):
    x = ONES(shape)
    x[place] = value
    return x


def filled(arguments):
    """Arrays of ones in place of shapes."""
    return {name: ONES(one) if isinstance(one, tuple) else one for name, one in arguments.items()}


def attend(q=(4, 3), k=(5, 3), v=(5, 2), mask=None, **options):
    return scaled_dot_product_attention(**filled({"q": q, "k": k, "v": v}), mask=mask, **options)


def masked(*shape, dtype=bool, **sizes):
    return attend(mask=ONES(shape, dtype), **sizes)


def heads(**others):
    shapes = {"w_q": (2, 4, 3), "w_k": (2, 4, 3), "w_v": (2, 4, 5), "w_o": (10, 6)}
    return MultiHeadAttention(**filled(shapes | others))


def packed(w_in=(12, 4), b_in=(12,), w_out=(4, 4), b_out=(4,), n_heads=2):
    return MultiHeadAttention.from_packed(*map(ONES, (w_in, b_in, w_out, b_out)), n_heads)


def layer(d_model=4, d_out=4, **others):
    """A layer of two heads, three wide."""
    return Layer(*(ONES((2, d_model, 3)) for _ in range(3)), ONES((6, d_out)), **filled(others))


def model(embedding=(7, 4), layers=None, **others):
    """A model of seven tokens and one layer."""
    return Transformer(ONES(embedding), [layer()] if layers is None else layers, **filled(others))


def turn(*shape, positions=0, **options):
    return rotary.rotate(ONES(shape), positions, **options)


def network(**others):
    given = {"w_q": (2, 2), "w_k": (2, 2), "w_v": (2, 2), "query": (2,), "readout": (2,)} | others
    return XorNetwork(**filled(given))


def learner(**others):
    params = dict(XorModel.init(np.random.default_rng(0)).params)
    return XorModel(params | filled(others))


def taught(x=(3, 4, 4), y=(0, 1, 1), **options):
    x = ONES(x) if isinstance(x, tuple) else x
    return learner().loss_and_gradient(x, list(y), **options)


# Calls by the kind of their error, each with the facts of its message.
WRONG = {
    TypeError: [
        (lambda: softmax.softmax(np.ma.ones(2)), "x masked"),
        (lambda: softmax.softmax([True]), "x numbers bool mask"),
        (lambda: softmax.softmax(["a"]), "x real <U1"),
        (lambda: attend(k=ONES((5, 3), complex)), "k real complex128"),
        (lambda: softmax.softmax([[1.0]], axis=0.0), "axis whole float"),
        (lambda: causal_mask(2.0), "n_q whole 2.0 float"),
        (lambda: causal_mask(True), "n_q whole True bool"),
        (lambda: causal_mask(2, 4, 2), "positional"),
        (lambda: variance.score_variance(8, 1), "positional"),
        *((lambda scale=scale: attend(scale=scale), "scale number") for scale in ("1", True, ONES(2), 1j)),
        (lambda: scaled_dot_product_attention([[1]], [[1]], [[1]], None, 1.0), "positional"),
        (lambda: attend(mask=np.array(1)), "int64 integers Booleans True"),
        (lambda: masked(4, 5, dtype=np.uint8), "uint8 integers Booleans True"),
        (lambda: attend(mask=np.tri(4, 5, dtype=np.float16)), "float16 0 1 Booleans"),
        (lambda: heads()(ONES((4, 4)), mask=ONES((4, 4), int)), "int64 Booleans"),
        (lambda: layer()(ONES((4, 4)), np.tri(4)), "float64 0 1 Booleans"),
        (lambda: rotary.rotary_attention(*ONES((3, 4, 4)), mask=np.tri(4)), "float64 0 1 Booleans"),
        (lambda: masked(4, 5, dtype=complex), "mask Boolean complex128"),
        (lambda: padding_mask([1.5], 3), "lengths whole float64"),
        (lambda: masks.to_additive(np.array([0, 1])), "mask Boolean True int64"),
        (lambda: masks.to_additive([True], np.int64), "dtype float int64"),
        (lambda: variance.sample_scores(0, 1, 1), "rng Generator int"),
        (lambda: bias.t5_bucket([0.5]), "offset whole float64"),
        (lambda: bias.t5_bucket(1, bidirectional=0), "bidirectional True False 0"),
        (lambda: pmi.cooccurrence_counts("a b", 1), "tokens list split"),
        (lambda: model(layers=layer()), "layers list Layer"),
        (lambda: model(layers="layers"), "layers list str"),
        (lambda: model(layers=[layer(), layer]), "layers[1] function"),
        (lambda: model()([0.0]), "tokens whole float64"),
        (lambda: induction_score(ONES((2, 2)), ONES(2)), "tokens whole float64"),
        (lambda: hand_set("5"), "beta number '5'"),
        (lambda: xor.noise_token_batch(RNG, 4, "4"), "whole '4'"),
        (lambda: xor.train(0, batch_size=2.5), "batch_size whole 2.5"),
    ],
    ValueError: [
        (lambda: softmax.softmax([[1, 2], [1]]), "x rows shape"),
        (lambda: attend(q=with_entry((4, 3), (1, 2), nan)), "q finite nan q[1,2]"),
        (lambda: attend(k=with_entry((5, 3), (0, 1), inf)), "k finite inf k[0,1]"),
        (lambda: attend(v=with_entry((5, 2), (4, 0), -inf), mask=padding_mask(3, 5)), "v finite -inf v[4,0]"),
        (lambda: softmax.softmax(ONES((2, 3)), axis=2), "x 2 axes 2"),
        (lambda: softmax.softmax(ONES((2, 3)), axis=-3), "x 2 axes -3"),
        (lambda: causal_mask(-1), "n_q 0 more -1"),
        (lambda: causal_mask(2, -3), "n_k 0 more -3"),
        (lambda: masks.sliding_window_mask(3, 0), "window 1 more 0"),
        (lambda: variance.score_variance(4, mean_q=nan), "mean_q finite nan"),
        (lambda: attend(scale=-inf), "scale finite -inf"),
        # softmax
        (lambda: softmax.entropy([1.0], base=1), "base above 1 1.0"),
        (lambda: softmax.softmax([-inf, nan]), "x NaN +inf nan x[1]"),
        (lambda: softmax.log_softmax([[0, 1], [0, inf]]), "x NaN +inf inf x[1,1]"),
        (lambda: softmax.entropy([1.5, -0.5]), "p 0 more -0.5 p[1]"),
        (lambda: softmax.softmax_jacobian([1.5, -0.5]), "p 0 more -0.5 p[1]"),
        (lambda: softmax.entropy([[0.5, 0.5], [0.5, 0.25]]), "p 1 axis 0.75 sum[1]"),
        (lambda: softmax.entropy([[0.25, 0.75]], axis=0), "p 1 axis 0.25 sum[0]"),
        # attention
        (lambda: attend(q=(3,)), "q 2 axes (...,n,d) (3,)"),
        (lambda: attend(v=np.float64(1)), "v 2 axes (...,n,d) ()"),
        (lambda: attend(k=(5, 2)), "q k d_k (4,3) (5,2)"),
        (lambda: attend(q=(4, 0), k=(5, 0), scale=1), "d_k 1 q (4,0) k (5,0)"),
        (lambda: attend(v=(6, 2)), "k v n_k (5,3) (6,2)"),
        (lambda: attend(q=(2, 4, 3), k=(3, 5, 3)), "batch q k (2,4,3) (3,5,3)"),
        (lambda: attend(q=(2, 4, 3), v=(3, 5, 2)), "batch v (3,5,2) (2,4,3) (5,3)"),
        (lambda: attend(mask=with_entry((4, 5), (1, 3), nan)), "mask NaN +inf nan mask[1,3]"),
        (lambda: attend(mask=with_entry((4, 5), (0, 0), inf)), "mask NaN +inf inf mask[0,0]"),
        *(
            (partial(masked, *shape, **sizes), f"mask {shape} {scores}".replace(", ", ","))
            for shape, scores, sizes in (
                ((5, 4), (4, 5), {}),
                ((2, 4, 5), (4, 5), {"v": (2, 5, 2)}),
                ((4, 5), (1, 5), {"q": (1, 3)}),
                ((4, 5), (4, 1), {"k": (1, 3), "v": (1, 2)}),
                ((2, 1, 5), (2, 8, 4, 5), {"q": (2, 8, 4, 3)}),
            )
        ),
        (
            lambda: attend(q=with_entry((4, 3), 0, 1e200), k=with_entry((5, 3), 1, -1e201)),
            "float64 q 1e+200 k 1e+201 scale 0.577",
        ),
        (lambda: attend(*(np.full((2, 2), 1e30, np.float32) for _ in "qkv")), "float32 q 1e+30"),
        (lambda: attend(np.full((4, 3), 1e10), scale=1e300), "float64 q 1e+10 scale 1e+300"),
        *(
            (
                lambda sign=sign: attend([[1e154]], [[sign * 1e154]], (1, 1), np.array([[sign * 1.79e308]])),
                f"scores mask float64 {sign * 1.79e308} mask[0,0]" if sign < 0 else "scores mask inf",
            )
            for sign in (-1, 1)
        ),
        (  # Of 64 rows of weights some sum to a little more than one, and the largest float has no room above it.
            lambda: attend(
                (64, 3), (64, 3), np.full((64, 2), HUGE), np.sin(np.arange(4096.0)).reshape(64, 64)
            ),
            "v weights float64",
        ),
        # masks
        (lambda: padding_mask([1, 4], 3), "lengths 0 n_k 3 1 4"),
        (lambda: padding_mask([-1, 3], 3), "lengths 0 n_k 3 -1"),
        (lambda: masks.prefix_mask(2, 3), "n_prefix n 2 3"),
        # variance
        (lambda: variance.score_variance(2, var_q=-1), "var_q 0 more -1.0"),
        (lambda: variance.score_mean(2, var_k=-1), "var_k 0 more -1.0"),
        (lambda: variance.score_variance(2, correlation=1.5), "correlation -1 1 1.5"),
        (lambda: variance.score_variance(2, correlation=-2), "correlation -1 1 -2.0"),
        (lambda: variance.score_variance(0), "d_k 1 more 0"),
        # positional
        (lambda: positional.angular_frequencies(4, base=0.5), "base 1 more 0.5"),
        (lambda: positional.angular_frequencies(0), "d_model 2 more 0"),
        *(
            (lambda call=call: call(3, 7), "d_model even 7")
            for call in (positional.sinusoidal_encoding, positional.shift_matrix)
        ),
        # rotary
        (lambda: turn(3, 4, layout="half"), "layout 'interleaved' 'halves' 'half'"),
        (lambda: rotary.to_layout(ONES(4), "interleaved", 2), "to 'interleaved' 'halves' 2"),
        (lambda: turn(4), "x 2 axes (4,)"),
        (lambda: rotary.rotate(with_entry((2, 4), (1, 2), nan), 0), "x finite nan x[1,2]"),
        (lambda: turn(3, 5), "x even (3,5)"),
        (lambda: turn(3, 0), "x even (3,0)"),
        (
            lambda: rotary.to_layout(ONES((4, 6)), "halves", "interleaved", n_heads=2),
            "w even (4,6) n_heads 2",
        ),
        (lambda: rotary.to_layout(ONES((4, 6)), "halves", "interleaved", n_heads=4), "w n_heads 4 (4,6)"),
        (lambda: rotary.to_layout(1.0, "halves", "interleaved"), "w n_heads 1 ()"),
        *(
            (
                partial(turn, 2, 3, 4, 6, positions=np.zeros(shape)),
                f"positions x (2,3,4,6) {shape}".replace(", ", ","),
            )
            for shape in ((2, 4), (3, 4), (1,), (4, 1), (2, 3, 1), (3, 2, 4), (1, 1, 1, 4))
        ),
        (lambda: turn(3, 4, positions=[0, nan, 1]), "positions finite nan positions[1]"),
        (lambda: turn(3, 4, n_rotary=3), "n_rotary even d 4 3"),
        (lambda: turn(3, 4, n_rotary=6), "n_rotary even d 4 6"),
        (lambda: turn(3, 4, frequencies=[1.0]), "frequencies (2,) (1,)"),
        (lambda: rotary.rotate(np.full((1, 2), 6e4, np.float16), 5.5), "x float16"),
        *(
            (
                lambda places=places: rotary.rotary_attention(
                    ONES((1, 4)), ONES((3, 4)), ONES((3, 2)), **places
                ),
                f"{'k_' * ('positions' in places)}positions n_q 1 n_k 3",
            )
            for places in ({}, {"k_positions": np.arange(3)}, {"positions": [2]})
        ),
        (lambda: rotary.stretch(1.0, 4, "ntk"), "frequencies (n_pairs,) ()"),
        (lambda: rotary.stretch([0.1, 1], 4, "ntk"), "frequencies 0 1"),
        (lambda: rotary.stretch([1, 0.5, 0], 4, "ntk"), "frequencies 1 0"),
        (lambda: rotary.stretch([1, 0.5], 0.25, "ntk"), "factor 1 more 0.25"),
        (lambda: rotary.stretch([1, 0.5], 4, "linear"), "how 'interpolation' 'ntk' 'yarn' 'linear'"),
        (lambda: rotary.stretch([1, 0.5], 4, "yarn"), "n_trained 'yarn'"),
        (lambda: rotary.stretch([1, 0.5], 4, "yarn", n_trained=9, few_turns=32), "few_turns 0 many_turns 32"),
        # bias
        (lambda: bias.alibi_slopes(12), "n_heads 12 rule='sentence' rule='code'"),
        (lambda: bias.alibi_slopes(8, "paper"), "rule 'sentence' 'code' 'paper'"),
        (lambda: bias.alibi_bias(2, 2, 0.5), "slopes (n_heads,) ()"),
        (lambda: bias.alibi_bias(2, 2, [0.5, -0.25]), "slopes 0 more -0.25 slopes[1]"),
        (lambda: bias.t5_bucket(1, n_buckets=7), "n_buckets even 7"),
        (lambda: bias.t5_bucket(1, n_buckets=3), "n_buckets 4 more 3"),
        (lambda: bias.t5_bucket(1, n_buckets=1, bidirectional=False), "n_buckets 2 more 1"),
        (lambda: bias.t5_bucket(1, max_distance=8), "max_distance above 8"),
        # pmi
        (lambda: pmi.cooccurrence_counts([], 1), "tokens one"),
        (lambda: pmi.cooccurrence_counts(["a"], 0), "window 1 more 0"),
        (lambda: pmi.joint_from_counts(ONES((2, 2)), -1), "smoothing 0 more -1.0"),
        (lambda: pmi.joint_from_counts(np.zeros((2, 2))), "counts zero (2,2) sum 0"),
        (lambda: pmi.joint_from_counts([[1, 2], [3, inf]]), "counts finite 0 more inf counts[1,1]"),
        (lambda: pmi.pmi([1.0]), "joint (...,n,m) (1,)"),
        *((lambda base=base: pmi.pmi([[1.0]], base), f"base above 1 {base:.1f}") for base in (1, 0, -2, 0.5)),
        (lambda: pmi.pmi([[0.5, 0.25]]), "joint 1 0.75 joint_from_counts"),
        # bilinear
        (lambda: bilinear.cross_entropy(ONES((2, 3)), ONES((2, 2))), "scores joint (2,3) (2,2)"),
        (lambda: bilinear.cross_entropy(ONES((2, 2)), -ONES((2, 2))), "joint 0 more -1.0"),
        (lambda: bilinear.fit(ONES((2, 2)) / 4, 0, RNG), "d_k 1 more 0"),
        # multihead
        (lambda: split_heads(ONES(4), 2), "x 2 axes (4,)"),
        (lambda: split_heads(ONES((3, 4)), 3), "n_heads 3 x (3,4)"),
        (lambda: merge_heads(ONES((3, 4))), "heads 3 axes (3,4)"),
        (lambda: heads(w_v=(2, 4, 0)), "w_v (n_heads,d_model,d) (2,4,0)"),
        (lambda: heads(w_q=(2, 4)), "w_q (n_heads,d_model,d) (2,4)"),
        (lambda: heads(w_k=(2, 4, 2)), "w_k (2,4,3) (2,4,2)"),
        (lambda: heads(w_o=(9, 6)), "w_o (10,6) (9,6)"),
        (lambda: heads(b_o=(5,)), "b_o (6,) (5,)"),
        (lambda: heads(b_q=(6,)), "b_q (2,3) (6,)"),
        (lambda: heads().prune([0, 1]), "[0,1] 2"),
        (lambda: heads().prune(2), "[2] 2"),
        (lambda: MultiHeadAttention.init(RNG, 4, 3), "n_heads 3 d_model 4"),
        (lambda: packed(w_in=(11, 4)), "in_proj_weight (3*d_model,d_model) (11,4)"),
        (lambda: packed(w_out=(4, 3)), "out_proj_weight (d_out,4) (4,3)"),
        (lambda: packed(b_in=(11,)), "in_proj_bias (12,) (11,)"),
        (lambda: packed(b_out=(3,)), "b_o (4,) (3,)"),
        (lambda: packed(n_heads=3), "n_heads 3 d_model 4"),
        (lambda: heads()(ONES((3, 5))), "x_q d_model 4 (3,5)"),
        (lambda: heads()(ONES((3, 4)), ONES(4)), "x_kv d_model 4 (4,)"),
        (lambda: heads()(ONES((2, 3, 4)), ONES((3, 3, 4))), "batch x_q x_kv (2,3,4) (3,3,4)"),
        (lambda: heads()(np.full((3, 4), 1e308)), "q finite inf"),
        *(
            (
                lambda x=x, mask=mask: heads()(ONES((*x, 4, 4)), mask=ONES(mask, bool)),
                f"mask {mask} {(*x, 2, 4, 4)}".replace(", ", ","),
            )
            for x, mask in (
                ((3,), (2, 4, 4)),  # the heads where the batch belongs
                ((3, 2), (2, 4, 4)),  # half of the batch axes
                ((), (3, 4, 4)),  # the wrong number of heads
                ((3,), (2, 3, 4, 4)),  # heads before batch
            )
        ),
        # transformer
        (lambda: layer(d_out=5), "w_o d_model 4 (6,5)"),
        (lambda: layer(norm="before"), "norm None 'pre' 'post' 'before'"),
        (lambda: layer(scale=nan), "scale finite nan"),
        (lambda: layer(w_1=(4, 9)), "w_1 w_2"),
        (lambda: layer(w_2=(9, 4)), "w_1 w_2"),
        (lambda: layer(b_1=(9,)), "b_1 b_2 w_1 w_2"),
        (lambda: layer(b_2=(4,)), "b_1 b_2 w_1 w_2"),
        (lambda: layer(w_1=(4, 9), w_2=(8, 4)), "w_2 (9,4) (8,4)"),
        (lambda: layer(w_1=(5, 9), w_2=(9, 4)), "w_1 (4,9) (5,9)"),
        (lambda: layer(w_1=(9,), w_2=(9, 4)), "w_1 (4,0) (9,)"),
        (lambda: layer(w_1=(4, 9), w_2=(9, 4), b_1=(4,)), "b_1 (9,) (4,)"),
        (lambda: layer(w_1=(4, 9), w_2=(9, 4), b_2=(9,)), "b_2 (4,) (9,)"),
        (lambda: layer(w_1=with_entry((4, 9), (2, 8), nan), w_2=(9, 4)), "w_1 finite nan w_1[2,8]"),
        (lambda: layer().feed_forward(ONES((3, 4))), "w_1 w_2"),
        (lambda: Layer.from_products(ONES((2, 4, 3)), ONES((2, 4, 3))), "w_qk w_ov (2,4,3) (2,4,3)"),
        (lambda: Layer.from_products(ONES((4, 4)), ONES((1, 4, 4))), "w_qk w_ov (4,4) (1,4,4)"),
        (lambda: Layer.from_products(*ONES((2, 1, 1, 4, 4))), "w_qk w_ov (1,1,4,4)"),
        (lambda: model((7,)), "embedding (n_vocab,d_model) (7,)"),
        (lambda: model((0, 4)), "embedding (n_vocab,d_model) (0,4)"),
        (lambda: model(layers=[layer(), layer(5, 5)]), "layers[1] d_model 5 embedding (7,4)"),
        (lambda: model(unembedding=(7, 4)), "unembedding (4,7) (7,4)"),
        (lambda: model(places=4.0), "places (0,4) ()"),
        (lambda: model(places=(9, 5)), "places (9,4) (9,5)"),
        (lambda: model(b_u=(4,)), "b_u (7,) (4,)"),
        (lambda: model()(np.array(3)), "tokens (...,n) ()"),
        (lambda: model()(ONES((2, 0), int)), "tokens (...,n) (2,0)"),
        (lambda: model()([3, 7, 1]), "tokens 0 6 1 7"),
        (lambda: model()([3, -1, 1]), "tokens 0 6 -1 3"),
        (lambda: model(places=(2, 4))([3, 2, 1]), "places 2 3"),
        (lambda: transformer.layer_norm(1.0), "x (...,d_model) ()"),
        (lambda: transformer.rms_norm(ONES((2, 0))), "x (...,d_model) (2,0)"),
        (lambda: transformer.rms_norm([1.0, inf]), "x finite inf x[1]"),
        (lambda: transformer.layer_norm([1.0], eps=-1), "eps 0 more -1.0"),
        (lambda: transformer.rms_norm([1.0], eps=-0.5), "eps 0 more -0.5"),
        (lambda: transformer.layer_norm(ONES((3, 2)), gain=ONES(3)), "gain (2,) (3,)"),
        (lambda: transformer.layer_norm(ONES((3, 2)), bias=[1.0, nan]), "bias finite nan bias[1]"),
        # characters
        (lambda: encode("it's 2 o'clock, Ann"), "text lower-case ','"),
        # induction
        (lambda: hand_set(nan), "beta finite nan"),
        (lambda: second_circuit(inf), "beta finite inf"),
        (lambda: hand_set(turn=0.5), "turn whole 0.5"),
        (
            lambda: in_lanes(ONES((4, 2)), ONES((3, 3)), ONES((5, 5)), ONES((5, 5))),
            "look (d_place,d_place) places (n,d_place) (3,3) (4,2)",
        ),
        (
            lambda: in_lanes(ONES((4, 2)), ONES((2, 2)), ONES((5, 5)), ONES((4, 4))),
            "match say (n_vocab,n_vocab) (5,5) (4,4)",
        ),
        (lambda: induction_score(ONES((3, 4)), np.arange(4)), "weights (...,n,n) (3,4) (4,)"),
        (lambda: induction_score(-ONES((2, 2)), np.array([1, 1])), "weights 0 more -1.0"),
        (lambda: induction_score(np.full((2, 2), nan), np.array([1, 1])), "weights finite nan weights[0,0]"),
        (lambda: induction_score(ONES((2, 2)), np.array([1, 2])), "token twice"),
        (lambda: slots(17, 1), "n 1 16 17"),
        (lambda: slots(0, 1), "n 1 more 0"),
        (lambda: slots(1, 0), "n_heads 1 more 0"),
        (lambda: guards(2)(slots(3, 2)), "2 3"),
        (
            lambda: SlotHeads(ONES((1, 2, 2)), ONES((1, 3, 2)), ONES((1, 2, 2)), ONES((1, 2, 2))),
            "key_says (n_heads,n,2) (1,3,2) (1,2,2)",
        ),
        (lambda: induction.train(0, optimizer="sgd"), "optimizer 'descent' 'adam' 'sgd'"),
        (lambda: induction.train(0, learning_rate=0.0), "learning_rate above 0 0.0"),
        (lambda: induction.train(0, spread=-1.0), "spread above 0 -1.0"),
        *(
            (
                lambda share=share: induction.train(0, n_steps=1, progress=False).fallen(share),
                f"share 0 1 {share}",
            )
            for share in (0.0, 1.5)
        ),
        # xor
        (lambda: network(w_q=(3, 3)), "w_q (2,2) (3,3)"),
        (lambda: network(query=(1,)), "query (2,) (1,)"),
        (lambda: network(readout=np.array([nan, 0])), "readout nan"),
        (lambda: network(read="last"), "read 'last'"),
        (lambda: network(read="both rows"), "readout (4,) (2,)"),
        (lambda: ROPE(ONES((4, 3, 2))), "x (...,2,2) (4,3,2)"),
        (lambda: ROPE(np.full((2, 2), inf)), "x inf"),
        (lambda: xor.accuracy([1, 2]), "outputs (...,4) (2,)"),
        (lambda: xor.random_search(RNG, 0), "n 1 more 0"),
        (lambda: xor.source_run([1, 2, 3]), "query (2,) (3,)"),
        (lambda: xor.recover_query(ONES((3, 2))), "decoder (4,2) (3,2)"),
        (lambda: xor.noise_token_batch(RNG, 0, 4), "whole 1 more 0"),
        (lambda: xor.noise_token_batch(RNG, 4, 0), "whole 1 more 0"),
        (lambda: learner(w_k=(1, 4, 2)), "w_k (1,4,3) (1,4,2)"),
        (lambda: learner(b_q=(2, 3)), "b_q (1,3) (2,3)"),
        (lambda: learner(w_o=(8, 2)), "w_o (4,2) (8,2)"),
        (lambda: learner(w_o=(4,)), "(4,)"),
        (lambda: learner(b_o=np.array([nan, 0])), "b_o finite nan b_o[0]"),
        (lambda: learner(w_q=(4, 3)), "w_q (n_heads,d,d_k)"),
        *((lambda name=name: learner(**{name: (4, 8)}), f"parameters {name}") for name in ("w_v", "w_1")),
        (lambda: taught(x=(3, 4, 5)), "x (n,4,d) 4 (3,4,5)"),
        (lambda: taught(x=(3, 3, 4)), "x (n,4,d) (3,3,4)"),
        (lambda: taught(x=np.full((3, 4, 4), nan)), "x finite nan"),
        (lambda: taught(y=(0, 1)), "y 3 0 1 (2,)"),
        (lambda: taught(y=(0, 1, 2)), "y 3 0 1"),
        (lambda: taught(loss="nll"), "loss log-probability probability 'nll'"),
        (lambda: XorModel.init(RNG, n_heads=0, query_bias=True), "n_heads 0 bias"),
        (lambda: XorModel.init(RNG, hidden=0), "hidden 1 more 0"),
        (lambda: xor.train(0, n_steps=0), "n_steps 1 more 0"),
        (lambda: xor.train(0, patience=0), "patience 1 more 0"),
        (lambda: xor.train(0, learning_rate=0), "learning_rate above 0"),
        (lambda: xor.train(0, loss="mse"), "loss 'mse'"),
    ],
}
ROWS = [(error, *row) for error, rows in WRONG.items() for row in rows]


def error_of(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return caught.value


def holds(message, fact):
    """A fact stands in a message as a word or number of its own, or as a shape."""
    if not re.fullmatch(r"[\w.+-]+", fact):
        return fact in message.replace(" ", "")
    edge = r"[\w.-]" if fact.lstrip("-+").startswith(tuple("0123456789")) else r"\w"
    return bool(re.search(rf"(?<!{edge}){re.escape(fact)}(?!\w)(?!\.\d)", message))


@pytest.mark.parametrize(
    ("error", "call", "facts"), ROWS, ids=[f"{i}: {row[2]}" for i, row in enumerate(ROWS)]
)
def test_says_what_it_expected_and_what_came(error, call, facts):
    caught = error_of(call)
    assert type(caught) is error
    assert [fact for fact in facts.split() if not holds(str(caught), fact)] == [], str(caught)
    assert "\n" not in str(caught)


def raises(path):
    """The lines of each `raise` of a module that says something, as ranges."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield range(node.lineno, node.end_lineno + 1)


def test_each_error_has_a_call_here():
    reached = {
        (frame.filename, frame.lineno)
        for _, call, _ in ROWS
        for frame in traceback.extract_tb(error_of(call).__traceback__)
    }
    for path in (FOLDER / f"{name}.py" for name in MODULES):
        for lines in raises(path):
            assert any((str(path), line) in reached for line in lines), f"{path.name}, line {lines[0]}"


# Arguments that are good wherever a function has one of this name; a tuple is the shape of an array of ones.
GOOD = (
    dict.fromkeys(("q", "k", "v", "x", "x_q", "x_kv", "w"), (3, 4))
    | dict.fromkeys(("w_q", "w_k", "w_v"), (1, 3, 4))
    | dict.fromkeys(("b_q", "b_k", "b_v"), (1, 4))
    | {"w_o": (4, 3), "b_o": (3,), "w_1": (3, 9), "b_1": (9,), "w_2": (9, 3), "b_2": (3,), "gain": (4,)}
    | {"in_proj_weight": (12, 4), "in_proj_bias": (12,), "out_proj_weight": (4, 4), "out_proj_bias": (4,)}
    | {"w_qk": (4, 4), "w_ov": (4, 4), "heads": (2, 3, 2), "bias": (4,), "b_u": (7,)}
    | {"embedding": (7, 4), "unembedding": (4, 7), "places": (9, 4)}
    | dict.fromkeys(("joint", "scores", "counts"), np.full((2, 2), 0.25))
    | dict.fromkeys(("p", "weights"), np.full((2, 2), 0.5))
    | dict.fromkeys(("var_q", "var_k", "scale", "smoothing"), 1.0)
    | dict.fromkeys(("mean_q", "mean_k", "correlation"), 0.0)
    | dict.fromkeys(("positions", "k_positions"), [0, 1, 2])
    | dict.fromkeys(("n", "n_samples", "n_heads", "window", "n_prefix", "n_q", "n_rotary"), 2)
    | dict.fromkeys(("d_model", "d_k", "factor"), 4)
    | dict.fromkeys(("n_positions", "offset", "n_k"), 3)
    | {"axis": 0, "base": 100.0, "lengths": [1, 2], "layout": "halves", "frequencies": [1]}
    | {"from_": "halves", "to": "interleaved", "how": "yarn", "n_trained": 100, "few_turns": 1}
    | {"many_turns": 32, "rule": "code", "slopes": [0.5], "n_buckets": 16, "max_distance": 60}
    | {"bidirectional": True, "tokens": [1, 2], "eps": 1e-5, "norm": "pre"}
)
BLOCKS = (transformer.pre_norm_block, transformer.post_norm_block)
# Functions, with what they take besides, or in another way.
FUNCTIONS = [
    *((one, {}) for one in (scaled_dot_product_attention, split_heads, merge_heads, heads().__call__)),
    *((one, {}) for one in (softmax.softmax, softmax.log_softmax, softmax.softmax_jacobian, softmax.entropy)),
    *((one, {}) for one in (causal_mask, padding_mask, masks.sliding_window_mask, masks.prefix_mask)),
    *((one, {}) for one in (variance.score_variance, variance.score_mean, variance.saturation)),
    *((one, {"rng": RNG}) for one in (variance.sample_scores, MultiHeadAttention.init)),
    *((one, {}) for one in (positional.angular_frequencies, positional.sinusoidal_encoding)),
    *((one, {}) for one in (positional.shift_matrix, rotary.rotate, rotary.rotary_attention)),
    *((one, {}) for one in (rotary.stretch, rotary.to_layout)),
    *((one, {}) for one in (bias.alibi_slopes, bias.alibi_bias, bias.t5_bucket, bilinear.cross_entropy)),
    *((one, {}) for one in (pmi.pmi, pmi.ppmi, pmi.npmi, pmi.mutual_information, pmi.joint_from_counts)),
    (pmi.cooccurrence_counts, {"tokens": ["a"]}),
    *((one, {}) for one in (MultiHeadAttention.from_packed, MultiHeadAttention, Layer, Layer.from_products)),
    *(
        (one, {})
        for one in (transformer.layer_norm, transformer.rms_norm, layer().__call__, model().__call__)
    ),
    (layer(w_1=(4, 9), w_2=(9, 4)).feed_forward, {}),
    *((one, {"part": np.negative, "norm": np.negative}) for one in BLOCKS),
    (Transformer, {"layers": [], "norm": None}),
]
# What an error calls an argument that another function checks.
CALLED = {"weights": "p", "out_proj_bias": "b_o"}


def test_an_error_names_the_argument():
    for function, others in FUNCTIONS:
        known = filled(GOOD | others)
        given = {name: known[name] for name in inspect.signature(function).parameters if name in known}
        function(**given)
        for name in given.keys() - others:
            said = str(error_of(lambda: function(**{**given, name: np.array("nonsense")})))  # noqa: B023
            assert holds(said, name) or holds(said, CALLED.get(name, name)), (function.__name__, name, said)
