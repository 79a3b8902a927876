"""Wrong input: a table of what goes in, the error it gives, and the words that the error must contain."""

import numpy as np
import pytest

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, padding_mask, prefix_mask, sliding_window_mask, to_additive
from attn.softmax import entropy, log_softmax, softmax, softmax_jacobian
from attn.variance import jacobian_norm, sample_scores, saturation, score_mean, score_variance

nan, inf = np.nan, np.inf


def attend(q=(4, 3), k=(5, 3), v=(5, 2), mask=None, **options):
    """Call attention with arrays of ones in place of shapes."""
    q, k, v = (np.ones(x) if isinstance(x, tuple) else x for x in (q, k, v))
    return scaled_dot_product_attention(q, k, v, mask, **options)


def ones(shape, place, value, dtype=np.float64):
    x = np.ones(shape, dtype=dtype)
    x[place] = value
    return x


ATTENTION = {
    "q has one axis": (lambda: attend(q=(3,)), ValueError, ["q", "at least 2 axes", "(3,)"]),
    "v is a number": (lambda: attend(v=np.float64(1)), ValueError, ["v", "at least 2 axes", "()"]),
    "d_k differs": (lambda: attend(q=(4, 3), k=(5, 2)), ValueError, ["q and k", "d_k", "(4, 3)", "(5, 2)"]),
    "n_k differs": (lambda: attend(k=(5, 3), v=(6, 2)), ValueError, ["k and v", "n_k", "(5, 3)", "(6, 2)"]),
    "d_k is 0": (lambda: attend(q=(4, 0), k=(5, 0)), ValueError, ["d_k", "(4, 0)", "(5, 0)"]),
    "d_k is 0, scale given": (lambda: attend(q=(4, 0), k=(5, 0), scale=1), ValueError, ["d_k", "1 or more"]),
    "batch of q and k": (
        lambda: attend(q=(2, 4, 3), k=(3, 5, 3)),
        ValueError,
        ["batch", "q and k", "(2, 4, 3)", "(3, 5, 3)"],
    ),
    "batch of v": (
        lambda: attend(q=(2, 4, 3), v=(3, 5, 2)),
        ValueError,
        ["batch", "v", "(2, 4, 3)", "(3, 5, 2)"],
    ),
    "NaN in q": (lambda: attend(q=ones((4, 3), (1, 2), nan)), ValueError, ["q", "finite", "nan", "q[1, 2]"]),
    "inf in k": (lambda: attend(k=ones((5, 3), (0, 1), inf)), ValueError, ["k", "finite", "inf", "k[0, 1]"]),
    "−inf in v": (
        lambda: attend(v=ones((5, 2), (4, 0), -inf)),
        ValueError,
        ["v", "finite", "-inf", "v[4, 0]"],
    ),
    "NaN behind the mask": (
        lambda: attend(v=ones((5, 2), (4, 0), nan), mask=padding_mask(3, 5)),
        ValueError,
        ["v", "finite", "nan", "v[4, 0]"],
    ),
    "text": (lambda: attend(q=np.full((4, 3), "a")), TypeError, ["q", "real numbers", "<U1"]),
    "complex": (lambda: attend(k=np.ones((5, 3), complex)), TypeError, ["k", "real numbers", "complex128"]),
    "objects": (lambda: attend(v=np.full((5, 2), None)), TypeError, ["v", "real numbers", "object"]),
    "mask in place of q": (lambda: attend(q=np.ones((4, 3), bool)), TypeError, ["q", "bool", "mask"]),
    "masked array": (lambda: attend(q=np.ma.ones((4, 3))), TypeError, ["q", "masked array"]),
    "ragged": (lambda: attend(q=[[1, 2, 3], [1]]), ValueError, ["q", "differ in shape"]),
    "overflow up": (
        lambda: attend(q=ones((4, 3), ..., 1e200), k=ones((5, 3), ..., 1e200)),
        ValueError,
        ["overflow", "float64", "1e+200", "q kᵀ"],
    ),
    "overflow down": (
        lambda: attend(q=ones((4, 3), ..., 1e200), k=ones((5, 3), ..., -1e200)),
        ValueError,
        ["overflow", "float64"],
    ),
    "overflow of one score down": (
        lambda: attend(q=[[1e200]], k=[[-1e200], [1.0]], v=(2, 2)),
        ValueError,
        ["overflow", "float64"],
    ),
    "overflow both ways": (
        lambda: attend(q=[[1e200, 1e200]], k=[[1e200, -1e200]], v=(1, 2)),
        ValueError,
        ["overflow"],
    ),
    "overflow in float32": (
        lambda: attend(*(np.full((2, 2), 1e30, np.float32) for _ in "qkv")),
        ValueError,
        ["overflow", "float32"],
    ),
    "overflow by scale": (
        lambda: attend(q=ones((4, 3), ..., 1e10), scale=1e300),
        ValueError,
        ["overflow", "1e+300"],
    ),
    "overflow of the mean": (
        # Of 64 rows of weights some sum to a little more than one, and the largest float has no room above it.
        lambda: attend(
            (64, 3),
            (64, 3),
            ones((64, 2), ..., np.finfo(float).max),
            np.sin(np.arange(4096.0)).reshape(64, 64),
        ),
        ValueError,
        ["weights @ v", "overflows"],
    ),
    "integer mask": (
        lambda: attend(mask=np.ones((4, 5), int)),
        TypeError,
        ["integers", "either convention", "mask == 1"],
    ),
    "integer mask of one number": (lambda: attend(mask=1), TypeError, ["integers", "convention"]),
    **{
        f"floating mask of zeros and ones, {dtype}": (
            lambda dtype=dtype: attend(mask=np.tril(np.ones((4, 5), dtype))),
            TypeError,
            [f"floats ({dtype}) that are all 0 or 1", "either convention", "mask == 1", "mask - 1"],
        )
        for dtype in ("float16", "float32", "float64")
    },
    "unsigned mask": (lambda: attend(mask=np.ones((4, 5), np.uint8)), TypeError, ["integers", "uint8"]),
    "mask of text": (lambda: attend(mask="causal"), TypeError, ["mask", "Boolean", "<U6"]),
    "complex mask": (
        lambda: attend(mask=np.ones((4, 5), complex)),
        TypeError,
        ["mask", "Boolean", "complex128"],
    ),
    "NaN in the mask": (
        lambda: attend(mask=ones((4, 5), (1, 3), nan)),
        ValueError,
        ["mask", "NaN", "mask[1, 3]"],
    ),
    "+inf in the mask": (
        lambda: attend(mask=ones((4, 5), (0, 0), inf)),
        ValueError,
        ["mask", "+inf", "mask[0, 0]"],
    ),
    "mask + scores overflow down": (
        lambda: attend(q=[[1e154]], k=[[-1e154]], v=(1, 1), mask=np.array([[-1.79e308]])),
        ValueError,
        ["scores + mask", "overflows"],
    ),
    "mask + scores overflow up": (
        lambda: attend(q=[[1e154]], k=[[1e154]], v=(1, 1), mask=np.array([[1.79e308]])),
        ValueError,
        ["scores + mask", "inf"],
    ),
    "mask does not fit": (
        lambda: attend(mask=np.ones((4, 4), bool)),
        ValueError,
        ["(4, 4)", "(4, 5)", "n_q, n_k"],
    ),
    "mask transposed": (lambda: attend(mask=np.ones((5, 4), bool)), ValueError, ["(5, 4)", "(4, 5)"]),
    "mask has a batch, q and k have none": (
        lambda: attend(mask=np.ones((2, 4, 5), bool)),
        ValueError,
        ["(2, 4, 5)", "(4, 5)", "broadcast"],
    ),
    "mask has a batch, only v has one": (
        lambda: attend(v=(2, 5, 2), mask=np.ones((2, 4, 5))),
        ValueError,
        ["(2, 4, 5)", "(4, 5)"],
    ),
    "mask would add queries": (
        lambda: attend(q=(1, 3), mask=np.ones((4, 5), bool)),
        ValueError,
        ["(4, 5)", "(1, 5)"],
    ),
    "mask would add keys": (
        lambda: attend(k=(1, 3), v=(1, 2), mask=np.ones((4, 5), bool)),
        ValueError,
        ["(4, 5)", "(4, 1)"],
    ),
    "mask of another batch": (
        lambda: attend(q=(2, 4, 3), mask=np.ones((3, 4, 5), bool)),
        ValueError,
        ["(3, 4, 5)", "(2, 4, 5)"],
    ),
    "padding without an axis for heads": (
        lambda: attend(q=(2, 8, 4, 3), k=(2, 8, 5, 3), mask=padding_mask([3, 4], 5)),
        ValueError,
        ["(2, 1, 5)", "(2, 8, 4, 5)"],
    ),
    "scale is text": (lambda: attend(scale="1"), TypeError, ["scale", "one number", "'1'"]),
    "scale is Boolean": (lambda: attend(scale=True), TypeError, ["scale", "one number", "True"]),
    "scale is an array": (lambda: attend(scale=np.ones(2)), TypeError, ["scale", "one number"]),
    "scale is complex": (lambda: attend(scale=1j), TypeError, ["scale", "one number"]),
    "scale is NaN": (lambda: attend(scale=nan), ValueError, ["scale", "finite", "nan"]),
    "scale is infinite": (lambda: attend(scale=-inf), ValueError, ["scale", "finite", "-inf"]),
    "scale by position": (
        lambda: scaled_dot_product_attention([[1]], [[1]], [[1]], None, 1.0),
        TypeError,
        ["positional"],
    ),
}

