"""`python -m attn.practice.worksheets`: the exercises by hand on paper, and their keys; in the book, `make worksheet`.

What a page asks is printed as a sheet, with other numbers for each seed, and as its key, which has the answers, and for
each known mistake what it gives and the hint. A page is HTML of one file, black on white, without scripts.
"""

import argparse
import html
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from attn._numbers import number
from attn.practice.by_hand import EXERCISES
from attn.practice.exercise import Aid, Exercise, Given, Known, Step, short
from attn.practice.mistakes import worked

#: The exercises of each chapter, by its number, in the book's order.
CHAPTERS: dict[str, list[type[Exercise]]] = {
    chapter: [kind for kind in EXERCISES.values() if kind.chapter == chapter]
    for chapter in sorted({kind.chapter for kind in EXERCISES.values()}, key=int)
}
FOLDER = Path("worksheets")
NOTE = "Two decimals are enough. A difference of a few hundredths is rounding."
STYLE = """
@page { margin: 16mm 14mm; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: #fff; color: #000;
  font: 11pt/1.4 "Charter", "Georgia", serif; }
article + article { break-before: page; margin-top: 3rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 2rem;
  border-bottom: 1.5pt solid #000; }
h1 { font-size: 14pt; margin: 0; }
h2 { font-size: 11pt; margin: 1.1em 0 .2em; }
p { margin: .35em 0; }
ol { margin: .8em 0 0; padding-left: 1.4em; }
li { break-inside: avoid; }
ol > li { margin-bottom: .5em; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: 0 1.6rem; overflow-x: auto; }
table { border-collapse: collapse; margin: .4em 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 700; }
th, td { border: .5pt solid #000; padding: .15em .55em; text-align: center; min-width: 2.6em; height: 1.6em; }
th { font-weight: normal; }
tbody th { text-align: left; }
code { font: .95em ui-monospace, "DejaVu Sans Mono", monospace; }
.name { display: inline-block; min-width: 14em; height: 1.3em; border-bottom: .75pt solid #000; margin: 0 .3em; }
ul { margin: 0; padding-left: 1.2em; font-size: .9em; list-style: disc; }
b { font-weight: 700; }
"""


def show(value: float) -> str:
    """A number as the book writes it, without the dust that computing leaves: 2.0000000004 is 2."""
    return number(round(float(value), 9))


def slips(step: Step, known: Known) -> Iterator[tuple[str, str]]:
    """What each known mistake of a step gives, as text, and its hint. No two give the same, and none what is right."""
    for hint, wrong in step.mistakes.items():
        yield ", ".join(map(show, worked(wrong, known).ravel())), hint


def cells(
    matrix: Given | Step, values: np.ndarray | None, mark: str = "{}"
) -> tuple[list[str], list[list[str]]]:
    """The head of a table, [] where its columns have no names, and its rows, each with its name; None for blanks."""
    named = any(matrix.rows)
    write = short if isinstance(matrix, Given) else show  # what is given is given exactly
    head = [*([""] if named else []), *matrix.cols] if any(matrix.cols) else []
    rows = []
    for i, name in enumerate(matrix.rows):
        texts = ["" if values is None else mark.format(write(values[i, j])) for j in range(len(matrix.cols))]
        rows.append([name, *texts] if named else texts)
    return head, rows


def aid_cells(aid: Aid) -> tuple[list[str], list[list[str]]]:
    """The same of numbers to look up."""
    rows = [[name, *(show(values[i]) for _, values in aid.entries)] for i, name in enumerate(aid.names)]
    return [aid.title, *(of for of, _ in aid.entries)], rows


