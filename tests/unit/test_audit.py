"""The audits find each planted mistake and name it; code that is right, in whatever style, is not accused."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from attn import audit, masks
from attn.attention import scaled_dot_product_attention
from attn.audit import cache_audit, heads_audit, leaks, mask_audit, rotary_audit, softmax_audit
from attn.rotary import LAYOUTS, rotate

AUDITS = (leaks, mask_audit, softmax_audit, rotary_audit, cache_audit)


def words_of(finding):
    """What it prints, in one line of small letters."""
    return " ".join(str(finding).lower().split())


# Attention in several styles, none of them this package's ----------------------------------------------------------


def tri(q, k, shift=0):
    n, m = q.shape[-2], k.shape[-2]
    return np.tri(n, m, m - n + shift, dtype=bool)


def soft(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def einsum_style(q, k, v):
    s = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1]).astype(q.dtype)
    return np.einsum("...ij,...jd->...id", soft(np.where(tri(q, k), s, -np.inf)), v)


def additive_style(q, k, v):
    bias = np.where(tri(q, k), 0, np.finfo(q.dtype).min).astype(q.dtype)
    s = q @ k.mT * q.dtype.type(q.shape[-1] ** -0.5)
    return (soft((s + bias).astype(np.float32)).astype(v.dtype)) @ v


def loop_style(q, k, v):
    out = np.zeros((*q.shape[:-1], v.shape[-1]), v.dtype)
    past = k.shape[-2] - q.shape[-2]
    for i in range(q.shape[-2]):
        s = (k[..., : past + i + 1, :] * q[..., [i], :]).sum(-1) / q.shape[-1] ** 0.5
        out[..., i, :] = (soft(s)[..., None] * v[..., : past + i + 1, :]).sum(-2)
    return out


def online_style(q, k, v):
    """A block of keys after the other, as FlashAttention goes."""
    m = np.full((*q.shape[:-1], 1), -1e30)
    total, out = np.zeros(m.shape), np.zeros((*q.shape[:-1], v.shape[-1]))
    seen = tri(q, k)
    for at in range(0, k.shape[-2], 2):
        s = q @ k[..., at : at + 2, :].mT / np.sqrt(q.shape[-1])
        s = np.where(seen[..., at : at + 2], s, -np.inf)
        new = np.maximum(m, s.max(-1, keepdims=True))
        e, keep = np.exp(s - new), np.exp(m - new)
        total, out = total * keep + e.sum(-1, keepdims=True), out * keep + e @ v[..., at : at + 2, :]
        m = new
    return out / total


def package_style(q, k, v):
    return scaled_dot_product_attention(q, k, v, tri(q, k))


def turned(layout, turn_k=rotate, first=None):
    def attend(q, k, v):
        n, m = q.shape[-2], k.shape[-2]
        place = np.arange(m - n, m) if first is None else np.arange(first, first + n)
        return einsum_style(rotate(q, place, layout=layout), turn_k(k, np.arange(m), layout=layout), v)

    return attend


RIGHT = {
    "einsum": einsum_style,
    "additive": additive_style,
    "loop": loop_style,
    "online": online_style,
    "package": package_style,
    "interleaved": turned("interleaved"),
    "halves": turned("halves"),
}
LIKES = {
    "default": None,
    "float32": np.zeros((2, 3, 5, 4), np.float32),
    "float16": np.zeros((7, 8), np.float16),
}


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_not_accused(name, like):
    for one, seed in itertools.product(AUDITS, range(3)):
        finding = one(RIGHT[name], like=LIKES[like], seed=seed)
        assert not finding, f"{one.__name__}: {finding}"
        no_scale = one is softmax_audit and name in LAYOUTS
        assert ("nothing wrong" in words_of(finding)) == (not no_scale)
        assert ("could not tell the scale" in words_of(finding)) == no_scale


def masked(mistake):
    """Attention whose weights are `mistake(scores, mask)`."""
    return lambda q, k, v: mistake(q @ k.mT / np.sqrt(q.shape[-1]), tri(q, k)) @ v


def shifted(shift):
    return lambda q, k, v: soft(np.where(tri(q, k, shift), q @ k.mT / np.sqrt(q.shape[-1]), -1e30)) @ v


def scaled(scale):
    return lambda q, k, v: soft(np.where(tri(q, k), q @ k.mT * scale, -np.inf)) @ v


def rescaled(s, mask):
    w = soft(s) * mask
    return w / w.sum(-1, keepdims=True)


def top_left(q, k, v):
    s = q @ k.mT / np.sqrt(q.shape[-1])
    return soft(np.where(np.tri(*s.shape[-2:], dtype=bool), s, -np.inf)) @ v


def mixed_tables(x, places, layout=None):
    """Cosines and sines each twice in a row, and rotate_half."""
    half = x.shape[-1] // 2
    angle = np.repeat(np.asarray(places)[:, None] * 10000.0 ** (-np.arange(half) / half), 2, axis=-1)
    return x * np.cos(angle) + np.concatenate([-x[..., half:], x[..., :half]], -1) * np.sin(angle)


def other_layout(x, places, layout):
    return rotate(x, places, layout={"halves": "interleaved", "interleaved": "halves"}[layout])


WRONG = [
    (leaks, masked(lambda s, mask: np.where(mask, soft(s), 0)), "after the softmax"),
    (leaks, masked(lambda s, mask: soft(s)), "no effect"),
    (leaks, masked(lambda s, mask: soft(s + mask)), "no effect"),
    (leaks, masked(lambda s, mask: soft(s * mask)), "multiplied"),
    (leaks, masked(lambda s, mask: soft(np.where(mask, -1e30, s))), "inverted"),
    (leaks, masked(lambda s, mask: soft(np.where(mask.T, s, -np.inf))), "transposed"),
    (leaks, masked(rescaled), "after exp"),
    (leaks, shifted(1), "future"),
    (leaks, lambda q, k, v: einsum_style(q, k, v) + 1e-6 * v[..., -1:, :], "by 0.0"),
    (leaks, masked(lambda s, mask: soft(np.where(mask, s, -1e30), axis=-2)), "another query"),
    (leaks, lambda q, k, v: einsum_style(q, k, v) + np.nan, "nan"),
    (mask_audit, shifted(1), "future"),
    (mask_audit, shifted(-1), "itself"),
    (mask_audit, masked(lambda s, mask: np.where(np.eye(len(s)), 1.0, 0)), "15 of 21"),
    (softmax_audit, scaled(1), "0.3536. is the root missing"),
    (softmax_audit, scaled(1 / 8), "twice"),
    (softmax_audit, scaled(np.sqrt(8)), "by the root"),
    (softmax_audit, scaled(64**-0.5), "0.125"),
    (softmax_audit, scaled(24**-0.5), "d_model"),
    (softmax_audit, scaled(6**-0.5), "number of words"),
    (softmax_audit, masked(lambda s, mask: soft(np.where(mask, s, -1e30), axis=-2)), "down the columns"),
    (softmax_audit, masked(lambda s, mask: np.exp(s) * mask), "division missing"),
    (softmax_audit, masked(lambda s, mask: np.exp(s) * mask / (np.exp(s) * mask).sum()), "one sum for all"),
    (softmax_audit, masked(lambda s, mask: soft(s) * mask), "after the softmax"),
    (softmax_audit, masked(lambda s, mask: s), "softmax missing"),
    (softmax_audit, masked(lambda s, mask: soft(s) / 3), "0.333"),
    (softmax_audit, masked(lambda s, mask: soft(s) + np.nan), "nan"),
    (rotary_audit, turned("halves", other_layout), "layout"),
    (rotary_audit, turned("interleaved", other_layout), "layout"),
    (rotary_audit, turned("halves", lambda x, places, layout: x), "only the queries"),
    (rotary_audit, turned("halves", lambda x, places, layout: rotate(x, -places, layout=layout)), "against"),
    (
        rotary_audit,
        lambda q, k, v: einsum_style(q, rotate(k, np.arange(k.shape[-2]), layout="halves"), v),
        "only the keys",
    ),
    (
        rotary_audit,
        lambda q, k, v: einsum_style(mixed_tables(q, np.arange(6)), mixed_tables(k, np.arange(6)), v),
        "layout",
    ),
    (cache_audit, top_left, "top-left"),
    (cache_audit, turned("halves", first=0), "from 0"),
    (cache_audit, turned("interleaved", first=0), "from 0"),
    (cache_audit, masked(lambda s, mask: soft(s)), "leaks"),
    (
        cache_audit,
        lambda q, k, v: (package_style if len(q) in (1, len(k)) else top_left)(q, k, v),
        "output 2",
    ),
    (
        cache_audit,
        lambda q, k, v: einsum_style(q[:], k[-2:], v[-2:]) if len(q) == 1 else einsum_style(q, k, v),
        "keys 4, 5",
    ),
]


@pytest.mark.parametrize(("one", "attend", "words"), WRONG, ids=[f"{w[0].__name__}-{w[2]}" for w in WRONG])
def test_each_planted_mistake_is_found_and_named(one, attend, words):
    for seed in range(3):
        finding = one(attend, seed=seed)
        assert finding
        assert words in words_of(finding)


def test_what_is_found_says_where():
    assert_array_equal(leaks(shifted(1)).found, np.eye(6, k=1, dtype=bool))
    assert_array_equal(mask_audit(shifted(1)).found, np.eye(6, k=1))
    below = mask_audit(
        masked(lambda s, mask: soft(np.where(np.tri(6, k=-1) + np.eye(6)[0], s, -np.inf)))
    ).found
    assert_array_equal(below[1:], -np.eye(6)[1:])
    assert softmax_audit(scaled(0.2)).found == pytest.approx(0.2)
    assert not softmax_audit(scaled(0.2), scale=0.2)
    assert (cache_audit(top_left).found[1:] > 0.1).all()
    assert cache_audit(top_left).found[0] < 1e-12


def test_the_layout_is_told_and_held_against_the_weights():
    for layout, other in (("halves", "interleaved"), ("interleaved", "halves")):
        assert rotary_audit(turned(layout), layout=layout).found == layout
        wrong = rotary_audit(turned(layout), layout=other)
        assert wrong
        assert f"to_layout(w, '{other}', '{layout}'" in words_of(wrong)
    assert rotary_audit(einsum_style).found is None
    partly = lambda q, k, v: einsum_style(*(rotate(x, np.arange(6), n_rotary=4) for x in (q, k)), v)  # noqa: E731
    assert rotary_audit(partly).found == "interleaved"


def test_any_mask_and_any_shape():
    """Cross-attention, a window, padding of a batch, heads that share keys: right, and wrong by one entry."""
    shapes = (np.zeros((2, 2, 8)), np.zeros((2, 6, 8)), np.zeros((2, 6, 5)))
    for right in (masks.padding_mask([6, 4], 6), masks.sliding_window_mask(6, 3)[-2:], np.ones((1, 1), bool)):
        attend = lambda q, k, v, m=right: soft(np.where(m, q @ k.mT / np.sqrt(8), -np.inf)) @ v  # noqa: E731
        assert not leaks(attend, right, like=shapes)
        assert not mask_audit(attend, right, like=shapes)
        assert not softmax_audit(attend, like=shapes)
    wrong = mask_audit(attend, masks.padding_mask([6, 4], 6), like=shapes)
    assert_array_equal(wrong.found, np.broadcast_to([[[0] * 6], [[0] * 4 + [1] * 2]], (2, 2, 6)))
    assert "of [1]" in words_of(wrong)

    shared = lambda q, k, v: einsum_style(q, np.repeat(k, 2, axis=0), np.repeat(v, 2, axis=0))  # noqa: E731
    like = (np.zeros((4, 6, 8)), np.zeros((2, 6, 8)), np.zeros((2, 6, 8)))
    assert not leaks(shared, like=like)
    assert softmax_audit(shared, like=like).found == pytest.approx(8**-0.5)

    last = lambda q, k, v: np.moveaxis(einsum_style(*(np.moveaxis(x, 0, -2) for x in (q, k, v))), -2, 0)  # noqa: E731
    for one in AUDITS:
        assert not one(last, like=np.zeros((6, 3, 8)), tokens=0), one.__name__


@pytest.mark.parametrize(
    ("fill", "words"),
    [
        (-np.inf, "nothing, and is nan"),
        (-1e9, "1 of 6 outputs are so. a large negative number"),
        ("zero", ""),
    ],
)
def test_a_row_that_may_look_at_nothing(fill, words):
    mask = masks.causal_mask(6)
    mask[3] = False

    def attend(q, k, v):
        w = soft(np.where(mask, q @ k.mT / np.sqrt(8), -1e9 if fill == "zero" else fill))
        return (w * mask if fill == "zero" else w) @ v

    finding = mask_audit(attend, mask)
    assert words in words_of(finding)
    assert bool(finding) == bool(words)


def test_mask_audit_decides_between_the_two_questions_of_a_cache():
    """The triangle of the cache, or its positions: only the first moves what is seen."""

    def stepwise(attend):
        return lambda q, k, v: np.concatenate(
            [attend(q[i : i + 1], k[: i + 1], v[: i + 1]) for i in range(6)]
        )

    for attend, seen in ((top_left, False), (turned("halves", first=0), True)):
        whole = turned("halves") if seen else einsum_style
        assert "positions start" in words_of(cache_audit(whole, stepwise(attend)))
        assert bool(mask_audit(stepwise(attend))) != seen


def test_layers_and_language_models_are_called_with_what_they_take():
    rng = np.random.default_rng(0)
    w = rng.normal(size=(3, 8, 8)) / 3
    embedding, places = rng.normal(size=(11, 8)), rng.normal(size=(6, 8))
    layer = lambda x, attend=einsum_style: x + attend(x @ w[0], x @ w[1], x @ w[2])  # noqa: E731
    model = lambda ids, attend=einsum_style: layer(embedding[ids] + places, attend) @ embedding.T  # noqa: E731
    ids = rng.integers(11, size=(2, 6))
    blind = lambda q, k, v: soft(q @ k.mT) @ v  # noqa: E731
    for program, like in ((layer, np.zeros((2, 6, 8))), (model, ids)):
        assert not leaks(program, like=(like,))
        assert not mask_audit(program, like=(like,))
        assert "no effect" in words_of(leaks(lambda x, f=program: f(x, blind), like=(like,)))
        assert "future" in words_of(leaks(lambda x, f=program: f(x, shifted(1)), like=(like,)))
        late = lambda x, f=program: np.concatenate([f(x)[:, :4], f(x)[:, 4:] + 0.1], axis=1)  # noqa: E731
        assert "output 4" in words_of(cache_audit(program, late, like=(like,)))
        assert "positions start" in words_of(cache_audit(program, late, like=(like,)))
        assert "empty" in words_of(cache_audit(program, lambda x, f=program: f(x) + 1, like=(like,)))
        assert not cache_audit(program, program, like=(like,))


def test_a_layer_with_padding_is_not_accused():
    """A padded token moves its own output, as the one that asks; no other one's may it move."""
    w = np.random.default_rng(0).normal(size=(3, 8, 8)) / 3
    lengths = [6, 4]
    right = masks.padding_mask(lengths, 6) & np.tri(6, dtype=bool)

    def layer(x, sees):
        q, k, v = (x @ one for one in w)
        return soft(np.where(sees, q @ k.mT / np.sqrt(8), -np.inf)) @ v

    for one in (leaks, mask_audit):
        finding = one(lambda x: layer(x, right), right, like=(np.zeros((2, 6, 8)),))
        assert not finding, finding
        assert not finding.found.any()
        wrong = one(lambda x: layer(x, np.tri(6) > 0), right, like=(np.zeros((2, 6, 8)),))
        assert "token 4 moves output 5 of [1]" in words_of(wrong)
        assert_array_equal(np.argwhere(wrong.found), [[1, 5, 4]])


