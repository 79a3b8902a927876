"""The by-hand worksheets: each key is right by another computation, in plain Python and without `attn`."""

import html
import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.worksheet import CHAPTERS, sheet
from tools.worksheet.__main__ import main
from tools.worksheet.page import markdown, page
from tools.worksheet.sheet import Ask, Blank, Problem, first_good, fraction, show

SEEDS = st.integers(0, 10**6)
PAIRS = [(0, 0), (1, 0), (0, 1), (1, 1)]


def dot(one, two):
    return sum(float(a) * float(b) for a, b in zip(one, two, strict=True))


def shares(scores):
    """Softmax, without a shift: the scores are small."""
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def mixed(weights, rows):
    return [dot(weights, column) for column in zip(*rows, strict=True)]


# By hand, once more: given -> answers, one function a problem


def score_weigh_mix(q, k, v):
    dots = [dot(q, key) for key in k]
    scores = [number / 2 for number in dots]
    weights = shares(scores)
    return {
        "dots": dots,
        "scores": scores,
        "exponentials": [math.exp(score) for score in scores],
        "weights": weights,
        "output": mixed(weights, v),
    }


def what_changes(u, q, k, v):
    top, second, _ = sorted((dot(q, key) / 2 for key in k), reverse=True)
    return {"odds": top - second, "odds_twice": 2 * (top - second), "shift": dot(q, u) / 2, "weight_shift": 0}


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


