"""The engine of the checkers: it finds the smallest case on which a function is wrong, and says what it sees.

A checker is a name and a docstring, above which `@checks(…)` says what an `Exercise` has. Hypothesis makes the cases
and shrinks them; nothing of it shows. The hint does not come from the smallest case, which too many mistakes would
explain, but from known mistakes that give the learner's answer on every one of a few telling cases.
"""

import contextlib
import functools
import io
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from attn.check import results
from attn.check._cases import Draw, copies, show
from attn.check._close import far, wrong_entries
from attn.check._exercise import Exercise, Result


def _hypothesis():
    """The library that draws cases: imported when a function is first checked, since each page imports the checkers."""
    try:
        import hypothesis.strategies
    except ImportError as error:
        raise ImportError('attn.check needs hypothesis: pip install "attention-by-hand[check]"') from error
    return hypothesis


class _Wrong(Exception):
    """The function is wrong on a case: how, in a sentence, and what to show of the case."""

    def __init__(self, sentence: str, case: dict, **answers: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        shown = {name: show(value) for name, value in {**case, **answers}.items()}
        width = max(map(len, shown))
        self.case = "".join(f"\n    {name:{width}} = {text}" for name, text in shown.items())


class _Unsolved(Exception):
    """The function is a stub."""


#: What each checker knows, and the checkers themselves, by their names.
EXERCISES: dict[str, Exercise] = {}
CHECKERS: dict[str, Callable[[Callable], Result]] = {}


def checks(**known: Any) -> Callable[[Callable], Callable]:
    """Make a checker of a function that is a name and a docstring alone, from what an `Exercise` has.

    The docstring begins "Check f(q, k) -> scores (n_q, n_k): …": so the arguments are called, and the answer's shape.

    Raises
    ------
    ValueError
        If the docstring begins otherwise; the message says how.
    """

    def made(named: Callable) -> Callable[[Callable], Result]:
        begins = re.match(r"Check f\((.*?)\) -> ([^:]*)", named.__doc__ or "")
        if begins is None:
            raise ValueError(
                f'the docstring of {named.__name__} must begin "Check f(q, k) -> scores (n_q, n_k): …", '
                f"got {named.__doc__!r} (python -OO leaves docstrings out)"
            )
        arguments, answer = begins.groups()
        shape = re.search(r"\(.*\)", answer)
        said = {"shape": shape[0] if shape else "one number", "names": tuple(arguments.split(", "))}
        exercise = Exercise(usage=f"{named.__name__}({arguments})", **said | known)
        EXERCISES[named.__name__] = exercise

        @functools.wraps(named)
        def checker(function: Callable) -> Result:
            return run(exercise, function)

        CHECKERS[named.__name__] = checker
        return checker

    return made


def run(exercise: Exercise, function: Callable) -> Result:
    """Check the learner's function, print one message and return the `Result`, whatever the function does."""
    name = exercise.usage.partition("(")[0]
    try:
        with _quiet():
            result = _examine(exercise, function)
        results.record(name, result.passed)
    except _Unsolved:  # nobody has tried yet, so there is nothing to note
        result = Result(False, f"{name}: not solved yet. {exercise.usage} does not return an answer so far.")
    print(result.message)
    return result


def _examine(exercise, function):
    name = exercise.usage.partition("(")[0]
    if function is not None and function is not ... and not callable(function):
        kind = type(function).__name__
        return Result(
            False, f"{name}: hand over the function itself, without calling it. This is of type {kind}."
        )
    try:
        _refuse_stub(exercise, function)
        _find_wrong_answer(exercise, function)
    except _hypothesis().errors.Flaky:
        sentence = "It gives different answers for the same input: does it draw random numbers?"
        return Result(False, f"{name}: not yet. {sentence}")
    except _Wrong as wrong:
        hint = _hint(exercise, function)
        return Result(
            False, f"{name}: not yet. {wrong.sentence}" + (f"\n{hint}" if hint else "") + wrong.case
        )
    return Result(True, f"{name}: passed. It is right on every case that we tried.")


def _refuse_stub(exercise, function):
    """Raise `_Unsolved` if there is no function, or it gives nothing on the first case."""
    if function is None or function is ...:
        raise _Unsolved
    case = copies(exercise.case(exercise.fixed[0]))
    with contextlib.suppress(_Wrong):  # not here: a smaller case may show it
        if _call(exercise, function, case, case) is None:
            raise _Unsolved


def _flips(flip):
    """Return `count(most)` for `Draw`: of at most `most` flips, how many come before the first that is False."""

    def count(most):
        return next((n for n in range(most) if not flip()), most)

    return count


def _find_wrong_answer(exercise, function):
    """Raise `_Wrong` for the smallest case with a wrong answer, or else with a right one in bad form."""
    complaints = set()

    def answer(case):
        complaints.add(_try(exercise, function, case))

    def form(case):
        if complaint := _try(exercise, function, case):
            raise _Wrong(complaint, case)

    _search(exercise, answer)
    if complaints != {""}:
        _search(exercise, form)


def _search(exercise, trial):
    """Run the trial on drawn cases and on the fixed ones; let the exception of the smallest case out."""
    hypothesis = _hypothesis()
    coin = hypothesis.strategies.booleans()

    @hypothesis.strategies.composite
    def cases(draw):
        return exercise.case(exercise.build(Draw(_flips(lambda: draw(coin)))))

    @hypothesis.settings(
        max_examples=100,
        derandomize=True,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=tuple(hypothesis.HealthCheck),
    )
    @hypothesis.given(cases())
    def try_one(case):
        trial(case)

    try_one()
    for case in map(exercise.case, exercise.fixed):
        trial(case)


def _try(exercise, function, case):
    """Raise `_Wrong` if the answer is wrong on this case; return a complaint about its form, or an empty string."""
    given = copies(case)
    answer = _call(exercise, function, case, given)
    if answer is None:
        raise _Wrong("It returned nothing here: is a `return` missing?", case)
    if isinstance(answer, tuple):
        raise _Wrong(f"It returned a tuple of {len(answer)}, but one array was asked for.", case)
    try:
        answer = np.asarray(answer)
    except Exception:
        answer = np.asarray(None)
    if answer.dtype.kind not in "biuf":
        raise _Wrong("It returned something that is not an array of numbers.", case)

    expected = exercise.right(**copies(case))
    odd = answer[~np.isin(answer, (0, 1))]
    if answer.shape != expected.shape:
        sentence = f"It returned shape {answer.shape}; {exercise.shape} is {expected.shape} here."
    elif expected.dtype == bool and odd.size:
        sentence = f"It returned {show(odd[0])} where only True and False were asked for."
    else:
        comparable = answer.astype(bool if expected.dtype == bool else np.float64)
        sentence = ""
        if exercise.judge:
            sentence = exercise.judge(comparable, expected, **copies(case)) or ""
        if not sentence and not exercise.free:
            sentence = _first_far(comparable, expected, exercise, case) or ""
    if sentence:
        raise _Wrong(sentence, case, yours=answer, **({} if exercise.free else {"right": expected}))

    if expected.dtype == bool and answer.dtype != bool:
        return f"The pattern is right, but its entries are {answer.dtype}, not bool: compare, or add .astype(bool)."
    for name, value in case.items():
        if isinstance(value, np.ndarray) and not np.array_equal(value, given[name]):
            return f"It changed its input {name}, which the caller may still need: work on a copy."
    return ""


def _first_far(answer, expected, exercise, case):
    """Name the first entry that is wrong, in the exercise's words or for what it let pass; None if there is none."""
    for *index, got, right in wrong_entries(answer, expected):
        if callable(exercise.says):
            return exercise.says(*index, got, right, **case)
        if exercise.says:
            return exercise.says.format(*index, got=got, right=right, **case)
        where = f"Entry [{', '.join(map(str, index))}]" if index else "It"
        return f"{where} is {got}; it should be {right}."
    return None


def _call(exercise, function, case, given):
    """Return what the function gives, None for `...`; `_Unsolved` or `_Wrong` for what it raises."""
    try:
        answer = function(*given.values())
    except NotImplementedError:
        raise _Unsolved from None
    except (Exception, SystemExit) as error:
        # One line, and no addresses, which differ from run to run.
        text = re.sub(r" (at )?0x[0-9a-fA-F]+", "", " ".join(str(error).split()))[:200]
        raised = type(error).__name__ + (f": {text}" if text else "")
        raise _Wrong(f"Called as {exercise.usage}, it raised {raised}", case) from None
    return None if answer is ... else answer


def _hint(exercise, function):
    """Return the hint of the first known mistake that answers as the learner does, or an empty string."""
    for hint, wrong, cases in exercise.wrong():
        if all(_agree(function, wrong, exercise.case(case)) for case in cases):
            return hint
    return ""


def _agree(function, other, case):
    try:
        one, two = (np.asarray(f(*copies(case).values()), dtype=np.float64) for f in (function, other))
    except (Exception, SystemExit):
        return False
    return one.shape == two.shape and not (far(one, two) & ~(np.isnan(one) & np.isnan(two))).any()


@contextlib.contextmanager
def _quiet():
    """Let nothing that the learner's function prints or warns of come between the reader and the message."""
    nowhere = io.StringIO()
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        warnings.simplefilter("ignore")
        yield