def test_a_program_that_draws_is_told_so():
    rng = np.random.default_rng(0)
    drawing = lambda q, k, v: einsum_style(q, k, v) * (rng.random(v.shape) > 0.1)  # noqa: E731
    for one in AUDITS:
        assert "dropout" in words_of(one(drawing))


FLOAT32 = np.dtype(np.float32)


class Tensor:
    """What the audits know of a tensor of PyTorch, and no more: no array of NumPy comes in or goes out."""

    is_cuda = True

    def __init__(self, data, dtype=FLOAT32):
        self.data, self.dtype, self.shape = np.asarray(data).astype(dtype), dtype, np.shape(data)

    def new_tensor(self, data):
        return Tensor(data, self.dtype)

    def detach(self):
        return self

    def cpu(self):
        here = Tensor(self.data, self.dtype)
        here.is_cuda = False
        return here

    def double(self):
        wide = Tensor(self.data, np.dtype(np.float64))
        wide.is_cuda = self.is_cuda
        return wide

    def __array__(self, dtype=None, copy=None):
        assert not self.is_cuda
        assert self.dtype == np.float64
        return self.data


def test_tensors_go_in_and_come_out():
    def attend(f):
        def inside(*given):
            assert all(type(x) is Tensor and x.dtype == like.dtype for x in given)
            return Tensor(f(*(x.data for x in given)))

        return inside

    like = Tensor(np.zeros((2, 6, 8)))
    for one in AUDITS:
        assert not one(attend(einsum_style), like=like), one.__name__
    assert "future" in words_of(leaks(attend(shifted(1)), like=like))
    assert "root missing" in words_of(softmax_audit(attend(scaled(1)), like=like))
    assert not mask_audit(attend(einsum_style), Tensor(np.tri(6) > 0, np.dtype(bool)), like=like)
    assert heads_audit(Tensor(np.full((2, 4, 4), 0.25)))