def coins(d_k, a, b, scores):
    cases = [
        sum(q * k for q, k in zip(one, two, strict=True))
        for one in itertools.product((-a, a), repeat=d_k)
        for two in itertools.product((-b, b), repeat=d_k)
    ]
    times = Counter(cases)
    assert sorted(times) == list(scores)
    variance = Fraction(sum(case**2 for case in cases), len(cases))
    return {
        "counts": [times[score] // 2**d_k for score in scores],
        "variance": float(variance),
        "scaled": float(variance / d_k),
    }


def entries_with_a_mean(d_k, q, k):
    def law(values):
        mean = Fraction(sum(values), len(values))
        return mean, sum((value - mean) ** 2 for value in values) / len(values)

    products = law(
        [x * y for x in q for y in k]
    )  # entries are independent: the variances of d_k products add up
    seen = d_k * law(k)[1] * Fraction(sum(x * x for x in q), 2)
    return {
        "q": law(q),
        "k": law(k),
        "mean": d_k * products[0],
        "variance": d_k * products[1],
        "seen": seen,
    }


def which_scale(d_k, n_heads):
    return {
        "variances": [d_k, 1, 1 / d_k, 1 / d_k, 1 / n_heads],
        "forgot": math.isqrt(d_k),
        "too_much": 1 / math.isqrt(d_k),
    }


def a_power(scores, factor):
    return {"exponent": scores[0] - scores[1], "multiplied": factor * (scores[0] - scores[1])}


def one_row_twice(q, k, v, asks):
    scores = [dot(q, key) / 2 for key in k]
    weights, seen = shares(scores), shares(scores[: asks + 1])
    return {
        "scores": scores,
        "exponentials": [math.exp(score) for score in scores],
        "in_sight": weights,
        "masked": seen + [0] * (3 - asks),
        "output": mixed(seen, v[: asks + 1]),
        "after": sum(weights[: asks + 1]),
    }


def shapes_of_masks(window, prefix, n, length):
    pairs = [(i, j) for i in range(n) for j in range(n)]
    return {
        "drawn": [[int(i - window < j <= i) for j in range(5)] for i in range(5)],
        "causal": n * (n + 1) // 2,
        "prefix": sum(j <= i or j < prefix for i, j in pairs),
        "both": sum(j <= i and j < length for i, j in pairs),
    }


def cache(n_q, n_k):
    return {"first": n_k - n_q + 1, "last": n_k, "offset": n_k - n_q, "top_left": 1}


def deal(x, n_heads, head):
    n, d = len(x), len(x[0]) // n_heads
    flat = [number for token in x for number in token]
    start = (head - 1) * n * d
    return {
        "right": [token[(head - 1) * d : head * d] for token in x],
        "blind": [flat[start + i * d : start + (i + 1) * d] for i in range(n)],
    }


def two_heads(x, w_v, w_o):
    heads = [mixed(x[1], w_v[0]), mixed(x[0], w_v[1])]  # `sat` hears `cat`, and `the`
    adds = [mixed(heads[h], w_o[h]) for h in range(2)]
    return {
        "heads": heads,
        "shares": adds,
        "output": [a + b for a, b in zip(*adds, strict=True)],
        "difference": [a - b for a, b in zip(*adds, strict=True)],
    }


def cost(d_model, n_heads, other):
    return {
        "all": 4 * d_model**2,
        "other": 4 * d_model**2,
        "pruned": 4 * d_model**2 * (n_heads - 1) // n_heads,
    }


def judged(outputs):
    right = sum((output > 0) == (a != b) for output, (a, b) in zip(outputs, PAIRS, strict=True))
    return {"right": right, "ends": outputs[0] + outputs[3], "middle": outputs[1] + outputs[2]}


def rope(ends, readout, bias):
    points = [[(ends[a][i] + ends[b][i]) / 2 for i in range(2)] for a, b in PAIRS]
    outputs = [dot(point, readout) + bias for point in points]
    return {
        "points": points,
        "output": outputs,
        "says": [output > 0 for output in outputs],
        **judged(outputs),
    }


def votes(one, two, noise):
    sums = [one[a] + two[b] + noise for a, b in PAIRS]
    return {"sums": sums, **judged(sums)}


def ways_out(low, high):
    half = (high - low) / 2
    return {
        "two_heads": [0, high - low, high - low, 0],
        "residual": [0, -half, -half, 0],
        "mean": [-half, 0, 0, half],
        "relu": [half, 0, 0, half],
    }


def backward(p, d_p, x):
    average = dot(p, d_p)
    d_s = [w * (slope - average) for w, slope in zip(p, d_p, strict=True)]
    return {
        "apart": [slope - average for slope in d_p],
        "d_s": d_s,
        "average": average,
        "sum": 0,
        "d_q": dot(x, d_s),
    }


def two_losses(p):
    return {
        "log": [-(1 - one) for one in p],
        "plain": [-one * (1 - one) for one in p],
        "times": [1 / one for one in p],
    }


def mirror(x, w_q, w_k, bias):
    def scores(tokens, beta):
        return [(w_q * tokens[1] + beta) * w_k * token for token in tokens]

    there = [-token for token in x]
    return {
        "plain": scores(x, 0),
        "plain_mirror": scores(x, 0),
        "biased": scores(x, bias),
        "biased_mirror": scores(there, bias),
    }


def beyond_chance(days):
    (a, b), (c, d) = days
    n, rows, columns = a + b + c + d, (a + b, c + d), (a + c, b + d)
    chance = [[Fraction(r * s, n) for s in columns] for r in rows]
    ratios = [[days[i][j] / chance[i][j] for j in range(2)] for i in range(2)]
    return {
        "skies": rows,
        "streets": columns,
        "chance": chance,
        "ratios": ratios,
        "bits": math.log2(ratios[0][0]),
        "weights": [Fraction(a, a + b), Fraction(b, a + b)],
    }


def windows(tokens, window):
    words = sorted(set(tokens))
    met = Counter(
        (tokens[i], tokens[j])
        for i in range(len(tokens))
        for j in range(len(tokens))
        if i != j and abs(i - j) <= window
    )
    return {"counts": [[met[one, two] for two in words] for one in words], "sum": sum(met.values())}


def once(n):
    return {"ratio": n, "bits": math.log2(n)}


BY_HAND = {
    "0": (score_weigh_mix, what_changes),
    "1": (who_shares_a_clock, encode, only_the_distance, turn),
    "2": (coins, entries_with_a_mean, which_scale, a_power),
    "3": (one_row_twice, shapes_of_masks, cache),
    "4": (deal, two_heads, cost),
    "5": (rope, votes, ways_out),
    "5b": (backward, two_losses, mirror),
    "6": (beyond_chance, windows, once),
}


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("chapter", CHAPTERS)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_keys_are_right_by_another_computation(chapter, seed):
    problems = sheet(chapter, seed).problems
    known = {}
    for problem, by_hand in zip(problems, BY_HAND[chapter], strict=True):
        known |= {name: plain(value) for name, value in problem.given.items()}
        given_here = dict(problem.given) if by_hand is not what_changes else known
        expected = by_hand(**{name: plain(value) for name, value in given_here.items()})
        assert set(expected) == set(problem.answers) == {blank.name for blank in problem.blanks()}
        for name, value in expected.items():
            there = np.asarray(problem.answers[name], dtype=float)
            np.testing.assert_allclose(there, np.array(value, dtype=float), rtol=0, atol=1e-9, err_msg=name)


def numbers(value):
    if isinstance(value, str | list) and value and isinstance(value[0], str):
        return []
    return np.asarray(value, dtype=float).ravel().tolist()


@pytest.mark.parametrize("chapter", CHAPTERS)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_numbers_are_such_as_one_can_do_by_hand(chapter, seed):
    small = {"pos": 99, "later": 99, "n": 4096, "base": 144, "d_k": 100, "x": 60, "days": 120, "scores": 36}
    for problem in sheet(chapter, seed).problems:
        for name, value in problem.given.items():
            for number in numbers(value):
                assert abs(number) <= small.get(name, 24), name
                whole = number == round(number)
                assert whole or (name == "p" and 0 < number < 1), f"{name} is {number}"
        for blank in problem.blanks():
            assert abs(problem.answer(blank)) <= 4096
            assert len(problem.key(blank)) <= 10
            assert not re.search(r"nan|inf|-|e", problem.key(blank))


@pytest.mark.parametrize("chapter", CHAPTERS)
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_the_same_seed_repeats_and_another_differs(chapter, seed):
    first = page([sheet(chapter, seed)], key=True)
    assert first == page([sheet(chapter, seed)], key=True)
    assert first != page([sheet(chapter, seed + 1)], key=True).replace(f"seed {seed + 1}<", f"seed {seed}<")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_class_of_thirty_gets_thirty_sheets(chapter):
    """All different as a whole, and each problem in at least six ways."""
    drawn = [[str(problem.given) for problem in sheet(chapter, seed).problems] for seed in range(30)]
    assert len({tuple(one) for one in drawn}) == 30
    assert min(len(set(column)) for column in zip(*drawn, strict=True)) >= 6


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_no_dull_draws(seed):
    scores = sheet("0", seed).problems[0].answers["scores"]
    assert len(set(scores)) == 3
    row = sheet("3", seed).problems[0].answers
    assert len(set(row["scores"])) == 4
    assert 0.1 < row["after"] < 0.8  # the mask matters
    heads = sheet("4", seed).problems[1].answers
    assert (heads["shares"][0] != heads["shares"][1]).any()
    for problem in sheet("5", seed).problems[:2]:
        assert problem.answers["right"] == 3
        assert (problem.answers.get("output", problem.answers.get("sums")) != 0).all()
    assert np.any(sheet("5b", seed).problems[0].answers["d_s"])
    bits = sheet("6", seed).problems[0].answers["bits"]
    assert abs(bits - round(bits)) < 1e-9
    assert round(bits) in (-2, -1, 1, 2)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_sheet_is_the_key_without_its_numbers(chapter):
    one = sheet(chapter, 7)
    asked, solved = page([one]), page([one], key=True)
    assert "<b>" not in asked
    found = [html.unescape(text) for text in re.findall(r"<b>(.*?)</b>", solved)]
    assert found == [problem.key(blank) for problem in one.problems for blank in problem.blanks()]
    in_words = sum(isinstance(part, Ask) and len(part.blanks) for p in one.problems for part in p.parts)
    assert asked.count('class="box') == in_words + 1  # and one for the name
    assert asked.count("<td></td>") == len(found) - in_words
    for text in (asked, solved):
        assert "<script" not in text
        assert "http" not in text
        assert set(re.findall(r"(?:color|background): ?([^;]+)", text)) == {"#fff", "#000"}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_markdown_has_the_same_answers(chapter):
    one = sheet(chapter, 7)
    key = markdown(one, key=True)
    titles = len(one.problems)
    answers = sum(1 for problem in one.problems for _ in problem.blanks())
    assert len(re.findall(r"\*\*[^*]+\*\*", key)) == titles + answers
    assert len(re.findall(r"\*\*[^*]+\*\*", markdown(one))) == titles


def test_the_command_writes_sheets_and_keys(tmp_path, capsys):
    assert main(["--seed", "5", "--chapter", "3", "--count", "2", "--folder", str(tmp_path)]) == 0
    names = ["chapter-3-seeds-5-6.html", "chapter-3-seeds-5-6-key.html"]
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / name) for name in names]
    text = (tmp_path / names[0]).read_text(encoding="utf-8")
    assert re.findall(r"Seed (\d+)", text) == ["5", "6"]
    assert (tmp_path / names[1]).read_text(encoding="utf-8") == page([sheet("3", 5), sheet("3", 6)], key=True)
    assert main(["--seed", "5", "--markdown", "--folder", str(tmp_path / "all")]) == 0
    assert len(list((tmp_path / "all").glob("*.md"))) == 2 * len(CHAPTERS)


