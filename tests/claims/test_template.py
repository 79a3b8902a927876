"""Each chapter keeps the template: executed, short cells, alt text, exercises with solutions."""

import io
import json
import re
import tokenize
from pathlib import Path

import pytest

from attn.check import results
from tools.text import cells, outside_of_what_opens, prose, seen, source

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
FURTHER = sorted((ROOT / "chapters" / "further").glob("*.ipynb"))
PRACTICE = sorted((ROOT / "chapters" / "practice").glob("*.ipynb"))
# Of a core: words outside of what opens, cells that are seen. Of a cell: characters of a line.
WORDS, CELLS, WIDTH = 2200, 20, 64
PHONE = 38  # characters of code that a screen of 360 px holds in an exercise
SECTIONS = ["By hand", "Write it", "The laboratory", "Exercises"]
SECTIONS += ["The first question again", "In short", "Sources"]
SHORT = {"00_attention"}  # needs two exercises, the others four


def printed(cell):
    """What a cell printed."""
    return "".join("".join(output.get("text", "")) for output in cell["outputs"])


EVERY = pytest.mark.parametrize("chapter", [*CHAPTERS, *FURTHER], ids=lambda path: path.stem)
CORE = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)


@EVERY
def test_executed_without_errors(chapter):
    outputs = [output for cell in cells(chapter, "code") for output in cell["outputs"]]
    assert not [one for one in outputs if one["output_type"] == "error" or one.get("name") == "stderr"]


@EVERY
def test_cells_are_short_and_end_plainly(chapter):
    for cell in cells(chapter, "code"):
        lines = source(cell).splitlines()
        assert 1 <= len(lines) <= (24 if seen(cell) else 40), f"cell {cell['id']} has {len(lines)} lines"
        assert not lines[-1].rstrip().endswith(";"), f"cell {cell['id']} ends in ;"


@EVERY
def test_figures_have_alt_text_and_a_caption(chapter):
    for cell in cells(chapter, "code"):
        if "plt.show()" in source(cell):
            options = cell["metadata"].get("mystnb", {})
            assert len(options.get("image", {}).get("alt", "")) > 40, f"cell {cell['id']} needs an alt text"
            assert options.get("figure", {}).get("caption"), f"cell {cell['id']} needs a caption"
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data and "<Figure" in "".join(data.get("text/plain", "")):
                assert source(cell).rstrip().endswith("plt.show()"), f"cell {cell['id']}: not plt.show()"


@CORE
def test_a_core_is_read_in_half_an_hour(chapter):
    words = len(outside_of_what_opens(prose(chapter)).split())
    count = sum(map(seen, cells(chapter, "code")))
    assert words <= WORDS, f"{words} words: move what is deeper to a page in chapters/further/"
    assert count <= CELLS, f"{count} cells whose code is seen"


@EVERY
def test_no_line_is_cut_off_on_a_phone(chapter):
    for cell in cells(chapter, "code"):
        texts = [source(cell)] if seen(cell) else []
        texts += [
            "".join(output.get("text") or output["data"].get("text/plain", ""))
            for output in cell["outputs"]
            if "text/html" not in output.get("data", {}) and "image/png" not in output.get("data", {})
        ]
        long = [line for text in texts for line in text.splitlines() if len(line) > WIDTH]
        if "check." not in source(cell):  # what a checker says wraps
            assert not long, f"cell {cell['id']}: {long[0]}"