SOFTMAX = {
    "softmax of NaN": (lambda: softmax([0, nan]), ValueError, ["x", "NaN or +inf", "nan", "x[1]"]),
    "softmax of +inf": (lambda: softmax([[0, 1], [inf, 1]]), ValueError, ["+inf", "inf at x[1, 0]"]),
    "softmax of NaN beside −inf": (lambda: softmax([-inf, nan]), ValueError, ["nan at x[1]"]),
    "softmax of NaN, axis 0": (lambda: softmax([[0, nan]], axis=0), ValueError, ["nan at x[0, 1]"]),
    "softmax of a number": (lambda: softmax(1.0), ValueError, ["0 axes", "-1"]),
    "softmax over no axis": (lambda: softmax([1.0], axis=1), ValueError, ["x has 1 axes", "axis 1"]),
    "softmax over axis −2": (lambda: softmax([1.0], axis=-2), ValueError, ["axis -2"]),
    "softmax over all": (lambda: softmax([1.0], axis=None), TypeError, ["axis", "whole number", "None"]),
    "softmax over two": (lambda: softmax([[1.0]], axis=(0, 1)), TypeError, ["axis", "whole number", "tuple"]),
    "softmax over 0.0": (lambda: softmax([1.0], axis=0.0), TypeError, ["axis", "whole number", "float"]),
    "softmax of Booleans": (lambda: softmax([True]), TypeError, ["x", "bool"]),
    "softmax of complex": (lambda: softmax([1j]), TypeError, ["x", "complex128"]),
    "softmax of a masked array": (lambda: softmax(np.ma.array([1.0])), TypeError, ["x", "masked array"]),
    "log_softmax of NaN": (lambda: log_softmax([nan]), ValueError, ["x", "nan at x[0]"]),
    "log_softmax of +inf": (lambda: log_softmax([inf]), ValueError, ["x", "inf at x[0]"]),
    "log_softmax over no axis": (lambda: log_softmax([1.0], axis=1), ValueError, ["axis 1"]),
    "entropy of scores": (lambda: entropy([1.0, 2.0]), ValueError, ["p", "sum to 1", "3.0"]),
    "entropy of rounded weights": (lambda: entropy([0.33, 0.33, 0.33]), ValueError, ["sum to 1", "0.99"]),
    "entropy of too little": (lambda: entropy([[0.5, 0.5], [0.2, 0.2]]), ValueError, ["sum to 1", "sum[1]"]),
    "entropy, wrong axis": (
        lambda: entropy([[0.25, 0.75]], axis=0),
        ValueError,
        ["axis 0", "0.25 at sum[0]"],
    ),
    "entropy of a negative weight": (lambda: entropy([-0.5, 1.5]), ValueError, ["0 or more", "-0.5 at p[0]"]),
    "entropy of NaN": (lambda: entropy([nan, 1]), ValueError, ["nan at p[0]"]),
    "entropy of +inf": (lambda: entropy([inf, 0]), ValueError, ["sum to 1", "inf"]),
    "entropy to base 1": (lambda: entropy([1.0], base=1), ValueError, ["base", "above 1"]),
    "entropy to base 0.5": (lambda: entropy([1.0], base=0.5), ValueError, ["base", "above 1", "0.5"]),
    "entropy to base NaN": (lambda: entropy([1.0], base=nan), ValueError, ["base", "nan"]),
    "entropy to base 'e'": (lambda: entropy([1.0], base="e"), TypeError, ["base", "'e'"]),
    "entropy over no axis": (lambda: entropy([1.0], axis=1), ValueError, ["p has 1 axes", "axis 1"]),
    "jacobian of scores": (lambda: softmax_jacobian([1.0, 2.0]), ValueError, ["p", "sum to 1"]),
    "jacobian of a negative weight": (lambda: softmax_jacobian([-1.0, 2.0]), ValueError, ["-1.0 at p[0]"]),
    "jacobian of a number": (lambda: softmax_jacobian(1.0), ValueError, ["p", "0 axes"]),
}

