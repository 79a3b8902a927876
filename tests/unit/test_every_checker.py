"""All checkers, asked the same questions by one test: what must pass, what must not, and whether messages are true.

Nothing here looks at how a checker judges. Right and wrong answers come from the tables in answers/. From the right
ones this file makes answers that are just wrong: off by a thousandth in one entry, NaN, of another size or
type. Each message is then taken at its word, however it is worded: its case is read, found among the calls, and
computed again; it names a place where the answer is wrong, what stands there and what should, and no number in it is
false (see `true`).
"""

import copy
import importlib
import itertools
import re
from collections import namedtuple
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import numpy as np
import pytest

from attn import check
from attn.check import _engine
from attn.check._engine import EXERCISES
from attn.positional import sinusoidal_encoding
from attn.softmax import softmax
from tests import tiers


def answers(kind):
    """The tables of this name, RIGHT or WRONG, of all files in answers/, as one: name of the checker -> list."""
    names = sorted(path.stem for path in ANSWERS.glob("*.py"))
    tables = [getattr(importlib.import_module(f"tests.unit.answers.{name}"), kind) for name in names]
    return {name: rows for table in tables for name, rows in table.items()}


ANSWERS = Path(__file__).with_name("answers")
RIGHT, WRONG = answers("RIGHT"), answers("WRONG")
NAMES = sorted(set(check.__all__) - {"Result", "results"})

# Counts, indices and answers yes or no: nothing is near but the answer itself.
WHOLE = {"free_numbers", "inputs_and_targets", "mask_audit", "read_position", "window_counts"}
# More than one answer is right, so that a change can be right as well.
OPEN = {"another_pair", "break_the_vote", "pair_for", "same_attention", "scores_for"}
# Its numbers are squares of gradients, of any size: they are held to their own size alone.
BY_SIZE = {"adam_step"}
# A small change can be right, too: what counts is the sign of what comes out.
LOOSE = {"break_the_vote"}
# Their rows sum to one, and the sums are held to the same tolerance: what is near in each entry may not be in the sum.
ROWS = {"attention_pattern", "masked_softmax", "head_shares"}
# Scores of 1e300 have no place in float32, and a difference of logits of 1000 has four decimals there.
TOO_LARGE = {"log_loss", "masked_softmax"}

Call = namedtuple("Call", "arguments answer")


def kept(arguments):
    return [value.copy() if isinstance(value, np.ndarray) else copy.copy(value) for value in arguments]


def asked(name, function):
    """The result of a checker, and all calls that it made."""
    calls = []

    def recorded(*arguments):
        before = kept(arguments)
        answer = function(*arguments)
        calls.append(Call(before, answer))
        return answer

    return getattr(check, name)(recorded), calls


@cache
def known(name):
    """A right function, and the calls of a checker that it passed."""
    function = RIGHT[name][0]
    with np.errstate(all="ignore"):
        result, calls = asked(name, function)
    assert result, result.message
    return function, calls


@pytest.fixture(autouse=True)
def _calm(capsys):
    with np.errstate(all="ignore"):
        yield
    capsys.readouterr()


# What a checker draws follows from its engine's text; so the smallest case is left out from outside.
PHASES = SimpleNamespace(generate=hypothesis.Phase.generate, shrink=hypothesis.Phase.generate)
UNSHRUNK = SimpleNamespace(**{**vars(hypothesis), "Phase": PHASES})


@pytest.fixture
def first(monkeypatch):
    """Of a wrong answer the first case is told, not the smallest, for which a checker takes ten times as long.

    Hints come from neither: they come from the mistakes that a checker knows. At night the smallest is told.
    """
    if not tiers.ALL:
        monkeypatch.setattr(_engine, "_hypothesis", lambda: UNSHRUNK)


def each(table):
    """Names with rows of a table, and ids for them."""
    rows = [(name, row) for name in sorted(table) for row in table[name]]
    places = itertools.chain.from_iterable(range(len(table[name])) for name in sorted(table))
    ids = [
        f"{name}: {row[1] if isinstance(row, tuple) else i}"
        for (name, row), i in zip(rows, places, strict=True)
    ]
    return {"argvalues": rows, "ids": ids}


