"""What the built book holds: its pages, and the explorables on each, found from what the pages embed."""

import itertools
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import attn.explore
from attn.explore._small import Small

ROOT = Path(__file__).resolve().parents[2]
CLASSES = {
    kind.view: kind
    for name in attn.explore.__all__
    if (kind := getattr(attn.explore, name)) is not attn.explore.Explorable
}


MARKS = re.compile(r"(`[^`]+`|\*[^*]+\*|(?<!\w)[dW]_(?:model|[a-zA-Z])(?!\w))")


def as_shown(text):
    """A text as the page shows it: without its marks, d_k's index beside its letter, quotation marks as in print."""
    quotes = itertools.cycle("“”")

    def typeset(piece):
        return re.sub('"', lambda _: next(quotes), piece).replace("'", "’")

    def part(piece):
        return piece[1:-1] if piece.startswith("`") else typeset(piece.strip("*").replace("_", ""))

    return "".join(
        part(piece) if place % 2 else typeset(piece) for place, piece in enumerate(MARKS.split(text))
    )


@dataclass(frozen=True)
class Figure:
    """One explorable on one page: the class, and the state that the page embeds for it."""

    index: int
    kind: type
    state: dict

    @property
    def name(self):
        return self.kind.__name__

    def __str__(self):
        return f"figure {self.index} ({self.name})"

    @property
    def speaks_of_nan(self):
        """Whether its own words may: a card's, or a bug report's that its question quotes."""
        return self.name == "Cards" or "NaN" in str(self.state["predict"])

    def nonsense(self, root):
        """NaN and its kin anywhere in its element."""
        return [] if self.speaks_of_nan else root.evaluate("root => probe.nonsense(root)")

    def widget(self, **changes):
        """The Python explorable in the embedded state, with some traits changed."""
        state = {key: value for key, value in self.state.items() if key not in ("alt", "lecture", "rules")}
        return self.kind(**{**state, **changes})

    def after(self, inputs):
        """The Python explorable in the state that the inputs show: `inputs` maps their names to values."""
        state = json.loads(json.dumps(self.state))
        for name, value in inputs.items():
            trait, *path = name.split(".")
            if not path:
                state[trait] = value
                continue
            inner = state[trait]
            for step in path[:-1]:
                inner = inner[int(step)]
            inner[int(path[-1])] = value
        return Figure(self.index, self.kind, state).widget()


def folder():
    named = os.environ.get("ATTN_BOOK_HTML")
    return Path(named) if named else ROOT / "_build" / "html"


@cache
def pages():
    """Paths of all pages, the made ones (index of terms, search) too."""
    found = sorted(path.relative_to(folder()).as_posix() for path in folder().rglob("*.html"))
    return [path for path in found if not path.startswith(("_", "explore/"))]


@cache
def explore_pages():
    """Paths of the pages that hold one figure each."""
    return sorted(path.relative_to(folder()).as_posix() for path in (folder() / "explore").glob("*.html"))


@cache
def figures(page):
    """The explorables of a page, in order."""
    text = (folder() / page).read_text(encoding="utf-8")
    slots = re.findall(
        r'<div class="abh-slot" data-view="(\w+)".*?<script[^>]*\bdata-abh>(.*?)</script>', text, re.DOTALL
    )
    return [Figure(index, CLASSES[view], json.loads(traits)) for index, (view, traits) in enumerate(slots)]


def is_notebook(page):
    """Whether a page is made from a notebook; others are from Markdown."""
    return (ROOT / page).with_suffix(".ipynb").exists()


def lively():
    """The pages with explorables."""
    return [page for page in pages() if figures(page)]


def chosen(page, which):
    """Of a page's explorables the "main" ones, of each kind but small ones the last, a laboratory; or the "others"."""
    main = {figure.name: figure.index for figure in figures(page) if not issubclass(figure.kind, Small)}
    return [figure for figure in figures(page) if (figure.index in main.values()) == (which == "main")]


def parted():
    """Pairs of a page and which of its explorables are asked, the main ones or the others."""
    return [(page, which) for page in lively() for which in ("main", "others") if chosen(page, which)]
