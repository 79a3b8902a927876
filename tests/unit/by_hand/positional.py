"""The worksheet of chapter 1 once more, without `attn`: one function a problem, given -> answers."""

import math

from tests.unit.by_hand.arithmetic import dot


def who_shares_a_clock(base):
    return {
        "formula": [1, 1, base**0.5, base**0.5],
        "doubled": [base ** (2 * j / 4) for j in range(4)],
        "agree": 1,
    }


def encode(pos):
    return {"encoding": [math.sin(pos), math.cos(pos), math.sin(pos / 100), math.cos(pos / 100)]}


def only_the_distance(pos, offset, later):
    near = dot(encode(pos)["encoding"], encode(pos + offset)["encoding"])
    return {"near": near, "far": math.cos(offset) + math.cos(offset / 100), "itself": 2}


def turn(offset):
    return {"turn": [[math.cos(offset), math.sin(offset)], [-math.sin(offset), math.cos(offset)]]}


def quarter_turns(q, k, places, moved):
    def turned(pair, n):
        rotated = complex(*pair) * 1j**n
        return [round(rotated.real), round(rotated.imag)]

    first, second = places
    # Only the difference of the places counts: turn the key by it, and leave the query alone.
    alone = [dot(q, turned(k, second - first + more)) for more in (0, 1)]
    return {
        "asks": turned(q, first),
        "asked": turned(k, second),
        "score": alone[0],
        "asks_later": turned(q, first + moved),
        "asked_later": turned(k, second + moved),
        "score_later": alone[0],
        "apart": alone[1],
    }


PROBLEMS = (who_shares_a_clock, encode, only_the_distance, turn, quarter_turns)
