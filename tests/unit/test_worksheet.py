"""The worksheets: what a page asks, on paper. That the answers are right is shown for the exercises by hand."""

import html
import re
from pathlib import Path

import numpy as np
import pytest

from attn.practice.by_hand import EXERCISES
from attn.practice.exercise import Given
from attn.practice.mistakes.attention import NO_ROOT
from attn.practice.worksheets import CHAPTERS, cells, inline, main, page, show, slips

SEEDS = (7, 199, 10**6)
EACH = pytest.mark.parametrize("chapter", CHAPTERS)


def test_each_chapter_has_a_worksheet():
    notebooks = (Path(__file__).resolve().parents[2] / "chapters").glob("[0-9]*.ipynb")
    assert list(CHAPTERS) == [str(number) for number in sorted(int(path.name[:2]) for path in notebooks)]
    assert sum(map(len, CHAPTERS.values())) == len(EXERCISES)


def answers(chapter, seed):
    """All numbers that are asked for, in order."""
    for kind in CHAPTERS[chapter]:
        known = kind.known(seed)
        for step in kind.steps:
            yield from known[step.name].ravel().tolist()


def hints(chapter, seed):
    """What the key says of each known mistake."""
    for kind in CHAPTERS[chapter]:
        known = kind.known(seed)
        for step in kind.steps:
            yield from slips(step, known)


@EACH
@pytest.mark.parametrize("seed", SEEDS)
def test_the_sheet_is_the_key_without_its_numbers(chapter, seed):
    asked, solved = page(chapter, [seed]), page(chapter, [seed], key=True)
    right = [show(value) for value in answers(chapter, seed)]
    assert [html.unescape(text) for text in re.findall(r"<b>(.*?)</b>", solved)] == right
    bare = re.sub(r"If you got<ul>.*?</ul>", "", re.sub(r"<b>.*?</b>", "", solved))
    head = r"<title>.*?</title>|Key to seed \d+|Seed \d+ · Name <span.*?</span>"
    assert re.sub(head, "", bare) == re.sub(head, "", asked)
    assert asked.count("<td></td>") == len(right)
    for text in (asked, solved):
        assert "<script" not in text
        assert "http" not in text
        assert set(re.findall(r"(?:color|background): ?([^;]+)", text)) == {"#fff", "#000"}
        for kind in CHAPTERS[chapter]:
            for step in kind.steps:
                assert html.escape(re.split(r"[`*]", step.says)[0]) in text


@EACH
def test_numbers_are_such_as_one_can_do_by_hand(chapter):
    for seed in range(400):
        for kind in CHAPTERS[chapter]:
            known = kind.known(seed)
            assert max(np.abs(known[given.name]).max() for given in kind.givens) <= 100
        for value in answers(chapter, seed):
            assert re.fullmatch(r"−?\d{1,4}(\.\d\d)?", show(value)), show(value)


@EACH
def test_a_class_gets_sheets_that_differ_and_the_same_again_next_year(chapter):
    sheets = [re.sub(r"[Ss]eed \d+", "", page(chapter, [seed], key=True)) for seed in range(190, 230)]
    assert len(set(sheets)) >= 30
    assert sheets[0] == re.sub(r"[Ss]eed \d+", "", page(chapter, [190], key=True))
    assert page(chapter, [190, 191]).count("<article>") == 2


@EACH
@pytest.mark.parametrize("seed", SEEDS)
def test_the_key_says_what_is_behind_an_answer_that_people_give(chapter, seed):
    solved, told = page(chapter, [seed], key=True), list(hints(chapter, seed))
    assert len(told) >= 6
    for found, hint in told:
        assert f"<li>{found}: {html.escape(hint)}</li>" in solved
    assert "If you got" not in page(chapter, [seed])


def test_what_a_mistake_gives_is_worked_out_from_the_sheet():
    kind = EXERCISES["AttentionByHand"]
    known = kind.known(7)
    dots = ", ".join(show(value) for value in (known["k"] @ known["q"][0]).tolist())
    assert (dots, NO_ROOT) in list(slips(kind.step("scores"), known))


def test_what_is_given_is_given_exactly():
    eighths = np.array([[0.125, 0.5]])
    assert cells(Given("p", "p", ("",), ("", "")), eighths) == ([], [["0.125", "0.5"]])


def test_a_sign_of_html_in_a_text_is_shown_as_it_is():
    assert inline("`a<b` & *c*") == "<code>a&lt;b</code> &amp; <i>c</i>"


def test_the_command_writes_sheets_and_keys(tmp_path, capsys):
    assert main(["--seed", "5", "--chapter", "3", "--count", "2", "--folder", str(tmp_path)]) == 0
    names = ["chapter-3-seeds-5-6.html", "chapter-3-seeds-5-6-key.html"]
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / name) for name in names]
    text = (tmp_path / names[0]).read_text(encoding="utf-8")
    assert re.findall(r"Seed (\d+)", text) == ["5", "6"]
    assert (tmp_path / names[1]).read_text(encoding="utf-8") == page("3", [5, 6], key=True)
    assert main(["--seed", "5", "--folder", str(tmp_path / "all")]) == 0
    assert len(list((tmp_path / "all").glob("*.html"))) == 2 * len(CHAPTERS)


@pytest.mark.parametrize("wrong", [["--seed", "-1"], ["--seed", "x"], ["--chapter", "5c"], ["--count", "0"]])
def test_the_command_says_what_it_wants(wrong, capsys):
    with pytest.raises(SystemExit):
        main([*wrong])
    assert re.search(r"expected one argument|must be|invalid choice", capsys.readouterr().err)


def test_wrong_seeds_and_chapters_are_refused():
    with pytest.raises(ValueError, match="no chapter '5c': it is one of 0, 1"):
        page("5c", [1])
    with pytest.raises(ValueError, match="seed must be a whole number, 0 or more, got -1"):
        page("0", [-1])
