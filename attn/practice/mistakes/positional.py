"""Chapter 1: the encoding of a position in four dimensions, and a query and a key that are turned."""

import numpy as np

DOUBLED = (
    "The exponent is doubled: in 2i / d_model, i counts pairs, not dimensions. A sine and its cosine share one "
    "frequency."
)
ONE_EACH = "Each dimension has a frequency of its own: a sine and the cosine after it must share one."
HALVED = "The exponent is half of what it should be: 2i / d_model, with i = 0 … d_model/2 − 1."
SWAPPED = "Sine and cosine are swapped: the even dimensions are sines, the odd ones cosines."
SINES_FIRST = "All sines come first here. The paper takes them in turn: sine, cosine, sine, cosine."
SINES_ALONE = "There are only sines: the odd dimensions are cosines."
FROM_ONE = "Do the positions start at 1? The first word stands at position 0."
FULL_TURN = (
    "Is there a factor 2π? The fastest pair turns by 1 radian from one position to the next, not once around."
)
ONE_CLOCK = "All pairs turn equally fast: the frequencies are missing."
DEGREES = "Are the angles taken for degrees? They are radians."
OTHER_WAY = (
    "It turns the other way: the first number should lose y times the sine, and the second should gain x times the "
    "sine."
)
ONE_SIGN = "One sign is off: the two products with a sine have opposite signs."


def _waves(first, second):
    """A function of four angles: one wave for the even dimensions, one for the odd ones."""

    def function(angles):
        return np.where([True, False, True, False], first(np.asarray(angles)), second(np.asarray(angles)))

    return function


DIVISORS = {
    DOUBLED: lambda base: base ** (2 * np.arange(4) / 4),
    ONE_EACH: lambda base: base ** (np.arange(4) / 4),
    HALVED: lambda base: base ** (np.arange(4) // 2 / 4),
    "Is that the frequency? It is one over the divisor, and here the divisor is asked for.": (
        lambda base: base ** (-2 * (np.arange(4) // 2) / 4)
    ),
}
ANGLES = {
    "Is the position multiplied by the divisor? Divide: the later pairs turn more slowly.": (
        lambda pos, divisors: pos * divisors
    ),
    FROM_ONE: lambda pos, divisors: (pos + 1) / divisors,
    FULL_TURN: lambda pos, divisors: 2 * np.pi * pos / divisors,
    ONE_CLOCK: lambda pos: np.full(4, pos),
}
ENCODING = {
    SWAPPED: _waves(np.cos, np.sin),
    DEGREES: _waves(lambda a: np.sin(np.deg2rad(a)), lambda a: np.cos(np.deg2rad(a))),
    SINES_ALONE: _waves(np.sin, np.sin),
    SINES_FIRST: (
        lambda angles: [wave(np.ravel(angles)[place]) for wave in (np.sin, np.cos) for place in (0, 2)]
    ),
}
SUM = {
    "Is the encoding multiplied with the word? It is added, number by number.": (
        lambda word, encoding: word * encoding
    ),
    "Where is the word? Its own numbers are added to the encoding.": lambda encoding: encoding,
    "Is the encoding taken away? It is added to the word's own numbers.": (
        lambda word, encoding: word - encoding
    ),
    "Are the angles added? Their sines and cosines are: those stay between −1 and 1 however far the position.": (
        lambda word, angles: word + angles
    ),
}

# ------------------------------------------------------------------------------------------ turned pairs

#: Cosine and sine of one step of the clock, and of two: a triangle with the sides 3, 4 and 5.
TURNS = np.array([[1.0, 0.0], [0.6, 0.8], [-0.28, 0.96]])


def turned(pair: np.ndarray, place: float, *, sine: float = 1.0, same: bool = False) -> np.ndarray:
    """A pair (x, y) after so many steps (0, 1 or 2): (x cos − y sin, x sin + y cos).

    `sine` −1 turns the other way; `same` gives both products with a sine the same sign.
    """
    x, y = np.ravel(pair)
    c, s = TURNS[int(place)]
    s *= sine
    return np.array([x * c + (y if same else -y) * s, x * s + y * c])


_TURNS = {
    OTHER_WAY: lambda pair, place: turned(pair, place, sine=-1.0),
    ONE_SIGN: lambda pair, place: turned(pair, place, same=True),
    "Are the two numbers of the pair exchanged? The first one is x.": (
        lambda pair, place: turned(pair[..., ::-1], place)
    ),
    "Is that the turn of the other place? A word turns as far as the place that it stands at.": (
        lambda pair, place: turned(pair, 3 - place)
    ),
}


def _of_query(wrong):
    return lambda q, places: wrong(q, np.ravel(places)[0])


def _of_key(wrong):
    return lambda k, places: wrong(k, np.ravel(places)[1])


ASKS = {hint: _of_query(wrong) for hint, wrong in _TURNS.items()}
ASKED = {hint: _of_key(wrong) for hint, wrong in _TURNS.items()}
SCORE = {
    "Is that the product of the pairs as they were? Both are turned first.": (
        lambda q, k: np.ravel(q) @ np.ravel(k)
    ),
    "Is the key turned alone? The query stands at a place too.": (
        lambda q, asked: np.ravel(q) @ np.ravel(asked)
    ),
    "Are the numbers crossed? A dot product multiplies the first with the first, the second with the second.": (
        lambda asks, asked: np.ravel(asks) @ np.ravel(asked)[::-1]
    ),
}
