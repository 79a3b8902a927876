"""Complete the pattern: A 1 B 0 A, and then? Two layers of attention that look back to where a word stood before.

The stream of these networks is made of *lanes*, columns that have one meaning each:

* ``token``: which token stands here, one-hot;
* ``place``: where it stands, one-hot or as the hand of a clock;
* ``before``: what layer 1 writes, the token one place earlier;
* ``next``: what layer 2 writes, the token that followed when this one stood here before.
"""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, Ints, check_finite, finite_number, real_array, whole_number
from attn._progress import Progress
from attn.softmax import softmax
from attn.transformer import Layer, Transformer

#: The tokens of the sixteen questions; a token is its place in this list.
VOCABULARY = ("BOS", "A", "B", "0", "1")
N_PLACES = 6  # BOS, name, digit, name, digit, the name that is asked for

#: What `train` learns from: how long its sentences are, and how many tokens there are besides BOS.
LENGTH, N_TOKENS = 12, 10
REPEATED = (3, 4, 5)  # how many tokens come a second time, at the end
OPTIMIZERS = {"descent": (3.0, 600), "adam": (0.003, 1000)}  # name -> learning rate, steps


_FOUR_SLOTS = (
    (((0, 5), (2, -5), (-2, 5), (2, -1)), ((-3, -1), (-3, 5), (3, -2), (-1, 5))),
    (((-3, 2), (5, 1), (1, -3), (-2, -4)), ((1, 1), (-2, 1), (-4, 0), (3, -3))),
    (((-2, -1), (-3, 4), (-1, -1), (4, -2)), ((-3, 4), (-1, -2), (4, 1), (-1, -2))),
    (((0, -1), (0, 4), (3, -1), (-2, 0)), ((0, 3), (1, 1), (-3, 4), (0, 0))),
)


def questions() -> list[tuple[Ints, int]]:
    """Return all sixteen questions ``BOS k₁ v₁ k₂ v₂ q`` with their answers.

    The names k₁ and k₂ are A and B in either order, the digits v₁ and v₂ are 0 or 1, and q is one of the names; the
    answer is the digit after it.

    Returns
    -------
    questions : list of (tokens, answer)
        `tokens` (6,) and the answer as places in `VOCABULARY`.
    """
    a, b, zero, one = (VOCABULARY.index(word) for word in ("A", "B", "0", "1"))
    asked = []
    for (k_1, k_2), v_1, v_2 in product(((a, b), (b, a)), (zero, one), (zero, one)):
        asked += [(np.array([0, k_1, v_1, k_2, v_2, q]), v_1 if q == k_1 else v_2) for q in (a, b)]
    return asked


def hand_set(
    beta: float = 5.0, *, hands: bool = False, turn: float = 1.0, beta_1: float | None = None
) -> Transformer:
    r"""Return the two layers that answer the sixteen questions, each weight set by hand.

    Layer 1 looks one place back and writes what it sees into the lane *before*. Layer 2 looks where the lane *before*
    holds the present token, and writes what it sees into the lane *next*, which is read out. Each of the four products
    of weights has one block that is not zero; scores are not scaled.

    Parameters
    ----------
    beta : float
        How much a match adds to a score.
    hands : bool
        Whether places are the hands of a clock with one hour for each of the six places, (cos, sin), so that the score
        of place j for place i is β cos 60°(i − turn − j); otherwise they are one-hot, and it is β where j = i − turn.
    turn : float
        How many places layer 1 looks back. With one-hot places a whole number.
    beta_1 : float, optional
        In layer 1. Default `beta`.

    Returns
    -------
    network : Transformer
        d_model is 21: token 5, place 6, before 5, next 5. With `hands` it is 17.

    Raises
    ------
    ValueError
        If a number is not finite, or one-hot places are to be turned by a part of a place.
    TypeError
        If one is not a number.

    References
    ----------
    Elhage et al. (2021), A mathematical framework for transformer circuits: heads of this kind, as training found them.
    """
    beta, turn = finite_number(beta, "beta"), finite_number(turn, "turn")
    beta_1 = beta if beta_1 is None else finite_number(beta_1, "beta_1")
    if hands:
        hour = 2 * np.pi / N_PLACES
        places = np.stack([np.cos(hour * np.arange(N_PLACES)), np.sin(hour * np.arange(N_PLACES))], axis=1)
        cos, sin = np.cos(hour * turn), np.sin(hour * turn)
        look = beta_1 * np.array([[cos, -sin], [sin, cos]])  # a row is turned back by that many hours
    else:
        if turn != round(turn):
            raise ValueError(f"turn must be a whole number where places are one-hot, got {turn}")
        places, look = np.eye(N_PLACES), beta_1 * np.eye(N_PLACES, k=-round(turn))
    same = np.eye(len(VOCABULARY))
    return in_lanes(places, look, beta * same, same)


