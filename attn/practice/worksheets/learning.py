"""Chapter 6 by hand: back through a softmax, two losses, the mirror, a step of Adam."""

import numpy as np

from attn.practice.mistakes import learning as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, first_good, row, show, vector, whole
from attn.softmax import softmax_jacobian

CHAPTER, TITLE = "6", "Learn XOR by gradient"
TOKENS = ("a", "b", "c", "d")


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    return backward(rng), losses(rng), mirror(rng), first_step(rng)


def backward(rng: np.random.Generator) -> Problem:
    """From the derivatives of the weights to those of the scores."""
    p = rng.permutation((0.5, 0.25, 0.125, 0.125))
    d_p = first_good(
        lambda: 8 * whole(rng, -3, 3, 4),
        lambda d: len(set(d)) >= 3 and d.any() and (softmax_jacobian(p) @ d).any(),
    )
    x = whole(rng, -2, 2, 4)
    d_s = softmax_jacobian(p) @ d_p
    return Problem(
        "Back through a softmax",
        (
            "A score moves all weights of its row. The average of the derivatives, each as often as its weight says, "
            "is what the row as a whole does; a score counts as far as its own derivative differs from it.",
            Table(
                ("token", *TOKENS),
                (
                    ("number x", *map(int, x)),
                    ("weight p", *("½" if w == 0.5 else "¼" if w == 0.25 else "⅛" for w in p)),
                    ("∂L/∂p", *map(int, d_p)),
                    ("∂L/∂p − average", *row("apart", n=4)),
                    ("∂L/∂s = p · (∂L/∂p − average)", *row("d_s", n=4, fraction=True)),
                ),
            ),
            Ask("The average, Σ p · ∂L/∂p:", (Blank("average"),)),
            Ask("The sum of the last row:", (Blank("sum"),)),
            Ask("The score is s = q · x. So ∂L/∂q = Σ x · ∂L/∂s =", (Blank("d_q", (), True),)),
        ),
        {"p": p, "d_p": d_p, "x": x},
        {"apart": d_s / p, "d_s": d_s, "average": p @ d_p, "sum": d_s.sum(), "d_q": x @ d_s},
        {
            "the average": ("average", wrong.AVERAGE),
            "the differences from it": ("apart", wrong.APART),
            "∂L/∂s": ("d_s", wrong.D_S),
            "∂L/∂q": ("d_q", wrong.D_Q),
        },
    )


def losses(rng: np.random.Generator) -> Problem:
    """How hard two losses pull where the network is wrong."""
    one, many = (int(n) for n in rng.choice((2, 3, 4, 5, 8, 10, 20, 25, 50, 100), 2, replace=False))
    slopes = [softmax_jacobian(np.array([1 / n, 1 - 1 / n]))[0, 0] for n in (one, many)]  # of p by its logit
    return Problem(
        "Two losses",
        (
            "The network gives the right answer the probability p. Its logit is z. Write fractions.",
            Table(
                ("", f"p = 1/{one}", f"p = 1/{many}"),
                (
                    ("derivative of −ln p by z: −(1 − p)", *row("log", n=2, fraction=True)),
                    ("derivative of −p by z: −p (1 − p)", *row("plain", n=2, fraction=True)),
                    ("how many times the first pulls as hard", *row("times", n=2)),
                ),
            ),
        ),
        {"p": (1 / one, 1 / many)},
        {
            "log": [-slope * n for slope, n in zip(slopes, (one, many), strict=True)],
            "plain": [-slope for slope in slopes],
            "times": (one, many),
        },
    )


def mirror(rng: np.random.Generator) -> Problem:
    """All tokens change their sign: what the scores do, without and with a query bias."""
    x = first_good(
        lambda: np.array([rng.choice((-1, 1)), *rng.choice((-3, -2, 2, 3), 2), rng.choice((-1, 1))]),
        lambda x: abs(x[1]) != abs(x[2]),
    )
    w_q, w_k, bias = (int(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(3))

    def scores(x, b=0):
        return (w_q * x[1] + b) * (w_k * x)

    return Problem(
        "The mirror",
        (
            f"The tokens a, b, c, d are the numbers {vector(x)}. Token b asks: q = {show(w_q)} · b + β. A key is k = "
            f"{show(w_k)} · x. In the mirror all four tokens have the opposite sign.",
            Table(
                ("score of", *TOKENS),
                (
                    ("β = 0", *row("plain", n=4)),
                    ("β = 0, mirror", *row("plain_mirror", n=4)),
                    (f"β = {show(bias)}", *row("biased", n=4)),
                    (f"β = {show(bias)}, mirror", *row("biased_mirror", n=4)),
                ),
            ),
            "Without β the weights are the same in the mirror, so what is read changes its sign; but a XOR d does "
            "not. With β that is no longer forced.",
        ),
        {"x": x, "w_q": w_q, "w_k": w_k, "bias": bias},
        {
            "plain": scores(x),
            "plain_mirror": scores(-x),
            "biased": scores(x, bias),
            "biased_mirror": scores(-x, bias),
        },
    )


def first_step(rng: np.random.Generator) -> Problem:
    """The first step of Adam is as long for a large gradient as for a small one; its second one is not."""
    g = first_good(
        lambda: 2 * whole(rng, -10, 10, 3),
        lambda g: g.all() and len(set(np.abs(g))) == 3 and np.ptp(np.sign(g)) == 2,
    )
    rate = 0.1
    mean, square = 0.1 * g, 0.001 * g**2
    corrected = mean / (1 - 0.9), square / (1 - 0.999)
    return Problem(
        "The first step",
        (
            "Three parameters have the gradients in the table. Adam's two means start at 0. The first becomes 0.1 g, "
            "and is divided by 1 − 0.9; the second becomes 0.001 g², and is divided by 1 − 0.999. The step is the "
            "first over the root of the second, times 0.1, against the gradient.",
            Table(
                ("parameter", "1", "2", "3"),
                (
                    ("gradient g", *map(int, g)),
                    ("first mean, 0.1 g", *row("mean", n=3)),
                    ("divided by 1 − 0.9", *row("first", n=3)),
                    ("second mean, divided by 1 − 0.999", *row("second", n=3)),
                    ("change by Adam", *row("adam", n=3)),
                    ("change by plain descent, 0.1 times the gradient", *row("plain", n=3)),
                ),
            ),
            Ask(
                "The second gradient of parameter 1 has the opposite sign and the same size. The first mean, 0.9 times "
                "what it was and 0.1 times the new g, times 100:",
                (Blank("then"),),
            ),
        ),
        {"g": g},
        {
            "mean": mean,
            "first": corrected[0],
            "second": corrected[1],
            "adam": -rate * corrected[0] / np.sqrt(corrected[1]),
            "plain": -rate * g,
            "then": 100 * (0.9 * mean[0] - 0.1 * g[0]),
        },
    )
