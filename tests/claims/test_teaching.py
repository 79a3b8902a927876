"""The pages for teachers: each keeps its form, its plans fill the time, and the answer that it calls right is right."""

import re
from functools import cache

import numpy as np
import pytest
import yaml

import ledger
from attn.variance import score_variance
from attn.xor import noise_token_batch, recorded_runs, train
from tests.claims.pages import ROOT

FOLDER = ROOT / "chapters" / "teaching"
PAGES = sorted(path.stem for path in FOLDER.glob("[0-9]*.md"))
each_page = pytest.mark.parametrize("page", PAGES)


@cache
def text(page):
    return (FOLDER / f"{page}.md").read_text(encoding="utf-8")


def section(page, heading):
    return text(page).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_every_chapter_has_a_page_and_the_book_lists_it():
    chapters = {path.stem for path in (ROOT / "chapters").glob("[0-9]*.ipynb")}
    assert set(PAGES) == chapters
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    (entry,) = next(part["chapters"] for part in toc["parts"] if part["caption"] == "For teachers")
    assert entry["file"] == "chapters/teaching/index"
    assert [one["file"] for one in entry["sections"]] == [f"chapters/teaching/{page}" for page in PAGES]


@each_page
@pytest.mark.parametrize("minutes", [10, 50])
def test_a_plan_fills_its_time(page, minutes):
    steps = re.findall(r"^(\d)\. \*\*(\d+) minutes?\.\*\* \S", section(page, f"In {minutes} minutes"), re.M)
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert len(steps) >= 4
    assert sum(int(length) for _, length in steps) == minutes


@each_page
@pytest.mark.parametrize("minutes", [10, 50])
def test_a_plan_opens_its_figures(page, minutes):
    """The first figure as it is, then its states: links that the build resolves (bookext/explorables.py)."""
    plan = section(page, f"In {minutes} minutes")
    links = re.findall(r"\]\(\.\./(\w+)\.ipynb#state=([\w-]+)\)", plan)
    assert {name for name, _ in links} == {page}
    assert links[0][1] == "before" or links[0][1][0].isupper(), f"the first figure as it is, not {links[0]}"
    assert len(set(links)) >= 2
    for line in plan.splitlines():
        assert "#state=" in line or not re.search(r"\b(figure|drag|switch)\b", line, re.I), line


@each_page
def test_a_question_has_four_answers_and_each_wrong_one_is_explained(page):
    question = section(page, "A show of hands")
    assert re.findall(r"^\* \*\*([A-Z])\.\*\* \S", question, re.M) == list("ABCD")
    (right,) = re.findall(r"^\*\*([A-D]) is right\.\*\* \S", question, re.M)
    assert re.findall(r"^\* \*\*([A-Z])\*\*: \S", question, re.M) == [c for c in "ABCD" if c != right]
    assert question.index("```{admonition}") > question.index("**D.**"), "the answer must stand behind a fold"


@each_page
def test_the_right_answer_is_proved_by_a_test(page):
    """The row of the ledger says which; `test_each_claim_is_shown` asks for its test to be there."""
    (row,) = (row for row in ledger.claims()[f"chapters/teaching/{page}"] if "answer" in row)
    assert f"**{row['answer']} is right.**" in section(page, "A show of hands")
    assert any("::" in name for name in row["by"])


# The questions: the right answer is right, and the wrong ones are wrong for the reason given. The ledger's rows with an
# `answer` name these tests, or those of the chapter's own file.


def test_four_times_as_many_entries():
    assert score_variance(16) ** 0.5 == 4
    assert score_variance(64) ** 0.5 == 8


def test_the_right_loss_alone_makes_a_coin():
    x, y = noise_token_batch(np.random.default_rng(20_000), 20_000, 4)
    for seed in range(3):
        wrong = train(seed, n_heads=1, query_bias=False, loss="probability", progress=False).model
        right = train(seed, n_heads=1, query_bias=False, progress=False).model
        assert abs(wrong.accuracy(x, y) - 0.75) < 0.02
        assert abs(right.accuracy(x, y) - 0.5) < 0.06
    ends = recorded_runs("one head, no query bias").accuracy
    assert len(ends) == 200
    assert abs(ends.mean() - 0.5) < 0.01
    assert (round(float(ends.min()), 2), round(float(ends.max()), 2)) == (0.32, 0.69)
