"""Recall cards: a question and an answer each, for the end of a chapter, for the page *Practice*, and for Anki.

The cards are in this folder, a file a chapter. Each names the rows of the claims ledger that show its answer; a test
holds it against them.
"""

import re
import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

KEYS = {"name", "asks", "answer", "claims"}


class Card(NamedTuple):
    """One fact or one reason: its name, question and answer; its chapter's digit and page; the rows that show it."""

    name: str
    asks: str
    answer: str
    chapter: str
    claims: tuple[str, ...]
    page: str = ""


@cache
def _files() -> dict[str, tuple[str, str, str]]:
    """Chapter -> the topic in its cards' names, the text of its file, and its page, which has the file's name."""
    folder = resources.files(__name__)
    found = {}
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if match := re.fullmatch(r"(\d\d)_(\w+)\.toml", path.name):
            found[str(int(match[1]))] = (
                match[2].replace("_", "-"),
                path.read_text(encoding="utf-8"),
                f"chapters/{match[1]}_{match[2]}.html",
            )
    return found


def chapters() -> list[str]:
    """Return the chapters that have cards, as their digits: ["0", "1", …]."""
    return list(_files())


def deck(chapter: str) -> list[Card]:
    """Return the cards of a chapter, in the file's order.

    Parameters
    ----------
    chapter : str
        Its digit, "3"; "" for all chapters.

    Returns
    -------
    list of Card
        Their names are like "card.masking.before".

    Raises
    ------
    ValueError
        If there are no cards of that chapter, or one of them lacks something or has something else; the message names
        it.
    """
    if chapter == "":
        return [card for each in chapters() for card in deck(each)]
    if chapter not in _files():
        raise ValueError(f"chapter must be one of {', '.join(chapters())}, or empty for all, got {chapter!r}")
    topic, text, page = _files()[chapter]
    rows = tomllib.loads(text)["card"]
    for place, row in enumerate(rows, 1):
        if set(row) != KEYS:
            raise ValueError(
                f"card {place} of chapter {chapter} must have {', '.join(sorted(KEYS))}, got {', '.join(sorted(row))}"
            )
    return [
        Card(f"card.{topic}.{row['name']}", row["asks"], row["answer"], chapter, tuple(row["claims"]), page)
        for row in rows
    ]


def _field(text: str) -> str:
    """A text as a field of Anki's: HTML, in one line, with `code` and *emphasis* as elements."""
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text).replace('"', "&quot;")


def anki() -> str:
    """Return all cards as a text that Anki imports: name, question, answer and tag, with tabs between them.

    Its first lines are Anki's file headers, which say how to read the rest. A card's name is Anki's GUID: a later
    file brings a card up to date and leaves what Anki knows of it. The notes go into the note type Basic.

    Returns
    -------
    str
        Lines that end in a newline.

    References
    ----------
    Anki's manual, "Text files", section "File headers".
    """
    lines = [
        "#separator:tab",
        "#html:true",
        "#notetype:Basic",
        "#deck:Attention by Hand",
        "#columns:Name\tFront\tBack\tTags",
        "#guid column:1",
        "#tags column:4",
    ]
    lines += [
        "\t".join(
            (card.name, _field(card.asks), _field(card.answer), f"attention-by-hand::chapter-{card.chapter}")
        )
        for card in deck("")
    ]
    return "".join(f"{line}\n" for line in lines)
