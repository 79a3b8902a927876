"""What the hints of the checkers say, computed again where a sentence can be.

A hint with `w_q` for `w_k`, rows for columns or a root too few reads as well as the true one. SHOWN takes the formulas
and directions of hints at their word: it reads them out of the text and computes both the mistake and the right answer
from what it read.
"""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from tests.unit.checkers import EXERCISES

NAMES = sorted(EXERCISES)


def hints(name):
    """The hints of a checker, each once, in the order in which they are tried."""
    return list(dict.fromkeys(mistake.hint for mistake in EXERCISES[name].mistakes))


HINTS = [(name, hint) for name in NAMES for hint in hints(name)]


@pytest.fixture(autouse=True)
def _calm():
    with np.errstate(all="ignore"):
        yield


# ---------------------------------------------------------------- taken at their word


def value(text, **names):
    """What a formula of a hint comes to, for arrays and numbers of these names."""
    for sign, code in (("·", "*"), ("−", "-"), ("ᵀ", ".T"), ("²", "**2"), ("^", "**"), ("⁻¹", "**-1")):
        text = text.replace(sign, code)
    text = re.sub(r"√(\w+)", r"np.sqrt(\1)", text)
    return eval(text, {"np": np, "exp": np.exp, "ln": np.log, **names})


def same(one, two):
    one, two = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
    return one.shape == two.shape and np.allclose(one, two, rtol=1e-9, atol=1e-9, equal_nan=True)


def weigh(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


AXIS = {"row": -1, "rows": -1, "column": 0, "columns": 0, "first": 0, "last": -1}
TURN = {"ask": 0, "are asked": 1, "divided": lambda a, b: a / b, "multiplied": lambda a, b: a * b}


def attend(c, query="q", key="k", mixed="v", scores=None, axis=-1, weights=None):
    """Self-attention from the case's own matrices, with some of its parts named or given."""
    if weights is None:
        plain = c.names[query] @ c.names[key].T / np.sqrt(c.d_k)
        weights = weigh(plain if scores is None else scores, axis)
    return weights @ c.names[mixed]


def self_attention(x, w_q, w_k, w_v):
    made = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "q": x @ w_q, "k": x @ w_k, "v": x @ w_v}
    sizes = {"d_model": x.shape[1], "d_k": w_k.shape[1], "d_v": w_v.shape[1], "n": len(x)}
    scores = made["q"] @ made["k"].T
    return {**made, **sizes, "dots": scores, "scores": scores / np.sqrt(sizes["d_k"])}


def widths(c):
    return {"word": c.d_model, "value": c.d_v, "key": c.d_k}


def heads_of(c, by=lambda s, d: s / np.sqrt(d), axis=-1):
    """The heads' outputs side by side."""
    d = c.x.shape[1] // c.n_heads
    cut = [slice(h * d, (h + 1) * d) for h in range(c.n_heads)]
    qs, ks, vs = ([(c.x @ w)[:, one] for one in cut] for w in (c.w_q, c.w_k, c.w_v))
    return np.hstack([weigh(by(q @ k.T, d), axis) @ v for q, k, v in zip(qs, ks, vs, strict=True)])


def causal(rows, columns, sign, shift=0):
    """The pairs (i, j) for which j ≤ i, or j < i, when row 0 is token `shift`."""
    i, j = np.indices((rows, columns))
    return {"≤": j <= i + shift, "<": j < i + shift}[sign]


def table(c):
    """p(i, j), its margins and counts under the names that hints give them."""
    n = c.counts
    p = n / n.sum()
    p_i, p_j = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    return {"p(i, j)": p, "p(i)": p_i, "p(j)": p_j, "p(j|i)": p / p_i, "p(i|j)": p / p_j}


def of_table(text, c):
    """The value of a formula in p(i, j), p(i) and the like; a space between two of them multiplies."""
    made = {f"P{place}": number for place, number in enumerate(table(c).values())}
    for place, name in enumerate(table(c)):
        text = text.replace(name, f"P{place}")
    text = re.sub(r"(P\d) (P\d)", r"\1 * \2", text)
    return value(re.sub(r"log ((?:P\d| [/*] )+)", r"np.log2(\1)", text), **made)


def wave(c, sine=np.sin, cosine=np.cos, exponent="2i / d_model", start=0, write=None):
    """The encoding, with 10000 to the power of −(an exponent as a hint writes it)."""
    i, d = np.arange(c.d_model) // 2, c.d_model
    power = value(exponent.replace("2i", "2 * i"), i=i, d_model=d, d=d)
    omega = 10000.0**-power if write is None else write(i, d)
    angle = np.arange(start, start + c.n_positions)[:, None] * omega
    return np.where(np.arange(d) % 2 == 0, sine(angle), cosine(angle))


WAVES = {"sine": np.sin, "cosine": np.cos, "sines": np.sin, "cosines": np.cos}


def by_parity(words):
    """{"sine": …, "cosine": …} for wave() from ("even", "sines", "odd", "cosines")."""
    given = dict(zip(words[::2], words[1::2], strict=True))
    return {"sine": WAVES[given["even"]], "cosine": WAVES[given["odd"]]}


def variance(c, formula):
    names = {"v": c.var_q, "w": c.var_k, "m": c.mean_q, "n": c.mean_k, "r": c.correlation}
    return c.d_k * formula(SimpleNamespace(**names))


def terms(o, mixed=2, square=1):
    """The closed form, a feature: how often the mixed term is in it, and the square of ρ."""
    return (
        o.v * o.w * (1 + square * o.r**2)
        + o.m**2 * o.w
        + o.n**2 * o.v
        + mixed * o.r * o.m * o.n * np.sqrt(o.v * o.w)
    )


def greek(text, c):
    """The value of a product such as "2 ρ μ_q μ_k σ_q σ_k"."""
    made = {
        "ρ": c.correlation, "μ_q": c.mean_q, "μ_k": c.mean_k, "σ_q": np.sqrt(c.var_q), "σ_k": np.sqrt(c.var_k),
    }  # fmt: skip
    factors = [float(made.get(part, part)) for part in text.split()]
    return c.d_k * np.prod(factors)


def without_mixed(c, times=0):
    return variance(c, lambda o: terms(o, mixed=times))


def row_sums(weights):
    return same(weights.sum(axis=-1), np.ones(weights.shape[:-1]))


def adam(c, outside=True, against="subtracted", step=None, t=None):
    t = c.t if t is None else t
    mean, square = 0.9 * c.mean + 0.1 * c.gradient, 0.999 * c.square + 0.001 * c.gradient**2
    m, s = mean / (1 - 0.9**t), square / (1 - 0.999**t)
    move = m / (np.sqrt(s) + 1e-8) if step is None else step(m, s, mean, square)
    return np.stack([c.w + {"subtracted": -1, "added": 1}[against] * c.rate * move, mean, square])