def in_lanes(places: ArrayLike, look: ArrayLike, match: ArrayLike, say: ArrayLike) -> Transformer:
    """Return the two layers with these blocks: where layer 1 looks, what layer 2 matches, and what it says.

    Parameters
    ----------
    places : (n_places, d_place) array
        What is written into the lane *place*.
    look : (d_place, d_place) array
        Row a, column b: the score that place direction a gives to b, in layer 1.
    match : (n_vocab, n_vocab) array
        Row a, column b: the score that token a gives to a place that follows token b, in layer 2.
    say : (n_vocab, n_vocab) array
        Row a: what is written into the lane *next* where token a is seen.

    Returns
    -------
    network : Transformer
        d_model = 3 n_vocab + d_place.

    Raises
    ------
    ValueError
        If the shapes do not fit; the message states them.
    TypeError
        If an array does not hold real numbers.
    """
    places, look = real_array(places, "places"), real_array(look, "look")
    match, say = real_array(match, "match"), real_array(say, "say")
    if places.ndim != 2 or look.shape != 2 * places.shape[1:]:
        raise ValueError(
            f"look must have shape (d_place, d_place) for places (n, d_place), got {look.shape} and {places.shape}"
        )
    if match.shape != say.shape or match.ndim != 2 or match.shape[0] != match.shape[1]:
        raise ValueError(
            f"match and say must both have shape (n_vocab, n_vocab), got {match.shape} and {say.shape}"
        )
    n_vocab, d_place = len(match), places.shape[1]
    token, place, before, following, d_model = _lanes(n_vocab, d_place, n_vocab, n_vocab)
    qk_1, ov_1, qk_2, ov_2 = np.zeros((4, d_model, d_model))
    qk_1[place, place] = look
    ov_1[token, before] = np.eye(n_vocab)
    qk_2[token, before] = match
    ov_2[token, following] = say
    layers = [Layer.from_products(qk_1, ov_1), Layer.from_products(qk_2, ov_2)]
    return _network(n_vocab, d_model, layers, token, following, place, places)


def second_circuit(beta: float = 5.0) -> Transformer:
    r"""Return two other layers that answer the sixteen questions: they need no BOS and no lane *before*.

    Layer 1 looks at the same token where it stood earlier (and at itself, as much) and copies its *place*. Layer 2
    looks one to the right of that place. The query of layer 2 is what layer 1 has written; in `hand_set` it is the key.

    Parameters
    ----------
    beta : float
        How much a match adds to a score.

    Returns
    -------
    network : Transformer
        For the five tokens after BOS. d_model is 20: token 5, place 5, the place that was found 5, next 5.

    Raises
    ------
    ValueError
        If `beta` is not finite.
    TypeError
        If it is not a number.
    """
    beta = finite_number(beta, "beta")
    n_vocab, n = len(VOCABULARY), N_PLACES - 1
    token, place, found, following, d_model = _lanes(n_vocab, n, n, n_vocab)
    qk_1, ov_1, qk_2, ov_2 = np.zeros((4, d_model, d_model))
    qk_1[token, token] = beta * np.eye(n_vocab)
    ov_1[place, found] = np.eye(n)
    qk_2[found, place] = beta * np.eye(n, k=1)
    ov_2[token, following] = np.eye(n_vocab)
    layers = [Layer.from_products(qk_1, ov_1), Layer.from_products(qk_2, ov_2)]
    return _network(n_vocab, d_model, layers, token, following, place, np.eye(n))


