"""The book to take away: an archive that opens from a folder with everything alive, and a PDF with still pictures."""

import re
import zipfile
from pathlib import PurePosixPath

import pypdf
import pytest

from tests import tiers
from tests.browser import book
from tests.browser.explorables import MOVED
from tools import archive, commands, paper


@pytest.fixture(scope="module")
def packed_book(book_html, tmp_path_factory):
    target = tmp_path_factory.mktemp("an archive") / "book.zip"
    archive.pack(book_html, target)
    return target


@pytest.fixture(scope="module")
def unpacked(packed_book, tmp_path_factory):
    """The folder that a reader has after unpacking the archive somewhere else."""
    folder = tmp_path_factory.mktemp("a reader's folder")
    with zipfile.ZipFile(packed_book) as packed:
        packed.extractall(folder)
    return folder / archive.FOLDER


def has_sliders(page):
    return any(figure.name in MOVED for figure in book.figures(page))


@pytest.mark.parametrize("page", list(filter(has_sliders, book.lively())))
def test_the_archive_is_alive(visit, unpacked, page):
    """From a file, without a server: each figure lives, a slider moves where one is shown; the console stays silent.

    Of the other pages test_pages.py asks the same, and the archive has them byte by byte.
    """
    view = visit((unpacked / page).as_uri(), home=unpacked.as_uri())
    assert len(view.locator('[data-ready="1"]').all()) == len(book.figures(page))

    # Both ways, since a slider may stand at its end.
    def moves(slider):
        before = slider.input_value()
        return any(slider.press(key) or slider.input_value() != before for key in ("ArrowRight", "ArrowLeft"))

    sliders = view.locator("[data-explorable] input[type=range]:visible").all()
    assert not sliders or any(map(moves, sliders))
    assert view.evaluate("violations") == []


def test_links_work_in_the_archive(visit, unpacked):
    view = visit((unpacked / "index.html").as_uri(), home=unpacked.as_uri())
    view.locator(".bd-article a[href*='03_masking']:visible").first.click()
    view.wait_for_selector('[data-explorable="Masking"][data-ready="1"]')


def test_the_archive_holds_the_book_and_is_the_same_each_time(book_html, packed_book, tmp_path):
    first, second = packed_book, tmp_path / "b.zip"
    archive.pack(book_html, second)
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as packed:
        names = packed.namelist()
        for page in book.pages():
            assert packed.read(f"{archive.FOLDER}/{page}") == (book_html / page).read_bytes()
    assert all(name.startswith(f"{archive.FOLDER}/") and ".." not in name for name in names)
    assert {f"{archive.FOLDER}/{page}" for page in book.pages()} <= set(names)
    assert names[1:] == list(map(str, sorted(map(PurePosixPath, names[1:]))))


def test_no_archive_of_a_book_that_is_not_built(tmp_path):
    with pytest.raises(FileNotFoundError, match="expected a built book"):
        archive.pack(tmp_path, tmp_path / "a.zip")


# ---------------------------------------------------------------- the PDF


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


PAGE = """<html><head><link rel="stylesheet" href="_static/a.css" /></head><body>
<article class="bd-article">{}</article></body></html>"""


LONG = (
    "A heading that says so much in such large letters that it has a second line on paper and a space between"
)


@pytest.fixture
def small(tmp_path):
    folder = tmp_path / "html"
    (folder / "_static").mkdir(parents=True)
    (folder / "_static" / "a.css").write_text("p { color: #222; } h1 { line-height: 1; }")
    pages = {
        "index": '<h1 id="a">Front</h1><p>see <a href="two.html#a">there</a></p>'
        '<p>and <a href="one.html#state=leak">a state</a></p>',
        "one": '<h1 id="a">One <em>&amp;</em> all</h1>' + "<p>long</p>" * 120 + f"<h2>{LONG}</h2>",
        "two": '<h1 id="a">Two</h1><a href="other.zip">a file</a><script>document.write("alive")</script>'
        "<details><summary>Answer</summary><p>forty-two</p></details><noscript>still picture</noscript>",
    }
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(PAGE.format(body), encoding="utf-8")
    return folder


SMALL = {"index.html": None, "one.html": None, "two.html": None}  # its contents


@pytest.fixture
def small_contents(monkeypatch):
    monkeypatch.setattr(paper, "contents", lambda: SMALL)


@tiers.SLOW
def test_the_pdf(small, tmp_path, monkeypatch, chromium):
    """Contents with the pages on which the chapters start, links, answers open, pictures in place of what is alive."""
    # A process can drive one browser at a time; this test prints in a process of its own.
    import subprocess
    import sys

    target = tmp_path / "out" / "book.pdf"
    code = (
        "import sys; from pathlib import Path; from tools import paper, pdf; "
        f"paper.contents = lambda: {SMALL}; pdf.make(*map(Path, sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, small, target, tmp_path / "work"]
    done = subprocess.run(command, cwd=book.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reader = pypdf.PdfReader(target)
    texts = [page.extract_text() for page in reader.pages]
    where = {
        name: next(i for i, text in enumerate(texts, 1) if name in text) for name in ("long", "forty-two")
    }
    assert where["long"] == 5  # behind the cover, the page after it, the contents and the front page
    assert where["forty-two"] > 6
    lines = re.sub(r"[ \n]+", " ", texts[2])
    assert re.search(rf"Contents .*One & all {where['long']} .*Two {where['forty-two']}\b", lines)
    last = texts[where["forty-two"] - 1]
    assert "still picture" in last
    assert "alive" not in last
    assert any(annotation.get_object()["/Subtype"] == "/Link" for annotation in reader.pages[3]["/Annots"])
    assert bookmarks(reader.outline) == ["Contents", "Front", "One & all", LONG, "Two"]


def bookmarks(outline):
    """All titles, in order."""
    return [
        title
        for entry in outline
        for title in (bookmarks(entry) if isinstance(entry, list) else [entry.title])
    ]


def test_a_state_of_a_figure_has_no_place_on_paper(small, small_contents):
    text = paper.document(small, "..")
    assert 'href="#p2-a"' in text
    assert re.search(r'<a href="#p1">a state', text)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert [link for link in re.findall(r'href="#([^"]+)"', text) if link not in ids] == []


def test_a_page_without_an_article_is_an_error(small, small_contents):
    (small / "two.html").write_text("<html><h1>Two</h1></html>")
    with pytest.raises(ValueError, match=r'expected <article class="bd-article"> in two\.html'):
        paper.document(small, "..")


def test_a_build_without_a_pdf_leaves_no_old_one(tmp_path, monkeypatch):
    """Pages link a PDF in the build that prints it, and only then; an older one could say what they no longer say."""
    asked = []
    monkeypatch.setattr(commands.progress, "build", lambda *_, env, **__: asked.append(env["ATTN_PDF"]) or 0)
    old = tmp_path / "_build" / "html" / commands.PDF
    old.parent.mkdir(parents=True)
    old.write_bytes(b"%PDF")
    assert commands.build(output=tmp_path, quiet=True) == 0
    assert not old.exists()
    assert commands.build(output=tmp_path, quiet=True, pdf=True) == 0
    assert asked == ["", commands.PDF]
