"""The built pages as one printed book, in HTML: what stands where on paper.

A *chapter* here is what begins on a new page: a page of `_toc.yml` with the pages below it, which follow it as its
sections. Answers and solutions leave their places and stand at the chapter's end, each with a page number that leads
there, and one that leads back. Page numbers stand in `<span data-page="ID">`; `tools/pdf.py` fills them in.
"""

import html
import json
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import yaml
from bs4 import BeautifulSoup

from bookext.explorables import rich
from tools import cover
from tools.environment import ROOT

STYLE = Path(__file__).parent / "pdf.css"
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
ARTICLE = re.compile(r'<article class="bd-article">(.*?)</article>', re.DOTALL)
TITLE = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
NUMBERED = re.compile(r"(\d+) · (.*)", re.DOTALL)
#: The preface follows the front page without a new page; these come last, in small type and two columns.
JOINED = {"chapters/preface.html": "index.html"}
SMALL = ("chapters/bibliography.html", "chapters/teaching/index.html", "chapters/how_we_know.html")
#: What only a reader with a mouse needs: code that draws, what a checker says before anything is solved.
FOR_HANDS = (
    "script, style, a.headerlink, button, .toctree-wrapper, details.hide, .exercise .output.stream, "
    ".abh-meaning, .dropdown-download-buttons"
)
ANSWERS = "div.solution, div.dropdown.tip, noscript > details"


@dataclass
class Chapter:
    """What begins on a new page."""

    pages: list = field(
        default_factory=list
    )  # of (path, title as HTML): the chapter's own, then those below it

    @property
    def path(self):
        return self.pages[0][0]

    @property
    def title(self):
        return self.pages[0][1]


def contents():
    """The pages of `_toc.yml` in its order, as (path, the path of the page that it stands below or None)."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    pages = {f"{toc['root']}.html": None}
    for entry in (entry for part in toc["parts"] for entry in part["chapters"]):
        pages[f"{entry['file']}.html"] = None
        pages |= {f"{section['file']}.html": f"{entry['file']}.html" for section in entry.get("sections", [])}
    return pages | JOINED


def pages_of(folder):
    """The book's pages in order: a list of (path, title as HTML)."""
    pages = [(path, TITLE.search((folder / path).read_text(encoding="utf-8"))) for path in contents()]
    if missing := [path for path, title in pages if not title]:
        raise ValueError(f"expected <h1> in {missing[0]}; found none")
    titles = {
        path: re.sub(r"<a\b.*?</a>|<[^<>]*>", "", title[1], flags=re.DOTALL).strip() for path, title in pages
    }
    return list((titles | {"index.html": "Start here"}).items())


def chapters_of(folder):
    """The book's chapters in the order of the printed book, those in small type last."""
    above, found = contents(), {}
    for path, title in pages_of(folder):
        found.setdefault(above[path] or path, Chapter()).pages.append((path, title))
    return sorted(
        found.values(), key=lambda chapter: SMALL.index(chapter.path) + 1 if chapter.path in SMALL else 0
    )


def numbers_of(folder):
    """For each page the number that its ids have in front."""
    return {path: number for number, (path, _) in enumerate(pages_of(folder))}


# ---------------------------------------------------------------- one page


def article_of(text, path, numbers):
    """The article of a page, made a part of one document.

    Ids get the page's number in front, and links to other pages lead to their part.
    """
    found = ARTICLE.search(text)
    if not found:
        raise ValueError(f'expected <article class="bd-article"> in {path}; found none')
    here = f"p{numbers[path]}"
    folder = posixpath.dirname(path)
    seen = set()

    def target(link):
        if re.match(r"(?:https?|mailto):", link):
            return link
        file, _, place = link.partition("#")
        file = file.partition("?")[0]
        file = posixpath.normpath(posixpath.join(folder, unquote(file))) if file else path
        if file not in numbers:
            return None  # a file that the document does not hold
        # On paper a figure has one state, and stands where its page is.
        if not place or place.startswith(("state=", "figure-")):
            return f"#p{numbers[file]}"
        return f"#p{numbers[file]}-{place}"

    def attribute(match):
        name, value = match[1], match[2]
        if value.startswith("data:"):
            return match[0]
        if name == "id":
            if value in seen:  # exercises have parts that are all named the same
                return ""
            seen.add(value)
            return f' id="{here}-{value}"'
        if name == "href":
            new = target(html.unescape(value))
            return f' href="{html.escape(new)}"' if new else ""
        if "url(#" in value:  # parts of a picture name each other so
            return match[0].replace("url(#", f"url(#{here}-")
        return "" if name in ("loading", "decoding", "title") else match[0]

    body = TAG.sub(lambda tag: re.sub(r'\s([\w:-]+)="([^"]*)"', attribute, tag[0]), found[1])
    body = re.sub(r"<details\b", "<details open", body)
    return f'<section class="part" id="{here}">{body}</section>'


