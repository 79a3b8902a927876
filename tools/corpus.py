"""Freeze the book's own prose as a list of words, attn/data/book.txt: the corpus that chapter 7 reads.

What counts as prose: the sentences of the front page and of the chapters (ledger/prose.py), without code, mathematics,
addresses and citations. Words are letters and apostrophes, in lower case.
"""

import re
import textwrap

from ledger import prose

TARGET = prose.ROOT / "attn" / "data" / "book.txt"
PAGE = re.compile(r"index|chapters/(?:further/)?\d\d_\w+")
CELL = re.compile(r"^```\{code-cell\}.*?^```", re.MULTILINE | re.DOTALL)
NO_WORDS = re.compile(rf"\{{\w+(?::\w+)?\}}`[^`]*`|{prose.SILENT.pattern}|https?://\S+|<[^>]+>")


def words_of(page):
    """The words of a page, in order."""
    texts = ["".join(cell["source"]) for cell in prose.cells(page) if cell["cell_type"] == "markdown"]
    said = " ".join(one.text for text in texts for one in prose.of_markdown(CELL.sub("", text)))
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", NO_WORDS.sub(" ", said).lower().replace("’", "'"))
    return [word for word in words if word.isascii() and (len(word) > 1 or word in ("a", "i"))]


def text():
    """The front page, the chapters, their further pages: one paragraph a page, in lines of at most 110 characters."""
    pages = sorted(
        filter(PAGE.fullmatch, prose.pages()), key=lambda page: (page != "index", "/further/" in page)
    )
    return "\n\n".join(textwrap.fill(" ".join(words_of(page)), 110) for page in pages) + "\n"


def main():
    new = text()
    TARGET.write_text(new, encoding="utf-8", newline="\n")
    print(f"{len(new.split())} words in {TARGET.relative_to(prose.ROOT)}")
    print("Now run `make notebooks`: chapter 7 counts these words.")


if __name__ == "__main__":
    main()
