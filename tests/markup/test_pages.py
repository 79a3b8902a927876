"""The built pages are valid HTML, says the W3C's checker; what else it says is in exceptions.toml, with reasons."""

import fnmatch
import re
import tomllib
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests import tiers
from tools import markup

pytestmark = tiers.SLOW

EXCEPTIONS = tomllib.loads(Path(__file__).with_name("exceptions.toml").read_text(encoding="utf-8"))[
    "exception"
]
# A page with three mistakes: if the checker finds nothing in it, it does not look.
WRONG = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Wrong</title></head><body>
<p id="a">one</p><p id="a">two</p><details><summary><p>three</p></summary></details><section><p>four</p></section>
</body></html>
"""


def path_of(address):
    """The path of a file's address, which Java and Python write with one stroke and with three."""
    return unquote(address).removeprefix("file:").lstrip("/")


@pytest.fixture(scope="module")
def said(book_html, tmp_path_factory):
    """What the checker says, a list of messages for each page, asked once for all; and of a page that is wrong."""
    wrong = tmp_path_factory.mktemp("pages") / "wrong.html"
    wrong.write_text(WRONG, encoding="utf-8")
    pages = {path.relative_to(book_html).as_posix(): path for path in sorted(book_html.rglob("*.html"))}
    # In _static lie templates of the theme, which nobody opens.
    pages = {name: path for name, path in pages.items() if not name.startswith("_static/")}
    if not tiers.ALL:  # of the pages that hold one figure each, and are made alike, a few
        alike = sorted(name for name in pages if name.startswith("explore/"))
        pages = {name: path for name, path in pages.items() if name not in alike or name in alike[::8]}
    pages |= {"wrong": wrong}
    try:
        messages = markup.messages(pages.values())
    except markup.CheckerMissing as error:
        pytest.skip(str(error))
    found = {name: [] for name in pages}
    names = {path_of(path.resolve().as_uri()): name for name, path in pages.items()}
    for message in messages:
        # Infos are about taste; where an id stands first is said once more for its second place.
        told = message["type"] != "info" or message.get("subType") == "warning"
        if told and not message["message"].startswith("The first occurrence of ID"):
            found[names[path_of(message["url"])]].append(message)
    return found


def excused(page, message):
    """The numbers of the exceptions that a message falls under."""
    return [
        number
        for number, row in enumerate(EXCEPTIONS)
        if fnmatch.fnmatch(page, row["pages"]) and re.match(row["says"], message["message"])
    ]


def test_the_checker_finds_what_is_wrong(said):
    text = "\n".join(message["message"] for message in said["wrong"])
    assert "Duplicate ID “a”" in text
    assert "Element “p” not allowed as child of element “summary”" in text
    assert "Section lacks heading" in text


def test_pages_are_valid(said):
    found = [
        f"{page}, line {message.get('lastLine')}: {message['message']} {message.get('extract', '')!r}"
        for page, messages in said.items()
        if page != "wrong"
        for message in messages
        if not excused(page, message)
    ]
    assert found == []


@pytest.mark.parametrize("number", range(len(EXCEPTIONS)), ids=lambda number: EXCEPTIONS[number]["says"][:40])
def test_an_exception_is_needed_and_no_wider_than_it_says(said, number):
    counts = Counter(
        page
        for page, messages in said.items()
        if page != "wrong"
        for message in messages
        if number in excused(page, message)
    )
    assert counts, "the checker says this no more: take the row out"
    assert {page: count for page, count in counts.items() if count > EXCEPTIONS[number]["at_most"]} == {}


def test_each_exception_has_a_reason():
    for row in EXCEPTIONS:
        assert set(row) == {"says", "pages", "at_most", "why"}
        assert len(row["why"].split()) > 4