def drawn_heads(rng, n_heads=4, n=6, spread=1.0):
    return soft(np.where(np.tri(n, dtype=bool), spread * rng.normal(size=(n_heads, n, n)), -np.inf))


def test_heads():
    rng = np.random.default_rng(0)
    weights = drawn_heads(rng)
    assert not heads_audit(weights)
    assert not heads_audit(drawn_heads(rng)[None].repeat(2, axis=0))

    alike = weights.copy()
    alike[3] = alike[1]
    assert "heads 1 and 3" in words_of(heads_audit(alike))
    assert heads_audit(alike).found["alike"][1, 3] == 0
    assert "6 pairs" in words_of(heads_audit(weights[[0, 0, 0, 0]]))

    sink = 0.05 * weights
    sink[..., 0] += 0.95
    assert "key 0 takes 0.9" in words_of(heads_audit(sink))
    assert "saturated" not in words_of(heads_audit(sink))
    assert "in 4 of 4 heads" in words_of(heads_audit(drawn_heads(rng, n=9, spread=100)))
    half = np.full((1, 8, 8), 1 / 8)
    half[0, :5] = 0.999 * np.eye(8)[:5] + 0.001 / 8  # five rows of eight; the mean of the largest is 0.67
    assert "in 1 of 1 heads, half of the rows or more" in words_of(heads_audit(half))
    assert "flat" in words_of(heads_audit(drawn_heads(rng, spread=1e-5)))
    assert "nan" in words_of(heads_audit(weights * np.nan))
    empty = weights.copy()
    empty[:, 3] = 0  # a row that may look at nothing
    assert not heads_audit(empty)
    for scores in (weights + 0.1, weights * 2, np.log(weights + 0.1)):
        with pytest.raises(ValueError, match="sum to 1, got sums of .*: these are not weights"):
            heads_audit(scores)
    with pytest.raises(ValueError, match="a tuple of 2: these are not weights"):
        heads_audit((weights, weights))


