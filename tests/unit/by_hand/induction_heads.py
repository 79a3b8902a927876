"""DRAFT: the worksheet of chapter 9 once more, without `attn`: one function a problem, given -> answers."""

import math

from tests.unit.by_hand.arithmetic import shares


def divide_then_weigh(scores, temperature):
    divided = [score / temperature for score in scores]
    return {
        "divided": divided,
        "exponentials": [math.exp(score) for score in divided],
        "weights": shares(divided),
    }


def what_is_left_of_the_lead(lead, hot):
    return {"cold": lead, "warm": lead / hot, "back": hot}


PROBLEMS = (divide_then_weigh, what_is_left_of_the_lead)
