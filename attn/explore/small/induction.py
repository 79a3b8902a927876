"""Complete the pattern: the small figures."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.induction import VOCABULARY, hand_set, questions
from attn.softmax import softmax
from attn.transformer import Transformer, layer_norm

TEXT = np.array([VOCABULARY.index(word) for word in ("BOS", "A", "1", "B", "0", "A")])


ASKED, ANSWERS = (np.array(part) for part in zip(*questions(), strict=True))


def right_of_16(logits: np.ndarray) -> np.ndarray:
    """How many of the questions have their answer ahead, (1, 1), from the logits (16, 5) of each last word."""
    own = np.take_along_axis(logits, ANSWERS[:, None], axis=1)
    others = np.where(np.arange(len(VOCABULARY)) == ANSWERS[:, None], -np.inf, logits)
    return np.array([[float((own[:, 0] > others.max(axis=1) + 1e-9).sum())]])


def _said_by(network: Transformer, skip: int = 0) -> Numbers:
    """The logits after the text's last word, and how many are right; `skip` words are left out at each start."""
    logits = network(np.vstack([TEXT, ASKED])[:, skip:]).logits[:, -1]
    return {"logits": logits[:1], "right": right_of_16(logits[1:])}


#: What is so without a part.
WITHOUT = {
    "nothing": "Both layers and all ways: `1` is far ahead.",
    "layer 1": (
        "Nobody has noted anything, so layer 2 looks everywhere alike: `A` is ahead, as it stands there twice."
    ),
    "layer 2": "The notes are there, and nobody reads them.",
    "way 1": "Layer 2 has notes, and neither a name to look for nor a word to say.",
    "way 2": "As before: what goes round layer 2 has nothing in the lane of the answer.",
    "places": "Each word looks alike at all up to itself, so a note tells who was there, not who came before.",
    "mask": "Nearly as before: `BOS`, with nobody before it, now notes all words alike, a third of it `A`.",
    "BOS": "The first name has nobody before it, and notes itself. Half of the questions ask for it.",
}
PARTS = {part: part for part in WITHOUT} | {
    "way 1": "the way round layer 1", "way 2": "the way round layer 2", "mask": "the mask",
}  # fmt: skip


class PartLeftOut(Small):
    """What the two layers say after `A 1 B 0 A` without one of their parts, the other weights as they are.

    `part`: what is taken away; a way is the residual connection round a layer.
    """

    question = "Which parts can these weights do without? Say it before you choose."
    shows = (
        "The logits of the five words after A 1 B 0 A as bars, with one part of the network taken away, and how many "
        "of the sixteen questions are right then."
    )

    part = traitlets.Enum(tuple(WITHOUT), "nothing").tag(sync=True, label="Take away", options=PARTS)
    made_of = (
        made.columns("logits", "after A 1 B 0 A: logits", names=VOCABULARY, ends=(0, 1)),
        made.figures(right="of 16 right"),
    )

    def numbers(self) -> Numbers:
        whole = hand_set()
        one, two = whole.layers
        left = {
            "layer 1": replace(whole, layers=(two,)),
            "layer 2": replace(whole, layers=(one,)),
            "way 1": replace(whole, layers=(replace(one, residual=False), two)),
            "way 2": replace(whole, layers=(one, replace(two, residual=False))),
            "places": replace(whole, places=None),
            "mask": replace(whole, causal=False),
        }.get(self.part, whole)
        return _said_by(left, skip=int(self.part == "BOS"))

    def tell(self, now: Numbers) -> str:
        return f"{WITHOUT[self.part]} {now['right'].item():.0f} of 16 are right."


SPEAKS = {"1": 1, "0": -1, "A": 0, "B": 0}


def _says(scores: Sequence[float], values: ArrayLike) -> float:
    weights = softmax(np.array(scores, dtype=float))
    return float((weights * np.asarray(values, dtype=float)).sum())  # @ may fuse, and miss 0 by 1e-17


#: The order of the names is A, B or B, A; that of the digits 1, 0 or 0, 1; `A` asks.
CASES = ("A1B0A", "A0B1A", "B1A0A", "B0A1A")
WANTED = np.array([1, -1, -1, 1])  # 1 or 0 is right


