"""Answers to chapter 8's exercises: a right one each, and wrong ones with what their hint says."""

import numpy as np

# By complex numbers, apart from attn: a pair (x, y) is x + iy, and a turn is a factor.


def turned(x, places, *, omega=lambda i, d: 10000.0 ** (-2 * i / d), pair=lambda i, d: (2 * i, 2 * i + 1)):
    out, d = np.array(x, dtype=float), x.shape[1]
    for row, place in zip(out, places, strict=True):
        for i in range(d // 2):
            one, two = pair(i, d)
            z = complex(row[one], row[two]) * np.exp(1j * omega(i, d) * float(place))
            row[one], row[two] = z.real, z.imag
    return out


def turning(**how):
    return lambda x, places: turned(x, places, **how)


def by_matrices(x, positions, signs=(-1, 1)):
    """Each pair by a matrix, whose sines have these signs."""
    d = x.shape[1]
    out = []
    for row, place in zip(x, positions, strict=True):
        block = np.zeros((d, d))
        for i in range(d // 2):
            a = place * np.exp(-2 * i / d * np.log(10000))
            turn = [[np.cos(a), signs[0] * np.sin(a)], [signs[1] * np.sin(a), np.cos(a)]]
            block[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turn
        out.append(block @ row)
    return np.array(out)


def weigh(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attending(q_places=1, k_places=1, start=0, key_start=0, root=True, turn_v=False, axis=-1):
    """Attention whose queries and keys stand at these multiples of 0, 1, 2 …, from `start` on."""

    def output(q, k, v):
        n, d = q.shape
        q = turned(q, q_places * (start + np.arange(n)))
        k = turned(k, k_places * (key_start + np.arange(n)))
        return weigh(q @ k.T / (d**0.5 if root else 1), axis) @ (turned(v, np.arange(n)) if turn_v else v)

    return output


def stepping(place=lambda n: n - 1, again=0, scale=True):
    def output(q, keys, values):
        n = len(keys)
        scores = turned(keys, again * np.arange(n)) @ turned(q[None], [place(n)])[0]
        return weigh(scores / (len(q) ** 0.5 if scale else 1)) @ values

    return output


def reordered(order, heads=None):
    def answer(w, n_heads):
        n_heads = heads or n_heads
        d = w.shape[1] // n_heads
        return np.hstack([w[:, h * d : (h + 1) * d][:, order(d)] for h in range(n_heads)])

    return answer


def evens_then_odds(d):
    return [*range(0, d, 2), *range(1, d, 2)]


def by_axes(w, n_heads):
    """As Meta's weights are converted: pairs and their members change places."""
    return w.reshape(len(w), n_heads, -1, 2).swapaxes(-1, -2).reshape(w.shape)


RIGHT = {
    "rope": [turned],
    "rope_attention": [attending()],
    "decode_step": [stepping()],
    "to_halves": [by_axes],
}


def in_place(x, positions):
    out = x.copy()
    for row, place in enumerate(positions):
        for i in range(x.shape[1] // 2):
            a = place * 10000.0 ** (-2 * i / x.shape[1])
            out[row, 2 * i] = out[row, 2 * i] * np.cos(a) - out[row, 2 * i + 1] * np.sin(a)
            out[row, 2 * i + 1] = out[row, 2 * i] * np.sin(a) + out[row, 2 * i + 1] * np.cos(a)
    return out


def angles_of_halves_on_neighbors(x, positions):
    d = x.shape[1]
    out = np.zeros_like(x)
    for row, place in enumerate(positions):
        for c in range(d):
            a = place * 10000.0 ** (-2 * (c % (d // 2)) / d)
            other = x[row, c + 1] if c % 2 == 0 else x[row, c - 1]
            out[row, c] = x[row, c] * np.cos(a) + (-1 if c % 2 == 0 else 1) * other * np.sin(a)
    return out


def with_waves_added(x, positions):
    d = x.shape[1]
    waves = [
        [(np.cos if c % 2 else np.sin)(place * 10000.0 ** (-2 * (c // 2) / d)) for c in range(d)]
        for place in positions
    ]
    return x + np.array(waves)


def every_other_column(w, n_heads):
    return reordered(evens_then_odds)(np.hstack([w[:, h::n_heads] for h in range(n_heads)]), n_heads)


WRONG = {
    "rope": [
        (lambda x, positions: x, "turned"),
        (lambda x, positions: turned(x, -positions), "y sin"),
        (lambda x, positions: by_matrices(x, positions, (1, 1)), "sign"),
        (in_place, "after"),
        (turning(pair=lambda i, d: (i, i + d // 2)), "layout"),
        (angles_of_halves_on_neighbors, "share"),
        (turning(omega=lambda i, d: 100.0 ** (-2 * i / d)), r"exponent.*10000 \*\* \(−2i / d\)"),
        (turning(omega=lambda i, d: 1e8 ** (-2 * i / d)), r"exponent.*10000 \*\* \(−2i / d\)"),
        (turning(omega=lambda i, d: 1.0), r"frequency.*10000 \*\* \(−2i / d\)"),
        (lambda x, positions: turned(x, positions * np.pi / 180), "radians"),
        (lambda x, positions: turned(x, range(len(x))), "positions 0, 1, 2"),
        (with_waves_added, "added"),
    ],
    "rope_attention": [
        (attending(0, 0), "turned"),
        (attending(1, 0), "keys"),
        (attending(0, 1), "queries"),
        (attending(turn_v=True), "values"),
        (attending(start=1), "one further"),
        (attending(1, -1), "sum"),
        (attending(-1, -1), "ahead"),
        (attending(root=False), "are divided by √d"),
        (attending(axis=0), "down the columns.*its row"),
    ],
    "decode_step": [
        (stepping(lambda n: 0), "n − 1"),
        (stepping(lambda n: n), "n − 1"),
        (stepping(again=1), "second time"),
        (stepping(lambda n: 1 - n), "other way"),
        (stepping(lambda n: 0, again=-1), "back"),
        (stepping(scale=False), "are divided by √d"),
    ],
    "to_halves": [
        (lambda w, n_heads: w, "reordered"),
        (reordered(evens_then_odds, heads=1), "head"),
        (reordered(lambda d: np.argsort(evens_then_odds(d))), "way back"),
        (every_other_column, "second column"),
    ],
}
