"""The book to take away: an archive that opens from a folder with everything alive, and what is printed of it."""

import re
import zipfile

from tests import tiers
from tests.browser import book
from tools import archive, commands, paper


def test_the_archive_holds_the_book_and_is_alive(visit, book_html, tmp_path):
    """A link leads to a figure that a key moves. The other pages, which it has byte by byte: test_pages.py."""
    files = archive.pack(book_html, tmp_path / "book.zip")
    with zipfile.ZipFile(tmp_path / "book.zip") as packed:
        first, *names = packed.namelist()
        assert first == f"{archive.FOLDER}/READ-ME.txt"
        assert names == [f"{archive.FOLDER}/{path.relative_to(book_html).as_posix()}" for path in files]
        assert {book_html / page for page in book.pages()} < set(files)
        packed.extractall(tmp_path / "a reader's folder")
    home = tmp_path / "a reader's folder" / archive.FOLDER
    for path in files:
        assert (home / path.relative_to(book_html)).read_bytes() == path.read_bytes(), path
    view = visit((home / "index.html").as_uri(), home=home.as_uri())
    view.locator(".bd-article a[href*='03_masking']:visible").first.click()
    slider = view.locator('[data-explorable="Masking"][data-ready="1"] [name=nudge]').first
    before = slider.input_value()
    slider.press("ArrowRight")
    assert slider.input_value() != before


# ---------------------------------------------------------------- on paper: tests/paper, too


@tiers.SLOW
def test_the_document_holds_all_of_the_book(book_html):
    """Each chapter with its pictures, in the order of the contents; every link inside it leads somewhere."""
    text = paper.document(book_html, "..")
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert not re.findall(r'href="(?!#|https?:|mailto:|data:image/png|\.\./_static)', text)
    assert "<script" not in text
    assert "loading=" not in text
    for source in set(re.findall(r'src="\.\./([^"]+)"', text)):
        assert (book_html / source).is_file(), source
    pages = [path for path, _ in paper.pages_of(book_html)]
    written = [
        page for page in book.pages() if paper.ARTICLE.search((book_html / page).read_text(encoding="utf-8"))
    ]
    assert set(pages) == set(written) - {"genindex.html", "search.html"}
    # What is due today is nothing for paper: the deck of the whole book is left out.
    kept = [figure for page in pages for figure in book.figures(page) if figure.state.get("chapter") != ""]
    assert text.count('class="abh-slot"') == len(kept)
    assert not re.findall(r"<details(?![^>]* open)", text)


def test_pages_link_a_pdf_in_the_build_that_prints_it_alone(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(commands.progress, "build", lambda *_, env, **__: asked.append(env["ATTN_PDF"]) or 0)
    assert commands.build(output=tmp_path, quiet=True) == 0
    assert commands.build(output=tmp_path, quiet=True, pdf=True) == 0
    assert asked == ["", commands.PDF]