def _plain(case: str) -> float:
    """One head, five equal weights; the name at the start and the digit behind it vote."""
    key = 2.5 if case[0] == "A" else -2.5
    return _says([0] * 5, [key, 2.5 * SPEAKS[case[1]], 0, 0, 0])


def _behind_relus(case: str) -> float:
    return max(0.0, _plain(case)) + max(0.0, -_plain(case)) - 0.5


def _behind_norm(case: str) -> float:
    return float(1.2 - layer_norm(np.array([_plain(case), -_plain(case), 1, -1]))[2])


def _keys_shifted(case: str) -> float:
    scores = [5 * (i > 0 and case[i - 1] == "A") for i in range(5)]
    return _says(scores, [SPEAKS[word] for word in case])


def _joined(case: str) -> float:
    return _says([5 * (case[k] == "A") for k in (0, 2)], [SPEAKS[case[k]] for k in (1, 3)])


def _after_a(case: str) -> float:
    return _says([0], [SPEAKS[case[case.index("A") + 1]]])


def _guards(name: str, guard: float) -> list[float]:
    """The scores of a name and of its digit."""
    return [-guard if name == "A" else guard, 0.0]


def _guarded(case: str, guard: float = 5) -> float:
    return sum(_says(_guards(case[k], guard), [0, SPEAKS[case[k + 1]]]) for k in (0, 2))


#: A door: what one layer says with it open, what it is called, and why the cases are right then, or not.
DOORS: dict[str, tuple[Callable[[str], float], str, str]] = {
    "none": (_plain, "no door", "The votes of names and digits add up to 1, 0, 0 and −1: only the first is right."),
    "relu": (
        _behind_relus, "ReLU after the head",
        "Two ReLUs make the size of the sum; less 0.5, only that of 0 is below 0.",
    ),
    "norm": (
        _behind_norm, "LayerNorm, then a bias",
        "The norm divides by a spread that grows with the sum, on either side.",
    ),
    "shifted": (
        _keys_shifted, "each key knows the word before",
        "The key of a digit knows the name before it, so one look finds the digit.",
    ),
    "joined": (_joined, "name and digit in one token", "A token holds a name and its digit, so one look finds both."),
    "mask": (
        _after_a, "a mask that knows the words",
        "The mask shows the place after `A` alone, and so it knows the answer's place.",
    ),
    "guards": (
        _guarded, "two heads, with guards",
        "Each head reads one digit, and the name before it lets it speak or not.",
    ),
}  # fmt: skip


class OpenDoor(Small):
    """What one layer says in the four cases that one plain head can't have all right, with a door open.

    `door`: what is added to one head with an affine readout, or changed in it.
    """

    question = "The first and the last want a bar above 0, the two between them below. Which doors let one layer do it?"
    shows = "For four cases what one layer says as a bar, above 0 for 1, and how many of the four are right."

    door = traitlets.Enum(tuple(DOORS), "none").tag(
        sync=True, label="Open", options={door: called for door, (_, called, _) in DOORS.items()}
    )
    made_of = (
        made.columns("sums", "above 0 says 1", names=CASES, ends=(-1.5, 1.5)),
        made.figures(right="of the four right"),
    )

    def numbers(self) -> Numbers:
        says, _, _ = DOORS[self.door]
        sums = np.array([says(case) for case in CASES])
        return {"sums": sums[None], "right": np.array([[float((sums * WANTED > 1e-9).sum())]])}

    def tell(self, now: Numbers) -> str:
        return f"{now['right'].item():.0f} of 4. {DOORS[self.door][2]}"


