"""Worksheets as pages to print: HTML of one file, black on white, without scripts; or as Markdown."""

import html
import re
from collections.abc import Iterable, Iterator

from attn.practice.worksheets.sheet import Ask, Blank, Cell, Problem, Sheet, Table, show

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
section { break-inside: avoid; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .4em 0; font-variant-numeric: tabular-nums; }
th, td { border: .5pt solid #000; padding: .15em .55em; text-align: center; min-width: 2.6em; height: 1.6em; }
tbody th { text-align: left; font-weight: normal; }
code { font: .95em ui-monospace, "DejaVu Sans Mono", monospace; }
.box { display: inline-block; min-width: 4em; height: 1.3em; border-bottom: .75pt solid #000; margin: 0 .3em; }
.wide { min-width: 14em; }
ul { margin: 0; padding-left: 1.2em; font-size: .9em; }
b { font-weight: 700; }
"""
NOTE = "Two decimals are enough. A difference of a few hundredths is rounding."


def inline(text: str) -> str:
    """A sentence as HTML: what stands in backticks is set as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(str(text)))


def printed(cell: Cell, problem: Problem, key: bool) -> str:
    """The cell of a table: text, number, or blank; an answer is bold in the key."""
    if isinstance(cell, Blank):
        return f"<b>{html.escape(problem.key(cell))}</b>" if key else ""
    return inline(cell if isinstance(cell, str) else show(cell))


def part_html(part: str | Ask | Table, problem: Problem, key: bool) -> str:
    """One part of a problem."""
    if isinstance(part, str):
        return f"<p>{inline(part)}</p>"
    if isinstance(part, Ask):
        boxes = [f"<b>{html.escape(problem.key(blank))}</b>" for blank in part.blanks]
        if not key:
            boxes = ['<span class="box"></span>'] * len(part.blanks)
        return f"<p>{inline(part.text)} {' , '.join(boxes) if key else ' '.join(boxes)}</p>"
    head = "".join(f'<th scope="col">{inline(cell)}</th>' for cell in part.head)
    rows = "".join(
        f'<tr><th scope="row">{printed(first, problem, key)}</th>'
        + "".join(f"<td>{printed(cell, problem, key)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in part.rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def slips_html(problem: Problem) -> str:
    """What is behind answers that people give: "If you got …"; nothing where none is known."""
    items = "".join(
        f"<li>{inline(called)} {html.escape(found)}: {html.escape(hint)}</li>"
        for called, found, hint in problem.slips()
    )
    return f"<p>If you got</p><ul>{items}</ul>" if items else ""


def article(sheet: Sheet, key: bool) -> str:
    """One worksheet, or its key."""
    problems = "".join(
        f"<section><h2>{number}. {inline(problem.title)}</h2>"
        + "".join(part_html(part, problem, key) for part in problem.parts)
        + (slips_html(problem) if key else "")
        + "</section>"
        for number, problem in enumerate(sheet.problems, start=1)
    )
    right = f"Key to seed {sheet.seed}" if key else f'Seed {sheet.seed} · Name <span class="box wide"></span>'
    return (
        f"<article><header><h1>Chapter {sheet.chapter} · {inline(sheet.title)}</h1><p>{right}</p></header>"
        f"<p>{NOTE}</p>{problems}</article>"
    )


def page(sheets: Iterable[Sheet], key: bool = False) -> str:
    """A whole HTML page of worksheets, each on paper of its own, or of their keys."""
    sheets = list(sheets)
    title = f"{'Key' if key else 'By hand'} · chapter {sheets[0].chapter} · Attention by Hand"
    articles = "".join(article(sheet, key) for sheet in sheets)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{articles}</main></body></html>\n"
    )


def markdown(sheet: Sheet, key: bool = False) -> str:
    """A worksheet as Markdown: one bold line for each problem, tables as tables."""
    lines = []
    for number, problem in enumerate(sheet.problems, start=1):
        lines += [f"**{number}. {problem.title}**", ""]
        for part in problem.parts:
            if isinstance(part, str):
                lines += [part, ""]
            elif isinstance(part, Ask):
                boxes = [f"**{problem.key(blank)}**" if key else "\\_\\_\\_\\_" for blank in part.blanks]
                lines += [f"{part.text} {', '.join(boxes)}", ""]
            else:
                lines += [*markdown_table(part, problem, key), ""]
        if key and (slips := list(problem.slips())):
            lines += ["If you got", "", *(f"* {called} {found}: {hint}" for called, found, hint in slips), ""]
    return "\n".join(lines)


def markdown_table(table: Table, problem: Problem, key: bool) -> Iterator[str]:
    """The lines of a table."""

    def cell(value: Cell) -> str:
        if isinstance(value, Blank):
            return f"**{problem.key(value)}**" if key else " "
        return value if isinstance(value, str) else show(value)

    yield f"| {' | '.join(table.head)} |"
    yield "|" + "---|" * len(table.head)
    for row in table.rows:
        yield f"| {' | '.join(map(cell, row))} |"
