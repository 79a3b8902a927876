"""Freeze the book's own prose as a list of words, attn/data/book.txt: the corpus that chapter 7 reads.

What counts as prose: the Markdown of the front page and of the chapters, without code, mathematics, tables'
rules, links' addresses, citations, directives and their options. Words are letters and apostrophes, in lower case.
"""

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "attn" / "data" / "book.txt"

NOT_PROSE = [
    r"\A---\n.*?\n---\n",  # a page's settings
    r"^:[\w-]+:.*$",
    r"\$\$.*?\$\$",
    r"\$[^$\n]+\$",
    r"\{\w+(?::\w+)?\}`[^`]*`",
    r"`[^`]*`",
    r"(?<=\])\([^)]*\)",
    r"https?://\S+",
    r"<!--.*?-->",
    r"<[^>\n]+>",
]


def without_code(markdown):
    """The page without its blocks of code. What a directive such as an exercise holds is prose; its fence is not."""
    open_fences, kept = [], []
    for line in markdown.splitlines():
        fence, info = re.match(r"\s*(`{3,})?(.*)", line).groups()
        if not fence:
            if "code" not in open_fences:
                kept.append(line)
        elif info.strip() == "" and open_fences:
            open_fences.pop()
        else:
            directive = info.startswith("{") and not info.startswith("{code")
            open_fences.append("directive" if directive else "code")
    return "\n".join(kept)


def prose(markdown):
    """The words of a page, in order."""
    markdown = without_code(markdown)
    for pattern in NOT_PROSE:
        markdown = re.sub(pattern, " ", markdown, flags=re.M | re.S if ".*?" in pattern else re.M)
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", markdown.lower().replace("’", "'"))
    return [word for word in words if word.isascii() and (len(word) > 1 or word in ("a", "i"))]


def pages(root=ROOT):
    """The Markdown of the front page, of each chapter, and of the further pages."""
    yield (root / "index.md").read_text(encoding="utf-8")
    folder = root / "chapters"
    for path in [*sorted(folder.glob("*.ipynb")), *sorted((folder / "further").glob("*.ipynb"))]:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
        yield "\n\n".join("".join(cell["source"]) for cell in cells)


def text_of(markdowns):
    """One paragraph a page, in lines of at most 110 characters."""
    return "\n\n".join(textwrap.fill(" ".join(prose(page)), 110) for page in markdowns) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="corpus", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; tell whether the prose has changed"
    )
    check = parser.parse_args(arguments).check
    text = text_of(pages())
    same = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
    if check:
        print(
            "The corpus is today's prose." if same else "The prose has changed since the corpus was frozen."
        )
        return 0
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(text.split())} words in {TARGET.relative_to(ROOT)}" + (", unchanged" if same else ""))
    if not same:
        print("Now run `make notebooks`: chapter 7 counts these words.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