MASKS = {
    "n_q negative": (lambda: causal_mask(-1), ValueError, ["n_q", "0 or more", "-1"]),
    "n_q a float": (lambda: causal_mask(3.0), TypeError, ["n_q", "whole number", "3.0", "float"]),
    "n_q a Boolean": (lambda: causal_mask(True), TypeError, ["n_q", "whole number", "True"]),
    "n_q an array": (lambda: causal_mask(np.array([2, 3])), TypeError, ["n_q", "whole number"]),
    "n_q missing": (lambda: causal_mask(None), TypeError, ["n_q", "None"]),
    "n_k negative": (lambda: causal_mask(2, -3), ValueError, ["n_k", "-3"]),
    "n_k text": (lambda: causal_mask(2, "3"), TypeError, ["n_k", "'3'", "str"]),
    "offset a float": (lambda: causal_mask(2, offset=0.5), TypeError, ["offset", "0.5"]),
    "offset by position": (lambda: causal_mask(2, 4, 2), TypeError, ["positional"]),
    "length too long": (lambda: padding_mask([2, 5], 4), ValueError, ["lengths", "n_k = 4", "5"]),
    "length negative": (lambda: padding_mask([-1, 2], 4), ValueError, ["lengths", "0", "-1"]),
    "lengths floats": (lambda: padding_mask([2.0], 4), TypeError, ["lengths", "whole numbers", "float64"]),
    "lengths a mask": (lambda: padding_mask([True, False], 4), TypeError, ["lengths", "bool"]),
    "padding n_k negative": (lambda: padding_mask([0], -1), ValueError, ["n_k", "-1"]),
    "padding n_k a float": (lambda: padding_mask([0], 4.0), TypeError, ["n_k", "4.0"]),
    "window 0": (lambda: sliding_window_mask(4, 0), ValueError, ["window", "1 or more", "0"]),
    "window negative": (lambda: sliding_window_mask(4, -2), ValueError, ["window", "-2"]),
    "window a float": (lambda: sliding_window_mask(4, 2.0), TypeError, ["window", "2.0"]),
    "window n negative": (lambda: sliding_window_mask(-4, 2), ValueError, ["n must", "-4"]),
    "prefix too long": (lambda: prefix_mask(3, 4), ValueError, ["n_prefix", "n = 3", "4"]),
    "prefix negative": (lambda: prefix_mask(3, -1), ValueError, ["n_prefix", "-1"]),
    "prefix a float": (lambda: prefix_mask(3, 1.0), TypeError, ["n_prefix", "1.0"]),
    "prefix n a float": (lambda: prefix_mask(3.0, 1), TypeError, ["n must", "3.0"]),
    "additive of 0 and 1": (
        lambda: to_additive(np.ones((2, 2), int), float),
        TypeError,
        ["Boolean", "int64"],
    ),
    "additive of floats": (lambda: to_additive(np.zeros((2, 2)), float), TypeError, ["Boolean", "float64"]),
    "additive as int": (lambda: to_additive(causal_mask(2), int), TypeError, ["float dtype", "int64"]),
    "additive as bool": (lambda: to_additive(causal_mask(2), bool), TypeError, ["float dtype", "bool"]),
}

