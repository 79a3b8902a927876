"""Two texts to count words in: sentences drawn from a small grammar, and this book's own prose (chapter 7)."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

#: Each symbol's ways on, with their chances. A word that is no symbol stands for itself.
Grammar = Mapping[str, Sequence[tuple[float, str]]]

WEATHER: Grammar = {
    "SENTENCE": [(0.5, "the SKY"), (0.3, "the SEA"), (0.2, "the TEA")],
    "SKY": [(0.5, "sky is grey"), (0.5, "sky is blue")],
    "SEA": [(0.3, "sea is grey"), (0.6, "sea is blue"), (0.1, "sea is cold")],
    "TEA": [(0.3, "tea is cold"), (0.7, "tea is hot")],
}


def sentences(grammar: Grammar, symbol: str = "SENTENCE") -> list[tuple[tuple[str, ...], float]]:
    r"""Return every sentence of a grammar without loops, and the chance of each.

    Parameters
    ----------
    grammar : dict of str to list of (float, str)
        Each symbol's ways on: a chance, and words or symbols with spaces between them.
    symbol : str, optional
        Where to begin.

    Returns
    -------
    list of (tuple of str, float)
        Words and chance; the chances sum to one if those of each symbol do.

    Raises
    ------
    KeyError
        If the grammar does not know `symbol`.
    RecursionError
        If a symbol leads back to itself.
    """
    found = []
    for chance, text in grammar[symbol]:
        partial: list[tuple[tuple[str, ...], float]] = [((), chance)]
        for word in text.split():
            ends = sentences(grammar, word) if word in grammar else [((word,), 1.0)]
            partial = [(begin + end, p * q) for begin, p in partial for end, q in ends]
        found += partial
    return found


@cache
def book() -> tuple[str, ...]:
    r"""Return the words of this book, in order: the prose of its pages as `make corpus` last froze it.

    Returns
    -------
    tuple of str
        Lower case, no punctuation.
    """
    text = (resources.files(__package__) / "book.txt").read_text(encoding="utf-8")
    return tuple(text.split())
