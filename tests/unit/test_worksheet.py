"""The by-hand worksheets: each key is right by another computation, in plain Python and without `attn`."""

import html
import importlib
import inspect
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.practice.mistakes.attention import NO_ROOT
from attn.practice.worksheets import CHAPTERS, place, sheet
from attn.practice.worksheets.__main__ import main
from attn.practice.worksheets.page import markdown, page
from attn.practice.worksheets.sheet import Ask, fraction, show
from tools.drafts import MARK

SEEDS = st.integers(0, 10**6)


def by_hand(chapter):
    """The functions that compute a sheet's answers a second time, from the module beside this file."""
    module = CHAPTERS[chapter].__name__.rpartition(".")[2]
    return importlib.import_module(f"tests.unit.by_hand.{module}").PROBLEMS


def test_each_chapter_has_a_worksheet():
    notebooks = (Path(__file__).resolve().parents[2] / "chapters").glob("[0-9]*.ipynb")
    numbers = [path.stem.partition("_")[0].lstrip("0") for path in notebooks]
    assert list(CHAPTERS) == sorted(
        (number if number[:1].isdigit() else f"0{number}" for number in numbers), key=place
    )
    assert [place(chapter) for chapter in ("0", "9", "10")] == [0, 9, 10]


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("chapter", CHAPTERS)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_keys_are_right_by_another_computation(chapter, seed):
    problems = sheet(chapter, seed).problems
    known = {}
    for problem, answers in zip(problems, by_hand(chapter), strict=True):
        known |= {name: plain(value) for name, value in problem.given.items()}
        wanted = set(
            inspect.signature(answers).parameters
        )  # a problem may build on the numbers of one before
        assert set(problem.given) <= wanted
        expected = answers(**{name: known[name] for name in wanted})
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


def test_the_command_writes_sheets_and_keys(tmp_path, capsys):
    assert main(["--seed", "5", "--chapter", "3", "--count", "2", "--folder", str(tmp_path)]) == 0
    names = ["chapter-3-seeds-5-6.html", "chapter-3-seeds-5-6-key.html"]
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / name) for name in names]
    text = (tmp_path / names[0]).read_text(encoding="utf-8")
    assert re.findall(r"Seed (\d+)", text) == ["5", "6"]
    assert (tmp_path / names[1]).read_text(encoding="utf-8") == page([sheet("3", 5), sheet("3", 6)], key=True)
    assert main(["--seed", "5", "--markdown", "--folder", str(tmp_path / "all")]) == 0
    assert len(list((tmp_path / "all").glob("*.md"))) == 2 * len(CHAPTERS)


@pytest.mark.parametrize("wrong", [["--seed", "-1"], ["--seed", "x"], ["--chapter", "5c"], ["--count", "0"]])
def test_the_command_says_what_it_wants(wrong, capsys):
    with pytest.raises(SystemExit):
        main([*wrong])
    assert re.search(r"expected one argument|must be|invalid choice", capsys.readouterr().err)


def test_wrong_seeds_and_chapters_are_refused():
    with pytest.raises(ValueError, match="no chapter '5c': it is one of 0, 1"):
        sheet("5c", 1)
    for seed in (-1, 1.5, "1"):
        with pytest.raises(ValueError, match="whole number, 0 or more"):
            sheet("0", seed)


def test_fractions_as_one_writes_them():
    assert [fraction(n) for n in (0.1 + 0.2, -0.75, 4.0)] == ["3/10", "−3/4", "4"]
    with pytest.raises(ValueError, match="not a fraction"):
        fraction(math.pi)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_key_says_what_is_behind_an_answer_that_people_give(chapter):
    """Where the worksheet has the example of an exercise by hand: its mistakes, from this sheet's numbers."""
    told = 0
    for seed in range(20):
        one = sheet(chapter, seed)
        solved = html.unescape(page([one], key=True))
        for problem in one.problems:
            slips = list(problem.slips())
            told += len(slips)
            for called, found, hint in slips:
                assert f"{called} {found}: {hint}" in solved.replace("<code>", "`").replace("</code>", "`")
                right = [
                    show(float(x))
                    for x in np.ravel(np.asarray(problem.answers[problem.mistakes[called][0]], dtype=float))
                ]
                assert found.split(", ") != right, "not the right answer"
                assert len(found.split(", ")) == len(right)
            pairs = [(called, found) for called, found, _ in slips]
            assert len(pairs) == len(set(pairs))
        assert "If you got" not in page([one])
        assert ("If you got" in markdown(one, key=True)) == any(list(p.slips()) for p in one.problems)
        assert "If you got" not in markdown(one)
    assert told > 100 or MARK in CHAPTERS[chapter].__doc__, told


def test_what_a_mistake_gives_is_worked_out_from_the_sheet():
    (problem, *_) = sheet("0", 7).problems
    dots = ", ".join(show(float(x)) for x in problem.answers["dots"])
    assert ("the scores", dots, NO_ROOT) in list(problem.slips())
