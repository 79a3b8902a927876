"""Arguments that differ from each other: dtypes, batches, masks, some of the optional ones. None is written to."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.bilinear import cross_entropy, fit
from attn.induction import induction_score
from attn.multihead import MultiHeadAttention
from attn.rotary import rotary_attention, rotate
from attn.transformer import Layer, Transformer, layer_norm, rms_norm
from attn.xor import XorModel, XorNetwork

FLOATS = [np.float16, np.float32, np.float64]
DTYPES = [*FLOATS, np.uint16, np.int64]
CLOSE = {np.dtype(np.float16): 2e-3, np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}


def arrays(**shapes):
    """Whole numbers that every dtype holds."""
    rng = np.random.default_rng(11)
    return {name: rng.integers(0, 4, shape).astype(float) for name, shape in shapes.items()}


def outputs(result):
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


def kept(given):
    """The arrays, which whoever writes to one is told."""
    for array in given.values():
        array.flags.writeable = False
    return given


HEADS = arrays(
    w_q=(3, 2, 2), w_k=(3, 2, 2), w_v=(3, 2, 4), w_o=(12, 2), b_q=(3, 2), b_k=(3, 2), b_v=(3, 4), b_o=(2,)
)
FORWARD = arrays(w_1=(2, 5), b_1=(5,), w_2=(5, 2), b_2=(2,))
PACKED = arrays(in_proj_weight=(12, 4), in_proj_bias=(12,), out_proj_weight=(4, 4), out_proj_bias=(4,))


def heads(x_q, x_kv=None, mask=None, **weights):
    return MultiHeadAttention(**weights)(x_q, x_kv, mask)


def shares(x_q, x_kv, **weights):
    return MultiHeadAttention(**weights).shares(x_q, x_kv)


def packed(x, in_proj_weight, out_proj_weight, in_proj_bias=None, out_proj_bias=None):
    return MultiHeadAttention.from_packed(
        in_proj_weight, in_proj_bias, out_proj_weight, out_proj_bias, n_heads=2
    )(x)


def layer(x, **weights):
    return Layer(**weights, norm="pre", scale=0.5)(x)[0]


def products(x, w_qk, w_ov):
    return Layer.from_products(w_qk, w_ov)(x)


def network(embedding, **others):
    layers = [Layer.from_products(*np.ones((2, 1, 2, 2), np.float16))]
    return Transformer(embedding, layers, **others)(np.array([0, 2, 1], np.uint8)).logits


# Each: a function, its arrays, and its optional ones, which do nothing where they are zero, or a gain of one.
CASES = {
    "attention": (scaled_dot_product_attention, arrays(q=(3, 2), k=(4, 2), v=(4, 5)), ()),
    "rotary attention": (rotary_attention, arrays(q=(3, 2), k=(3, 2), v=(3, 5)), ()),
    "heads": (heads, arrays(x_q=(3, 2), x_kv=(4, 2)) | HEADS, ("b_q", "b_k", "b_v", "b_o")),
    "shares": (shares, arrays(x_q=(3, 2), x_kv=(4, 2)) | HEADS, ("b_q", "b_k", "b_v")),
    "heads from packed": (packed, arrays(x=(3, 4)) | PACKED, ("in_proj_bias", "out_proj_bias")),
    "layer": (
        layer,
        arrays(x=(3, 2)) | HEADS | FORWARD,
        ("b_q", "b_k", "b_v", "b_o", "b_1", "b_2"),
    ),
    "layer from products": (products, arrays(x=(3, 2), w_qk=(3, 2, 2), w_ov=(3, 2, 2)), ()),
    "transformer": (
        network,
        arrays(embedding=(3, 2), unembedding=(2, 3), places=(5, 2), b_u=(3,)),
        ("places", "b_u"),
    ),
    "layer norm": (layer_norm, arrays(x=(3, 4), gain=(4,), bias=(4,)), ("gain", "bias")),
    "rms norm": (rms_norm, arrays(x=(3, 4), gain=(4,)), ("gain",)),
}
PAIRS = [(name, argument) for name, (_, given, _) in CASES.items() for argument in given]


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_each_dtype_beside_each(name, other):
    """All arrays have one dtype, and one of them another: the answer has the one that holds both, and is right."""
    function, given, _ = CASES[name]
    exact = outputs(function(**given))
    for dtype, another in itertools.product(DTYPES, repeat=2):
        mixed = kept({key: value.astype(another if key == other else dtype) for key, value in given.items()})
        kinds = [np.dtype(kind if kind in FLOATS else np.float64) for kind in (dtype, another)]
        close = max(map(CLOSE.get, kinds))
        for ours, theirs in zip(outputs(function(**mixed)), exact, strict=True):
            assert ours.dtype == np.result_type(*kinds), (dtype, another)
            assert ours.flags.writeable
            assert_allclose(ours, theirs, rtol=close, atol=close)


@pytest.mark.parametrize("name", [name for name, (_, _, optional) in CASES.items() if optional])
def test_each_set_of_optional_arrays(name):
    """An array that is left out is as one that changes nothing, whichever of the others are there."""
    function, given, optional = CASES[name]
    for kept in itertools.product([True, False], repeat=len(optional)):
        gone = [key for key, keep in zip(optional, kept, strict=True) if not keep]
        short = function(**{key: value for key, value in given.items() if key not in gone})
        whole = function(**(given | {key: np.full_like(given[key], key == "gain") for key in gone}))
        for ours, theirs in zip(outputs(short), outputs(whole), strict=True):
            assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=f"without {gone}")


BATCHES = [(), (3,), (2, 1), (2, 3)]  # 3 is also the number of heads
ROWS = {
    "attention": ("q", "k", "v"),
    "rotary attention": ("q", "k", "v"),
    "heads": ("x_q", "x_kv"),
    "shares": ("x_q", "x_kv"),
    "layer norm": ("x",),
    "rms norm": ("x",),
}


@pytest.mark.parametrize("name", ROWS)
def test_each_batch_beside_each(name):
    """What has a batch, and what has none, meet as if each pair had been asked alone."""
    function, given, _ = CASES[name]
    rng = np.random.default_rng(3)
    for batches in itertools.product(BATCHES, repeat=len(ROWS[name])):
        rows = {
            key: rng.normal(size=(*batch, *given[key].shape))
            for key, batch in zip(ROWS[name], batches, strict=True)
        }
        batch = np.broadcast_shapes(*batches)
        full = {key: np.broadcast_to(value, batch + value.shape[-2:]) for key, value in rows.items()}
        answers = outputs(function(**(given | rows)))
        for place in np.ndindex(batch):
            alone = outputs(function(**(given | {key: value[place] for key, value in full.items()})))
            for ours, theirs in zip(answers, alone, strict=True):
                mine = np.broadcast_to(ours, batch + theirs.shape)[place]  # v's batch is none of the weights
                assert_allclose(mine, theirs, rtol=0, atol=1e-12, err_msg=str(batches))


@pytest.mark.parametrize("batches", list(itertools.product(BATCHES, repeat=2)), ids=str)
def test_masks_with_and_without_heads(batches):
    """The batch that a mask meets is that of both inputs; its axes are told by their number, also where 3 = 3."""
    rng = np.random.default_rng(4)
    layer = MultiHeadAttention(**HEADS)
    x_q, x_kv = (rng.normal(size=(*batch, n, 2)) for batch, n in zip(batches, (3, 4), strict=True))
    batch = np.broadcast_shapes(*batches)
    full_q, full_kv = np.broadcast_to(x_q, (*batch, 3, 2)), np.broadcast_to(x_kv, (*batch, 4, 2))
    for shape in ((3, 4), (*batch, 3, 4), (*batch, 3, 3, 4)):
        mask = rng.random(shape) < 0.6
        mask.flags.writeable = False
        output, weights = layer(x_q, x_kv, mask)
        each = mask if mask.ndim == len(batch) + 3 else np.expand_dims(mask, -3)
        each = np.broadcast_to(each, (*batch, 3, 3, 4))
        for place in np.ndindex(batch):
            alone = layer(full_q[place], full_kv[place], each[place])
            assert_allclose(output[place], alone[0], rtol=0, atol=1e-12)
            assert_allclose(weights[place], alone[1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(), (4,), (1, 1, 4), (2, 1, 4), (1, 3, 4), (2, 3, 4)])
def test_positions_meet_rows(shape):
    """One for all rows, one a row, or some for each batch: of any dtype, and frequencies of any other."""
    rng = np.random.default_rng(5)
    x, positions = rng.normal(size=(2, 3, 4, 6)), rng.integers(0, 9, shape)
    for dtype, places, clocks in itertools.product(FLOATS, DTYPES, FLOATS):
        frequencies = np.array([1, 0.5, 0.25], clocks)
        turned = rotate(x.astype(dtype), positions.astype(places), frequencies=frequencies)
        assert turned.dtype == dtype
        angles = np.broadcast_to(positions, (2, 3, 4))[..., None] * frequencies.astype(float)
        pairs = x.astype(dtype).astype(float).reshape(2, 3, 4, 3, 2) @ [[1], [1j]]
        exact = pairs[..., 0] * np.exp(1j * angles)
        for part, wanted in ((turned[..., ::2], exact.real), (turned[..., 1::2], exact.imag)):
            assert_allclose(part, wanted, rtol=CLOSE[np.dtype(dtype)], atol=CLOSE[np.dtype(dtype)])


def forward(x):
    w_1, w_2 = np.full((4, 2), 300, x.dtype), np.full((2, 4), 0.01, x.dtype)
    return Layer(*np.ones((4, 1, 4, 4))[:3], np.ones((4, 4)), w_1=w_1, w_2=w_2).feed_forward(x)


@pytest.mark.parametrize("function", [layer_norm, rms_norm, forward])
def test_what_is_beyond_float16_on_the_way(function):
    """The square of 300 is: computed there, a norm gave 0 for each token."""
    x = np.array([[300.0, -300, 600, 0]])
    assert_allclose(function(x.astype(np.float16)), function(x), rtol=2e-3)


@pytest.mark.parametrize("dtype", list(map(np.dtype, "BHILbhil")), ids=str)
def test_whole_numbers_of_any_kind_are_tokens(dtype):
    tokens, weights = np.array([1, 2, 1, 2], dtype), np.full((4, 4), 0.25, np.float32)
    assert induction_score(weights, tokens) == induction_score(weights, tokens.tolist()) == 0.25
    network = Transformer(np.eye(3), [])
    assert_array_equal(network(tokens).logits, network(tokens.astype(int)).logits)


def test_a_fit_takes_counts_and_starts_of_other_dtypes():
    joint, starts = np.array([[3, 1], [0, 4]]), np.array([[[1, 0], [0, 1]], [[2, 1], [1, 1]]])
    exact = fit(joint / 8, 2, None, n_steps=3, start=starts.astype(float), prior=[0.0, 1])
    for one, two, three in itertools.product(DTYPES, repeat=3):
        start = starts[0].astype(one), starts[1].astype(two)
        ours = fit(
            joint.astype(np.float32) / 8, 2, None, n_steps=3, start=start, prior=np.array([0, 1], three)
        )
        assert_allclose(ours.loss, exact.loss, rtol=1e-6)
        loss, slope = cross_entropy(starts[0].astype(one), joint.astype(two))
        assert_allclose(loss, cross_entropy(starts[0], joint)[0], rtol=2e-3)
        assert_allclose(slope, cross_entropy(starts[0], joint)[1], rtol=2e-3, atol=2e-3)


def test_networks_for_xor_with_weights_of_two_dtypes():
    weights = arrays(w_q=(2, 2), w_k=(2, 2), w_v=(2, 2), query=(2,), readout=(2,), bias=())
    params = arrays(w_q=(1, 2, 3), w_k=(1, 2, 3), b_q=(1, 3), w_1=(2, 4), b_1=(4,), w_2=(4, 2), b_2=(2,))
    x, y = np.random.default_rng(6).normal(size=(5, 4, 2)), np.array([0, 1, 1, 0, 1], np.uint8)
    kept({"x": x, "y": y})
    for arguments, run in (
        (weights, lambda given: XorNetwork(**given)().output),
        (params, lambda given: XorModel(given).forward(x).logits),
        (params, lambda given: XorModel(given).loss_and_gradient(x, y)[0]),
    ):
        exact = run(arguments)
        for name, dtype in itertools.product(arguments, DTYPES):
            given = kept(arguments | {name: arguments[name].astype(dtype)})
            assert_allclose(run(given), exact, rtol=1e-12)
