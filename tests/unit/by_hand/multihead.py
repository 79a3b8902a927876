"""The worksheet of chapter 4 once more, without `attn`: one function a problem, given -> answers."""

from tests.unit.by_hand.arithmetic import mixed


def deal(x, n_heads, head):
    n, d = len(x), len(x[0]) // n_heads
    flat = [number for token in x for number in token]
    start = (head - 1) * n * d
    return {
        "right": [token[(head - 1) * d : head * d] for token in x],
        "blind": [flat[start + i * d : start + (i + 1) * d] for i in range(n)],
    }


def two_heads(x, w_v, w_o):
    heads = [mixed(x[1], w_v[0]), mixed(x[0], w_v[1])]  # `sat` hears `cat`, and `the`
    adds = [mixed(heads[h], w_o[h]) for h in range(2)]
    return {
        "heads": heads,
        "shares": adds,
        "output": [a + b for a, b in zip(*adds, strict=True)],
        "difference": [a - b for a, b in zip(*adds, strict=True)],
    }


def cost(d_model, n_heads, other):
    return {
        "all": 4 * d_model**2,
        "other": 4 * d_model**2,
        "pruned": 4 * d_model**2 * (n_heads - 1) // n_heads,
    }


def another_pair(w_q, w_k, times):
    # a c + (b + t a) d = a (c + t d) + b d: what is added on one side is taken off on the other.
    return {
        "other_k": [[c - times * d, d] for c, d in w_k],
        "scores": [w_q[0][0] * c + w_q[0][1] * d for c, d in w_k],
        "count": 2 * 3 * 2 - 2 * 2,
    }


PROBLEMS = (deal, two_heads, cost, another_pair)