def soup_of(markup):
    return BeautifulSoup(markup, "html.parser")


def lowered(part):
    """Make each heading of a part one level lower: the part stands inside a chapter."""
    for heading in part.find_all(re.compile("^h[1-5]$")):
        heading.name = f"h{int(heading.name[1]) + 1}"


def asked(part):
    """Questions in words, with boxes to tick: those that stand above a still picture, or that are all of it."""
    for slot in part.select(".abh-slot"):
        state = slot.find("script", attrs={"data-abh": True})
        state = json.loads(state.string) if state and state.string else {}
        predict = state.get("predict") or {}
        slot["data-question"] = predict.get("question", "")
        if not predict:
            continue
        options = "".join(f"<li>{rich(option)}</li>" for option in predict.get("options", []))
        answers = f"<ul>{options}</ul>" if options else '<p class="blank"></p>'
        question = soup_of(f'<div class="question"><p>{rich(predict["question"])}</p>{answers}</div>')
        if still := slot.find(class_="abh-still"):
            still.insert_before(question)
            for above in still.find_all(["p", "ul"], recursive=False):
                above.decompose()
            if not still.find("svg"):
                still.decompose()


def kept_dry(part):
    """Leave out what is for hands alone, and cells that are empty then. A term that opens stays as a word."""
    for word in part.select("button.abh-term"):
        word.unwrap()
    for node in part.select(FOR_HANDS):
        node.decompose()
    for cell in part.select("div.cell, div.cell_output, div.output"):
        if not cell.decomposed and not cell.get_text(strip=True) and not cell.find(["svg", "math"]):
            cell.decompose()


# ---------------------------------------------------------------- references


def page_number(place):
    return f'<span data-page="{place}">000</span>'


def referred(part, here):
    """Behind a link to another page of the book: on which page that is. An address that is not seen is written out."""
    said = set()
    for link in part.select("a[href]"):
        href = link["href"]
        if not href.startswith("#"):
            address = re.sub(r"^(?:https?://|mailto:)", "", href).rstrip("/")
            if address not in re.sub(r"^https?://", "", link.get_text()).replace("\u200b", ""):
                link.insert_after(soup_of(f' <span class="at">({html.escape(address)})</span>'))
            continue
        place, block = href[1:], link.find_parent(["p", "li", "td", "h1", "h2", "h3"])
        if place.split("-")[0] == here or link.find_parent(class_=["bibtex-citation", "citation"]):
            continue
        if (id(block), place) in said:
            continue
        said.add((id(block), place))
        before = "".join(piece.get_text() for piece in reversed(list(link.previous_siblings)))
        inside = before.count("(") > before.count(")")
        number = f'<a href="#{place}">{page_number(place)}</a>'
        words = f", p. {number}" if inside else f" (p. {number})"
        link.insert_after(soup_of(f'<span class="at">{words}</span>'))


def gathered(chapter, number):
    """Move all answers and solutions of a chapter to its end, with a way there and a way back. Returns that end."""
    answers = []
    for count, answer in enumerate(chapter.select(ANSWERS)):
        place = answer.get("id") or f"answer-{number}-{count}"
        back = f"asked-{number}-{count}"
        if "solution" in answer.get("class", []):
            exercise = answer.find_previous(class_="exercise")
            title = exercise.find(class_="admonition-title")
            back = exercise.get("id") or back
            name, pointer, home = title.decode_contents(), "Solution", exercise
        elif answer.name == "details":
            slot = answer.find_parent(class_="abh-slot")
            name, pointer, home = rich(slot["data-question"]), "Answer", slot
        else:
            question = answer.find_previous_sibling("p")
            name, pointer, home = question.decode_contents(), "One answer", None
        pointer = f'{pointer} on page <a href="#{place}">{page_number(place)}</a>'
        pointer = soup_of(f'<p class="pointer">{pointer}</p>')
        if home is None:
            pointer.p["id"] = back
            answer.insert_before(pointer)
        else:
            home["id"] = back
            home.append(pointer)
        noscript = answer.parent if answer.parent.name == "noscript" else None
        answer.extract()
        if noscript:
            noscript.decompose()
        for title in answer.select(":scope > .admonition-title, :scope > summary"):
            title.decompose()
        asked_at = f'<span class="at">(p. <a href="#{back}">{page_number(back)}</a>)</span>'
        head = f'<p class="answer-title">{name} {asked_at}</p>'
        answers.append(f'<div class="answer" id="{place}">{head}{answer.decode_contents()}</div>')
    if not answers:
        return None
    title = f'<h2 id="answers-{number}">Answers and solutions</h2>'
    return soup_of(f'<section class="answers">{title}{"".join(answers)}</section>')


