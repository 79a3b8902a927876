"""What the hints of the checkers say, computed again where a sentence can be.

A hint with `w_q` for `w_k`, rows for columns or a root too few reads as well as the true one. SAYS takes formulas and
directions of hints at their word, whatever stands around them: it reads them out of the text, and computes the mistake
or the right answer from what it read. A hint may be put in other words; one that says something false fails.
"""

import re

import numpy as np
import pytest

from tests.unit.checkers import EXERCISES

HINTS = [
    (name, hint)
    for name in sorted(EXERCISES)
    for hint in dict.fromkeys(mistake.hint for mistake in EXERCISES[name].mistakes)
]


@pytest.fixture(autouse=True)
def _calm():
    with np.errstate(all="ignore"):
        yield


def same(one, two):
    one, two = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
    return one.shape == two.shape and np.allclose(one, two, rtol=1e-9, atol=1e-9, equal_nan=True)


def weigh(scores, axis=-1):
    return shares(np.exp(scores - scores.max(axis=axis, keepdims=True)), axis)


def shares(e, axis=-1):
    return e / e.sum(axis=axis, keepdims=True)


def turned(x, positions, omega=None):
    """Pairs of neighbors, turned against the clock."""
    i, d = np.arange(x.shape[1] // 2), x.shape[1]
    omega = 10000.0 ** (-2 * i / d) if omega is None else omega
    pair = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * np.asarray(positions)[:, None] * omega)
    return np.stack([pair.real, pair.imag], axis=-1).reshape(x.shape)


# What hints of a checker can be computed from, beside the arguments of a case: functions of those.
# `along(axis)` is the answer with a softmax, or a sum, along an axis; `scaled(factor)` with scores times a factor.


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    sizes = {"d_model": x.shape[1], "d_k": w_k.shape[1], "d_v": w_v.shape[1], "words": len(x)}

    def attend(q=q, k=k, v=v, dots=None, axis=-1, factor=sizes["d_k"] ** -0.5):
        return weigh((q @ k.T if dots is None else dots) * factor, axis) @ v

    sizes |= {"word": sizes["d_model"], "key": sizes["d_k"], "value": sizes["d_v"]}
    scores = q @ k.T / np.sqrt(sizes["d_k"])
    more = {"weights": weigh(scores), "scores": scores, "root": np.sqrt(sizes["d_k"]), "attend": attend}
    along, scaled = lambda axis: attend(axis=axis), lambda factor: attend(factor=factor)
    return sizes | more | {"q": q, "k": k, "v": v, "along": along, "scaled": scaled}


def pair_for(weights):
    return {"d_k": len(weights)}


def another_pair(q, k):
    return {"queries": 0, "keys": 1, "pair": (q, k)}


def sinusoidal(n_positions, d_model):
    i = np.arange(d_model) // 2
    pos = np.arange(n_positions)[:, None]

    def wave(exponent=2 * i / d_model, start=0, omega=None):
        angle = (pos + start) * (10000.0**-exponent if omega is None else omega)
        return np.where(np.arange(d_model) % 2 == 0, np.sin(angle), np.cos(angle))

    angles = pos * 10000.0 ** (-2 * i / d_model)
    sizes = {"positions": n_positions, "dimensions": d_model, "even": np.arange(d_model) % 2 == 0}
    return sizes | {"i": i, "wave": wave, "angles": angles}