def inline(text: str) -> str:
    """A sentence as HTML: code in backticks, names of numbers in italics."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", text).replace("d_k", "d<sub>k</sub>")


def table(label: str, head: list[str], rows: list[list[str]], named: bool) -> str:
    """A table as HTML; the first cell of a row is its name if there are names."""

    def of(row: list[str], kind: str) -> str:
        first = [f'<th scope="row">{inline(row[0])}</th>'] if named and kind == "td" else []
        rest = (
            f"<{kind}>{text if text.startswith('<b>') else inline(text)}</{kind}>"
            for text in row[len(first) :]
        )
        return f"<tr>{''.join([*first, *rest])}</tr>"

    top = f"<thead>{of(head, 'th')}</thead>" if head else ""
    caption = f"<caption>{inline(label)}</caption>" if label else ""
    return f"<table>{caption}{top}<tbody>{''.join(of(row, 'td') for row in rows)}</tbody></table>"


def exercise_html(kind: type[Exercise], seed: int, key: bool) -> str:
    """One exercise, or its key."""
    known = kind.known(seed)
    givens = "".join(table(g.label, *cells(g, known[g.name]), any(g.rows)) for g in kind.givens)
    parts = [f"<h2>{inline(kind.title)}</h2><p>{inline(kind.task)}</p>", f'<div class="row">{givens}</div>']
    if kind.aid:
        parts.append(f'<div class="row">{table("", *aid_cells(kind.aid), True)}</div>')
        parts.append(f"<p>{inline(kind.aid.note)}</p>" if kind.aid.note else "")
    parts.append("<ol>")
    for step in kind.steps:
        answers = cells(step, known[step.name] if key else None, "<b>{}</b>")
        parts.append(
            f'<li>{inline(step.says)}<div class="row">{table(step.label, *answers, any(step.rows))}</div>'
        )
        if key:
            items = "".join(f"<li>{found}: {html.escape(hint)}</li>" for found, hint in slips(step, known))
            parts.append(f"If you got<ul>{items}</ul>")
        parts.append("</li>")
    return f"<section>{''.join(parts)}</ol></section>"


def page(chapter: str, seeds: Sequence[int], key: bool = False) -> str:
    """The sheets of a chapter, each on paper of its own, or their keys, as a whole page of HTML."""
    articles = []
    for seed in seeds:
        right = f"Key to seed {seed}" if key else f'Seed {seed} · Name <span class="name"></span>'
        asked = "".join(exercise_html(kind, seed, key) for kind in exercises(chapter))
        articles.append(
            f"<article><header><h1>Chapter {chapter}, by hand</h1><p>{right}</p></header><p>{NOTE}</p>{asked}</article>"
        )
    title = f"{'Key' if key else 'By hand'} · chapter {chapter} · Attention by Hand"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{''.join(articles)}</main></body></html>\n"
    )


def exercises(chapter: str) -> list[type[Exercise]]:
    """The exercises of a chapter ("0" … "9")."""
    if chapter not in CHAPTERS:
        raise ValueError(f"there is no chapter {chapter!r}: it is one of {', '.join(CHAPTERS)}")
    return CHAPTERS[chapter]


def write(chapter: str, seeds: Sequence[int], folder: Path) -> list[Path]:
    """Write the worksheets of a chapter for some seeds, and their keys; return the two paths."""
    named = f"seed-{seeds[0]}" if len(seeds) == 1 else f"seeds-{seeds[0]}-{seeds[-1]}"
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for key in (False, True):
        path = folder / f"chapter-{chapter}-{named}{'-key' * key}.html"
        path.write_text(page(chapter, seeds, key), encoding="utf-8")
        paths.append(path)
    return paths


def count(text: str) -> int:
    """A seed, or how many: a whole number, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 or more, not {text!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the arguments ask for, and say where."""
    parser = argparse.ArgumentParser(prog="worksheet", description=__doc__)
    parser.add_argument("--seed", type=count, default=1, help="which numbers are drawn (1)")
    parser.add_argument("--chapter", choices=CHAPTERS, help="this chapter alone")
    parser.add_argument("--count", type=count, default=1, help="so many sheets, of seed, seed + 1, …")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to (worksheets)")
    options = parser.parse_args(arguments)
    if not 1 <= options.count <= 1000:
        parser.error(f"--count must be between 1 and 1000, not {options.count}")
    seeds = range(options.seed, options.seed + options.count)
    for chapter in [options.chapter] if options.chapter else CHAPTERS:
        for path in write(chapter, seeds, options.folder):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