def induction_score(weights: ArrayLike, tokens: ArrayLike) -> Floats:
    """Return how much of a head's weight falls on tokens that follow an earlier occurrence of the present token.

    A row i counts if its token has stood at some earlier place j; then the weights on all such places j + 1 are added.
    The score is the mean over the rows that count. So a row whose token is there for the first time does not count,
    though in a text that comes twice the stripe of these places seems to begin one row earlier.

    Parameters
    ----------
    weights : (..., n, n) array
        Rows are queries, and sum to one or less.
    tokens : (n,) array of int

    Returns
    -------
    score : (...) array
        0 to 1.

    Raises
    ------
    ValueError
        If the shapes do not fit, `weights` is not finite or has a negative entry, or no token stands twice.
    TypeError
        If the tokens are not whole numbers, or `weights` does not hold real numbers.

    References
    ----------
    Olsson et al. (2022), In-context learning and induction heads, who call it the prefix matching score.
    """
    weights, tokens = real_array(weights, "weights"), np.asarray(tokens)
    if not np.issubdtype(tokens.dtype, np.integer):
        raise TypeError(f"tokens must be whole numbers, got an array of dtype {tokens.dtype}")
    n = tokens.size
    if tokens.ndim != 1 or weights.shape[-2:] != (n, n):
        raise ValueError(
            f"weights must have shape (..., n, n) for n tokens, got {weights.shape} and {tokens.shape}"
        )
    check_finite(weights, "weights")
    if (weights < 0).any():
        raise ValueError(f"weights must be 0 or more, got {weights.min()}")
    follows = _follows(tokens)
    rows = follows.any(axis=1)
    if not rows.any():
        raise ValueError("no token stands twice, so there is nothing to look back to")
    return (weights * follows).sum(axis=-1)[..., rows].mean(axis=-1)


@dataclass(frozen=True, eq=False)
class Slots:
    """The cases of a memory with n slots: one of them is asked for, and the answer is what stands there.

    Attributes
    ----------
    asked : (n * 2**n,) array of int
        The slot that is asked for, 0 … n − 1.
    values : (n * 2**n, n) array
        What stands in each slot, −1 or +1.
    answers : (n * 2**n,) array
        `values` at `asked`.
    most : int
        An upper bound: no layer with this many heads gets all cases of more slots right, if there is one query, the
        same in all cases; each token knows only itself (a name may know whether it is asked for, a digit does not know
        what is asked); the readout is affine; and nothing stands around the layer. It is 2 to the number of heads, less
        one where that number is odd. One head and two heads reach it; for seven slots with three heads, we don't know.
    """

    asked: np.ndarray
    values: np.ndarray
    answers: np.ndarray
    most: int


def slots(n: int, n_heads: int) -> Slots:
    """Return all cases of n slots, and an upper bound on how many slots so many heads can serve.

    Parameters
    ----------
    n : int
        Slots, 1 to 16.
    n_heads : int
        1 or more.

    Returns
    -------
    slots : Slots

    Raises
    ------
    ValueError
        If a number is out of its range.
    TypeError
        If it is not whole.
    """
    n, n_heads = whole_number(n, "n", 1), whole_number(n_heads, "n_heads", 1)
    if n > 16:
        raise ValueError(f"n must be 1 to 16, got {n}: there are n * 2**n cases")
    signs = np.array(list(product((-1, 1), repeat=n)))
    asked, values = np.repeat(np.arange(n), len(signs)), np.tile(signs, (n, 1))
    return Slots(asked, values, values[np.arange(len(asked)), asked], 2**n_heads - n_heads % 2)


@dataclass(frozen=True, eq=False)
class SlotHeads:
    """One layer for `slots`: what each head gives to each name and digit, and what these say. The heads are added up.

    The last axis is what the token holds: for a name, 0 if another one is asked for and 1 if it is this; for a digit,
    0 for −1 and 1 for +1.

    Parameters
    ----------
    key_scores, value_scores : (n_heads, n, 2) arrays
        The scores as they go into the softmax; −∞ hides a token from a head.
    key_says, value_says : (n_heads, n, 2) arrays
        What the readout makes of the token's value vector.

    Raises
    ------
    ValueError
        If the four shapes differ, or a number is NaN or +∞.
    TypeError
        If an array does not hold real numbers.
    """

    key_scores: np.ndarray
    key_says: np.ndarray
    value_scores: np.ndarray
    value_says: np.ndarray

    def __post_init__(self) -> None:
        names = ("key_scores", "key_says", "value_scores", "value_says")
        arrays = {name: real_array(getattr(self, name), name) for name in names}
        shape = arrays["key_scores"].shape
        for name, array in arrays.items():
            if array.shape != shape or array.ndim != 3 or array.shape[2] != 2:
                raise ValueError(
                    f"{name} must have shape (n_heads, n, 2), the same for all four, got {array.shape} and {shape}"
                )
            check_finite(np.maximum(array, 0) if name.endswith("scores") else array, name)
            object.__setattr__(self, name, array)

    def __call__(self, case: Slots) -> Floats:
        """Return what the layer says to each case, (n * 2**n,): the sign is its answer.

        Raises
        ------
        ValueError
            If the cases have another number of slots.
        """
        n = case.values.shape[1]
        if self.key_scores.shape[1] != n:
            raise ValueError(f"these heads serve {self.key_scores.shape[1]} slots, got cases of {n}")
        slot, own, plus = np.arange(n), case.asked[:, None] == np.arange(n), case.values > 0
        scores = np.concatenate(
            [self.key_scores[:, slot, own.astype(int)], self.value_scores[:, slot, plus.astype(int)]], axis=-1
        )
        says = np.concatenate(
            [self.key_says[:, slot, own.astype(int)], self.value_says[:, slot, plus.astype(int)]], axis=-1
        )
        return (softmax(scores) * says).sum(axis=(0, 2))