def shifted(encoding, offset):
    d = encoding.shape[1]
    spun = lambda angle: turned(encoding, -np.ones(len(encoding)), angle)  # noqa: E731
    more = {"sin_": encoding[:, 0], "cos_": encoding[:, 1], "a": 0.3, "b": 1.1}
    return more | {"i": np.arange(d // 2), "d_model": d, "spun": spun}


def read_position(row):
    return {"dots": sinusoidal(1000, len(row))["wave"]() @ row}


def rotary_scores(q, k, q_positions, k_positions):
    d = q.shape[1]

    def rotary(one=1, two=1, omega=None):
        return turned(q, -one * q_positions, omega) @ turned(k, -two * k_positions, omega).T

    return {"d": d, "i": np.arange(d // 2), "rotary": rotary}


def scaled_scores(q, k):
    sizes = {"queries": len(q), "keys": len(k), "d_k": q.shape[1]}
    return sizes | {"scaled": lambda factor: factor * q @ k.T, "root": np.sqrt(q.shape[1])}


def mean_and_error(draws):
    n, squares = len(draws), ((draws - draws.mean()) ** 2).sum()
    return {"n": n, "half": lambda by: 1.96 * np.sqrt(squares / by / n)}


def variance_of_score(d_k, var_q, var_k, mean_q, mean_k, correlation):
    def terms(rho=1 + correlation**2, mixed=1, means=1):
        parts = means * (mean_q**2 * var_k + mean_k**2 * var_q) + mixed * own
        return d_k * (var_q * var_k * rho + parts)

    own = 2 * correlation * mean_q * mean_k * np.sqrt(var_q * var_k)
    greek = {"ρ": correlation, "μ_q": mean_q, "μ_k": mean_k, "σ_q": np.sqrt(var_q), "σ_k": np.sqrt(var_k)}
    return greek | {"terms": terms, "mixed": d_k * own}


def deviation_at_start(d_model, d_k):
    return {"a": 1 / np.sqrt(d_model)}


def masked_softmax(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    sizes = {"queries": len(mask), "keys": mask.shape[1]}
    return sizes | {"along": lambda axis: weigh(hidden, axis)}


def compared(j, i, sign):
    return {"≤": j <= i, "<": j < i, "≥": j >= i, ">": j > i}[sign]


def cached_causal_mask(n_q, n_k):
    i, j = np.indices((n_q, n_k))
    visible = lambda sign, shift=n_k - n_q: compared(j, i + shift, sign)  # noqa: E731
    return {"queries": n_q, "keys": n_k, "visible": visible}


def decoder_mask(lengths, n):
    _, i, j = np.indices((len(lengths), n, n))
    real = np.array(lengths)[:, None, None]

    def visible(sign="≤", padding="<"):
        return compared(j, i, sign) & compared(j, real, padding)

    left = {"causal": "padding", "padding": "future"}
    parts = {"causal": j <= i, "padding": j < real, "j": j, "real": real}
    return parts | {"visible": visible, "left": left}


def inputs_and_targets(tokens):
    return {"inputs": tokens[:-1], "targets": tokens[1:]}


def lowest_loss(mask, n_symbols):
    n = len(mask)
    loss = lambda seen: np.log(n_symbols) * (n - np.sum(seen)) / n  # noqa: E731
    sees = [i + 1 < n and mask[i, i + 1] for i in range(n)]
    return {"n": n, "loss": loss, "sees": sees}


def split_heads(x, n_heads):
    return {"n": len(x), "d": x.shape[1] // n_heads}


def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    d = x.shape[1] // n_heads

    def heads(factor=d**-0.5, axis=-1):
        cut = [slice(h * d, (h + 1) * d) for h in range(n_heads)]
        return np.hstack(
            [weigh(factor * (x @ w_q[:, c]) @ (x @ w_k[:, c]).T, axis) @ (x @ w_v[:, c]) for c in cut]
        )

    more = {"along": lambda axis: heads(axis=axis) @ w_o, "scaled": lambda factor: heads(factor) @ w_o}
    return more | {"d_model": x.shape[1], "d_k": d, "heads": heads(), "concat": lambda heads: heads}


def head_shares(heads, w_o):
    return {"d_v": heads.shape[2]}


def same_attention(w_q, w_k):
    n = w_q.shape[1]
    return {"W_Q": w_q, "W_K": w_k, "M": np.eye(n) + np.eye(n, k=1)}


def attention_pattern(x, w_q, w_k):
    q, k = x @ w_q, x @ w_k
    pattern = lambda factor=1, axis=-1: weigh(factor * q @ k.T, axis)  # noqa: E731
    more = {"along": lambda axis: pattern(axis=axis), "scaled": pattern, "d_k": q.shape[1]}
    return more | {"queries": q, "keys": k}


def decode(memory, query):
    scaled = lambda factor: weigh(factor * memory @ query) @ memory  # noqa: E731
    return {"d_k": len(query), "scaled": scaled, "weights": weigh(memory @ query)}


def votes(x, query, readout, bias):
    return {"d_k": len(query), "scaled": lambda factor: np.exp(factor * x @ query) * (x @ readout + bias)}


def log_loss(logits, y):
    p = weigh(logits)[range(len(y)), y]
    return {"p": p, "scores": logits}


def softmax_backward(weights, d_weights):
    pull = lambda axis: weights * (d_weights - (weights * d_weights).sum(axis=axis, keepdims=True))  # noqa: E731
    rows = lambda jacobian: [jacobian(p) @ d for p, d in zip(weights, d_weights, strict=True)]  # noqa: E731
    return {"along": pull, "rows": rows, "diag": np.diag, "p": weights}


def adam_step(w, gradient, mean, square, t, rate):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2

    def adam(step=None, t=t):
        own = mean / (1 - 0.9**t) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8) if step is None else step
        return np.stack([w - rate * own, mean, square])

    more = {"m": mean / (1 - 0.9**t), "s": square / (1 - 0.999**t), "adam": adam}
    return more | {"mean": mean, "square": square, "step": (w - adam()[0]) / rate}


def pmi_from_counts(counts):
    p = counts / counts.sum()
    p_i, p_j = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    chances = {"P": p, "P_i": p_i, "P_j": p_j, "P_j_i": p / p_i, "P_i_j": p / p_j}
    return chances | {"ratio": p / p_i / p_j}


def scores_for(joint):
    return pmi_from_counts(joint)


def negative_scores(joint, n_negative, power):
    return pmi_from_counts(joint)


def window_counts(tokens, window, n_words):
    after = np.zeros((n_words, n_words))
    for a in range(len(tokens)):
        for b in range(a + 1, min(len(tokens), a + window + 1)):
            after[tokens[a], tokens[b]] += 1
    return {"after": after}


def rope(x, positions):
    return {"i": np.arange(x.shape[1] // 2), "d": x.shape[1]}


def rope_attention(q, k, v):
    n, d = q.shape
    scores = turned(q, range(n)) @ turned(k, range(n)).T
    answer = lambda factor=d**-0.5, axis=-1: weigh(factor * scores, axis) @ v  # noqa: E731
    return {"d": d, "scaled": answer, "along": lambda axis: answer(axis=axis)}


def decode_step(q, keys, values):
    scaled = lambda factor: weigh(factor * keys @ turned(q[None], [len(keys) - 1])[0]) @ values  # noqa: E731
    return {"d": len(q), "scaled": scaled}


def layer_norm(x, gain, bias, eps):
    def along(axis):
        return gain * (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps) + bias

    return {"along": along}


ALONG = (
    "self_attention|masked_softmax|multi_head|attention_pattern|softmax_backward|rope_attention|layer_norm"
)
SCALED = "self_attention|rope_attention|decode_step"
TABLES = "masked_softmax|scaled_scores|cached_causal_mask"
# Words of hints as Python; what is no word is a formula.
WORDS = (
    dict.fromkeys(("row", "rows", "last", "few", "low", "below", "higher"), "-1")
    | dict.fromkeys(("column", "columns", "first", "fastest"), "0")
    | dict.fromkeys(("many", "far", "above", "one", "once", "half", "second", "nats", "lower"), "1")
    | dict.fromkeys(("two", "twice", "whole"), "2")
    | dict.fromkeys(("four", "doubled"), "4")
    | dict.fromkeys(("divided", "divide", "divides"), "/")
    | dict.fromkeys(("multiplied", "multiply", "multiplies"), "*")
    | {"slowest": "-2", "the root": "root", "words themselves": "x", "bits": "np.log(2)"}
    | {"largest": "max", "smallest": "min", "least": "min", "most": "max", "subtracted": "-", "added": "+"}
    | {"after": "1:", "before": ":-1", "sines": "np.sin", "cosines": "np.cos"}
    | {"natural": "np.log", "the decimal one": "np.log10", "ln k": "np.log(n_negative)"}
)
CHANCES = {"p(i, j)": "P", "p(j|i)": "P_j_i", "p(i|j)": "P_i_j", "p(i)": "P_i", "p(j)": "P_j"}
SIGNS = {"·": "*", "−": "-", "ᵀ": ".T", "²": "**2", "^": "**", "10000 **": "1e4 **", "ln(": "np.log("}


def code(text):
    """What a hint says, as Python."""
    if text is None or text.lower() in WORDS:
        return WORDS.get(text and text.lower())
    for sign, python in (CHANCES | SIGNS).items():
        text = text.replace(sign, python)
    text = re.sub(r"√(\w+)", r"np.sqrt(\1)", text.replace("p p.T", "np.outer(p, p)"))
    text = re.sub(r"\b(sin|cos) ([ab])\b", r"np.\1(\2)", text)
    text = re.sub(r"(\d)(?=[ia-zρ(])(?!e-?\d)", r"\1 * ", text)  # 2i, 2a
    text = re.sub(r"([\w)]) (?=[\w(ρμσ])", r"\1 * ", text)  # two beside each other
    return re.sub(r"log \* ([^-+]+)", r"np.log2(\1)", text)


# Checkers -> words that count of a hint, and what they claim of each case: an expression that comes to the mistake's
# answer, one that comes to the right one, one that is true. {0} is the first group as Python, {r[0]} as it stands.
SAYS = {
    ALONG: [
        (r"down the (rows|columns)", "wrong: along({0})"),
        (r"(first|last) axis", "right: along({0})"),
        (r"\b(?:each|its) (row|column)\b", "right: along({0})"),
    ],
    SCALED: [(r"are (divided|multiplied) by (√*\w+)(?=[,. ])", "right: scaled(1 {0} {1})")],
    "self_attention": [
        (r"(divided|multiplied) by (√*d_\w+|the root)\?", "wrong: scaled(1 {0} {1})"),
        (r"root of the width of a (\w+)", "so: {r[0]} == d_k"),
        (r"of (d_\w+), the width of a (\w+)", "so: {0} == {r[1]}"),
        (r"root of (d_\w+)", "wrong: scaled(1 / np.sqrt({0}))"),
        (r"number of (words)", "wrong: scaled(1 / np.sqrt({r[0]}))"),
        (r"scores are (\w) (\w)ᵀ", "right: attend(dots={0} @ {1}.T)"),
        (r"(\w) and (\w) swapped", "wrong: attend(dots={1} @ {0}.T)"),
        (r"the (keys|queries) made with (w_\w)", "wrong: attend({r[0][0]}=x @ {1})"),
        (r"A (key|query) is (x @ w_\w)", "so: same({1}, {r[0][0]})"),
        (r"the (keys|queries) mixed", "wrong: attend(v={r[0][0]})"),
        (r"(words themselves) mixed", "wrong: attend(v={0})"),
        (r"mixed[^?]*, (x @ w_\w)", "right: attend(v={0})"),
        (r"(\w @ \w) runs", "wrong: attend(dots={0})"),
        (r"scores are (\w @ \w\.T)", "right: attend(dots={0})"),
        (r"(weights @ v)", "right: {0}"),
        (r"exp\((\d+)\) is infinite", "so: np.isinf(np.exp({0}.0)) and np.exp({0}.0 - 1) < np.inf"),
        (
            r"each (row|column)'s (largest|smallest)",
            "right: shares(np.exp(scores - scores.{1}({0}, keepdims=True))) @ v",
        ),
    ],
    "attention_pattern|decode|votes": [(r"(divided|multiplied) by (√*d_\w+)", "wrong: scaled(1 {0} {1})")],
    "multi_head": [
        (r"scores are (divided|multiplied) by (√*d_\w+)", "wrong: scaled(1 {0} {1})"),
        (r"scale is (\d/√*\w+)", "wrong: scaled({0})"),
        (r"(?:so|(multiply|divide) them by) (\d/√*\w+)", "right: scaled({1})", "so: '{0}' in ('None', '*')"),
        (r"(concat\(heads\) @ w_o|w_o @ concat\(heads\))", "right: {r[0]}"),
        (r"(?:queries|keys) have (√?\w+) numbers", "so: {0} == x.shape[1] // n_heads"),
    ],
    "scaled_scores": [
        (r"(multiply|divide) by the root of (√*\w+)", "right: scaled(1 {0} np.sqrt({1}))"),
        (r"That is (multiplied|divided) by (√*d_\w+)", "wrong: scaled(1 {0} {1})"),
        (r"deviation of q kᵀ is (√*d_\w+)", "right: scaled(1 / {0})"),
        (r"(multiplied|divided) by the root\?", "wrong: scaled(1 {0} root)"),
        (r"\? (multiply|divide): ", "right: scaled(1 {0} root)"),
        (r"too (large|small)", "so: (abs(wrong).max() > abs(right).max()) == ('{r[0]}' == 'large')"),
        (r"number of (queries|keys)", "wrong: scaled(1 / np.sqrt({r[0]}))"),
        (r"number of (q|k)\w+\? (\w+) .* one (q|k)", "so: '{r[0]}' == '{r[2]}' and {r[1]} == q.shape[1]"),
        (r"(√*d_\w+) is the (first|last) axis", "so: q.shape[{1}] == {0}"),
    ],
    TABLES: [
        (
            r"(rows|columns)(?: are)? (queries|keys)",
            "so: right.shape['{r[0]}'.lower() == 'columns'] == {r[1]}",
            "so: ('{r[0]}'.lower() == 'rows') == ('{r[1]}' == 'queries')",
        )
    ],
    "pair_for": [
        (
            r"Attention (divides|multiplies) by (√*d_\w+)",
            "so: same(weigh(right[0] @ right[1].T {0} {1}), weights)",
        ),
        (r"and (\w+) is n here", "so: {0} == d_k"),
        (
            r"so (divide|multiply) by it",
            "so: same(weigh((wrong[0] {0} np.sqrt(d_k)) @ wrong[1].T / np.sqrt(d_k)), weights)",
        ),
        (r"base (\d+)\?", "so: same(wrong[0], np.sqrt(d_k) * np.log(weights) / np.log({0}))"),
        (r"(np\.log\d*)", "so: same(right[0], np.sqrt(d_k) * {0}(weights))"),
    ],
    "another_pair": [
        (r"The (queries|keys) are longer", "so: not same(wrong[{r[0]}], pair[{r[0]}])"),
        (r"on the side of the (queries|keys)", "so: same(wrong[{r[0]}], pair[{r[0]}])"),
        (r"The (queries|keys) need", "so: same(wrong[{r[0]}], pair[{r[0]}])"),
        (
            r"added to the (queries|keys) (a vector does no harm|it does)",
            "so: same(weigh((q + 1 - {r[0]}) @ (k + {r[0]}).T), weigh(q @ k.T)) == ('no' in '{r[1]}')",
        ),
        (r"Only the (queries|keys) have", "so: not same(wrong[{r[0]}], pair[{r[0]}])"),
    ],
    "sinusoidal": [
        (r"(2i / d_\w+)", "right: wave({0})"),
        (r"exponent is (doubled|half)", "so: same(wrong[:, ::2], wave({0} * i / d_model)[:, ::2])"),
        (
            r"even (?:dimensions|ones)(?: are)? (sines|cosines)",
            "so: same(right[:, ::2], {0}(angles)[:, ::2])",
        ),
        (
            r"odd (?:dimensions|ones)(?: are)? (sines|cosines)",
            "so: same(right[:, 1::2], {0}(angles)[:, 1::2])",
        ),
        (r"only (sines|cosines)", "wrong: {0}(angles)"),
        (r"(sine) and cosine are swapped", "wrong: np.where(even, np.cos(angles), np.sin(angles))"),
        (r"start at (\d)", "wrong: wave(start={0})"),
        (r"(first|last) word stands at position (\d)", "right: wave(start={1})", "so: {0} == 0"),
        (r"(exp\([−+]?\(.*?\) · ln\(\d+\)\))", "right: wave(omega=np.{0})"),
        (r"(10000 \*\* \(.*?\))", "right: wave(omega=1 / {0})"),
        (r"exactly (\d/10000)", "so: same(wrong[1, -2], np.sin({0}))"),
        (r"divides by (d_\w+/\d [−+] \d)", "wrong: wave(i / ({0}))"),
        (r"(divides|multiplies) (2i) by (d_\w+)", "right: wave({1} {0} {2})"),
        (r"(fastest|slowest) pair turns by (\d) rad", "so: same(right[1, {0}], np.sin({1}))"),
        (r"(positions|dimensions) are (rows|columns)", "so: right.shape['{r[1]}' == 'columns'] == {r[0]}"),
    ],
    "shifted": [
        (r"cos\(a ([−+]) b\) = (.*?) has", "so: same({1}, np.cos(a {0} b))"),
        (
            r"(sin|cos)·(sin|cos)\(ωo\) ([+−]) (sin|cos)·(sin|cos)\(ωo\)",
            "so: same(right[:, 0], {r[0]}_ * np.{r[1]}(offset) {2} {r[3]}_ * np.{r[4]}(offset))",
        ),
        (r"(offset · 10000 \*\* \(.*?\))", "right: spun({0})"),
    ],
    "read_position": [
        (r"One too (many|few)", "so: wrong - right == {0}"),
        (r"every (\d\.\d+) positions", "so: abs({0} - 2 * np.pi) < 0.005"),
        (r"position (least|most) like", "so: dots[int(wrong)] == dots.{0}()"),
        (r"(largest|smallest) inner", "so: dots[int(right)] == dots.{0}()"),
    ],
    "rotary_scores": [
        (
            r"(?:Only the|where the) (quer\w+|keys?) (?:are turned|stands)",
            "wrong: rotary('{r[0][0]}' == 'q', '{r[0][0]}' == 'k')",
        ),
        (r"offset (−?\d) gives what offset (−?\d)", "wrong: rotary(-1, -1)", "so: {0} == -({1})"),
        (
            r"becomes a cos ([+−]) b sin",
            "so: same(turned(np.array([[3.0, 4]]), [-2])[0, 0], 3 * np.cos(2) {0} 4 * np.sin(2))",
        ),
        (
            r"the \*?(sum|difference)\*? of the positions",
            "wrong: turned(q, -q_positions - 1) @ turned(k, k_positions - 1).T",
            "so: '{r[0]}' == 'sum'",
        ),
        (r"(10000 \*\* \(.*?\))", "right: rotary(omega={0})"),
        (r"(divided|multiplied) by (√?d)\?", "wrong: rotary() {0} {1}"),
    ],
    "mean_and_error": [
        (r"(divided|multiplied) by (n[^.]*)\. Est", "so: same(wrong[1], half(1 / (1 {0} ({1}))))"),
        (r"(divide|multiply) by (n(?: [−+] \d)*), wh", "so: same(right[1], half(1 / (1 {0} ({1}))))"),
        (r"needs (n [−+] \d)", "so: same(right[1], half({0}))"),
        (r"ddof=(\d)", "so: same(right[1], half(n - {0}))"),
        (r"too (small|large) on", "so: (wrong[1] < right[1]) == ('{r[0]}' == 'small')"),
        (r"(\d+) % interval reaches (\d\.\d+)", "so: {0} == 95 and same(right[1], {1} * wrong[1])"),
        (r"the (whole|half) width", "so: same(wrong[1], {0} * right[1]) or '{r[0]}' == 'half'"),
    ],
    "variance_of_score": [
        (r"(\d ρ μ_\w μ_\w σ_\w σ_\w)", "so: same(d_k * {0}, mixed)"),
        (r"σ_k is (missing)", "wrong: terms(mixed=0)"),
        (r"comes (twice|once)", "so: same(right - wrong, mixed / {0})"),
        (
            r"all (positive|negative), it (adds to|takes from)",
            "so: (wrong < right) == ('{r[1]}' == 'adds to')",
        ),
        (r"Is it (\d [−+] ρ²)", "wrong: terms({0})"),
        (r"(?:it is|missing in) (\d [−+] ρ²)", "right: terms({0})"),
        (r"(\d [−+] 2ρ²)", "wrong: terms({0})"),
        (r"xy, (ρ²), has to be (subtracted|added)", "right: wrong {1} d_k * var_q * var_k * {0}"),
        (r"(mean_\w²) · (var_\w)", "so: {0} * {1} in (mean_q**2 * var_k, mean_k**2 * var_q)"),
        (r"for (means 0)", "wrong: terms(1, 0, 0)"),
        (r"for (independent entries)", "wrong: terms(1, 0)"),
        (r"That is the (standard deviation)", "wrong: np.sqrt(right)"),
    ],
    "deviation_at_start": [
        (r"adds (\d/\(\d d_\w+\))", "right: wrong + {0}"),
        (r"(?:number has|²/\d+,) (a²/\d+)", "right: (d_model + 1) * {0}"),
        (r"(a²/\d+) is for", "wrong: (d_model + 1) * {0}"),
        (r"it is (\(2a\)²/\d+)", "right: (d_model + 1) * {0}"),
        (r"bias (\d/d_\w+)\?", "wrong: 1 / 3 + {0}"),
    ],
    "masked_softmax|cached_causal_mask|decoder_mask": [],
    "masked_softmax": [
        (r"(True|False) means", "so: same(np.isclose(right, 0), mask != {r[0]})"),
        (r"applied (after|before) the softmax", "wrong: weigh(scores) * mask", "so: '{r[0]}' == 'after'"),
        (r"score of (\d) is", "so: {0} == 0"),
        (r"exp\((\d)\) = (\d)", "so: np.exp({0}) == {1}"),
        (r"(np\.where\(.*?\))", "right: weigh({r[0]})"),
    ],
    "cached_causal_mask|decoder_mask": [
        (r"(True|False) means", "so: right[..., -1, 0].any() == {r[0]}"),
        (r"iff j ([≤<≥>]) i", "right: visible('{r[0]}')"),
        (
            r"the (future|past) instead of the (future|past)",
            "so: ((wrong > right).any() or right.all()) and ('{r[0]}', '{r[1]}') == ('future', 'past')",
        ),
    ],
    "cached_causal_mask": [
        (r"it is ([≤<]), not ([≤<])", "right: visible('{r[0]}')", "wrong: visible('{r[1]}')"),
        (
            r"(n_\w [−+] n_\w) tokens came (before|after)",
            "right: visible('≤', {0})",
            "so: '{r[1]}' == 'before'",
        ),
    ],
    "decoder_mask": [
        (
            r"keys (?:are )?(\d) … lengths\[b\] ([−+]) (\d)",
            "right: causal & (j >= {0}) & (j <= real {1} {2})",
        ),
        (
            r"\d, so it is ([≤<]), not ([≤<])",
            "right: visible('≤', '{r[0]}')",
            "wrong: visible('≤', '{r[1]}')",
        ),
        (r"part is ([≤<]), not ([≤<])", "right: visible('{r[0]}')", "wrong: visible('{r[1]}')"),
        (
            r"Only the (causal|padding) part is there: the (padding|future) is",
            "wrong: {r[0]}",
            "so: '{r[1]}' == left['{r[0]}']",
        ),
    ],
    "inputs_and_targets": [
        (r"one that comes (after|before)", "so: same(right[1], tokens[{0}])"),
        (r"(inputs|targets) in the (first|second)", "so: same(right[{1}], {r[0]})"),
        (r"are (one|two) steps ahead", "so: same(wrong[1], tokens[{0}:])"),
        (r"is (one|two) step ahead", "so: same(right[1], tokens[{0}:])"),
    ],
    "lowest_loss": [
        (r"diagonal (below|above)", "wrong: loss(np.diagonal(mask, {0}))"),
        (r"entry \[(i), (i [+−] \d)\]", "right: loss([mask[{0}, {1}] for i in range(n - 1)])"),
        (
            r"pay (\d), the others pay (ln\(n_symbols\))",
            "right: np.mean([{0} if seen else {1} for seen in sees])",
        ),
    ],
    "lowest_loss|log_loss": [(r"(?:That|This) is in (bits|nats)", "wrong: right / {0}")],
    "split_heads": [(r"Reshape to \((.*?)\), then", "right: np.moveaxis(x.reshape({r[0]}), 1, 0)")],
    "multi_head|attention_pattern": [],
    "head_shares": [
        (r"(d_v) rows", "right: [head @ w_o[h * {0} : (h + 1) * {0}] for h, head in enumerate(heads)]")
    ],
    "split_heads|head_shares": [
        (
            r"head 0 comes (first|last)|the (first|last) block is head 0",
            "wrong: right[::-1]",
            "so: 'first' in ('{r[0]}', '{r[1]}')",
        )
    ],
    "same_attention": [
        (r"(two|four) times as large", "so: same(wrong[0] @ wrong[1].T, {0} * w_q @ w_k.T)"),
        (
            r"with (W_\w) M, the other is (W_\w) \(M⁻¹\)(ᵀ?)",
            "so: same({0} @ M @ ({1} @ np.linalg.inv(M){2}).T, w_q @ w_k.T)",
        ),
    ],
    "free_numbers": [(r"The (d_k²) of", "right: wrong - {0}")],
    "attention_pattern": [
        (
            r"(rows|columns) are (queries|keys), (x @ w_\w)",
            "so: same({2}, {r[1]}) and ('{r[0]}' == 'rows') == ('{r[1]}' == 'queries')",
        )
    ],
    "decode": [
        (r"product: (\w+ @ \w+)", "right: weigh({0}) @ memory"),
        (r"(\w+ @ \w+), not (\w+ @ \w+)", "right: {0}", "wrong: {1}"),
    ],
    "log_loss": [
        (r"This is the (sum|mean)", "wrong: right * len(y)", "so: '{r[0]}' == 'sum'"),
        (r"the (mean|sum) of the logs", "right: -np.log(p).mean()", "so: '{r[0]}' == 'mean'"),
        (r"is (−?log) p", "right: -np.log(p).mean()", "so: '{r[0]}' == '−log'"),
    ],
    "softmax_backward": [
        (r"(diag\(p\) [−+] p pᵀ)", "right: rows(lambda p: {0})"),
        (r"(diag\(p\)) without ([−+] p pᵀ)", "wrong: rows(lambda p: {0})", "right: rows(lambda p: {0} {1})"),
        (r"(p \(\d [−+] p\))", "wrong: {0} * d_weights"),
    ],
    "adam_step": [
        (
            r"(divide|multiply) by (\d [−+] [\d.]+\^t) and (\d [−+] [\d.]+\^t) (before|after)",
            "right: adam(mean {0} ({1}) / (np.sqrt(square {0} ({2})) + 1e-8))",
            "so: '{r[3]}' == 'before'",
        ),
        (
            r"(added|subtracted) to the root: (√square [+−] 1e-8)",
            "right: (lambda square: adam(m / ({1})))(s)",
            "so: '{0}' == '+'",
        ),
        (r"step is (subtracted|added)", "right: [w {0} rate * step, mean, square]"),
        (r"too (far|low): .*?(\d)\.", "wrong: adam(t=t + {0})", "so: {1} == 1"),
        (
            r"of them, (divided|multiplied) by (\d [−+] [\d.]+\^t)",
            "right: adam(mean {0} ({1}) / (np.sqrt(s) + 1e-8))",
        ),
        (r"(np\.stack\(.*?\))\.", "right: (lambda w, mean, square: {r[0]})(*adam())"),
    ],
    "votes": [(r"e\^s \(readout · x ([+−]) bias\)", "right: np.exp(x @ query) * (x @ readout {0} bias)")],
    "pmi_from_counts": [
        (r"base (\d+): (np\.\w+)", "right: {1}(ratio)", "so: {1}({0}) == 1"),
        (r"logarithm (natural|the decimal one)", "wrong: {0}(ratio)"),
        (r"(log p\(i, j\) / p\(\w\)) is (log p\(\w\|\w\))", "wrong: {0}", "so: same({0}, {1})"),
        (r"(divides|multiplies) by (p\(\w\)) too", "right: wrong + np.log2(1 {0} {1})"),
        (r"reversed: (log .*?)\.", "right: {0}"),
        (
            r"p\((\w)\) is the sum of (row|column) (\w)",
            "so: same(P_{r[0]}, P.sum(axis=int('{r[1]}' == 'row'), keepdims=True)) and '{r[0]}' == '{r[2]}'",
        ),
        (r"(p\(i, j\)) times PMI", "so: same(np.nan_to_num(wrong), np.nan_to_num({0} * right))"),
    ],
    "negative_scores": [
        (
            r"from (p\(\w\)) itself: PMI ([−+]) (ln k)",
            "wrong: np.log(P / P.sum(axis=1, keepdims=True) / {0}) {1} {2}",
        ),
        (r"is (lower|higher) by (ln k)", "right: wrong - {0} * {1}"),
    ],
    "negative_scores|scores_for": [],
    "scores_for": [
        (r"proportional to (p\(i, j\) / p\(\w\))", "so: same(weigh(wrong), weigh(np.log({0})))"),
        (r"add log (p\(\w\))", "so: same(weigh(wrong + np.log({0})), weigh(right))"),
        (
            r"log (p\(\w\)), one for each (row|column)",
            "so: {0}.shape == ((1, 2) if '{r[1]}' == 'column' else (2, 1))",
        ),
    ],
    "window_counts": [
        (r"what comes (after|before) counted", "wrong: after if '{r[0]}' == 'after' else after.T"),
        (r"a word (after|before) counts", "wrong: after if '{r[0]}' == 'before' else after.T"),
        (r"is counted (twice|once)", "wrong: {0} * right"),
    ],
    "rope": [(r"(10000 \*\* \(.*?\))", "right: turned(x, positions, {0})")],
    "previous_token_scores": [
        (
            r"(?:looks at column|only) (i [−+] 1)",
            "right: [[beta if j == {0} else 0 for j in range(n)] for i in range(n)]",
        )
    ],
}


def cases_of(name, hint):
    """The names of each case of each mistake with this hint, the mistake's answer and the right one among them."""
    exercise = EXERCISES[name]
    for mistake in exercise.mistakes:
        for case in (
            (exercise.fixed if mistake.cases is None else mistake.cases) if mistake.hint == hint else ()
        ):
            own = globals()[name](**case) if name in globals() else {}
            answers = [np.asarray(f(*case.values()), dtype=float) for f in (mistake.function, exercise.right)]
            helpers = {"np": np, "same": same, "weigh": weigh, "shares": shares, "turned": turned}
            yield {**helpers, **case, **own, "wrong": answers[0], "right": answers[1]}


def rows_of(name):
    return [row for names, rows in SAYS.items() if name in names.split("|") for row in rows]


def holds(claims, found, case):
    """Whether what was read in a text is so in a case; words that mean nothing there are not."""
    groups, words = [code(text) for text in found.groups()], [str(text) for text in found.groups()]
    try:
        for target, _, template in (claim.partition(": ") for claim in claims):
            value = eval(template.format(*groups, r=words), case)
            if not (value if target == "so" else same(value, case[target])):
                return False
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
    return True


@pytest.mark.parametrize(("name", "hint"), HINTS, ids=[f"{name}: {hint[:40]}" for name, hint in HINTS])
def test_what_a_hint_says_is_so(name, hint):
    cases = list(cases_of(name, hint))
    for pattern, *claims in rows_of(name):
        for found in re.finditer(pattern, hint, re.IGNORECASE):
            assert all(holds(claims, found, case) for case in cases), (found[0], claims)
