"""What needs a row of the ledger, what a row promises, and how `make sentences` shows what changed."""

import re
import subprocess

import pytest

from ledger import proofs, prose
from ledger.prose import cells, of_markdown, pages, sentences
from tools.sentences import TEXT, since


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("There are 12.", True),
        ("It takes 5.", False),
        ("No head of this form can do it.", True),
        ("It takes `0.25` and `never`, see [what can't be 0.75](only-0.5.md) and $x_{only}$.", False),
        ("All of the others do.", False),
        ("# Nothing leaks, ever: 0.25", False),
        ("Does it never leak?", False),
        ("Take every third of the 0.25.", False),
        ("```{exercise} Nine\nA mask never leaks 0.25.\n```\n", False),
        ("```{solution} nine\nA mask never leaks.\n```\n", True),
        ("## A show of hands\n\nIt never leaks 0.25.", False),
    ],
)
def test_what_needs_a_row(text, needs):
    assert any(one.needs_a_reading for one in of_markdown(text)) == needs


def test_nearly_all_prose_is_in_some_sentence():
    """The words of Markdown cells that stand in no sentence are those of fences and formulas."""
    for page in pages():
        said = " ".join(sentence.text for sentence in sentences(page))
        words = set(re.findall(r"\w+", said))
        for cell in cells(page):
            if cell["cell_type"] == "markdown":
                text = "".join(cell["source"])
                fences = r"^(`{3,})(?!\{(?:exercise|solution|adm)).*?^\1$|\$\$.*?\$\$"
                text = re.sub(fences, " ", text, flags=re.MULTILINE | re.DOTALL)
                text = re.sub(r"^[`:].*$|^\([\w-]+\)=$", " ", text, flags=re.MULTILINE)
                lost = set(re.findall(r"(?<!\S)[a-z]{4,}(?!\S)", text)) - words
                assert not lost, f"{page}: {lost} of cell {cell.get('id')} in no sentence"


CHAPTER = "chapters/00_attention"
SUM = "The exponentials sum to 5.356."


@pytest.mark.parametrize(
    ("line", "says_it"),
    [
        ("At the score 2, `ABIR` has 0.53 of the weight.", True),
        ("At the score 2 `ABIR` gets 0.53 of the weight.", True),
        ("`ABIR` has 0.53 of the weight. The others have less, at 0.20 and 0.27.", True),
        ("`ABIR` has 0.53 of the weight. The others have less, at 0.27 and 0.20.", False),
        ("At the score −2, `ABIR` has 0.53 of the weight.", False),
        ("The others have more, at 0.20 and 0.27.", False),
        ("At the score 2, `ABIR` has 0.53 of the total.", False),  # a term: "weight" stands there
        ("With keys of their own, two words will be able to.", True),
        ("With keys of their own, two words won't be able to.", False),
        ("The clocks' hands are long in each text.", True),
        ("The clocks' hands aren't long in each text.", False),
        ("A slider sits beside the picture of a clock.", True),  # no word of it is a term
        ("A ruler waits beside its own drawing.", False),
        ("Its weights are sharper than these.", False),
        ("It may come close to the value of `cat` and it never leaves both", True),
        ("It can come near the value of `cat`, and it leaves the two.", False),
        ("It can come near the value of `cat`, and it never leaves all but the two.", False),
        ("In each of the larger runs the step is not small here.", True),
        ("With PMI alone the weights come out unequal.", False),
        ("Just one of the dials is in sight here.", False),  # "only" is a strong word
        ("In each of the bigger runs the step isn't little here.", True),
        ("In each of the smaller runs the step isn't small here.", False),
        ("A picture stands beside the slider of a clock.", False),  # two words that changed places
    ],
)
def test_a_printed_line_is_found_though_a_synonym_differs_and_no_number_does(line, says_it):
    text = (
        "At the score 2, `ABIR` has 0.53 of the weight. The others have less, at 0.20 and 0.27. With keys of their "
        "own, two words are able to. The hands of clocks are long in each text. The weights are flatter than "
        "these. A slider stands beside the picture of a clock. It can come near the value of `cat`, and it never "
        "leaves the two. In each of the bigger runs the step isn't small here. With PMI alone the weights come out "
        "similar. Only one of the dials is in sight here."
    )
    assert (prose.missing([line], text) == []) == says_it


def test_a_synonym_may_stand_beside_a_title_that_is_no_sentence():
    cells = [{"cell_type": "markdown", "source": "## What a mask does\n\nHidden words get a weight of 0.\n"}]
    assert prose.missing(["Masked words get a weight of 0."], prose.running_of(cells)) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"kind": "unread"}, "its kind is 'unread'"),
        ({"text": ["The exponentials sum to 5.355."]}, "no such sentence"),
        ({"text": SUM}, 'text must be a list of texts, as text = ["…"], got \'The'),
        ({"says": "It is 5.357."}, "its page does not say 5.357"),
        ({"kind": "convention", "by": []}, ""),
        ({"by": ["hand"]}, "no executed cell"),  # a Markdown cell, which shows nothing
        ({"by": ["tests/claims/test_attention.py::test_nothing"]}, "there is no test"),
        ({"kind": "proved"}, "no attack in tests/falsify"),
        ({"kind": "measured"}, "how many runs"),
        ({"kind": "measured", "by": ["vaswani2017attention"]}, "names no cell and no test"),
        ({"place": ""}, "no `place`"),
        ({"kind": "computed"}, "names no test: let its page print it"),
    ],
)
def test_what_a_row_promises_is_looked_at(changes, said):
    by = ["hand-check", "vaswani2017attention"]
    row = {"kind": "history", "text": [SUM], "by": by, "place": "section 3"}
    found = " ".join(proofs.complaints(CHAPTER, row | changes))
    assert said in found if said else not found


def test_changed_sentences_stand_old_beside_new(tmp_path, monkeypatch):
    """In a repository of two pages, of which one changed, one came and one of its sentences went."""
    monkeypatch.setattr("tools.sentences.ROOT", tmp_path)
    monkeypatch.setattr("tools.sentences.TEXT", TEXT | {"cwd": tmp_path})
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    (tmp_path / "index.md").write_text("# One\n\nIt grows. It stays.\nIt goes.\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    (tmp_path / "index.md").write_text("# One\n\nIt shrinks. It\nstays.\n")
    assert list(since("HEAD")) == [
        "### index.md\n\n| was | is |\n|---|---|",
        "| It grows. | It shrinks. |",
        "| It goes. |  |",
        "",
    ]
