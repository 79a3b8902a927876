"""The worksheet of chapter 8 once more, without `attn`: one function a problem, given -> answers."""

from tests.unit.by_hand.arithmetic import dot


def placed(x, place):
    """Half a turn is a sign, a quarter turn an i."""
    first, second = complex(*x[:2]) * (-1) ** place, complex(*x[2:]) * 1j ** (place % 4)
    return [round(part) for z in (first, second) for part in (z.real, z.imag)]


def turn_then_score(q, k):
    keys = [placed(k, place) for place in range(3)]
    # Only the offset counts: turn the key by it, and leave the query alone.
    scores = [dot(q, placed(k, place - 2)) for place in range(3)]
    return {"asks": placed(q, 2), "keys": keys, "scores": scores}


def everyone_further_on(q, k, moved):
    return {
        "later": placed(q, 2 + moved),
        "key_later": placed(k, moved),
        "score_later": dot(q, placed(k, -2)),
    }


def load_the_weights(columns):
    return {"halves": [*columns[0::2], *columns[1::2]], "partner": columns[1]}


PROBLEMS = (turn_then_score, everyone_further_on, load_the_weights)