WIDE, TALL = np.zeros((2, 8)), np.zeros((6, 8))
REFUSED = [
    (lambda: leaks(einsum_style, like=(6, 8)), r"np.zeros\(\(6, 8\)\).* int"),
    (lambda: leaks(einsum_style, np.tri(6)), "mask.* bool"),
    (lambda: mask_audit(einsum_style, np.tri(5) > 0), r"\(5, 5\).*\(..., n_q, n_k\) = \(6, 6\)"),
    (lambda: leaks(lambda q, k, v: einsum_style(q, k, v)[1:]), r"6 tokens.* axis 0.*\(5, 8\)"),
    (lambda: leaks(lambda ids: ids, like=(np.zeros((2, 6), int),)), "two different ids"),
    (lambda: softmax_audit(lambda x: x, like=(TALL,)), "softmax_audit.* q, k and v.* 1 part"),
    (lambda: softmax_audit(lambda q, k, v: einsum_style(q, k, v)[:, :3]), "as wide as v, 8"),
    (lambda: rotary_audit(einsum_style, like=np.zeros((3, 8))), "4 tokens"),
    (lambda: cache_audit(einsum_style, like=(WIDE, TALL, TALL)), "queries.* keys.* 2 and 6"),
    (lambda: heads_audit(np.eye(3)), "3 axes"),
    (lambda: heads_audit(np.eye(3)[None]), "two keys"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=[row[1] for row in REFUSED])
def test_what_is_refused(call, words):
    with pytest.raises((TypeError, ValueError), match=words):
        call()


def test_nothing_that_is_handed_over_is_changed():
    like, mask = np.ones((6, 8)), np.tri(6) > 0

    def writes(q, k, v):
        output = einsum_style(q, k, v)
        for x in (q, k, v):
            x[:] = 0
        return output

    for one in AUDITS:
        assert not one(writes, like=like)
    assert not mask_audit(writes, mask, like=like)
    assert (like == 1).all()
    assert_array_equal(mask, np.tri(6) > 0)
    assert audit.Finding(("a", "b")).__repr__() == "a\nb"
