"""The printed book before it is printed: what stands where, from pages made for the test."""

import re

import pytest

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from attn.positional import sinusoidal_encoding
from bookext.openings import emblem
from tools import cover, paper

STATE = """<script type="application/json" data-abh>{"picture": "", "predict": {"question": "How `many`?",
"options": ["one", "*all* < two"]}}</script>"""
CHAPTER = f"""<section id="a"><h1>2 · Tame <em>it</em></h1><p>See (<a href="further/02_more.html">more</a>) and
<a href="further/02_more.html#deep">deep</a>, <a href="https://example.org/x">a site</a>.</p>
<div class="abh-slot" data-view="predict"><div class="abh-placeholder"><div class="abh-still"><p>How many?</p></div>
<noscript><details><summary>Answer</summary><p>Because they are all alike.</p></details></noscript></div>{STATE}</div>
<div class="cell"><details class="hide"><summary>Show</summary><pre>draw()</pre></details></div>
<div class="exercise admonition" id="ex"><p class="admonition-title">Exercise 7</p><p>Do it.</p>
<div class="output stream"><pre>not solved yet</pre></div></div>
<div class="solution admonition" id="sol"><p class="admonition-title">Solution to 7</p><p>It was done.</p></div>
<p>Answer in one sentence.</p>
<div class="dropdown tip admonition"><p class="admonition-title">One answer</p><p>Forty-two.</p></div>
<p>Last words.</p></section>"""
MORE = """<section id="a"><h1>More</h1><h2 id="deep">Deep</h2>
<p>Back to <a href="../02_it.html">chapter 2</a>.</p></section>"""
LEDGER = (
    '<section id="a"><h1>How we know</h1><p>The page: <a href="02_it.html#state=leak">it</a>.</p></section>'
)
NAMES = ["index", "chapters/02_it", "chapters/how_we_know", "chapters/further/02_more"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A book of a front page, a chapter with a further page, and a ledger that the menu has before that page."""
    bodies = ['<h1 id="a">Attention by Hand</h1>', CHAPTER, LEDGER, MORE]
    for name, body in zip(NAMES, bodies, strict=True):
        path = tmp_path / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<article class="bd-article">{body}</article>', encoding="utf-8")
    below = [None, None, None, f"{NAMES[1]}.html"]
    pages = {f"{name}.html": page for name, page in zip(NAMES, below, strict=True)}
    monkeypatch.setattr(paper, "contents", lambda: pages)
    return tmp_path


@pytest.fixture
def book(folder):
    return paper.soup_of(paper.document(folder, ".."))


def test_chapters_have_their_further_pages_and_the_ledger_comes_last(folder, book):
    found = [[path for path, _ in chapter.pages] for chapter in paper.chapters_of(folder)]
    assert found == [[f"{NAMES[0]}.html"], [f"{NAMES[1]}.html", f"{NAMES[3]}.html"], [f"{NAMES[2]}.html"]]
    assert [re.sub(r"\s+", " ", line.get_text()) for line in book.select("#contents-pages li")] == [
        "Start here000", "2 Tame it000", "More000", "How we know000"
    ]  # fmt: skip
    assert [heading.name for heading in book.select(".further :is(h1, h2, h3)")] == ["h2", "h3"]
    assert book.h1.get_text() == "Start here"  # not the book's name a second time
    assert "small" in book.select("article")[-1]["class"]


def test_answers_stand_at_the_end_with_a_way_there_and_back(book):
    chapter = book.select(".chapter")[1]
    text = chapter.get_text()
    end = text.index("Answers and solutions")
    assert text.index("Last words.") < text.index("Back to") < end
    for answer in ("Because they are all alike.", "It was done.", "Forty-two."):
        assert text.index(answer) > end
        assert text.count(answer) == 1
    ids = {node["id"] for node in chapter.select("[id]")}
    for pointer in chapter.select(".pointer a"):
        there = chapter.find(id=pointer["href"][1:])
        assert there.find_parent(class_="answers")
        back = there.select_one(".answer-title a")["href"][1:]
        assert back in ids
        assert pointer.find_parent(id=back) or pointer.find_parent(class_="pointer")["id"] == back
    assert [re.sub(r" on page.*", "", node.get_text()) for node in chapter.select(".pointer")] == [
        "Answer",
        "Solution",
        "One answer",
    ]
    assert len(ids) == len(chapter.select("[id]"))


def test_a_question_is_words_and_boxes(book):
    question = book.select_one(".question")
    assert question.p.decode_contents() == "How <code>many</code>?"
    assert [option.get_text() for option in question.select("li")] == ["one", "all < two"]
    assert not question.find_parent(class_="abh-slot").find(class_="abh-still")


STILL = """<article class="bd-article"><div class="abh-slot" data-view="masking"><div class="abh-placeholder">
<div class="abh-still" role="img"><p>How many?</p><ul><li>one</li></ul><div><div>
<svg viewBox="0 0 2 2"><clipPath id="s0-1"></clipPath><path clip-path="url(#s0-1)"/>
<image href="data:image/png;base64,AA=="/></svg></div></div></div></div>
<script data-abh>{"predict": {"question": "How many?", "options": ["one"]}}</script></div></article>"""


def test_a_picture_that_is_part_of_the_page_stays_whole():
    part = paper.soup_of(paper.article_of(STILL, "index.html", {"index.html": 4}))
    paper.asked(part)
    paper.kept_dry(part)
    assert part.get_text(" ", strip=True) == "How many? one"
    assert part.find("clippath")["id"] == "p4-s0-1"
    assert part.path["clip-path"] == "url(#p4-s0-1)"
    assert part.find("image")["href"].startswith("data:")
    assert part.select_one(".question").find_next_sibling()["class"] == ["abh-still"]


def test_what_is_for_hands_is_left_out(book):
    for words in ("draw()", "not solved yet", "Solution to 7", "<script"):
        assert words not in str(book)
    assert not book.select("div.cell")


TERM = """<article class="bd-article"><p>It takes three steps: <span class="abh-term-whole"><button type="button"
class="abh-term" popovertarget="what-term-score">score</button>,</span><span popover class="abh-meaning"
id="what-term-score"><strong>score</strong>: see <a href="a.html">there</a>.</span> weigh, mix.</p></article>"""


def test_a_term_that_opens_is_a_word_on_paper():
    part = paper.soup_of(paper.article_of(TERM, "index.html", {"index.html": 0, "a.html": 1}))
    paper.kept_dry(part)
    paper.referred(part, "p0")
    assert part.get_text().strip() == "It takes three steps: score, weigh, mix."
    assert not part.find("button")


def test_references_say_the_page(book):
    text = re.sub(r"\s+", " ", book.select(".chapter")[1].p.get_text())
    assert text == "See (more, p. 000) and deep (p. 000), a site (example.org/x)."
    places = [node["data-page"] for node in book.select(".chapter p .at [data-page]")]
    assert {"p3", "p3-deep", "p1"} <= set(places)
    ids = {node["id"] for node in book.select("[id]")}
    assert {node["data-page"] for node in book.select("[data-page]")} <= ids
    assert book.find("a", string="it")["href"] == "#p1"  # a state of a figure has no place on paper


def test_a_page_without_an_article_is_an_error(folder):
    (folder / f"{NAMES[1]}.html").write_text("<html><h1>It</h1></html>")
    with pytest.raises(ValueError, match=r'expected <article class="bd-article"> in chapters/02_it\.html'):
        paper.document(folder, "..")


def test_each_chapter_has_pages_of_its_kind(book):
    style = book.style.string
    for chapter in book.select(".chapter"):
        assert f'.chapter[data-chapter="{chapter["data-chapter"]}"] {{ page: chapter-' in style
    assert '@bottom-left { content: "2 · Tame it"; }' in style


def test_the_cover_draws_attention_under_a_causal_mask():
    n, drawing = 14, cover.DRAWING.read_text(encoding="utf-8")
    places = sinusoidal_encoding(n, 32)
    weights = scaled_dot_product_attention(2 * places, places, places, causal_mask(n))[1]
    sides = [float(side) for side in re.findall(r'width="([\d.]+)" height="[\d.]+" class="weight"', drawing)]
    areas = [weight for i, line in enumerate(weights) for weight in line[: i + 1]]
    assert drawing.count("url(#hatch)") == n * (n - 1) / 2
    assert sides == pytest.approx([16 * area**0.5 / max(areas) ** 0.5 for area in areas], abs=0.006)


def test_the_cover_has_the_mark():
    front = cover.front({"title": "A & B", "author": "Those", "copyright": "2026"})
    assert emblem(None) in front
    assert "A &amp; B" in front
