"""The printed book: `make pdf` names the whole one in ATTN_PRINTED; otherwise one chapter is printed here."""

import html
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pypdf
import pypdfium2
import pytest

from tests import tiers
from tools import paper
from tools.environment import ROOT
from tools.find_chromium import find_chromium

pytestmark = tiers.SLOW

SAMPLE = "chapters/03_masking.html"
EMPTY = 0.6  # of a page: no figure leaves so much, so a break is in the wrong place
TOP, BOTTOM, HEIGHT = 25, 27, 297  # millimeters: a page's margins, its height
SAFE = 15  # what Letter and most printers cut off
MM = 72 / 25.4
SCALE = 0.5  # dots a point in which a page is looked at
SPACE = 24  # points: a strip without ink that is higher is emptiness, not the space between two paragraphs


@pytest.fixture(scope="session")
def printed(book_html, tmp_path_factory):
    """The PDF to look at."""
    if whole := os.environ.get("ATTN_PRINTED"):
        return Path(whole)
    if find_chromium() is None:
        pytest.skip("no Chromium, Chrome or Edge: see `python -m tools.find_chromium`")
    folder = tmp_path_factory.mktemp("paper")
    # A process can drive one browser at a time: this prints in a process of its own.
    code = "import sys; from pathlib import Path; from tools import pdf; "
    code += "pdf.make(*map(Path, sys.argv[1:4]), only=sys.argv[4:])"
    command = [sys.executable, "-c", code, book_html, folder / "book.pdf", folder / "work", SAMPLE]
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "book.pdf"


@pytest.fixture(scope="session")
def pages(printed):
    """Which rows of each page have ink."""
    with pypdfium2.PdfDocument(printed) as document:
        grays = [page.render(scale=SCALE, grayscale=True).to_numpy().squeeze() for page in document]
    return [(gray < 200).any(axis=1) for gray in grays]


@pytest.fixture(scope="session")
def texts(printed):
    """What each page says, with single spaces."""
    with pypdfium2.PdfDocument(printed) as document:
        return [plain(page.get_textpage().get_text_bounded()) for page in document]


@pytest.fixture(scope="session")
def chapters(printed, book_html):
    """(chapter, its first page, its last page), from 1, by the PDF's own bookmarks."""
    reader = pypdf.PdfReader(printed)
    starts = [
        (mark.title, reader.get_destination_page_number(mark) + 1)
        for mark in reader.outline
        if not isinstance(mark, list)
    ]
    only = None if os.environ.get("ATTN_PRINTED") else [SAMPLE]
    expected = [chapter for chapter in paper.chapters_of(book_html) if not only or chapter.path in only]
    assert starts[0][0] == "Contents"
    assert [letters(title) for title, _ in starts[1:]] == [
        letters(paper.head_of(chapter)) for chapter in expected
    ]
    ends = [start - 1 for _, start in starts[2:]] + [len(reader.pages)]
    return [
        (chapter, start, end) for chapter, (_, start), end in zip(expected, starts[1:], ends, strict=True)
    ]


def plain(text):
    return re.sub(
        r"\s+", " ", unicodedata.normalize("NFKC", text.replace("\ufffe", "").replace("\u00ad", ""))
    ).strip()


def letters(text):
    return re.sub(r"\W+", "", unicodedata.normalize("NFKC", text))


def row(millimeters):
    return round(millimeters * MM * SCALE)


def emptiness(inked):
    """The share of a page's room for text that is empty: all strips without ink that are higher than `SPACE`."""
    inked = inked[row(TOP) : row(HEIGHT - BOTTOM)]
    edges = np.flatnonzero(np.diff(np.concatenate([[True], inked, [True]]).astype(int)))
    strips = edges.reshape(-1, 2) @ [-1, 1]
    return strips[strips > SPACE * SCALE].sum() / len(inked)


def test_no_page_is_nearly_empty(pages, chapters):
    """Unless a chapter ends on it."""
    shares = dict(enumerate(map(emptiness, pages), 1))
    inside = [number for _, start, end in chapters for number in range(start, end)]
    assert [number for number in inside if shares[number] > EMPTY] == []
    assert [number for number, share in shares.items() if share == 1] == []


def test_feet_have_titles_and_page_numbers(printed, chapters):
    """The book's title at the foot of left pages, the chapter's at that of right ones; the number on the outside."""
    with pypdfium2.PdfDocument(printed) as document:
        for chapter, start, end in chapters:
            for number in range(start, end + 1):
                page = document[number - 1].get_textpage()
                height = HEIGHT * MM
                head = plain(page.get_text_bounded(bottom=height - (TOP - 1) * MM))
                foot = plain(page.get_text_bounded(top=(BOTTOM - 1) * MM))
                title = paper.head_of(chapter)
                assert head == ""
                assert letters(foot) == letters(
                    f"{title}{number}" if number % 2 else f"{number}Attention by Hand"
                )


def test_nothing_is_lost_on_letter(pages):
    """A sheet of Letter is 18 mm shorter: printed at full size, in the middle, it has all."""
    for number, page in enumerate(pages, 1):
        inked = np.flatnonzero(page)
        assert inked[0] >= row(SAFE), number
        assert inked[-1] <= row(HEIGHT - SAFE), number


def test_a_page_number_is_where_its_link_leads(printed, chapters):
    """A page number and the link on it lead to the same page: to solutions, to other chapters, from the contents."""
    reader = pypdf.PdfReader(printed)
    places = {
        name: reader.get_destination_page_number(place) + 1
        for name, place in reader.named_destinations.items()
    }
    told = 0
    with pypdfium2.PdfDocument(printed) as document:
        for number, page in enumerate(reader.pages, 1):
            text = document[number - 1].get_textpage()
            for link in page.get("/Annots", []):
                link = link.get_object()
                left, bottom, right, top = map(float, link["/Rect"])
                # Other links that are digits: a citation's year, the number of a chapter in a table. A title in the
                # contents may end in one.
                listed = number < chapters[0][1]
                words = text.get_text_bounded(left - (0 if listed else 30), bottom, right + 1, top).strip()
                pattern = r"(\d+)" if listed else r".*\b(?:p\.|page) (\d+)"
                found = re.fullmatch(pattern, plain(words))
                if "/Dest" in link and found:
                    assert places[str(link["/Dest"])] == int(found[1]), f"page {number}"
                    told += 1
    assert told > 10


def test_code_has_its_lines(book_html, printed, texts):
    """64 columns fit: a long line of code stands in one line on paper."""
    soup = paper.soup_of((book_html / SAMPLE).read_text(encoding="utf-8"))
    lines = {
        line
        for code in soup.select("div.cell:not(.tag_hide-input) > .cell_input pre")
        for line in code.get_text().split("\n")
        if len(line) > 55
    }
    with pypdfium2.PdfDocument(printed) as document:
        printed_lines = {
            letters(line) for page in document for line in page.get_textpage().get_text_bounded().splitlines()
        }
    assert lines
    assert {line for line in lines if letters(line) not in printed_lines} == set()


def test_no_question_mark_stands_for_a_page(texts):
    for number, text in enumerate(texts, 1):
        assert not re.search(r"(?:p\.|on page) (?:000|\?)", text), number
        assert html.unescape(text).count("Show code cell") == 0, number
