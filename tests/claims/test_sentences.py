"""Each sentence with a number or a strong word has been read, and what its entry names gives its numbers.

The entries are in `ledger/sentences/`, a file a page. An entry quotes its sentence, so it dies when a word of it
changes: rows for columns, "all" for "most". It names what gives the numbers, so that a number that is true elsewhere on
the page doesn't do. `make sentences PAGE=…` writes what is missing; docs/chapter.md says how to go on.
"""

import re
import subprocess

import pytest

import ledger
from bookext.claims import Kinds, kinds_text
from ledger import proofs
from ledger.proofs import complaints, entries, path_of, rounds_to
from ledger.prose import (
    DRAFT,
    cells,
    of_code,
    of_markdown,
    pages,
    printed,
    sentences,
)
from tools.sentences import TEXT, candidates, file_of, page_named, problems, proposed, since

READ = [page for page in pages() if entries(page) is not None]


def is_draft(page):
    return any(DRAFT in "".join(cell["source"]) for cell in cells(page))


def test_each_page_is_read():
    """A draft needs no entries; a book with drafts is not published."""
    pending = {page for page in pages() if entries(page) is None and proofs.unread(page)}
    assert {page for page in pending if not is_draft(page)} == set()


def test_each_file_is_a_pages():
    assert {path_of(page) for page in pages()} >= set(proofs.FOLDER.rglob("*.toml"))


@pytest.mark.parametrize("page", READ)
def test_each_sentence_is_read_and_its_entry_holds(page):
    found = list(problems(page))
    assert not found, f"{page}: {len(found)} to look at\n\n" + "\n".join(found)


@pytest.mark.parametrize("page", READ)
def test_no_sentence_has_two_entries(page):
    texts = [entry["text"] for entry in entries(page)]
    assert len(set(texts)) == len(texts)


# ---------------------------------------------------------------- what a sentence is


def test_sentences_of_markdown():
    text = (
        "# A title\n\nOne is 0.5, i.e. half. *Two* [words](a_page.ipynb#x.y). It costs $a. B$ and `no. Way`.\n\n"
        "```python\nnever = 3.25\n```\n\n$$ 4.75 $$\n\n```{exercise} Nine\n:label: x\nGive 0.25\nof it.\n```\n\n"
        "* an item\n  that goes on\n* another. `sat` asks.\n\n| a | 12 |\n|---|--:|\n| b | 13 |\n"
    )
    assert [one.text for one in of_markdown(text)] == [
        "A title",
        "One is 0.5, i.e. half.",
        "*Two* [words](a_page.ipynb#x.y).",
        "It costs $a. B$ and `no. Way`.",
        "Nine",
        "Give 0.25 of it.",
        "an item that goes on",
        "another.",
        "`sat` asks.",
        "| a | 12 |",
        "| b | 13 |",
    ]


def test_a_list_belongs_to_the_paragraph_before_it():
    *_, last = of_markdown("Of 200 runs from random starts:\n\n* most\n* 0.25 of them\n")
    assert last.paragraph == "Of 200 runs from random starts: most 0.25 of them"


def test_sentences_of_code():
    """What a figure says is read; answers to choose from, names and short labels are not."""
    text = (
        'X(predict={"question": "Where does it go, "\n "then? It moves.", "options": ["it never moves, at all"]},'
        ' alt=f"A dot that never moves, {x} wide.", label="only two", options=["never to the left side"])'
    )
    assert [one.text for one in of_code(text)] == [
        "Where does it go, then?",
        "It moves.",
        "A dot that never moves, {…} wide.",
    ]


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("It takes 0.25 of it.", True),
        ("There are 12.", True),
        ("It takes 5.", False),
        ("It is never 5.", True),
        ("No head of this form can do it.", True),
        ("You can't.", True),
        ("It takes `0.25` and `never`, see [it](only-0.5.md) and $x_{only}$.", False),
        ("All of the others do.", False),
        ("Everywhere else, however long it is.", True),
        (f"{DRAFT} never mind.", False),
    ],
)
def test_what_needs_a_reading(text, needs):
    assert [one.needs_a_reading for one in of_markdown(text)] == [needs]


def test_nearly_all_prose_is_in_some_sentence():
    """The words of Markdown cells that stand in no sentence are those of fences and formulas."""
    for page in pages():
        said = " ".join(sentence.text for sentence in sentences(page))
        for cell in cells(page):
            if cell["cell_type"] != "markdown":
                continue
            text = "".join(cell["source"])
            text = re.sub(
                r"^(`{3,})(?!\{(?:exercise|solution|adm)).*?^\1$", " ", text, flags=re.MULTILINE | re.DOTALL
            )
            text = re.sub(r"\$\$.*?\$\$|^[`:].*$|^\([\w-]+\)=$", " ", text, flags=re.MULTILINE | re.DOTALL)
            for word in re.findall(r"(?<!\S)[a-z]{4,}(?!\S)", text):
                assert re.search(rf"\b{word}\b", said), (
                    f"{page}: {word!r} of cell {cell.get('id')} is in no sentence"
                )


# ---------------------------------------------------------------- what an entry promises

CHAPTER = "chapters/00_attention"
TRUE = {
    "text": "The exponentials sum to 5.356.",
    "kind": "convention",
    "by": ["hand-check"],
}


def wrong(**changes):
    return " ".join(complaints(CHAPTER, {**TRUE, **changes}))


