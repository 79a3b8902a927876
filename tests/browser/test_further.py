"""What a plain run must not leave out: each figure's numbers, marks, room and gesture; each page's first look."""

import os
import re
import subprocess
import sys

import pytest

from tests.browser import book
from tests.browser.explorables import CHAPTERS, DRAWN, EXPLORABLES, SMALL, STANDS_ON, VARIED, sorts
from tests.planted.planting import BUGS
from tools.environment import ROOT

#: Figures with a picture of their own: a ladder stands on another one; exercises and cards have tests of their own.
OWN = [name for name in DRAWN if STANDS_ON.get(name, name) == name]
#: Of each of them: what is asked of it in every run.
KEPT = {
    "its numbers are NumPy's": r"test_mounted\.py::test_drawn_numbers_are_numpys\[(?:.* )?{}(?: .*)?\]",
    "a finger moves it at 390 px": r"test_gestures\.py::test_(?:sliders_in_the_hand\[(?:.* )?{}(?: .*)?-390-Finger\]"
    r"|alone_in_the_hand\[{}-390-Finger\])",
    "its numbers are written by the rule": r"test_marks\.py::test_every_number_is_written_by_the_rule\[{}\]",
    "its class says what its page shows": r"test_once\.py::test_the_class_states_what_the_page_shows\[{}\]",
}
SMALL_ONES = {
    "its marks are in their places": r"test_small\.py::test_every_mark_is_where_its_number_says\[{}\]",
    "its words keep their room": r"test_small\.py::test_the_words_keep_their_room\[{}\]",
}
#: Of each page.
PAGES = {
    "it is alive and silent": r"test_alive\.py::test_alive_and_silent\[{}-http\]",
    "it and its figures have their room": r"test_layout\.py::test_no_sideways_scroll_and_the_right_room\[{}\]",
    "nothing is cut off": r"test_reading\.py::test_nothing_is_cut_off_on_a_phone\[{}\]",
}


def collected(*folders, **more):
    """The names of the tests in some folders, as pytest collects them."""
    env = {name: value for name, value in os.environ.items() if name not in ("ATTN_ALL", "CI")}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *folders]
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **more}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.fixture(scope="module")
def plain(book_html):
    """The tests of a plain run."""
    return collected("tests/browser")


def missing(plain, patterns, names):
    said = "\n".join(plain)
    return [
        f"{name}: {what}"
        for what, pattern in patterns.items()
        for name in names
        if not re.search(pattern.replace("{}", re.escape(name)), said)
    ]


def test_a_plain_run_asks_each_figure_what_is_its_own(plain):
    assert missing(plain, KEPT, OWN) == []
    assert missing(plain, SMALL_ONES, SMALL) == []


def test_a_plain_run_looks_at_each_page(plain):
    pages = [page for page in book.pages() if page.startswith("chapters/")]
    assert len(pages) > 20
    assert missing(plain, {key: PAGES[key] for key in list(PAGES)[:2]}, book.pages()) == []
    assert missing(plain, PAGES, pages) == []


def test_what_is_left_out_of_a_plain_run_is_among_the_further_tests(plain):
    """The two sets differ: each question of a plain run is there, and each is asked further; no test is in neither."""
    everything = collected("tests/browser", ATTN_ALL="1")
    assert set(plain) < set(everything)
    assert len(everything) > 1.3 * len(plain)
    functions = [{test.partition("[")[0] for test in tests} for tests in (plain, everything)]
    assert functions[0] == functions[1], "a question that no plain run asks"


def test_small_figures_that_stand_for_others_have_all_that_the_others_have():
    """Each sort of control with each part, and the parts that stand side by side."""
    all_sorts = {sort for kind in SMALL.values() for sort in sorts(kind)}
    assert {sort for name in VARIED if name in SMALL for sort in sorts(SMALL[name])} == all_sorts
    assert set(EXPLORABLES) - set(SMALL) <= set(VARIED)
    assert sum(name in SMALL for name in VARIED) < len(SMALL) / 2
    assert sorted(name for names in CHAPTERS.values() for name in names) == sorted(SMALL)


def test_each_planted_bug_is_caught_by_a_plain_run(book_html):
    """What catches it in tests/planted/ is no further test."""
    asked = set(collected("tests", "--ignore", "tests/engines"))
    functions = {test.partition("[")[0] for test in asked}
    files = {test.partition("::")[0] for test in asked}
    named = {test for bug in BUGS for test in bug["tests"]}
    assert {test for test in named if test not in asked | functions | files} == set()