def guards(n: int, beta: float = 5.0) -> SlotHeads:
    r"""Return n heads for n slots: head j reads slot j, and the name beside it stands guard.

    The digit of slot j has the score 0 in head j and says what it is. The name of slot j says nothing: its score is −β
    if it is the one that is asked for, and +β if it is not, which takes the weight away from the digit. All other
    tokens are hidden from head j.

    Parameters
    ----------
    n : int
        1 or more.
    beta : float
        With two slots or more, all answers are right where β > ln(n − 1), and nowhere else.

    Returns
    -------
    heads : SlotHeads

    Raises
    ------
    ValueError
        If `n` is below 1 or `beta` is not finite.
    TypeError
        If `n` is not a whole number or `beta` not a number.

    Notes
    -----
    The digit that is asked for counts 1/(1 + e^−β), each of the n − 1 others 1/(1 + e^β): the first is e^β times the
    second.
    """
    n, beta = whole_number(n, "n", 1), finite_number(beta, "beta")
    own = np.eye(n, dtype=bool)[:, :, None]
    return SlotHeads(
        np.where(own, (beta, -beta), -np.inf),
        np.zeros((n, n, 2)),
        np.where(own, (0.0, 0.0), -np.inf),
        np.where(own, (-1.0, 1.0), 0.0),
    )


def four_slots() -> SlotHeads:
    """Return two heads that serve four slots, as many as `Slots.most` allows: a search found them, in whole numbers.

    Returns
    -------
    heads : SlotHeads
        Scores within ±5, and what tokens say within ±5: right in all 64 cases, by at least 0.36.
    """
    return SlotHeads(*np.array(_FOUR_SLOTS))


class Blocks(NamedTuple):
    """The three blocks that `train` learns; the fourth, of layer 1, is fixed: it writes tokens as they are.

    Attributes
    ----------
    look : (12, 12) array
        Row i, column j: the score of place j for place i, in layer 1.
    match : (11, 11) array
        As in `in_lanes`.
    say : (11, 11) array
        As in `in_lanes`.
    """

    look: Floats
    match: Floats
    say: Floats

    def network(self) -> Transformer:
        """Return the two layers with these blocks, for sentences of up to twelve tokens."""
        return in_lanes(np.eye(len(self.look)), self.look, self.match, self.say)


@dataclass(frozen=True, eq=False)
class History:
    """What `train` recorded, before each step and after the last.

    Attributes
    ----------
    seed : int
    loss : (n_steps + 1,) array
        Mean −ln p of the next token where the sentence determines it, in nats, on 200 sentences of their own.
    accuracy : (n_steps + 1,) array
        How often the most likely token is the right one, there.
    repeats : (n_steps + 1,) array
        How often it is the present token once more, there.
    blocks : tuple of Blocks
        Every `record_every` steps and after the last one.
    steps : (len(blocks),) array of int
        When these were.
    """

    seed: int
    loss: np.ndarray
    accuracy: np.ndarray
    repeats: np.ndarray
    blocks: tuple[Blocks, ...]
    steps: np.ndarray

    def fallen(self, share: float) -> int:
        """Return the first step at which the loss has fallen by this share, 0 < share ≤ 1, of the way to its least."""
        share = finite_number(share, "share")
        if not 0 < share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, got {share}")
        top, low = self.loss[0], self.loss.min()
        return int(np.argmax(self.loss <= top - share * (top - low)))