# ---------------------------------------------------------------- the book


def chapter_of(chapter, texts, numbers, title):
    """A chapter in HTML: its page, the pages below it, the answers."""
    number = numbers[chapter.path]
    parts = []
    for path, _ in chapter.pages:
        part = soup_of(article_of(texts[path], path, numbers))
        asked(part)
        kept_dry(part)
        referred(part, f"p{numbers[path]}")
        if path != chapter.path:
            lowered(part)
            part.section["class"] = ["part", "further"]
        parts.append(part)
    first = parts[0].find("h1")
    if first and first.get_text().strip() == title:  # the front page is called like the book
        first.string = chapter.title
    if first and (found := NUMBERED.fullmatch(first.decode_contents().strip())):
        first.clear()
        first.append(soup_of(f'<span class="number">{found[1]}<span class="dot"> · </span></span>{found[2]}'))
    whole = soup_of(f'<article class="bd-article chapter" data-chapter="{number}"></article>')
    article = whole.article
    if chapter.path in SMALL:
        article["class"].append("small")
    for part in parts:
        article.append(part)
    if chapter.path not in SMALL and (end := gathered(whole, number)):  # a teacher wants answers at hand
        article.append(end)
    return str(whole)


def head_of(chapter):
    """The words that run along the foot of a chapter's pages."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^<>]*>", "", chapter.title))).strip()


def contents_of(chapters, numbers):
    """The table of contents."""
    lines = []
    for chapter in chapters:
        for path, title in chapter.pages[: 1 if chapter.path in SMALL else None]:
            number = NUMBERED.fullmatch(title)
            label = f'<span class="number">{number[1]}</span> {number[2]}' if number else title
            kind = "" if path == chapter.path else ' class="below"'
            place = f"p{numbers[path]}"
            lines.append(
                f'<li{kind}><a href="#{place}">{label}</a><span class="dots"></span>'
                f'<a href="#{place}" class="page">{page_number(place)}</a></li>\n'
            )
    return "".join(lines)


def quoted(text):
    """A text as CSS writes it."""
    return json.dumps(text, ensure_ascii=False)


def feet(chapters, numbers, title):
    """Style sheet: each chapter has pages of its own kind, with its title at the foot of the right ones."""
    rules = []
    for chapter in chapters:
        kind = f"chapter-{numbers[chapter.path]}"
        rules.append(
            f""".chapter[data-chapter="{numbers[chapter.path]}"] {{ page: {kind}; }}
@page {kind}:left {{ @bottom-left {{ content: counter(page); }} @bottom-right {{ content: {quoted(title)}; }} }}
@page {kind}:right {{ @bottom-left {{ content: {quoted(head_of(chapter))}; }} }}
@page {kind}:right {{ @bottom-right {{ content: counter(page); }} }}"""
        )
    return "\n".join(rules)


def document(folder, up, only=None):
    """The text of the one document, with 000 for each page number; `only` names chapters, if not all are wanted."""
    about = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    chapters, numbers = chapters_of(folder), numbers_of(folder)
    chapters = [chapter for chapter in chapters if not only or chapter.path in only]
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in numbers}
    sheets = dict.fromkeys(
        re.findall(r'<link rel="stylesheet" href="(?:\.\./)*(_static/[^"]+)"', "".join(texts.values()))
    )
    name = about["title"]
    bodies = "\n".join(chapter_of(chapter, texts, numbers, name) for chapter in chapters)
    links = "\n".join(f'<link rel="stylesheet" href="{up}/{sheet}" />' for sheet in sheets)
    title = html.escape(name)
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8" />
<title>{title}</title>
<meta name="author" content="{html.escape(about["author"])}" />
{links}
<style>{STYLE.read_text(encoding="utf-8")}
{feet(chapters, numbers, name)}</style>
</head>
<body>
{cover.front(about)}
<nav id="contents-pages">
<h2 id="contents">Contents</h2>
<ol>
{contents_of(chapters, numbers)}</ol>
</nav>
{bodies}
</body>
</html>
"""