def comments(text):
    """Of a cell's code: (comment, how far its line is indented, whether code stands before it)."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            before = token.line[: token.start[1]]
            yield token.string, len(before) - len(before.lstrip(" ")), bool(before.strip())


@pytest.mark.parametrize("chapter", [*CHAPTERS, *FURTHER, *PRACTICE], ids=lambda path: path.stem)
def test_no_comment_breaks_on_a_phone(chapter):
    """A phone sets a comment below the line that it stands behind, two deeper and two apart, and in one piece."""
    for cell in filter(seen, cells(chapter, "code")):
        for comment, indent, behind in comments(source(cell)):
            wide = indent + len(comment) + (4 if behind else 0)
            assert wide <= PHONE, f"cell {cell['id']}: {comment} is {wide - PHONE} too long"


@pytest.mark.parametrize("page", FURTHER, ids=lambda path: path.stem)
def test_a_further_page_says_where_it_belongs(page):
    number = page.stem.split("_")[0]
    (core,) = [path for path in CHAPTERS if path.stem.startswith(f"{number}_")]
    opening, closing = source(cells(page)[0]), source(cells(page)[-1])
    assert f"(../{core.name})" in opening
    assert "**The question.**" in opening
    assert "## Sources" in closing
    assert f"(../{core.name})" in closing
    assert f"(further/{page.name})" in prose(core), "the chapter should lead to it"
    solved = re.findall(r"```\{solution(?:-start)?\} ([\w-]+)\n:class: dropdown", prose(page))
    labels = re.findall(r"```\{exercise(?:-start)?\}[^\n]*\n:label: ([\w-]+)", prose(page))
    assert sorted(solved) == sorted(labels)


@CORE
def test_opens_with_a_question_and_a_figure(chapter):
    opening = cells(chapter)[0]
    assert re.match(r"# \w+", source(opening))
    assert "**The question.**" in source(opening)
    drawn = [
        cell["id"]
        for cell in cells(chapter, "code")
        if any("image/png" in output.get("data", {}) for output in cell["outputs"])
    ]
    assert len(drawn) >= 3
    position = [cell["id"] for cell in cells(chapter)].index(drawn[0])
    assert position <= 4, "the first figure or prediction comes too late"


@CORE
def test_sections_of_the_template(chapter):
    headings = re.findall(r"^## (.+)$", prose(chapter), re.M)
    for needed in SECTIONS:
        assert any(heading.startswith(needed) for heading in headings), f"no {needed!r} among {headings}"


@CORE
def test_exercises_have_solutions_and_checks(chapter):
    text = prose(chapter)
    labels = re.findall(r"```\{exercise(?:-start)?\}[^\n]*\n:label: ([\w-]+)", text)
    solved = re.findall(r"```\{solution(?:-start)?\} ([\w-]+)\n:class: dropdown", text)
    assert len(labels) >= (2 if chapter.stem in SHORT else 4)
    assert sorted(solved) == sorted(labels)
    said = [printed(cell) for cell in cells(chapter, "code")]
    stubs, passed = (sum(words in text for text in said) for words in ("not solved yet", ": passed."))
    assert stubs == passed >= (1 if chapter.stem in SHORT else 2)


@EVERY
def test_a_display_formula_stands_alone(chapter):
    """Between empty lines; inside of a box that opens, the words beside it are else read as a formula."""
    beside = []
    for cell in cells(chapter, "markdown"):
        blocks = re.split(r"\n\s*\n|^[`:]{3}.*$", source(cell), flags=re.MULTILINE)
        beside += [one for one in blocks if "$$" in one and not re.fullmatch(r"\$\$[^$]*\$\$", one.strip())]
    assert beside == []


@EVERY
def test_a_page_does_not_tell_its_reader_that_a_stub_is_not_solved(chapter):
    """The notebook does, whoever runs it: there the line is an answer."""
    for cell in cells(chapter, "code"):
        assert ("not solved yet" in printed(cell)) == ("remove-output" in cell["metadata"].get("tags", [])), (
            cell["id"]
        )


@CORE
def test_exercises_say_how_to_hand_in(chapter, tmp_path, monkeypatch):
    """Once, in one line, which writes the file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(results, "_seen", {})
    section = prose(chapter).split("## Exercises\n")[1].split("\n## ")[0]
    (line,) = re.findall(r"`(from attn\.check import results; [^`]+)`", section)
    results.record("an exercise", True)
    exec(line, {})
    assert json.loads((tmp_path / "ada.json").read_text(encoding="utf-8"))["name"] == "Ada"
