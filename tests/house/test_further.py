"""What a full run must not leave out: each figure's numbers, marks, room and gesture; each page's first look.

And what it does leave out: a question that it asks, asked of something else.
"""

import os
import re
import subprocess
import sys

import pytest

from attn.explore.by_hand import BY_HAND
from attn.explore.ladders import LADDERS
from tests.browser import book
from tests.browser.explorables import CHAPTERS, DRAWN, EXPLORABLES, SMALL, STANDS_ON, VARIED, sorts
from tests.further import FULL, cover
from tests.planted.planting import BUGS
from tools.environment import ROOT

pytestmark = FULL

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


# Says of each test that pytest collects what marks it has.
LIST = """\
import sys

import pytest


class Listed:
    def pytest_collection_finish(self, session):
        for item in session.items:
            print("listed", ",".join(mark.name for mark in item.iter_markers()), item.nodeid, sep="\\t")


sys.exit(pytest.main(sys.argv[1:], plugins=[Listed()]))
"""


@pytest.fixture(scope="module")
def listed(book_html):
    """All tests of `make test ALL=1`: their names, and the marks of each."""
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "--ignore", "tests/engines", "tests"]
    env = {name: value for name, value in os.environ.items() if name != "CI"}
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "ATTN_ALL": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LIST, *options], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("listed\t")]
    return {name: set(marks.split(",")) for _, marks, name in lines}


@pytest.fixture(scope="module")
def full(listed):
    """Those of a full run."""
    return [name for name, marks in listed.items() if "further" not in marks]


def function(test):
    return test.partition("[")[0]


def missing(full, patterns, names):
    said = "\n".join(full)
    return [
        f"{name}: {what}"
        for what, pattern in patterns.items()
        for name in names
        if not re.search(pattern.replace("{}", re.escape(name)), said)
    ]


def test_a_full_run_asks_each_figure_what_is_its_own(full):
    assert missing(full, KEPT, OWN) == []
    assert missing(full, SMALL_ONES, SMALL) == []


def test_a_full_run_looks_at_each_page(full):
    pages = [page for page in book.pages() if page.startswith("chapters/")]
    assert len(pages) > 20
    assert missing(full, {key: PAGES[key] for key in list(PAGES)[:2]}, book.pages()) == []
    assert missing(full, PAGES, pages) == []


def test_each_further_test_has_a_sibling_in_a_full_run(listed, full):
    """It asks what a full run asks, of something else; but what takes long as a whole is left out as a whole."""
    asked = {function(test) for test in full}
    left = {test for test, marks in listed.items() if "further" in marks}
    alone = {test for test in left if function(test) not in asked}
    assert sorted(test for test in alone if "slow" not in listed[test]) == []
    assert not any(test.startswith("tests/browser/") for test in alone), "a question that no full run asks"
    assert len({function(test) for test in alone}) < 20


def test_there_are_further_tests(listed, full):
    """Of all tests a fifth or so, and of those in the browser every third, or more: each costs a second."""
    further = len(listed) - len(full)
    pages = [test for test in listed if test.startswith("tests/browser/")]
    said = f"{further:,} of {len(listed):,} tests are further ones"
    assert 0.1 < further / len(listed) < 0.5, said
    assert len(pages) > 1.3 * sum(test.startswith("tests/browser/") for test in full), said


def test_what_stands_for_others_has_all_sorts():
    """Of the values that cover a list, none is needless for those after it, and no sort is left out."""
    words = ["ab", "a", "bc", "", "cd", "d"]
    assert cover(words, set) == ["ab", "bc", "cd"]
    assert set().union(*cover(words, set)) == set("abcd")


def test_figures_that_stand_for_others_have_all_that_the_others_have():
    """Each sort of control with each part, and the parts that stand side by side; and on pages, too."""
    assert set().union(*map(sorts, VARIED)) == set().union(*map(sorts, EXPLORABLES))
    some = (SMALL, BY_HAND, LADDERS)
    assert set(EXPLORABLES) - set().union(*some) <= set(VARIED)
    for kinds in some:
        assert 0 < sum(name in kinds for name in VARIED) < len(kinds) / 2
    assert sorted(name for names in CHAPTERS.values() for name in names) == sorted(SMALL)


def test_pages_that_stand_for_others_have_all_that_the_others_have(book_html):
    def main(pages):
        return {sort for page in pages for one in book.chosen(page, "main") for sort in sorts(one.name)}

    assert main(book.varied()) == main(book.lively())
    assert book.varied()[0] == "index.html"


def test_each_planted_bug_is_caught_by_a_full_run(full):
    """What catches it in tests/planted/ is no further test."""
    functions = {function(test) for test in full}
    files = {test.partition("::")[0] for test in full}
    named = {test for bug in BUGS for test in bug["tests"]}
    assert named - {*full, *functions, *files} == set()