class GuardedHeads(Small):
    """Two heads in one layer: each sees one name and its digit, and the name guards the digit.

    `guard`: a name scores −guard if it is `A` and guard if not; its digit scores 0.
    """

    question = (
        "Head 1 sees the first name and its digit, head 2 the second. Which guard lets the right digit speak?"
    )
    shows = (
        "The weights of two heads in A 1 B 0 A, on a name and a digit each, as bars; beside them what the heads add "
        "up to in four cases, and how many are right."
    )

    guard = traitlets.Float(0.0, min=-2, max=8).tag(sync=True, label="Guard: `A` scores minus this", step=0.5)
    made_of = (
        made.columns("weights", "weights in A 1 B 0 A", names=tuple(CASES[0][:4]), ends=(0, 1), weight=True),
        made.columns("sums", "above 0 says 1", names=CASES, ends=(-2, 2), role="v"),
        made.figures(right="of the four right"),
    )

    def numbers(self) -> Numbers:
        weights = [softmax(np.array(_guards(CASES[0][k], self.guard))) for k in (0, 2)]
        sums = np.array([_guarded(case, self.guard) for case in CASES])
        right = float((sums * WANTED > 1e-9).sum())
        return {"weights": np.reshape(weights, (1, -1)), "sums": sums[None], "right": np.array([[right]])}

    def tell(self, now: Numbers) -> str:
        _, one, _, zero = map(weight, now["weights"][0])
        heard = f"`1` gets {one} of its head's weight, and `0` gets {zero}"
        if self.guard == 0:
            return f"{heard}: they cancel, and so they do in each case. None is right."
        if self.guard < 0:
            return f"{heard}: the wrong digit is heard in each case."
        return f"{heard}: the digit that follows `A` is heard, in each case."


class NormOfARow(Small):
    """A row of four numbers, normalized by a layer norm and by one that divides by n − 1.

    `second`: the second number of the row 1, second, 0, 0.
    """

    question = "Change the row. What stays, however you drag?"
    shows = (
        "The row 1, x, 0, 0 after a layer norm, as bars, after one with n − 1, and the mean squares of both."
    )

    second = traitlets.Float(0.0, min=-2, max=2).tag(sync=True, label="Second number of the row", step=0.1)
    made_of = (
        made.columns("all", "with n", names=("1", "x", "0", "0"), ends=(-3.5, 3.5), role="v"),
        made.columns("less", "with n − 1", names=("1", "x", "0", "0"), ends=(-3.5, 3.5), role="q"),
        made.figures(square="mean square with n", square_less="with n − 1"),
    )

    in_numpy = """
        row = np.array([1, {second}, 0, 0])
        away = row - row.mean()
        all = away / np.sqrt(row.var() + 1e-5)
        less = away / (row.std(ddof=1) + 1e-6)
        square, square_less = (all**2).mean(), (less**2).mean()
    """

    def tell(self, now: Numbers) -> str:
        return (
            f"The first number becomes {number(now['all'][0, 0])} and {number(now['less'][0, 0])}. "
            f"The mean squares stay at {number(now['square'].item())} and {number(now['square_less'].item())}."
        )


class FourCasesOneHead(Small):
    """What one head's votes for 1 come to in four cases: one of the names' order and one of the order of the digits.

    `vote`: of the names in the order A, B. That of B, A is −1; the digits 1, 0 vote 0.5, and 0, 1 vote 2.
    """

    question = (
        "One head. The first case and the last want a bar above 0, the two between them below. How "
        "many can you get?"
    )
    shows = (
        "For four cases the sum of the votes as a bar; beside it the sums of two cases each, those that want 1 and "
        "those that want 0, and how many of the four are right."
    )

    vote = traitlets.Float(-1.0, min=-4, max=4).tag(sync=True, label="Vote of the names A, B", step=0.1)
    made_of = (
        made.columns("sums", "sum of the votes: above 0 says 1", names=CASES, ends=(-4, 7), role="v"),
        made.columns("totals", "two and two added", names=("want 1", "want 0"), ends=(-4, 7), role="ink"),
        made.figures(right="of the four right"),
    )

    in_numpy = """
        names, digits = [{vote}, -1], [0.5, 2]  # A, B and B, A; 1, 0 and 0, 1
        sums = np.add.outer(names, digits).ravel()
        totals = [sums[0] + sums[3], sums[1] + sums[2]]
        right = (sums * np.array([1, -1, -1, 1]) > 1e-9).sum()
    """

    def tell(self, now: Numbers) -> str:
        signed = now["sums"][0] * WANTED
        wrong = [f"`{' '.join(case)}`" for case, sum_ in zip(CASES, signed, strict=True) if sum_ <= 1e-9]
        return (
            f"{now['right'].item():.0f} of 4: wrong {'is' if len(wrong) == 1 else 'are'} {' and '.join(wrong)}. "
            "The two that want 1 add up to the same as the two that want 0."
        )
