"""The PyTorch snippets that pages show were run as they stand, and what they computed is what the book computes."""

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.explore import masking, self_attention
from attn.masks import causal_mask
from attn.multihead import MultiHeadAttention
from attn.pmi import pmi
from attn.positional import sinusoidal_encoding
from attn.rotary import rotate, to_layout
from attn.softmax import log_softmax, softmax

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "chapters" / "pytorch"
STORED = json.loads((FOLDER / "outputs.json").read_text(encoding="utf-8"))
SNIPPETS = sorted(path.stem for path in FOLDER.glob("*.py"))
SINGLE = 2e-6  # PyTorch's numbers have 24 bits


def values(name):
    return {key: np.array(value) for key, value in STORED["snippets"][name]["values"].items()}


def attend(got, mask=None, **options):
    return scaled_dot_product_attention(got["q"], got["k"], got["v"], mask, **options)[0]


def attention(got):
    q, k, v = map(np.array, (self_attention.Q, self_attention.K, self_attention.V))
    return {"output": scaled_dot_product_attention(q, k, v)[0]}


def causal(got):
    q, k, v = map(np.array, (masking.Q, masking.K, masking.V))
    output = scaled_dot_product_attention(q, k, v, causal_mask(4))[0]
    return {"output": output, "by_mask": output, "sees": causal_mask(4)}


def two_meanings(got):
    x, eye, zero = got["x"][0], np.eye(4), np.zeros(4)
    layer = MultiHeadAttention.from_packed(got["packed"], np.zeros(12), eye, zero, 1)
    right, wrong = (layer(x, None, mask)[1][0] for mask in (got["sees"], ~got["sees"]))
    wrong[~(~got["sees"]).any(axis=1)] = np.nan  # where nothing may be seen PyTorch says NaN, and attn 0
    return {"right": right, "wrong": wrong, "sees": causal_mask(3)}


def fewer_queries(got):
    return {"newest": attend(got), "is_causal": attend(got, causal_mask(3)[:1])}


def half(got):
    """attn computes float16 in float32, as the fused function does: nothing overflows."""
    q, k, v = (got[name].astype(np.float16) for name in "qkv")
    weights = scaled_dot_product_attention(q, k, v)[1]
    return {"scores": [[np.inf, -np.inf]], "late": [[np.nan] * 2], "early": weights, "fused": weights}


def packed(got):
    layer = MultiHeadAttention.from_packed(got["packed"], None, got["w_o"], None, 2)
    output, weights = layer(got["x"])
    return {"output": output, "weights": weights, "ours": weights, "w_q": got["packed"][:6]}


def positions(got):
    encoding = sinusoidal_encoding(2, 4)
    return {"encoding": encoding, "summed": [[1, 2, 3, 4], [2, 3, 4, 5]] + encoding}


def scale(got):
    divided = got["q"] / 4
    once, twice = attend(got), scaled_dot_product_attention(divided, got["k"], got["v"])[0]
    assert np.abs(once - twice).max() > 0.01
    return {"once": once, "right": once, "twice": twice}


def softmax_axis(got):
    return {"right": softmax(got["batch"], -1), "no_dim": softmax(got["batch"], 0)}


def autograd(got):
    p = softmax(2 * got["tokens"])
    read = p @ got["tokens"]
    d_read = softmax([0, read])[1] - 1
    d_q = d_read * (p * (got["tokens"] - read)) @ got["tokens"]
    return {"weights": p, "read": read, "loss": -log_softmax([0, read])[1], "gradient": d_q}


def which_loss(got):
    (z,) = got["logits"]
    loss, p = -log_softmax(z)[1], softmax(z)
    return {"losses": [loss, loss, -p[1], -log_softmax(p)[1]]}


def pairs(got):
    joint = np.array([[0.10, 0.70], [0.15, 0.05]])
    scores = pmi(joint, np.e) + np.log(joint.sum(axis=0))
    right = joint / joint.sum(axis=1, keepdims=True)
    assert_allclose(softmax(scores), right)
    return {"scores": scores, "weights": right, "gradient": np.zeros((2, 2))}


def turned(got):
    def score(q, k, layout):
        return (rotate(q, [3], layout=layout) @ rotate(k, [2], layout=layout).T).tolist()

    q, k = got["q"], got["k"]
    right = score(q, k, "interleaved")
    assert_allclose(
        score(to_layout(q, "interleaved", "halves"), to_layout(k, "interleaved", "halves"), "halves"), right
    )
    return {"by_neighbors": right, "by_halves": right, "not_reordered": score(q, k, "halves")}


OURS = {
    "attention": attention,
    "autograd": autograd,
    "causal": causal,
    "fewer_queries": fewer_queries,
    "half": half,
    "linear_start": lambda got: {},  # drawn at random: see the test below
    "packed": packed,
    "pairs": pairs,
    "positions": positions,
    "scale": scale,
    "softmax_axis": softmax_axis,
    "turned": turned,
    "two_meanings": two_meanings,
    "which_loss": which_loss,
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_was_run_as_it_stands(name):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert STORED["snippets"][name]["sha256"] == digest, "run tests/reference/make_torch.py"


def test_no_output_is_left_of_a_snippet_that_is_gone():
    assert sorted(STORED["snippets"]) == SNIPPETS == sorted(OURS)


@pytest.mark.parametrize("name", SNIPPETS)
def test_pytorch_says_what_the_book_says(name):
    got = values(name)
    for key, ours in OURS[name](got).items():
        assert_allclose(got[key], ours, rtol=0, atol=SINGLE, err_msg=key)


def test_a_linear_layer_starts_with_a_third_of_the_variance():
    """Weights uniform between ±1/√d have variance 1/(3 d); 512 products of such a weight and a normal number sum up."""
    got = values("linear_start")
    assert abs(got["q_variance"] - 1 / 3) < 0.01
    assert 0.99 < got["largest"] * 512**0.5 <= 1


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_fits_a_phone_and_stands_on_one_page(name):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8") + STORED["snippets"][name]["printed"]
    assert max(map(len, text.splitlines())) <= 64
    pages = [*(ROOT / "chapters").glob("*.ipynb"), *(ROOT / "chapters" / "further").glob("*.ipynb")]
    shown = [
        page.stem
        for page in pages
        if re.search(rf"```{{pytorch}} {name}\\n", page.read_text(encoding="utf-8"))
    ]
    assert len(shown) == 1