def test_each_checker_has_answers_here():
    assert sorted(RIGHT) == sorted(WRONG) == NAMES


# What must pass -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "function"), **each(RIGHT))
def test_right_answers_pass(name, function, capsys):
    """In one sentence that is printed once."""
    result = getattr(check, name)(function)
    assert result.passed, result.message
    assert result.message.startswith(f"{name}: passed.")
    assert capsys.readouterr() == (result.message + "\n", "")


def array(answer):
    return np.asarray(answer)


def whole(dtype):
    """An answer as whole numbers, where it has no others: a count is right in any dtype that holds it."""

    def form(answer):
        answer = array(answer)
        with np.errstate(all="ignore"):
            cast = answer.astype(dtype)
        return cast if answer.dtype != bool and np.array_equal(cast, answer) else answer

    return form


def floats(dtype):
    return lambda answer: array(answer).astype(dtype) if array(answer).dtype.kind == "f" else answer


FORMS = [
    *(whole(dtype) for dtype in map(np.dtype, "BHILbhile")),
    floats(np.float32),
    floats(np.float64),
    lambda answer: array(answer).tolist(),
    lambda answer: np.array(answer, order="F"),
    lambda answer: np.repeat(array(answer)[None], 2, axis=0)[::-1][0],  # a view
]


@pytest.mark.parametrize("name", NAMES)
def test_right_answers_pass_in_every_form(name):
    """Each call gets the next form, so that one run of the checker meets them all."""
    function, _ = known(name)
    forms = itertools.cycle(FORMS)
    result = getattr(check, name)(lambda *arguments: next(forms)(function(*arguments)))
    assert result, result.message


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TOO_LARGE])
def test_what_is_computed_in_float32_passes(name):
    """All that goes in is made float32 first. No answer is turned down with two numbers that look the same."""
    function, _ = known(name)
    result = getattr(check, name)(
        lambda *given: function(*(floats(np.float32)(x) if isinstance(x, np.ndarray) else x for x in given))
    )
    assert result, result.message


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in WHOLE | OPEN | BY_SIZE])
def test_the_tolerance_from_both_sides(name):
    """0.9e-5 of (1 + the size) is near, 1.1e-5 is not, above and below."""
    function, calls = known(name)
    if array(calls[0].answer).dtype.kind == "b":
        return  # yes or no: there is nothing between

    def off(by):
        def answer(*arguments):
            right = array(function(*arguments)).astype(float)
            return np.where(np.isfinite(right), right + by * (1 + np.abs(right)), right)

        return answer

    for sign in (1, -1):
        result = getattr(check, name)(off(sign * 0.9e-5 / (8 if name in ROWS else 1)))
        assert result, result.message
        assert not getattr(check, name)(off(sign * 1.1e-5))


# Whether a message is true ------------------------------------------------------------------------------------------

Said = namedtuple("Said", "sentence arguments yours right")


def read(text):
    """A value as a message writes it."""
    if text.startswith(("[", "-", "nan", "inf")) or text[:1].isdigit() or text in ("True", "False"):
        text = re.sub(r"(?<![\w.])(-?)(nan|inf)\b", r"\1float('\2')", text)
        return np.array(eval(text, {"float": float}))  # the message's own numbers
    return text


def alike(shown, value):
    """Whether a value is what a message shows, to four digits."""
    if isinstance(shown, str):
        return shown == str(value)
    value = array(value)
    if shown.shape != value.shape and not (shown.size == 0 and value.size == 0):
        return False
    return np.allclose(shown.astype(float), value.astype(float), rtol=6e-4, atol=1e-300, equal_nan=True)


