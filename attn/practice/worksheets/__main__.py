"""`python -m attn.practice.worksheets`: write worksheets and their keys to print; in the book, `make worksheet`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attn.practice.worksheets import CHAPTERS, sheet
from attn.practice.worksheets.page import markdown, page

FOLDER = Path("worksheets")


def number(text: str) -> int:
    """A seed or a count: a whole number, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 or more, not {text!r}")
    return int(text)


def write(chapter: str, seeds: Sequence[int], folder: Path, as_markdown: bool = False) -> list[Path]:
    """Write the worksheets of a chapter for some seeds, and their keys; return the two paths."""
    sheets = [sheet(chapter, seed) for seed in seeds]
    named = f"seed-{seeds[0]}" if len(seeds) == 1 else f"seeds-{seeds[0]}-{seeds[-1]}"
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for key in (False, True):
        path = folder / f"chapter-{chapter}-{named}{'-key' * key}.{'md' if as_markdown else 'html'}"
        if as_markdown:
            text = "\n\n---\n\n".join(
                f"# Chapter {one.chapter} · {one.title} · seed {one.seed}\n\n{markdown(one, key)}"
                for one in sheets
            )
        else:
            text = page(sheets, key)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the arguments ask for, and say where."""
    parser = argparse.ArgumentParser(prog="worksheet", description=__doc__)
    parser.add_argument("--seed", type=number, default=1, help="which numbers are drawn (1)")
    parser.add_argument("--chapter", choices=CHAPTERS, help="this chapter alone")
    parser.add_argument("--count", type=number, default=1, help="so many sheets, of seed, seed + 1, …")
    parser.add_argument("--markdown", action="store_true", help="Markdown in place of HTML")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to (worksheets)")
    options = parser.parse_args(arguments)
    if not 1 <= options.count <= 1000:
        parser.error(f"--count must be between 1 and 1000, not {options.count}")
    seeds = range(options.seed, options.seed + options.count)
    for chapter in [options.chapter] if options.chapter else CHAPTERS:
        for path in write(chapter, seeds, options.folder, options.markdown):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