@pytest.mark.parametrize("wrong", [["--seed", "-1"], ["--seed", "x"], ["--chapter", "9"], ["--count", "0"]])
def test_the_command_says_what_it_wants(wrong, capsys):
    with pytest.raises(SystemExit):
        main([*wrong])
    assert re.search(r"expected one argument|must be|invalid choice", capsys.readouterr().err)


def test_wrong_seeds_and_chapters_are_refused():
    with pytest.raises(ValueError, match="no chapter '7': it is one of 0, 1"):
        sheet("7", 1)
    for seed in (-1, 1.5, "1"):
        with pytest.raises(ValueError, match="whole number, 0 or more"):
            sheet("0", seed)


def test_numbers_as_one_writes_them():
    assert [show(n) for n in (3, 2.9999999999, -4.0, 0.125, -0.001, -2.5)] == [
        "3",
        "3",
        "−4",
        "0.12",
        "0.00",
        "−2.50",
    ]
    assert [fraction(n) for n in (0.1 + 0.2, -0.75, 4.0)] == ["3/10", "−3/4", "4"]
    with pytest.raises(ValueError, match="not a fraction"):
        fraction(math.pi)


def test_a_key_of_a_word_and_a_draw_that_never_is_good():
    assert Problem("", (), {}, {"word": "no"}).key(Blank("word")) == "no"
    with pytest.raises(RuntimeError, match="none was good enough"):
        first_good(lambda: 1, lambda drawn: drawn == 2)
