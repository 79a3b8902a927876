"""What chapter 6 says of its losses and its task for all networks, guesses and draws, under attack."""

import numpy as np

from attn.softmax import softmax
from tests.falsify.attack import TINY, broken, normal, worst


def test_a_log_loss_is_never_negative():
    """−ln p of a softmax, for any logits; of numbers that are no probabilities it can be."""
    of_softmax = lambda p: np.log(softmax(p["z"], axis=-1)[:, 0])  # noqa: E731
    assert worst(normal(z=(2,)), of_softmax) <= TINY
    assert broken(normal(z=(2,)), lambda p: p["z"][:, 0])  # −ln of e to the logit, not divided by the sum


def test_minus_p_is_the_same_for_every_guess():
    """Where both answers are as likely: −½ g − ½ (1 − g). Where one is likelier, a bold guess is cheaper."""

    def off(share):
        def violation(p):
            g = 1 / (1 + np.exp(-p["z"]))
            return np.abs(-share * g - (1 - share) * (1 - g) + 0.5)

        return violation

    assert worst(normal(z=()), off(0.5)) <= TINY
    assert broken(normal(z=()), off(0.7))


NETWORK = {"ends": (2,), "noise": (2,), "w_q": (), "b_q": (), "w_k": (), "w_o": ()}


def swapped(p):
    """How far the logit of a network of one head and no places moves when the ends change places."""

    def logit(ends):
        x = np.concatenate([ends[:, :1], p["noise"], ends[:, 1:]], axis=1)
        k = p["w_k"][:, None] * (x + p.get("places", 0))
        p_t = softmax((p["w_q"] * x[:, 1] + p["b_q"])[:, None] * k, axis=-1)
        return p["w_o"] * (p_t * x).sum(axis=1)

    there, back = logit(p["ends"]), logit(p["ends"][:, ::-1])
    return np.abs(there - back) / (1 + np.abs(there))


def test_the_ends_can_not_be_told_apart():
    assert worst(normal(**NETWORK), swapped) <= TINY
    assert broken(normal(**NETWORK, places=(4,)), swapped)


def spread(reach):
    """How far the largest minus the smallest is from what tells the cases apart, for noise up to `reach`."""

    def violation(p):
        noise = reach * np.tanh(p["noise"])
        found = []
        for a, d in ((-1, -1), (1, 1), (1, -1), (-1, 1)):
            x = np.concatenate([np.full((len(noise), 1), a), noise, np.full((len(noise), 1), d)], axis=1)
            span = x.max(axis=1) - x.min(axis=1)
            found.append(span - 2 if a == d else np.abs(span - 2))
        return np.max(found, axis=0)

    return violation


def test_the_largest_minus_the_smallest_is_2_when_the_ends_differ():
    """And less when they don't, for noise between −1 and 1. For noise that goes further it tells nothing."""
    assert worst(normal(noise=(2,)), spread(1.0)) <= TINY
    assert broken(normal(noise=(2,)), spread(1.5))
