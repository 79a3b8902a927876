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


def path_of(address):
    """The path of a file's address, which Java and Python write with one stroke and with three."""
    return unquote(address).removeprefix("file:").lstrip("/")


@pytest.fixture(scope="module")
def said(book_html):
    """What the checker says, a list of messages for each page, asked once for all."""
    pages = {path.relative_to(book_html).as_posix(): path for path in sorted(book_html.rglob("*.html"))}
    # In _static lie templates of the theme, which nobody opens.
    pages = {name: path for name, path in pages.items() if not name.startswith("_static/")}
    if not tiers.ALL:  # of the pages that hold one figure each, and are made alike, a few
        alike = sorted(name for name in pages if name.startswith("explore/"))
        pages = {name: path for name, path in pages.items() if name not in alike or name in alike[::8]}
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


def test_pages_are_valid(said):
    found = [
        f"{page}, line {message.get('lastLine')}: {message['message']} {message.get('extract', '')!r}"
        for page, messages in said.items()
        for message in messages
        if not excused(page, message)
    ]
    assert found == []


@pytest.mark.parametrize("number", range(len(EXCEPTIONS)), ids=lambda number: EXCEPTIONS[number]["says"][:40])
def test_an_exception_is_needed_and_no_wider_than_it_says(said, number):
    counts = Counter(
        page for page, messages in said.items() for message in messages if number in excused(page, message)
    )
    assert counts, "the checker says this no more: take the row out"
    assert {page: count for page, count in counts.items() if count > EXCEPTIONS[number]["at_most"]} == {}