RNG = np.random.default_rng(0)
VARIANCE = {
    "d_k is 0 for a variance": (lambda: score_variance(0), ValueError, ["d_k", "1 or more", "0"]),
    "d_k a float": (lambda: score_variance(8.0), TypeError, ["d_k", "whole number", "8.0"]),
    "d_k an array": (lambda: score_variance(np.array([1, 2])), TypeError, ["d_k", "whole number"]),
    "variance negative": (lambda: score_variance(8, var_q=-1), ValueError, ["var_q", "0 or more", "-1"]),
    "variance of k negative": (lambda: score_mean(8, var_k=-0.5), ValueError, ["var_k", "0 or more", "-0.5"]),
    "variance NaN": (lambda: score_variance(8, var_k=nan), ValueError, ["var_k", "finite", "nan"]),
    "variance is text": (lambda: score_variance(8, var_q="1"), TypeError, ["var_q", "one number", "'1'"]),
    "mean infinite": (lambda: score_variance(8, mean_q=inf), ValueError, ["mean_q", "finite", "inf"]),
    "mean an array": (lambda: score_variance(8, mean_k=np.ones(3)), TypeError, ["mean_k", "one number"]),
    "correlation above 1": (
        lambda: score_variance(8, correlation=1.5),
        ValueError,
        ["correlation", "between -1 and 1", "1.5"],
    ),
    "correlation below −1": (
        lambda: sample_scores(RNG, 5, 8, correlation=-2),
        ValueError,
        ["correlation", "between -1 and 1", "-2"],
    ),
    "scale NaN": (lambda: score_variance(8, scale=nan), ValueError, ["scale", "finite", "nan"]),
    "scale of a mean is text": (
        lambda: score_mean(8, scale="root"),
        TypeError,
        ["scale", "one number", "'root'"],
    ),
    "variance by position": (lambda: score_variance(8, 1), TypeError, ["positional"]),
    "rng is a seed": (lambda: sample_scores(7, 5, 8), TypeError, ["rng", "Generator", "int"]),
    "rng is the old kind": (
        lambda: sample_scores(np.random.RandomState(0), 5, 8),
        TypeError,
        ["rng", "Generator", "RandomState"],
    ),
    "n_samples negative": (lambda: sample_scores(RNG, -1, 8), ValueError, ["n_samples", "0 or more", "-1"]),
    "n_samples a float": (lambda: sample_scores(RNG, 1e3, 8), TypeError, ["n_samples", "1000.0"]),
    "d_k of samples negative": (lambda: sample_scores(RNG, 5, -8), ValueError, ["d_k", "1 or more", "-8"]),
    "saturation of scores": (lambda: saturation([1.0, 2.0]), ValueError, ["sum to 1", "3.0"]),
    "saturation of a negative weight": (lambda: saturation([1.5, -0.5]), ValueError, ["0 or more", "-0.5"]),
    "saturation of a mask": (lambda: saturation([True, False]), TypeError, ["bool"]),
    "Jacobian norm of scores": (lambda: jacobian_norm([[1.0, 2.0]]), ValueError, ["sum to 1"]),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("call", "error", "words"),
    [*ATTENTION.values(), *SOFTMAX.values(), *MASKS.values(), *VARIANCE.values()],
    ids=[*ATTENTION, *SOFTMAX, *MASKS, *VARIANCE],
)
def test_says_what_it_expected_and_what_came(call, error, words):
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert type(caught.value) is error
    assert [word for word in words if word not in message] == [], message
    assert "\n" not in message