def turned(x, positions, sign=1, exponent="2i / d"):
    i, d = np.arange(x.shape[1] // 2), x.shape[1]
    omega = 10000.0 ** -value(exponent.replace("2i", "2 * i"), i=i, d=d)
    angle = sign * np.asarray(positions)[:, None] * omega
    pair = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(-1j * angle)
    return np.stack([pair.real, pair.imag], axis=-1).reshape(x.shape)


def rotary(c, q=1, k=1, exponent="2i / d"):
    """Scores of rotated rows; a sign of 0 leaves them as they are."""
    return turned(c.q, c.q_positions, q, exponent) @ turned(c.k, c.k_positions, k, exponent).T


def gradient(c, middle):
    return c.weights * (c.d_weights - middle)


def chosen(c, table):
    return table[np.arange(len(c.y)), c.y]


def log_weights(z):
    z = z - z.max(axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


# More names for what a case holds.
MORE = {"self_attention": self_attention}

# Checkers, the words of a hint, and what they claim of each case: from the groups of the match and a case `c`, which
# has the arguments by name, `c.wrong` for the mistake's answer and `c.right`. A group in brackets is computed with.
SHOWN = [
    # chapter 0
    (
        "self_attention",
        r"down the (rows|columns)\? Each (row|column), one query, sums to one: that is the (first|last) axis\.",
        lambda c, down, each, axis: (
            same(c.wrong, attend(c, axis=AXIS[down]))
            and same(c.right, attend(c, axis=AXIS[each]))
            and AXIS[each] == AXIS[axis]
        ),
    ),
    (
        "self_attention",
        r"Is the root missing\? Here the scores are (divided|multiplied) by (√?\w+), the root of the width of a "
        r"(\w+)\.",
        lambda c, how, by, of: (
            same(c.right, attend(c, scores=TURN[how](c.dots, value(by, **c.names))))
            and value(by, **c.names) == np.sqrt(widths(c)[of])
            and same(c.wrong, attend(c, scores=c.dots))
        ),
    ),
    (
        "self_attention",
        r"Are the scores (divided|multiplied) by (d_k|the root)\?.* the scores are (divided|multiplied) by (√?\w+),",
        lambda c, how, by, rightly, root: (
            same(
                c.wrong,
                attend(c, scores=TURN[how](c.dots, np.sqrt(c.d_k) if by == "the root" else c.names[by])),
            )
            and same(c.right, attend(c, scores=TURN[rightly](c.dots, value(root, **c.names))))
        ),
    ),
    (
        "self_attention",
        r"Is that the root of (d_\w+), the width of a (\w+)\? .* (divided|multiplied) by (√?\w+),",
        lambda c, by, of, how, root: (
            same(c.wrong, attend(c, scores=c.dots / np.sqrt(c.names[by])))
            and c.names[by] == widths(c)[of]
            and same(c.right, attend(c, scores=TURN[how](c.dots, value(root, **c.names))))
        ),
    ),
    (
        "self_attention",
        r"the root of the number of words\? .* (divided|multiplied) by (√?\w+),",
        lambda c, how, root: (
            same(c.wrong, attend(c, scores=c.dots / np.sqrt(c.n)))
            and same(c.right, attend(c, scores=TURN[how](c.dots, value(root, **c.names))))
        ),
    ),
    (
        "self_attention",
        r"Are (q) and (k) swapped\? (Rows|Columns) belong to the words that (ask|are asked): the scores are (\w) (\w)ᵀ",
        lambda c, one, two, axis, who, q, k: (
            same(c.wrong, attend(c, two, one))
            and same(c.right, attend(c, q, k))
            and {"Rows": 0, "Columns": 1}[axis] == TURN[who]
        ),
    ),
    (
        "self_attention",
        r"Are the (keys|queries) made with (w_\w)\? A (key|query) is (x @ w_\w)\.",
        lambda c, part, by, one, formula: (
            same(
                c.wrong,
                attend(SimpleNamespace(**{**vars(c), "names": {**c.names, part[0]: c.x @ c.names[by]}})),
            )
            and same(value(formula, **c.names), c.names[one[0]])
            and part[0] == one[0]
        ),
    ),
    (
        "self_attention",
        r"Are the (keys|queries|words themselves) mixed\?.* "
        r"(?:what is mixed are the values|it is the values that are mixed), (x @ w_\w)\.",
        lambda c, mixed, formula: (
            same(c.wrong, attend(c, mixed={"keys": "k", "queries": "q", "words themselves": "x"}[mixed]))
            and same(c.right, weigh(c.scores) @ value(formula, **c.names))
        ),
    ),
    (
        "self_attention",
        r"Are the (words) themselves mixed\? What is mixed are the values, (x @ w_\w)\.",
        lambda c, mixed, formula: (
            same(c.wrong, attend(c, mixed="x")) and same(c.right, weigh(c.scores) @ value(formula, **c.names))
        ),
    ),
    (
        "self_attention",
        r"(q @ k) runs only where everything is square: the scores are (q @ k\.T)\.",
        lambda c, wrong, right: (
            same(c.wrong, attend(c, scores=value(wrong, **c.names) / np.sqrt(c.d_k)))
            and same(c.right, attend(c, scores=value(right, **c.names) / np.sqrt(c.d_k)))
        ),
    ),
    (
        "self_attention",
        r"Are these the weights\? The output is (\w+ @ \w):",
        lambda c, formula: (
            same(c.wrong, weigh(c.scores))
            and same(c.right, value(formula, **c.names, weights=weigh(c.scores)))
        ),
    ),
    (
        "self_attention",
        r"Divide each exponential by the sum of its (row|column), so that the",
        lambda c, each: (
            same(c.wrong, np.exp(c.scores) @ c.v)
            and same(c.right, np.exp(c.scores) / np.exp(c.scores).sum(axis=AXIS[each], keepdims=True) @ c.v)
        ),
    ),
    (
        "self_attention",
        r"one sum for all words\? Each (row|column) is divided by its own: sum along the (first|last) axis",
        lambda c, each, axis: (
            same(c.wrong, np.exp(c.scores) / np.exp(c.scores).sum() @ c.v)
            and same(c.right, attend(c, axis=AXIS[each]))
            and AXIS[each] == AXIS[axis]
        ),
    ),
    (
        "self_attention",
        r"exp\((\d+)\) is infinite\. Subtract each (row|column)'s (largest|smallest) score first",
        lambda c, large, each, which: (
            np.isinf(np.exp(float(large)))
            and np.isfinite(np.exp(float(large) - 1))
            and (lambda e: same(c.right, e / e.sum(axis=-1, keepdims=True) @ c.v))(
                np.exp(
                    c.scores
                    - {"largest": np.max, "smallest": np.min}[which](c.scores, axis=AXIS[each], keepdims=True)
                )
            )
        ),
    ),
    (
        "pair_for",
        r"Is the root missing\? Attention (divides|multiplies) by (√?d_k), and d_k is n here: so (multiply|divide)",
        lambda c, does, by, then: (
            {"divides": "multiply", "multiplies": "divide"}[does] == then
            and same(
                weigh(c.wrong[0] @ c.wrong[1].T * value(by, d_k=len(c.weights)) / np.sqrt(len(c.weights))),
                c.weights,
            )
            and same(weigh(c.right[0] @ c.right[1].T / value(by, d_k=len(c.weights))), c.weights)
        ),
    ),
    (
        "pair_for",
        r"(Row|Column) i of q kᵀ belongs to query i: with one-hot (queries|keys), it is \*(row|column)\* i of k\.",
        lambda c, of_scores, hot, of_k: (
            {"queries": "column"}[hot] == of_k
            and {"Row": True}[of_scores]
            and same((np.eye(len(c.weights)) @ c.wrong[1].T)[0], c.wrong[1][:, 0])
        ),
    ),
    (
        "pair_for",
        r"the logarithm that of base (\d+)\? Softmax has base e: (np\.\w+)\.",
        lambda c, base, function: (
            same(c.wrong[0], np.sqrt(len(c.weights)) * np.log(c.weights) / np.log(float(base)))
            and same(c.right[0], np.sqrt(len(c.weights)) * value(f"{function}(w)", w=c.weights))
        ),
    ),
    (
        "another_pair",
        r"The (queries|keys) are (longer|shorter), so .* on the side of the (queries|keys)\.",
        lambda c, which, how, other: (
            (lambda mine, given: np.linalg.norm(mine) > np.linalg.norm(given) and how == "longer")(
                c.wrong[int(which == "keys")], c.k if which == "keys" else c.q
            )
            and which != other
            and same(c.wrong[int(other == "keys")], c.k if other == "keys" else c.q)
        ),
    ),
    (
        "another_pair",
        r"Added to the (queries|keys) a vector does no harm; added to the (queries|keys) it does\.",
        lambda c, harmless, harmful: (
            harmless != harmful
            and all(
                (lambda q, k: same(weigh(q @ k.T), weigh(c.q @ c.k.T)) == (part == harmless))(
                    c.q + (part == "queries"), c.k + (part == "keys")
                )
                for part in (harmless, harmful)
            )
        ),
    ),
    (
        "another_pair",
        r"Only the (queries|keys) have their numbers in another order\. The (queries|keys) need the same\.",
        lambda c, which, other: (
            not same(c.wrong[int(which == "keys")], c.k if which == "keys" else c.q)
            and same(c.wrong[int(other == "keys")], c.k if other == "keys" else c.q)
        ),
    ),
    # chapter 1
    (
        "sinusoidal",
        r"The exponent is (doubled|half of what it should be): (?:in )?(2i / d_model),",
        lambda c, how, exponent: (
            same(c.right, wave(c, exponent=exponent))
            and (
                same(c.wrong, wave(c, write=lambda i, d: 10000.0 ** (-i / d)))
                if how != "doubled"
                else same(
                    c.wrong[:, 0::2],
                    np.sin(
                        np.arange(c.n_positions)[:, None]
                        * 10000.0 ** (-4 * np.arange(c.d_model // 2) / c.d_model)
                    ),
                )
            )
        ),
    ),
    (
        "sinusoidal",
        r"Sine and cosine are swapped: the (even|odd) dimensions are (sines|cosines), the (even|odd) ones "
        r"(sines|cosines)\.",
        lambda c, *words: (
            same(c.right, wave(c, **by_parity(words))) and same(c.wrong, wave(c, np.cos, np.sin))
        ),
    ),
    (
        "sinusoidal",
        r"There are only (sines|cosines): the (even|odd) dimensions are (sines|cosines)\.",
        lambda c, there, parity, right: (
            same(c.wrong, wave(c, WAVES[there], WAVES[there]))
            and same(
                c.right[:, parity == "odd" :: 2], wave(c, WAVES[right], WAVES[right])[:, parity == "odd" :: 2]
            )
        ),
    ),
    (
        "sinusoidal",
        r"Do the positions start at (\d)\? The (first|last) word stands at position (\d)\.",
        lambda c, wrong, which, right: (
            same(c.wrong, wave(c, start=int(wrong)))
            and same(c.right, wave(c, start=int(right)))
            and same(
                c.right[AXIS[which]],
                wave(SimpleNamespace(d_model=c.d_model, n_positions=1), start=int(right))[0],
            )
        ),
    ),
    (
        "sinusoidal",
        r"it is exp\(−\((2i / d_model)\) · ln\((\d+)\)\), with the natural logarithm",
        lambda c, exponent, base: same(
            c.right,
            wave(
                c,
                write=lambda i, d: np.exp(
                    -value(exponent.replace("2i", "2*i"), i=i, d_model=d) * np.log(float(base))
                ),
            ),
        ),
    ),
    (
        "sinusoidal",
        r"the base (multiplied) where it should be raised to a power\? It is (10000 \*\* \(2i / d_model\))\.",
        lambda c, _, formula: (
            same(
                c.right,
                wave(
                    c,
                    write=lambda i, d: (
                        1 / value(formula.replace("2i", "2*i").replace("10000", "1e4"), i=i, d_model=d)
                    ),
                ),
            )
            and same(c.wrong, wave(c, write=lambda i, d: d / (2e4 * i)))
        ),
    ),
    (
        "sinusoidal",
        r"The last frequency is exactly (1/10000), .* divides by (d_model/2 − 1)\. The formula of the paper "
        r"divides (2i by d_model)",
        lambda c, last, by, formula: (
            same(c.wrong, wave(c, write=lambda i, d: 10000.0 ** (-i / value(by, d_model=d))))
            and same(c.wrong[1, -2], np.sin(value(last)))
            and same(c.right, wave(c, exponent=formula.replace(" by ", " / ")))
        ),
    ),
    (
        "sinusoidal",
        r"Is there a factor 2π\? The (fastest|slowest) pair turns by (\d) radian",
        lambda c, which, by: (
            same(c.wrong, wave(c, write=lambda i, d: 2 * np.pi * 10000.0 ** (-2 * i / d)))
            and same(c.right[1, {"fastest": 0, "slowest": -2}[which]], np.sin(float(by)))
        ),
    ),
    (
        "sinusoidal",
        r"transposed: (positions|dimensions) are (rows|columns), (positions|dimensions) are (rows|columns)\.",
        lambda c, one, first, two, second: (
            same(c.wrong, c.right.T)
            and c.right.shape[{"rows": 0, "columns": 1}[first]]
            == {"positions": c.n_positions}.get(one, c.d_model)
            and c.right.shape[{"rows": 0, "columns": 1}[second]]
            == {"positions": c.n_positions}.get(two, c.d_model)
        ),
    ),
    (
        "shifted",
        r"(cos)\(a \+ b\) = (\w+) a (\w+) b ([−+]) (\w+) a (\w+) b has a (minus|plus)",
        lambda c, f, one, two, sign, three, four, word: (
            {"−": "minus", "+": "plus"}[sign] == word
            and all(
                np.isclose(
                    getattr(np, f)(a + b),
                    value(
                        f"{one}(a) * {two}(b) {sign} {three}(a) * {four}(b)", a=a, b=b, sin=np.sin, cos=np.cos
                    ),
                )
                for a, b in ((0.3, 1.1), (-2.0, 0.7))
            )
        ),
    ),
    (
        "shifted",
        r"the new sine is (sin·cos\(ωo\)) \+ (cos·sin\(ωo\)):",
        lambda c, one, two: same(
            c.right[:, 0],
            value(
                re.sub(r"(sin|cos)·(sin|cos)\(ωo\)", r"\1_*\2_o", f"{one} + {two}"),
                sin_=c.encoding[:, 0],
                cos_=c.encoding[:, 1],
                sin_o=np.sin(c.offset),
                cos_o=np.cos(c.offset),
            ),
        ),
    ),
    (
        "shifted",
        r"turns by (offset · 10000 \*\* \(−2i / d_model\)), where i counts pairs",
        lambda c, formula: (
            lambda d: (
                lambda i: same(
                    c.right[:, 0::2],
                    (
                        (c.encoding[:, 0::2] + 1j * c.encoding[:, 1::2])
                        * np.exp(
                            -1j
                            * value(
                                formula.replace("2i", "2*i").replace("10000", "1e4"),
                                i=i,
                                d_model=d,
                                offset=c.offset,
                            )
                        )
                    ).real,
                )
            )(np.arange(d // 2))
        )(c.encoding.shape[1]),
    ),
    (
        "read_position",
        r"One too (many|few): the (first|last) position is (\d)\.",
        lambda c, how, which, at: (
            int(c.wrong - c.right) == {"many": 1, "few": -1}[how] and which == "first" and at == "0"
        ),
    ),
    (
        "read_position",
        r"It starts anew every (\d\.\d+) positions",
        lambda c, period: abs(float(period) - 2 * np.pi) < 0.005,
    ),
    (
        "read_position",
        r"That is the position (least|most) like it: take the (largest|smallest) inner product\.",
        lambda c, how, take: (
            lambda dots: (
                (dots[int(c.wrong)] == dots.min()) == (how == "least")
                and dots[int(c.right)] == {"largest": dots.max(), "smallest": dots.min()}[take]
            )
        )(wave(SimpleNamespace(n_positions=1000, d_model=len(c.row))) @ c.row),
    ),
    (
        "rotary_scores",
        r"Only the (queries|keys) are turned: then a score depends on where the (query|key) stands",
        lambda c, which, who: (
            same(c.wrong, rotary(c, *((1, 0) if which == "queries" else (0, 1)))) and which[0] == who[0]
        ),
    ),
    (
        "rotary_scores",
        r"so offset (−?\d) gives what offset (−?\d) should: a becomes (a cos [+−] b sin)\.",
        lambda c, one, two, formula: (
            same(c.wrong, rotary(c, -1, -1))
            and value(one) == -value(two)
            and np.isclose(
                turned(np.array([[0.3, 0.8]]), [2.0])[0, 0],
                value(
                    formula.replace("a cos", "a * cos").replace("b sin", "b * sin"),
                    a=0.3,
                    b=0.8,
                    cos=np.cos(2),
                    sin=np.sin(2),
                ),
            )
        ),
    ),
    (
        "rotary_scores",
        r"The keys are turned against the queries\. Then the \*(sum|difference)\* of the positions counts",
        lambda c, of: (
            same(c.wrong, rotary(c, 1, -1))
            and same(
                turned(c.q, c.q_positions + 1) @ turned(c.k, c.k_positions - 1, -1).T,
                c.wrong,
            )
            == (of == "sum")
        ),
    ),
    (
        "rotary_scores",
        r"ω_i = (10000 \*\* \(−2i / d\))",
        lambda c, formula: (
            lambda i, d: (
                same(
                    value(formula.replace("2i", "2*i").replace("10000", "1e4"), i=i, d=d),
                    10000.0 ** (-2 * i / d),
                )
                and same(c.right, rotary(c))
            )
        )(np.arange(c.q.shape[1] // 2), c.q.shape[1]),
    ),
    (
        "rotary_scores",
        r"(Divided|Multiplied) by (√?d)\? The exercise asks for the dot products",
        lambda c, how, by: same(c.wrong, TURN[how.lower()](rotary(c), value(by, d=c.q.shape[1]))),
    ),
    # chapter 2
    (
        "scaled_scores",
        r"The scale is missing: (divide|multiply) by the root of (\w+)\.",
        lambda c, how, by: same(
            c.right,
            TURN[how + "d" if how == "divide" else "multiplied"](c.wrong, np.sqrt({"d_k": c.q.shape[1]}[by])),
        ),
    ),
    (
        "scaled_scores",
        r"That is divided by (√?d_k), the root twice: .* The standard deviation of q kᵀ is (√?d_k),",
        lambda c, wrong, right: (
            same(c.wrong, c.q @ c.k.T / value(wrong, d_k=c.q.shape[1]))
            and same(c.right, c.q @ c.k.T / value(right, d_k=c.q.shape[1]))
        ),
    ),
    (
        "scaled_scores",
        r"(Multiplied|Divided) by the root\? (Multiply|Divide): the scores are too (large|small)",
        lambda c, was, do, how: (
            same(c.wrong, TURN[was.lower()](c.q @ c.k.T, np.sqrt(c.q.shape[1])))
            and do == "Divide"
            and (np.abs(c.wrong).max() > np.abs(c.right).max()) == (how == "large")
        ),
    ),
    (
        "scaled_scores",
        r"the root of the number of (queries|keys)\? d_k is the (first|last) axis, the length of one (query|key)\.",
        lambda c, of, axis, one: (
            same(c.wrong, c.q @ c.k.T / np.sqrt(len({"queries": c.q, "keys": c.k}[of])))
            and same(c.right, c.q @ c.k.T / np.sqrt(c.q.shape[AXIS[axis]]))
            and of[0] == one[0]
        ),
    ),
    (
        "scaled_scores|cached_causal_mask",
        r"(Rows|Columns) are (queries|keys), (rows|columns) are (queries|keys)\.",
        lambda c, one, of, two, other: (
            same(c.wrong, c.right.T)
            and (
                lambda size: (
                    c.right.shape[one == "Columns"] == size[of]
                    and c.right.shape[two == "columns"] == size[other]
                )
            )(
                {
                    "queries": len(c.q) if hasattr(c, "q") else c.n_q,
                    "keys": len(c.k) if hasattr(c, "k") else c.n_k,
                }
            )
        ),
    ),
    (
        "mean_and_error",
        r"population variance, divided by (n[^.]*?)\..* too (small|large) on average: divide by (n[^,]*?), "
        r"which is ddof=(\d)",
        lambda c, wrong, how, right, ddof: (
            (
                lambda n, squares: (
                    same(c.wrong[1], 1.96 * np.sqrt(squares / value(wrong, n=n) / n))
                    and same(c.right[1], 1.96 * np.sqrt(squares / value(right, n=n) / n))
                    and same(c.right[1], 1.96 * c.draws.std(ddof=int(ddof)) / np.sqrt(n))
                )
            )(len(c.draws), ((c.draws - c.draws.mean()) ** 2).sum())
            and (c.wrong[1] < c.right[1]) == (how == "small")
        ),
    ),
    (
        "mean_and_error",
        r"(\d+) % interval reaches (\d\.\d+) of them to each side",
        lambda c, percent, times: percent == "95" and same(c.right[1], float(times) * c.wrong[1]),
    ),
    (
        "mean_and_error",
        r"the (whole|half) width of the interval\. The (half|whole) width is asked for",
        lambda c, was, asked: same(c.wrong[1] / c.right[1], {"whole": 2}[was]) and asked == "half",
    ),
    (
        "variance_of_score",
        r"The mixed term (2 ρ μ_q μ_k σ_q σ_k) is missing",
        lambda c, formula: same(c.wrong + greek(formula, c), c.right),
    ),
    (
        "variance_of_score",
        r"The mixed term comes (twice|once), once from each side of the square: (2 ρ μ_q μ_k σ_q σ_k)",
        lambda c, often, formula: (
            same(without_mixed(c) + greek(formula, c), c.right)
            and same(c.right - c.wrong, greek(formula, c) / {"twice": 2}[often])
        ),
    ),
    (
        "variance_of_score",
        r"with ρ, μ_q and μ_k all (positive|negative), it (adds to|takes from) the variance",
        lambda c, signs, does: (
            same(c.wrong, without_mixed(c, -2))
            and signs == "positive"
            and does == "adds to"
            and same(c.right, without_mixed(c, 2))
        ),
    ),
    (
        "variance_of_score",
        r"Is it (1 [−+] ρ²)\? That is .* For the product it is (1 [−+] ρ²)\.",
        lambda c, wrong, right: all(
            same(answer, variance(c, lambda o: terms(o) + o.v * o.w * (value(text, ρ=o.r) - 1 - o.r**2)))  # noqa: B023
            for answer, text in ((c.wrong, wrong), (c.right, right))
        ),
    ),
    (
        "variance_of_score",
        r"(1 \+ 2ρ²) is the mean of x²y²\. The square of the mean of xy, (ρ²), has to be (subtracted|added)",
        lambda c, wrong, square, how: (
            (
                lambda times: same(
                    c.wrong, variance(c, lambda o: terms(o) + o.v * o.w * (times(o.r) - 1 - o.r**2))
                )
            )(lambda r: value(wrong.replace("2ρ", "2*ρ"), ρ=r))
            and same(
                c.right,
                variance(
                    c,
                    lambda o: (
                        terms(o, square=2)
                        + {"subtracted": -1, "added": 1}[how] * o.v * o.w * value(square, ρ=o.r)
                    ),
                ),
            )
        ),
    ),
    (
        "variance_of_score",
        r"Each mean goes with the variance of the (other|same): (mean_\w² · var_\w)\.",
        lambda c, which, formula: (
            which == "other"
            and same(c.wrong, variance(c, lambda o: terms(o) + o.m**2 * (o.v - o.w) + o.n**2 * (o.w - o.v)))
            and value(formula, **c.names) in (c.mean_q**2 * c.var_k, c.mean_k**2 * c.var_q)
        ),
    ),
    (
        "variance_of_score",
        r"Where are the means\? A mean of (\w) makes the spread of (\w) count: the term (mean_\w² · var_\w), and",
        lambda c, mean, spread, formula: (
            mean != spread
            and formula == f"mean_{mean}² · var_{spread}"
            and same(
                c.wrong
                + variance(
                    c,
                    lambda o: (
                        value(formula, **c.names) + o.n**2 * o.v + 2 * o.r * o.m * o.n * np.sqrt(o.v * o.w)
                    ),
                ),
                c.right,
            )
        ),
    ),
    (
        "variance_of_score",
        r"That is the (formula for means 0 and no correlation|formula for independent entries|standard deviation)",
        lambda c, what: same(
            c.wrong,
            {
                "formula for means 0 and no correlation": lambda: variance(c, lambda o: o.v * o.w),
                "formula for independent entries": lambda: variance(
                    c, lambda o: o.v * o.w + o.m**2 * o.w + o.n**2 * o.v
                ),
                "standard deviation": lambda: np.sqrt(c.right),
            }[what](),
        ),
    ),
    (
        "deviation_at_start",
        r"adds (1/\(3 d_model\)) to the variance of an entry",
        lambda c, formula: same(c.wrong + value(formula.replace("3 d", "3 * d"), d_model=c.d_model), c.right),
    ),
    (
        "deviation_at_start",
        r"between ±a, a uniform number has (a²/\d+)",
        lambda c, formula: (
            same(value(formula, a=1 / np.sqrt(c.d_model)), 1 / (3 * c.d_model))
            and same(c.right, (c.d_model + 1) * value(formula, a=1 / np.sqrt(c.d_model)))
        ),
    ),
    (
        "deviation_at_start",
        r"^(a²/\d+) is for a uniform number between 0 and a\. Between −a and a it is (\(2a\)²/\d+), (a²/\d+)\.",
        lambda c, wrong, twice, right: (
            lambda a: (
                same(c.wrong, (c.d_model + 1) * value(wrong, a=a))
                and same(c.right, (c.d_model + 1) * value(right, a=a))
                and same(value(twice.replace("2a", "2*a"), a=a), value(right, a=a))
            )
        )(1 / np.sqrt(c.d_model)),
    ),
    (
        "deviation_at_start",
        r"Is the variance of the bias (1/d_model)\? .* a (third|half) of the square",
        lambda c, wrong, part: same(c.wrong, 1 / 3 + value(wrong, d_model=c.d_model)) and part == "third",
    ),
    # chapter 3
    (
        "masked_softmax|decoder_mask|cached_causal_mask",
        r"Is the mask inverted\? (True|False) means that the query may look",
        lambda c, true: (
            same(np.isclose(c.right, 0), ~c.mask if true == "True" else c.mask)
            if hasattr(c, "mask")
            else same(~c.right.astype(bool), c.wrong) and bool(c.right[..., -1, 0].any()) == (true == "True")
        ),
    ),
    (
        "masked_softmax",
        r"Each (row|column), one (query|key), sums to one: that is the (first|last) axis",
        lambda c, each, who, axis: (
            (lambda hidden: same(c.right, weigh(hidden, AXIS[each])) and same(c.wrong, weigh(hidden, 0)))(
                np.where(c.mask, c.scores, -np.inf)
            )
            and AXIS[each] == AXIS[axis]
            and who == {"row": "query", "column": "key"}[each]
        ),
    ),
    (
        "masked_softmax",
        r"Was the mask applied (after|before) the softmax\? .* hide them (after|before) it",
        lambda c, wrong, right: wrong != right and same(c.wrong, {"after": weigh(c.scores) * c.mask}[wrong]),
    ),
    (
        "masked_softmax",
        r"A score of 0 is not hidden, exp\((\d)\) = (\d)",
        lambda c, at, gives: np.exp(float(at)) == float(gives) and same(c.wrong, weigh(c.scores * c.mask)),
    ),
    (
        "masked_softmax",
        r"use np\.where\((mask, scores, -np\.inf)\)",
        lambda c, order: same(c.right, weigh(value(f"np.where({order})", mask=c.mask, scores=c.scores))),
    ),
    (
        "masked_softmax",
        r"Is the mask transposed\? Its (rows|columns) are (queries|keys), its (rows|columns) (queries|keys)",
        lambda c, one, of, two, other: (
            (one, of, two, other)
            in (("rows", "queries", "columns", "keys"), ("columns", "keys", "rows", "queries"))
            and (
                c.mask.shape[0] != c.mask.shape[1]
                or same(c.wrong, weigh(np.where(c.mask.T, c.scores, -np.inf)))
            )
        ),
    ),
    (
        "cached_causal_mask",
        r"a token may look at itself too, so it is ([≤<]), not ([≤<])\.",
        lambda c, right, wrong: (
            same(c.right, causal(c.n_q, c.n_k, right, c.n_k - c.n_q))
            and same(c.wrong, causal(c.n_q, c.n_k, wrong, c.n_k - c.n_q))
        ),
    ),
    (
        "cached_causal_mask",
        r"query 0 is not token 0: (n_\w − n_\w) tokens came (before|after) it, and the triangle ends "
        r"(bottom-right|top-left)",
        lambda c, count, where, end: (
            same(c.right, causal(c.n_q, c.n_k, "≤", value(count, n_q=c.n_q, n_k=c.n_k)))
            and same(c.wrong, causal(c.n_q, c.n_k, "≤"))
            and (where, end) == ("before", "bottom-right")
        ),
    ),
    (
        "cached_causal_mask",
        r"Two things: query 0 is not token 0 \((n_\w − n_\w) tokens came (before|after) it\)",
        lambda c, count, where: (
            same(c.right, causal(c.n_q, c.n_k, "≤", value(count, n_q=c.n_q, n_k=c.n_k)))
            and same(c.wrong, causal(c.n_q, c.n_k, "<"))
            and where == "before"
        ),
    ),
    (
        "cached_causal_mask",
        r"see the (future|past) instead of the (future|past)\? Key j is visible to token i iff (j [≤<≥>] i)\.",
        lambda c, wrong, right, rule: (
            wrong != right
            and bool(c.wrong[0, -1]) == (wrong == "future")
            and same(
                c.right,
                value(
                    rule.replace("≤", "<=").replace("≥", ">="),
                    i=np.arange(c.n_q)[:, None] + c.n_k - c.n_q,
                    j=np.arange(c.n_k),
                ),
            )
        ),
    ),
    (
        "decoder_mask",
        r"The keys are 0 … lengths\[b\] − 1, so it is ([≤<]), not ([≤<])\.",
        lambda c, right, wrong: all(
            same(
                answer,
                [
                    causal(c.n, c.n, "≤") & {"≤": np.arange(c.n) <= n, "<": np.arange(c.n) < n}[sign]
                    for n in c.lengths
                ],
            )
            for answer, sign in ((c.right, right), (c.wrong, wrong))
        ),
    ),
    (
        "decoder_mask",
        r"so the causal part is ([≤<]), not ([≤<])\.",
        lambda c, right, wrong: all(
            same(answer, [causal(c.n, c.n, sign) & (np.arange(c.n) < n) for n in c.lengths])
            for answer, sign in ((c.right, right), (c.wrong, wrong))
        ),
    ),
    (
        "decoder_mask",
        r"Only the (causal|padding) part is there: the (padding|future) is visible\.",
        lambda c, there, seen: (
            seen == {"causal": "padding", "padding": "future"}[there]
            and same(
                c.wrong,
                [
                    causal(c.n, c.n, "≤") if there == "causal" else np.tile(np.arange(c.n) < n, (c.n, 1))
                    for n in c.lengths
                ],
            )
        ),
    ),
    (
        "inputs_and_targets",
        r"The target of a token is the one that comes (after|before) it",
        lambda c, where: (
            same(c.right[1], {"after": c.tokens[1:], "before": c.tokens[:-1]}[where])
            and same(c.wrong, c.right[::-1])
        ),
    ),
    (
        "inputs_and_targets",
        r"(inputs|targets) in the (first|second) row, (inputs|targets) in the (first|second)\.",
        lambda c, one, at, two, then: (
            same(c.wrong, c.right.T)
            and same(c.right[int(at == "second")], {"inputs": c.tokens[:-1], "targets": c.tokens[1:]}[one])
            and same(c.right[int(then == "second")], {"inputs": c.tokens[:-1], "targets": c.tokens[1:]}[two])
        ),
    ),
    (
        "inputs_and_targets",
        r"The targets are (one|two) steps ahead; the next token is (one|two) step ahead",
        lambda c, wrong, right: (
            same(c.wrong[1], c.tokens[{"one": 1, "two": 2}[wrong] :])
            and same(c.right[1], c.tokens[{"one": 1, "two": 2}[right] :])
        ),
    ),
    (
        "lowest_loss",
        r"Is the diagonal (below|above) the main one read\? .* entry \[(i), (i \+ 1)\]\.",
        lambda c, which, row, column: (
            lambda n, read: (
                same(c.wrong, np.log(c.n_symbols) * (n - read(-1 if which == "below" else 1).sum()) / n)
                and same(
                    c.right,
                    np.log(c.n_symbols)
                    * (n - sum(c.mask[value(row, i=i), value(column, i=i)] for i in range(n - 1)))
                    / n,
                )
            )
        )(len(c.mask), lambda k: np.diagonal(c.mask, k)),
    ),
    (
        "lowest_loss",
        r"Tokens that see their target pay (\d), the others pay (ln\(n_symbols\))\.",
        lambda c, seen, blind: same(
            c.right,
            np.mean(
                [
                    value(seen)
                    if i + 1 < len(c.mask) and c.mask[i, i + 1]
                    else value(blind, n_symbols=c.n_symbols)
                    for i in range(len(c.mask))
                ]
            ),
        ),
    ),
    (
        "lowest_loss|log_loss",
        r"(?:is|are) in (bits|nats)\b",
        lambda c, unit: same(c.wrong, c.right / {"bits": np.log(2), "nats": 1}[unit]),
    ),
    # chapter 4
    (
        "split_heads",
        r"Reshape to \((n, n_heads, d)\), then move the heads to the front",
        lambda c, shape: same(
            c.right,
            np.moveaxis(
                c.x.reshape(value(f"({shape})", n=len(c.x), n_heads=c.n_heads, d=c.x.shape[1] // c.n_heads)),
                1,
                0,
            ),
        ),
    ),
    (
        "multi_head",
        r"The scale is 1/(√?\w+) here; each head's (queries|keys) have (\w+) numbers, so 1/(√?\w+)\.",
        lambda c, wrong, _, width, right: (
            lambda sizes: (
                same(c.wrong, heads_of(c, lambda s, d: s / value(wrong, **sizes)) @ c.w_o)
                and same(c.right, heads_of(c, lambda s, d: s / value(right, **sizes)) @ c.w_o)
                and sizes[width] == c.x.shape[1] // c.n_heads
            )
        )({"d_model": c.x.shape[1], "d_k": c.x.shape[1] // c.n_heads}),
    ),
    (
        "multi_head",
        r"The scores are (divided|multiplied) by (√?d_k) here; the root is missing",
        lambda c, how, by: same(c.wrong, heads_of(c, lambda s, d: TURN[how](s, value(by, d_k=d))) @ c.w_o),
    ),
    (
        "multi_head",
        r"The scores are not scaled: (multiply|divide) them by 1/(√?d_k)\.",
        lambda c, how, by: (
            same(c.wrong, heads_of(c, lambda s, d: s) @ c.w_o)
            and how == "multiply"
            and same(c.right, heads_of(c, lambda s, d: s / value(by, d_k=d)) @ c.w_o)
        ),
    ),
    (
        "multi_head",
        r"it acts from the (right|left) here, (concat\(heads\) @ w_o)\.",
        lambda c, side, formula: (
            side == "right"
            and same(c.wrong, heads_of(c) @ c.w_o.T)
            and same(c.right, value(formula, concat=lambda heads: heads, heads=heads_of(c), w_o=c.w_o))
        ),
    ),
    (
        "multi_head",
        r"The weights sum to one down the (columns|rows): softmax goes along the (keys|queries), the (last|first) axis",
        lambda c, down, along, axis: (
            same(c.wrong, heads_of(c, axis=AXIS[down]) @ c.w_o)
            and same(c.right, heads_of(c, axis=AXIS[axis]) @ c.w_o)
            and along == "keys"
        ),
    ),
    (
        "head_shares",
        r"each has (d_v) rows of its own, in the heads' order\.",
        lambda c, formula: (
            lambda rows: same(
                c.right, [head @ c.w_o[h * rows : (h + 1) * rows] for h, head in enumerate(c.heads)]
            )
        )(value(formula, d_v=c.heads.shape[-1])),
    ),
    (
        "split_heads|head_shares",
        r"in reverse order: (?:the (first|last) block is )?head 0(?: comes (first|last))?",
        lambda c, block, comes: same(c.wrong, c.right[::-1]) and (block or comes) == "first",
    ),
    (
        "same_attention",
        r"Both are doubled, so each score is (two|four) times as large",
        lambda c, times: same(c.wrong[0] @ c.wrong[1].T, {"two": 2, "four": 4}[times] * c.w_q @ c.w_k.T),
    ),
    (
        "same_attention",
        r"with (W_\w) M, the other is (W_\w) \((M⁻¹)ᵀ?\)ᵀ?",
        lambda c, mixed, other, _: (
            lambda m: (
                same(c.wrong[0], {"W_Q": c.w_q, "W_K": c.w_k}[mixed] @ m)
                and same(
                    (c.w_q @ m) @ ({"W_Q": c.w_q, "W_K": c.w_k}[other] @ np.linalg.inv(m).T).T,
                    c.w_q @ c.w_k.T,
                )
            )
        )(np.eye(c.w_q.shape[1]) + np.eye(c.w_q.shape[1], k=1)),
    ),
    (
        "free_numbers",
        r"The (d_k²) of a mixing matrix change nothing: take them off",
        lambda c, off: same(c.wrong - value(off, d_k=c.d_k), c.right),
    ),
    # chapter 5 and 6
    (
        "attention_pattern",
        r"(Queries) and (keys) are exchanged: rows are (queries|keys), (x @ w_\w), columns are "
        r"(queries|keys), (x @ w_\w)\.",
        lambda c, _, __, rows, one, columns, two: (
            (
                lambda q, k: (
                    same(c.right, weigh(q @ k.T)) and same(c.wrong, weigh((c.x @ c.w_k) @ (c.x @ c.w_q).T))
                )
            )(value(one, **c.names), value(two, **c.names))
            and (rows, columns) == ("queries", "keys")
        ),
    ),
    (
        "attention_pattern",
        r"down the (columns|rows) here, .*: sum along the (last|first) axis, over the (keys|queries)",
        lambda c, down, axis, over: (
            (lambda s: same(c.wrong, weigh(s, AXIS[down])) and same(c.right, weigh(s, AXIS[axis])))(
                (c.x @ c.w_q) @ (c.x @ c.w_k).T
            )
            and over == "keys"
        ),
    ),
    (
        "attention_pattern|decode|votes",
        r"The scores are (divided|multiplied) by (√?d_k) here",
        lambda c, how, by: same(
            c.wrong,
            weigh(TURN[how]((c.x @ c.w_q) @ (c.x @ c.w_k).T, value(by, d_k=c.x.shape[1])))
            if hasattr(c, "w_q")
            else weigh(TURN[how](c.memory @ c.query, value(by, d_k=len(c.query)))) @ c.memory
            if hasattr(c, "memory")
            else np.exp(TURN[how](c.x @ c.query, value(by, d_k=len(c.query)))) * (c.x @ c.readout + c.bias),
        ),
    ),
    (
        "decode",
        r"A token's score is its row's dot product: (memory @ query)\.",
        lambda c, formula: same(c.right, weigh(value(formula, **c.names)) @ c.memory),
    ),
    (
        "decode",
        r"they multiply the (rows|columns): (weights @ memory), not (memory @ weights)\.",
        lambda c, which, right, wrong: (
            (lambda names: same(c.right, value(right, **names)) and same(c.wrong, value(wrong, **names)))(
                {"memory": c.memory, "weights": weigh(c.memory @ c.query)}
            )
            and which == "rows"
        ),
    ),
    (
        "log_loss",
        r"This is the (sum|mean) over the samples, not the (sum|mean)\.",
        lambda c, was, asked: was != asked and same(c.wrong, c.right * {"sum": len(c.y)}[was]),
    ),
    (
        "log_loss",
        r"The log is taken of the mean probability; take the (mean of the logs|sum of the logs|log of the mean)",
        lambda c, of: (
            lambda p: (
                same(c.wrong, -np.log(p.mean()))
                and same(c.right, {"mean of the logs": -np.log(p).mean()}[of])
            )
        )(chosen(c, np.exp(log_weights(c.logits)))),
    ),
    (
        "softmax_backward",
        r"(?:its|the) Jacobian, (diag\(p\) [−+] p pᵀ), is missing",
        lambda c, formula: all(
            same(row, value(formula.replace("p pᵀ", "np.outer(p, p)"), p=p, diag=np.diag) @ d)
            for row, p, d in zip(c.right, c.weights, c.d_weights, strict=True)
        ),
    ),
    (
        "softmax_backward",
        r"Half of the Jacobian: (diag\(p\)) without ([−+] p pᵀ)\.",
        lambda c, half, rest: all(
            same(row, value(half, p=p, diag=np.diag) @ d)
            and same(true, value(f"{half} {rest}".replace("p pᵀ", "np.outer(p, p)"), p=p, diag=np.diag) @ d)
            for row, true, p, d in zip(c.wrong, c.right, c.weights, c.d_weights, strict=True)
        ),
    ),
    (
        "softmax_backward",
        r"Only the diagonal of the Jacobian, (p \(1 [−+] p\)):",
        lambda c, formula: same(c.wrong, value(formula.replace("p (", "p * ("), p=c.weights) * c.d_weights),
    ),
    (
        "softmax_backward",
        r"The sum runs down the (columns|rows); each (row|column) is a softmax of its own, so sum along the "
        r"(last|first) axis",
        lambda c, down, each, axis: (
            (
                lambda s: (
                    same(c.wrong, gradient(c, s.sum(axis=AXIS[down], keepdims=True)))
                    and same(c.right, gradient(c, s.sum(axis=AXIS[axis], keepdims=True)))
                )
            )(c.weights * c.d_weights)
            and AXIS[each] == AXIS[axis]
        ),
    ),
    (
        "adam_step",
        r"divide by (1 − 0\.9\^t) and (1 − 0\.999\^t) before the step",
        lambda c, one, two: (
            same(
                c.right,
                adam(
                    c,
                    step=lambda m, s, mean, square: (
                        mean / value(one, t=c.t) / (np.sqrt(square / value(two, t=c.t)) + 1e-8)
                    ),
                ),
            )
            and same(c.wrong, adam(c, step=lambda m, s, mean, square: mean / (np.sqrt(square) + 1e-8)))
        ),
    ),
    (
        "adam_step",
        r"stands under the root here\. It is added to the root: (√square [+−] 1e-8)\.",
        lambda c, formula: (
            same(c.right, adam(c, step=lambda m, s, *_: m / value(formula, square=s)))
            and same(c.wrong, adam(c, step=lambda m, s, *_: m / np.sqrt(s + 1e-8)))
        ),
    ),
    (
        "adam_step",
        r"It climbs: .* so the step is (subtracted|added)",
        lambda c, how: same(c.right, adam(c, against=how)) and same(c.wrong, adam(c, against="added")),
    ),
    (
        "adam_step",
        r"counted one too (far|low): t is the number of this step, and the first one is (\d)",
        lambda c, how, first: (
            same(c.wrong, adam(c, t=c.t + {"far": 1, "low": -1}[how]))
            and same(c.right, adam(c, t=c.t))
            and first == "1"
        ),
    ),
    (
        "adam_step",
        r"along the mean of them, divided by (1 − 0\.9\^t)\.",
        lambda c, formula: same(
            c.right, adam(c, step=lambda m, s, mean, _: mean / value(formula, t=c.t) / (np.sqrt(s) + 1e-8))
        ),
    ),
    (
        "adam_step",
        r"Return (np\.stack\(\[w, mean, square\]\))\.",
        lambda c, formula: (
            lambda w, mean, square: (
                same(c.right, value(formula, w=w, mean=mean, square=square)) and same(c.wrong, w)
            )
        )(*adam(c)),
    ),
    (
        "votes",
        r"It should be multiplied by it: (e\^s \(readout · x [+−] bias\))",
        lambda c, formula: (
            same(
                c.right,
                value(
                    formula.replace("e^s (", "e^s * (").replace("e^s", "e_s"),
                    e_s=np.exp(c.x @ c.query),
                    readout=np.ones(len(c.x)),
                    x=c.x @ c.readout,
                    bias=c.bias,
                ),
            )
            and same(c.wrong, np.exp(c.x @ c.query) * (c.x @ c.readout) + c.bias)
        ),
    ),
    # chapter 7
    (
        "pmi_from_counts",
        r"Is the logarithm (natural|the decimal one)\? .*Bits need base (\d+): (np\.\w+)\.",
        lambda c, wrong, base, function: (
            lambda t: (
                same(c.right, value(f"{function}(p)", p=t))
                and same(c.right, np.log(t) / np.log(float(base)))
                and same(c.wrong, {"natural": np.log, "the decimal one": np.log10}[wrong](t))
            )
        )(2.0**c.right),
    ),
    (
        "pmi_from_counts",
        r"log (p\(i, j\) / p\(\w\)) is log (p\(\w\|\w\))\. PMI divides by (p\(\w\)) too\.",
        lambda c, quotient, given, other: (
            same(c.wrong, np.log2(of_table(quotient, c)))
            and same(c.wrong, np.log2(of_table(given, c)))
            and same(c.right, np.log2(of_table(f"{given} / {other}", c)))
        ),
    ),
    (
        "pmi_from_counts",
        r"The sign is reversed: (log p\(i, j\) − log p\(\w\) p\(\w\))\.",
        lambda c, formula: same(c.right, of_table(formula, c)) and same(c.wrong, -c.right),
    ),
    (
        "pmi_from_counts",
        r"(p\(\w\)) is the sum of (row|column) (\w) and belongs to .*; (p\(\w\)) is the sum of (row|column) (\w)\.",
        lambda c, one, of, i, two, other, j: (
            one == f"p({i})"
            and two == f"p({j})"
            and all(
                same(table(c)[name].ravel(), (c.counts / c.counts.sum()).sum(axis=AXIS[axis]).ravel())
                for name, axis in ((one, of), (two, other))
            )
            and same(
                c.wrong,
                np.log2(table(c)["p(i, j)"] / table(c)["p(i)"].ravel() / table(c)["p(j)"].reshape(-1, 1)),
            )
        ),
    ),
    (
        "pmi_from_counts",
        r"the mutual information, (p\(i, j\)) times PMI",
        lambda c, weight: same(
            np.where(c.counts > 0, c.wrong, 0), np.where(c.counts > 0, of_table(weight, c) * c.right, 0)
        ),
    ),
    (
        "negative_scores",
        r"rivals from (p\(j\)) itself: PMI ([−+]) (ln k)\.",
        lambda c, _, sign, log: (
            lambda p: same(
                c.wrong,
                value(
                    f"a {sign} {log}".replace("ln k", "ln(k)"),
                    a=np.log(p / p.sum(1, keepdims=True) / p.sum(0)),
                    k=c.n_negative,
                ),
            )
        )(c.joint),
    ),
    (
        "negative_scores",
        r"the best score is (lower|higher) by ln k",
        lambda c, how: same(
            c.wrong - c.right, np.full(c.right.shape, {"lower": 1, "higher": -1}[how] * np.log(c.n_negative))
        ),
    ),
    (
        "negative_scores|scores_for",
        r"scores (?:are|must be) in (nats|bits)",
        lambda c, unit: unit == "nats" and (not hasattr(c, "n_negative") or not same(c.wrong, c.right)),
    ),
    (
        "scores_for",
        r"weights proportional to (p\(i, j\) / p\(\w\)); add log (p\(\w\))\.",
        lambda c, weights, prior: (
            lambda t: (
                same(weigh(c.wrong), weigh(np.log(of_table(weights, t))))
                and same(weigh(c.wrong + np.log(of_table(prior, t))), weigh(c.right))
            )
        )(SimpleNamespace(counts=c.joint)),
    ),
    (
        "scores_for",
        r"A constant for each (row|column) changes nothing; the prior is log (p\(\w\)), one for each (row|column)",
        lambda c, free, prior, one: (
            same(
                weigh(c.right + np.arange(2.0)[:, None] if free == "row" else c.right + np.arange(2.0)),
                weigh(c.right),
            )
            and of_table(prior, SimpleNamespace(counts=c.joint)).shape
            == ((1, 2) if one == "column" else (2, 1))
        ),
    ),
    (
        "window_counts",
        r"only what comes (after|before) counted\? .* a word (after|before) counts as well",
        lambda c, wrong, missing: (
            wrong != missing
            and same(c.wrong + c.wrong.T, c.right)
            and bool(c.wrong[c.tokens[0], c.tokens[1]] >= 1)
            == (wrong == "after" or c.wrong[c.tokens[0], c.tokens[1]] >= 1)
            and (lambda there: same(c.wrong, there if wrong == "after" else there.T))(
                np.array(
                    [
                        [
                            sum(
                                c.tokens[a] == one and c.tokens[b] == two
                                for a in range(len(c.tokens))
                                for b in range(a + 1, min(len(c.tokens), a + c.window + 1))
                            )
                            for two in range(c.n_words)
                        ]
                        for one in range(c.n_words)
                    ]
                )
            )
        ),
    ),
    (
        "window_counts",
        r"Everything is counted (twice|once)\. From each place look at its neighbors (twice|once)",
        lambda c, wrong, right: same(c.wrong, {"twice": 2, "once": 1}[wrong] * c.right) and right == "once",
    ),
]


def cases_of(name, hint):
    """Each case of each mistake with this hint: its arguments by name, the mistake's answer and the right one."""
    exercise = EXERCISES[name]
    for mistake in exercise.mistakes:
        if mistake.hint != hint:
            continue
        for case in exercise.fixed if mistake.cases is None else mistake.cases:
            names = {**case, **MORE[name](**case)} if name in MORE else dict(case)
            answers = [
                np.asarray(one(*case.values()), dtype=float) for one in (mistake.function, exercise.right)
            ]
            yield SimpleNamespace(**names, names=names, wrong=answers[0], right=answers[1])


def rows_of(name, hint):
    return [row for row in SHOWN if name in row[0].split("|") and re.search(row[1], hint)]


def holds(row, text, cases):
    """Whether what a row reads in a text is so in all cases; words that mean nothing there are not."""
    found = re.search(row[1], text)
    if not found:
        return False
    try:
        return all(bool(row[2](case, *found.groups())) for case in cases)
    except (
        ArithmeticError,
        AttributeError,
        IndexError,
        LookupError,
        NameError,
        SyntaxError,
        TypeError,
        ValueError,
    ):
        return False


COMPUTED = [(name, hint) for name, hint in HINTS if rows_of(name, hint)]


@pytest.mark.parametrize(("name", "hint"), COMPUTED, ids=[f"{name}: {hint[:40]}" for name, hint in COMPUTED])
def test_what_a_hint_says_is_so(name, hint):
    cases = list(cases_of(name, hint))
    assert cases
    for row in rows_of(name, hint):
        assert holds(row, hint, cases), (row[1], hint)


def test_each_row_reads_a_hint_of_each_of_its_checkers():
    for names, pattern, _ in SHOWN:
        for name in names.split("|"):
            assert any(re.search(pattern, hint) for hint in hints(name)), (name, pattern)