def taken_at_its_word(name, message, calls):
    """Read a message's case, find the call that it is about, and compute it again."""
    lines = message.splitlines()
    case = {}
    for line in lines[1:]:
        if found := re.fullmatch(r"    (\w+) += (.*)", line):
            case[found[1]] = read(found[2])
    given = [value for key, value in case.items() if key not in ("yours", "right")]
    matching = [
        call for call in calls if len(call.arguments) == len(given) and all(map(alike, given, call.arguments))
    ]
    assert matching, f"no call had this case:\n{message}"
    call = matching[-1]
    right = array(known(name)[0](*kept(call.arguments)))
    assert alike(case["yours"], call.answer), message
    assert "right" not in case or alike(case["right"], right), message
    return Said(lines[0].partition("not yet. ")[2], call.arguments, array(call.answer), right)


def by_hand(q, k):
    """Weights of queries and keys."""
    return softmax(np.array(q, float) @ np.array(k, float).T / np.sqrt(np.shape(q)[1]))


def four_outputs(said):
    """What a table of scores and values gives for (0, 0), (1, 0), (0, 1), (1, 1), with the residual."""
    table, gain, found = said.yours, said.arguments[0], []
    for one, two in ((0, 0), (1, 0), (0, 1), (1, 1)):
        loud = np.exp([table[0][one], table[1][two]])
        found.append((loud @ [table[2][one], table[3][two]]) / sum(loud) + gain * one)
    return np.array(found)


def place_of(said, row):
    """The position of a row of sines and cosines."""
    x = said.arguments[0]
    return int(np.abs(sinusoidal_encoding(1000, x.shape[1]) - x[row]).sum(axis=1).argmin())