def test_a_true_entry_has_no_complaint():
    assert wrong() == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "unread"}, "nobody has read it"),
        ({"was": "computed: The exponentials sum to 5.355."}, "nothing reads"),
        ({"text": "The exponentials sum to 5.355."}, "no such sentence"),
        ({"by": ["write-cost"]}, "gives 5.356"),
        ({"by": []}, "gives 5.356"),
        ({"by": ["hand-chekc"]}, "no cell, no test, no key"),
        ({"by": ["hand"]}, "no cell, no test, no key"),  # a Markdown cell, which shows nothing
        ({"by": ["tests/claims/test_attention.py::test_nothing"]}, "there is no test"),
        ({"by": "hand-check"}, "by must be a list of texts, as by = [\"…\"], got 'hand-check'"),
        ({"follows": "56 + 28"}, "follows must be a list of texts"),
        ({"follows": [84]}, "got [84]"),
        ({"kind": "proved"}, "no attack in tests/falsify"),
        ({"kind": "measured"}, "how many runs"),
        ({"kind": "history"}, "no key of the bibliography"),
        ({"kind": "history", "by": ["hand-check", "vaswani2017attention"]}, "no `place`"),
        ({"kind": "computed"}, "names no test: let its page print it"),
        ({"kind": "measured", "by": ["vaswani2017attention"], "place": "5.356"}, "names no cell and no test"),
    ],
)
def test_what_an_entry_promises_is_looked_at(changes, said):
    assert said in wrong(**changes)


def test_a_number_in_a_text_or_comment_gives_nothing():
    """The cell of a prediction would prove its own explanation, and a test its own docstring."""
    code = proofs.code_of(
        'predict(0.125, explanation=f"It takes 0.25 of {x}.", why="It takes 0.5 of it.")  # 0.75'
    )
    assert proofs.numbers(code) == ["0.125"]


def test_numbers_that_follow():
    """ "0.5 more" may be a sum of what is given, if its terms are."""
    found = {"cells": ["print(56, 28)"], "tests": [], "keys": []}
    assert 84 in proofs.given({"follows": ["56 + 28"]}, found)
    assert 85 not in proofs.given({"follows": ["57 + 28"]}, found)
    assert 84 not in proofs.given({}, found)


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("In 197 of 200 runs it does.", True),
        ("Of 50 random starts, 3 don't.", True),
        ("We drew a thousand pairs.", True),
        ("It usually does, from random starts.", False),
        ("It has 64 words.", False),
    ],
)
def test_how_many(text, enough):
    assert bool(proofs.HOW_MANY.search(text) and proofs.OF_WHAT.search(text)) == enough


# ---------------------------------------------------------------- the command


def test_the_command_proposes_what_gives_the_numbers():
    (sentence,) = [one for one in sentences(CHAPTER) if one.text == TRUE["text"]]
    assert "hand-check" in candidates(CHAPTER, sentence)
    known = proofs.given({}, proofs.shown(CHAPTER, candidates(CHAPTER, sentence)))
    assert rounds_to("5.356", known, hundredfold=False)


def test_the_command_moves_an_entry_along(tmp_path, monkeypatch):
    """A sentence that was reworded takes its entry along, marked; the others stay to the letter."""
    said = "It can come near the value of `cat`, and it never leaves the stretch between the outermost two."
    old = path_of(CHAPTER).read_text(encoding="utf-8")
    page = tmp_path / "00_attention.toml"
    page.write_text(
        old.replace(said, "It comes near the value of `cat`, and it never leaves the stretch of all of them.")
        + '\n[[sentence]]\ntext = "Quite another thing."\nkind = "convention"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(proofs, "FOLDER", tmp_path)
    found, dead = proposed(CHAPTER)
    assert [entry["text"] for entry in dead] == ["Quite another thing."]
    changed = [entry for entry in found if entry["kind"] == "unread"]
    assert [(entry["text"], entry["was"], entry["by"]) for entry in changed] == [
        (
            said,
            "proved: It comes near the value of `cat`, and it never leaves the stretch of all of them.",
            ["The output never leaves the hull"],
        )
    ]
    for entry in found:
        assert entry in changed or entry["text"] in old


def test_files_are_as_the_command_writes_them():
    for page in READ:
        assert path_of(page).read_text(encoding="utf-8") == file_of(entries(page)), page


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


@pytest.mark.parametrize("name", ["03_masking", "chapters/03_masking.ipynb", "chapters/03_masking"])
def test_a_page_has_its_name_or_its_files(name):
    assert page_named(name) == "chapters/03_masking"


def test_a_page_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(SystemExit, match="no page 'masking'. Near it: .*03_masking"):
        page_named("masking")


def test_an_error_in_a_file_of_the_ledger_names_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "FOLDER", tmp_path / "ledger")
    path = tmp_path / "ledger" / "x.toml"
    path.parent.mkdir()
    path.write_text('by = ["a"\nkind = "b"')
    with pytest.raises(ValueError, match=r"^ledger.x\.toml: .*line 2"):
        ledger.loaded(path)


# ---------------------------------------------------------------- How we know


def test_how_we_know_counts_each_entry():
    """A line for each page that has any, in the book's order, and their sums in the last; printed ones are computed."""
    rows = [line.strip("| ").split(" | ") for line in kinds_text(Kinds.read()) if line.startswith("| ")][1:]
    first = [f"{{doc}}`/{page}`" for page in ("index", "chapters/preface", "chapters/00_attention")]
    assert [row[0] for row in rows[:3]] == first
    assert len(rows) == 1 + sum(bool(entries(page) or printed()[page]) for page in pages())
    counts = []
    for _, text in rows:
        first, *parts = map(int, re.findall(r"\d+", text))
        assert first == sum(parts)
        counts.append(first)
    assert (
        counts[-1]
        == sum(counts[:-1])
        == sum(len(entries(page) or []) + len(printed()[page]) for page in pages())
    )
    proved = sum(entry["kind"] == "proved" for entry in entries("index"))
    assert f": {proved} proved," in rows[0][1]