def sentences(rng: np.random.Generator, n: int) -> tuple[Ints, np.ndarray]:
    """Draw sentences of twelve tokens: BOS, tokens that differ, and the last three to five of these once more.

    Parameters
    ----------
    rng : numpy Generator
    n : int
        How many.

    Returns
    -------
    tokens : (n, 12) array of int
        BOS is 0.
    known : (n, 11) array of bool
        Where the next token follows from the sentence so far: from the first token that comes again.
    """
    n = whole_number(n, "n", 1)
    twice = rng.choice(REPEATED, size=n)
    drawn = rng.permuted(np.tile(np.arange(1, N_TOKENS + 1), (n, 1)), axis=1)
    place = np.arange(LENGTH - 1)
    again = place >= (LENGTH - 1 - twice)[:, None]
    source = np.where(again, place - twice[:, None], place)
    tokens = np.concatenate([np.zeros((n, 1), int), np.take_along_axis(drawn, source, axis=1)], axis=1)
    return tokens, place > (LENGTH - 1 - twice)[:, None]


def loss_and_gradient(blocks: Blocks, tokens: Ints, known: np.ndarray) -> tuple[float, Blocks]:
    """Return the mean −ln p of the next token where it is known, in nats, and its derivative for each block.

    Parameters
    ----------
    blocks : Blocks
    tokens : (b, n) array of int
    known : (b, n − 1) array of bool

    Returns
    -------
    loss : float
    gradient : Blocks
    """
    run = _forward(blocks, tokens, known)
    count = len(run.p)
    d_z = run.p.copy()
    d_z[np.arange(count), run.wanted] -= 1
    d_z /= count
    d_second = np.take_along_axis(d_z @ blocks.say.T, run.seen, axis=-1)
    d_scores = run.second * (d_second - (d_second * run.second).sum(axis=-1, keepdims=True))
    d_first = d_scores.T @ run.matches
    d_matches = d_scores @ run.first
    # Each match is one entry of the block, for a pair of tokens: their derivatives are added up.
    v = len(blocks.match)
    pairs = (v * run.here[:, None] + run.seen).ravel()
    d_match = np.asarray(np.bincount(pairs, d_matches.ravel(), v * v), dtype=float)
    n = tokens.shape[1]
    d_look = np.zeros_like(blocks.look)
    d_look[:n, :n] = run.first * (d_first - (d_first * run.first).sum(axis=-1, keepdims=True))
    return run.loss(), Blocks(d_look, d_match.reshape(v, v), run.following.T @ d_z)


def train(
    seed: int,
    *,
    optimizer: str = "descent",
    learning_rate: float | None = None,
    n_steps: int | None = None,
    batch_size: int = 64,
    spread: float = 0.01,
    record_every: int = 10,
    progress: bool = True,
) -> History:
    """Learn the drawn network's blocks from sentences that repeat their last tokens; the gradient is written by hand.

    Parameters
    ----------
    seed : int
        Of the first weights and of all sentences.
    optimizer : {"descent", "adam"}
        Steps against the gradient, or Adam.
    learning_rate : float, optional
        Default 3 for descent and 0.003 for Adam.
    n_steps : int, optional
        Default 600 for descent and 1000 for Adam.
    batch_size : int
        New sentences at each step.
    spread : float
        The standard deviation of the first weights.
    record_every : int
        Steps between two stored networks.
    progress : bool
        Show a bar, in a terminal or notebook, once training has taken two seconds.

    Returns
    -------
    History

    Raises
    ------
    ValueError
        If a size is below 1, the learning rate or `spread` is not above 0, or there is no such optimizer.
    TypeError
        If a size is not a whole number.

    References
    ----------
    Adam: Kingma & Ba (2015), with β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
    """
    seed = whole_number(seed, "seed", 0)
    if optimizer not in OPTIMIZERS:
        raise ValueError(f"optimizer must be one of {', '.join(map(repr, OPTIMIZERS))}, got {optimizer!r}")
    rate, steps = OPTIMIZERS[optimizer]
    rate = rate if learning_rate is None else finite_number(learning_rate, "learning_rate")
    steps = steps if n_steps is None else whole_number(n_steps, "n_steps", 1)
    batch_size, record_every = (
        whole_number(batch_size, "batch_size", 1),
        whole_number(record_every, "record_every", 1),
    )
    spread = finite_number(spread, "spread")
    for name, value in (("learning_rate", rate), ("spread", spread)):
        if value <= 0:
            raise ValueError(f"{name} must be above 0, got {value}")
    rng = np.random.default_rng(seed)
    sizes = (LENGTH, N_TOKENS + 1, N_TOKENS + 1)
    blocks = Blocks(*(rng.normal(0, spread, (size, size)) for size in sizes))
    unseen = sentences(np.random.default_rng([seed, 1]), 200)
    mean, square = ([np.zeros_like(block) for block in blocks] for _ in range(2))
    measured, kept = [_measure(blocks, *unseen)], {0: blocks}
    with Progress(steps, on=progress) as bar:
        for step in range(1, steps + 1):
            gradient = loss_and_gradient(blocks, *sentences(rng, batch_size))[1]
            if optimizer == "adam":
                for i, slope in enumerate(gradient):
                    mean[i] += 0.1 * (slope - mean[i])
                    square[i] += 0.001 * (slope * slope - square[i])
                moves = [
                    m / (1 - 0.9**step) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
                    for m, s in zip(mean, square, strict=True)
                ]
            else:
                moves = list(gradient)
            blocks = Blocks(*(block - rate * move for block, move in zip(blocks, moves, strict=True)))
            measured.append(_measure(blocks, *unseen))
            if step % record_every == 0 or step == steps:
                kept[step] = blocks
            bar.update(step, f"loss {measured[-1][0]:.3f}")
    loss, accuracy, repeats = np.array(measured).T
    return History(seed, loss, accuracy, repeats, tuple(kept.values()), np.array(list(kept)))