# What a message is about where that is not the answer itself: pairs of what follows from it, and from the right one.
SEEN_AS = {
    "another_pair": lambda c: [(by_hand(*c.yours), by_hand(*c.arguments))],
    "pair_for": lambda c: [(by_hand(*c.yours), c.arguments[0])],
    "same_attention": lambda c: [(c.yours[0] @ c.yours[1].T, c.arguments[0] @ c.arguments[1].T)],
    "scores_for": lambda c: [
        (softmax(c.yours.astype(float)), c.arguments[0] / c.arguments[0].sum(axis=1, keepdims=True))
    ],
    "head_shares": lambda c: [(c.yours, c.right), (c.yours.sum(axis=0), c.right.sum(axis=0))],
    "break_the_vote": lambda c: [(four_outputs(c), c.arguments[0] * np.array([-1, 1, 1, -1]))],
}
# Where the numbers of a place stand in another order, or not all of them.
PLACE = {
    "leaks": lambda at: at[::-1],
    "adam_step": lambda at: at[1:],
    "inputs_and_targets": lambda at: at[1:],
    "mean_and_error": lambda at: (),
    "break_the_vote": lambda at: (),
}
# What else a message holds, of a case and a place in it, each as often as it is told.
FACTS = {
    "break_the_vote": lambda c, at: [*c.arguments, *four_outputs(c), 0, 0, 1, 0, 0, 1, 1, 1],
    "cached_causal_mask": lambda c, at: [*c.arguments, at[0], at[0] + c.arguments[1] - c.arguments[0]],
    "decoder_mask": lambda c, at: [c.arguments[0][at[0]], *at[2:] * int(c.right[at])],
    "deviation_at_start": lambda c, at: c.arguments,
    "free_numbers": lambda c, at: [*c.arguments, 2 * np.prod(c.arguments)],
    "inputs_and_targets": lambda c, at: [at[1] + at[0], *[c.arguments[0][at[1]]] * at[0]],
    "leaks": lambda c, at: at[1:] * int(not c.right[at]),
    "lowest_loss": lambda c, at: [len(c.arguments[0]), *np.flatnonzero(np.diagonal(c.arguments[0], 1))],
    "mask_audit": lambda c, at: at * 2,
    "negative_scores": lambda c, at: c.arguments[1:],
    "rope": lambda c, at: [c.arguments[1][at[0]]],
    "rotary_scores": lambda c, at: [c.arguments[2][at[0]], c.arguments[3][at[1]]],
    "scaled_scores": lambda c, at: [c.arguments[0][at[0]] @ c.arguments[1][at[1]], c.arguments[0].shape[1]],
    "scores_for": lambda c, at: at,
    "shifted": lambda c, at: [place_of(c, at[0]), place_of(c, at[0]) + c.arguments[1]],
    "sinusoidal": lambda c, at: [at[0], 10000 ** (2 * (at[1] // 2) / c.arguments[1])],
    "split_heads": lambda c, at: [at[1], at[0] * c.right.shape[2] + at[2]],
    "window_counts": lambda c, at: [c.arguments[1], at[0]],
}
# What it may hold besides.
ALSO = {
    "break_the_vote": lambda c, at: [2, 4, (np.sign(four_outputs(c).round(9)) == [-1, 1, 1, -1]).sum()],
    "log_loss": lambda c, at: [0],
    "masked_softmax": lambda c, at: [0, np.nan, -np.inf, at[-1]],
    "pmi_from_counts": lambda c, at: [-np.inf],
    "softmax_backward": lambda c, at: [c.yours[at[0]].sum(), 0],
}
# Words that go with what is so, whatever stands beside them.
WORDS = {
    "adam_step": [(r"mean\[", lambda c, at: at[0] == 1), (r"square\[", lambda c, at: at[0] == 2)],
    "break_the_vote": [("opposite", lambda c, at: (np.sign(four_outputs(c)) == [1, -1, -1, 1]).all())],
    "cached_causal_mask": [("can't", lambda c, at: c.right[at])],
    "decoder_mask": [
        ("can't", lambda c, at: c.right[at]),
        ("is padding", lambda c, at: not c.right[at] and at[2] >= c.arguments[0][at[0]]),
    ],
    "inputs_and_targets": [("target", lambda c, at: at[0] == 1)],
    "leaks": [("can move", lambda c, at: c.right[at])],
    "mask_audit": [
        ("may not look", lambda c, at: not c.arguments[2][at]),
        ("can't move", lambda c, at: not c.right[at] + c.arguments[2][at]),
    ],
    "masked_softmax": [("is hidden", lambda c, at: not c.arguments[1][at] and c.arguments[1][at[0]].any())],
    "mean_and_error": [("error", lambda c, at: at[0] == 1)],
    "sinusoidal": [(r"cos\(", lambda c, at: at[1] % 2 == 1 and not np.isnan(c.yours[at]))],
}
NUMBER = re.compile(r"(?<![\w.])-?(?:inf|nan|\d+(?:\.\d+)?(?:e-?\d+)?)(?![a-z])", re.IGNORECASE)


def numbers(text):
    return [float(number) for number in NUMBER.findall(text.replace("−", "-"))]


def near(one, two):
    return np.isclose(float(one), float(two), rtol=6e-4, atol=1e-12, equal_nan=True)


def claims(name, said):
    """(place, its numbers in a sentence, what stands there, what should) for all that a sentence may be about."""
    for yours, right in SEEN_AS.get(name, lambda said: [(said.yours, said.right)])(said):
        yours, right = array(yours), array(right)
        off = ~np.isclose(yours.astype(float), right.astype(float), rtol=1e-5, atol=1e-5, equal_nan=True)
        for at in map(tuple, np.argwhere(off | np.isnan(yours.astype(float)))):
            here, there = yours[at], right[at]
            shown, row = PLACE.get(name, lambda at: at)(at), at[:-1]
            if right.dtype == bool or name == "break_the_vote":
                yield at, shown, [], []
                continue
            yield at, shown, [here], [there]
            yield at, row, np.atleast_1d(yours[row]), np.atleast_1d(right[row])
            if there in (0, -np.inf) or here != here:  # that is said in words: hidden, never met, NaN
                yield at, shown, [here], []
                yield at, row, np.atleast_1d(yours[row]), []
            if yours.ndim > 1:
                yield at, row, [yours[row].sum()], [1]


def true(name, said):
    """Whether a sentence is about something that is wrong, and its numbers are those that it needs, and no others."""
    shown = numbers(said.sentence)
    for at, place, yours, right in claims(name, said):
        in_order = iter(shown)
        if not all(any(number == index for number in in_order) for index in place):
            continue
        facts = FACTS.get(name, lambda c, at: [])(said, at) if len(right) or not len(yours) else []
        also = ALSO.get(name, lambda c, at: [])(said, at)
        left = list(shown)
        for one in [*place, *yours, *right, *facts]:
            found = next((number for number in left if near(one, number)), None)
            if found is None:
                break
            left.remove(found)
        else:
            if (
                all(any(near(one, number) for one in also) for number in left)
                and all(
                    follows(word, said.sentence, values)
                    for word, values in ((RIGHTLY, right), (YOURS, yours))
                )
                and all(
                    bool(re.search(word, said.sentence)) == bool(so(said, at))
                    for word, so in WORDS.get(name, ())
                )
            ):
                return True
    return False


# The right number comes after the first of these words, yours after the second, as far as a sentence has them.
RIGHTLY, YOURS = r"should be |least at ", r"answer is |you count |says position |first number is "


def follows(word, sentence, values):
    found = re.search(rf"(?:{word})(.*?)(?:[.;:](?: |$)|, [a-z]|$)", sentence)
    told = numbers(found[1]) if found else []
    return not told or not len(values) or any(near(one, number) for one in values for number in told)


# What the engine says of any exercise, about a kind of answer and no entry of it.
OF_A_KIND = (
    r"It (returned|changed)|Called as|The pattern is|The answer holds|.*(holds NaN|queries and keys that)"
)


def assert_true(name, message, calls):
    sentence = message.splitlines()[0].partition("not yet. ")[2]
    if not re.match(OF_A_KIND, sentence) and numbers(sentence):
        assert true(name, taken_at_its_word(name, message, calls)), message


# What must not pass -------------------------------------------------------------------------------------------------


def target(name):
    """The shape at whose entries answers are made wrong: the largest of the cases with at most nine entries."""
    shapes = {array(call.answer).shape for call in known(name)[1]}
    fitting = [shape for shape in shapes if 0 < np.prod(shape, dtype=int) <= 9]
    return max(fitting, key=lambda shape: (np.prod(shape, dtype=int), shape))


def changed(answer, where):
    """The answer with the entries at `where` changed: flipped, or moved by a thousandth of 1 or of their size."""
    answer = array(answer)
    if answer.dtype == bool:
        return np.where(where, ~answer, answer)
    number = answer.astype(float)
    moved = np.where(np.isfinite(number), number + 1e-3 * np.maximum(1, np.abs(number)), 0.0)
    return np.where(where, moved, number)


def one_entry(shape, index):
    where = np.zeros(shape, dtype=bool)
    where[index] = True
    return lambda answer: changed(answer, where) if array(answer).shape == shape else answer


def seesaw(answer):
    """Sums stay what they are."""
    answer = array(answer).astype(float)
    if answer.ndim and answer.shape[-1] > 2:
        answer[..., -1] += 1e-3
        answer[..., -2] -= 1e-3
    return answer


def wrongs(name):
    """Wrong answers, each made from a right one: name of the fault -> function of the answer."""
    shape = target(name)
    found = {f"entry {index}": one_entry(shape, index) for index in np.ndindex(*shape)}
    if name not in OPEN and shape and shape[-1] > 2 and array(known(name)[1][0].answer).dtype.kind == "f":
        found["the last of a row up, the one before it down"] = seesaw
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LOOSE])
def test_what_is_just_wrong_is_refused_and_the_message_is_true(name, monkeypatch):
    """The first by the smallest case, as a reader is told; at night, all."""
    function, _ = known(name)
    for place, (fault, wrong) in enumerate(wrongs(name).items()):
        if place == 1 and not tiers.ALL:
            monkeypatch.setattr(_engine, "_hypothesis", lambda: UNSHRUNK)
        result, calls = asked(name, lambda *given, wrong=wrong: wrong(function(*kept(given))))
        assert not result.passed, fault
        assert_true(name, result.message, calls)


NONSENSE = [
    lambda answer: np.full(array(answer).shape, np.nan),
    lambda answer: np.full(array(answer).shape, np.inf),
    lambda answer: array(answer) * 1j,
    lambda answer: array(answer).astype(str),
    lambda answer: np.array([object()] * max(1, array(answer).size), dtype=object),
    lambda answer: None if array(answer).size else 0,
    lambda answer: np.concatenate([array(answer).ravel(), [0]]),
]


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", NAMES)
def test_nonsense_is_refused(name):
    function, calls = known(name)
    for kind, nonsense in enumerate(NONSENSE):
        result = getattr(check, name)(lambda *arguments, nonsense=nonsense: nonsense(function(*arguments)))
        assert not result.passed, kind
        assert "raised" not in result.message, kind
    answers = [array(call.answer).astype(float) for call in calls]
    whole = all(np.array_equal(answer, np.trunc(answer), equal_nan=True) for answer in answers)
    result = getattr(check, name)(lambda *arguments: np.trunc(array(function(*arguments)).astype(float)))
    assert whole or not result.passed, "whole numbers in place of fractions"
    for axis in range(array(calls[-1].answer).ndim):
        for wrong in (
            lambda answer, axis=axis: np.concatenate([array(answer), array(answer).take([-1], axis)], axis),
            lambda answer, axis=axis: np.delete(array(answer), -1, axis),
        ):
            result = getattr(check, name)(lambda *arguments, wrong=wrong: wrong(function(*arguments)))
            assert not result.passed, axis
            assert re.search(r"shape \(|tuple", result.message)


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", NAMES)
def test_who_changes_what_is_given_is_told(name):
    function, calls = known(name)
    places = [
        place
        for place, value in enumerate(calls[0].arguments)
        if isinstance(value, np.ndarray) and value.size and value.dtype != bool
    ]
    names = np.array(EXERCISES[name].names)[places]

    def writing(*arguments):
        answer = function(*kept(arguments))
        for place in places:
            arguments[place][...] = 0
        return answer

    result = getattr(check, name)(writing)
    assert result.passed == (not places)
    told = re.search(r"changed its input (\w+)", result.message)
    assert not places or told[1] in names


def stub_raises(*arguments):
    raise NotImplementedError("your turn")


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_is_not_solved_yet(name, capsys):
    """It is not called wrong, in one line that is printed once."""
    for stub in (lambda *arguments: None, lambda *arguments: ..., stub_raises, None, ...):
        result = getattr(check, name)(stub)
        assert not result.passed
        assert result.message.startswith(f"{name}: not solved yet. {name}(")
        assert "\n" not in result.message
        assert capsys.readouterr() == (result.message + "\n", "")


# Hints --------------------------------------------------------------------------------------------------------------

# No internals, no addresses, no trace: plain words.
NOT_PLAIN = re.compile(r"hypothesis|Falsifying|Traceback|0x[0-9a-f]|object at|<lambda> at|array\(")


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", NAMES)
def test_each_known_mistake_is_told_by_its_own_hint(name):
    for hint, function, _ in EXERCISES[name].wrong():
        result = getattr(check, name)(function)
        assert not result.passed
        assert hint in result.message, (hint, result.message)


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", NAMES)
def test_wrong_answers_get_their_hint(name, capsys):
    """Each in words of which one is given, and true; and no hint is known to work by the checker's own copy alone."""
    told = set()
    hints = set(EXERCISES[name].mistakes)
    for function, word in WRONG[name]:
        capsys.readouterr()
        result, calls = asked(name, function)
        assert not result.passed, word
        assert result.message.startswith(f"{name}: not yet. ")
        assert capsys.readouterr() == (result.message + "\n", "")
        assert not NOT_PLAIN.search(result.message)
        assert len(result.message.splitlines()) <= 11
        assert len(result.message) < 1500
        assert re.search(word, result.message, re.IGNORECASE | re.DOTALL), (word, result.message)
        assert_true(name, result.message, calls)
        told |= {hint for hint in hints if hint in result.message}
    assert hints == told