def _lanes(*widths: int) -> tuple:
    """Return a slice for each lane, and how wide they are together."""
    ends = np.cumsum((0, *widths)).tolist()
    return (*(slice(start, end) for start, end in zip(ends, ends[1:], strict=False)), ends[-1])


def _network(
    n_vocab: int,
    d_model: int,
    layers: list[Layer],
    token: slice,
    following: slice,
    place: slice,
    places: Floats,
) -> Transformer:
    """Tokens are one-hot in their lane, places as given in theirs, and the lane *next* is read out."""
    embedding, unembedding = np.zeros((n_vocab, d_model)), np.zeros((d_model, n_vocab))
    embedding[:, token] = unembedding[following] = np.eye(n_vocab)
    placed = np.zeros((len(places), d_model))
    placed[:, place] = places
    return Transformer(embedding, layers, unembedding, placed)


def _follows(tokens: Ints) -> np.ndarray:
    """(n, n): whether token j stands right after an earlier place with the same token as place i."""
    n = len(tokens)
    earlier = (tokens[:, None] == tokens) & (np.arange(n) < np.arange(n)[:, None])
    follows = np.zeros((n, n), dtype=bool)
    follows[:, 1:] = earlier[:, :-1]
    return follows


class _Forward(NamedTuple):
    """What the network computes at the r places whose next token is known; of all places, `Blocks.network` says it."""

    here: Ints  # (r,): the token at such a place
    wanted: Ints  # (r,): the one after it
    seen: Ints  # (r, n): all tokens of its sentence; those behind it are hidden from it
    first: Floats  # (n, n): the weights of layer 1, the same for all sentences
    matches: Floats  # (r, n): what the token here gives, as a query of layer 2, to each token of its sentence
    second: Floats  # (r, n): the weights of layer 2
    following: Floats  # (r, n_vocab): what layer 2 sees, mixed
    p: Floats  # (r, n_vocab)

    def loss(self) -> float:
        """The mean −ln p of the token that is wanted, in nats."""
        return float(-np.log(np.take_along_axis(self.p, self.wanted[:, None], axis=-1)).mean())


def _forward(blocks: Blocks, tokens: Ints, known: np.ndarray) -> _Forward:
    n = tokens.shape[1]
    hide = np.triu(np.full((n, n), -np.inf), 1)
    sentence, place = np.nonzero(known)
    here, wanted, seen = tokens[sentence, place], tokens[sentence, place + 1], tokens[sentence]
    first = softmax(blocks.look[:n, :n] + hide)
    matches = blocks.match[here[:, None], seen]
    second = softmax(matches @ first.T + hide[place])
    following = (second[:, None] @ np.eye(len(blocks.say))[seen])[:, 0]
    return _Forward(here, wanted, seen, first, matches, second, following, softmax(following @ blocks.say))


def _measure(blocks: Blocks, tokens: Ints, known: np.ndarray) -> tuple[float, float, float]:
    """Loss, accuracy, and how often the present token is said once more."""
    run = _forward(blocks, tokens, known)
    said = run.p.argmax(axis=-1)
    return run.loss(), float((said == run.wanted).mean()), float((said == run.here).mean())
