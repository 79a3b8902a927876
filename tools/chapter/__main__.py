"""`make chapter NAME=rotary_embedding TITLE="Turn the pairs"`: make the skeleton of a new chapter."""

import argparse
import sys

from tools.chapter import Refused, make

NEXT = """
It is a draft: all of it is true and tested, and none of it is about your subject yet. What to replace is marked;
`python -m tools.drafts` lists the marks, and nothing is published while one is left. In this order:

  1. the mathematics    attn/{NAME}.py, tests/unit/test_{NAME}.py
  2. the figure         the page says how; until then it shows one of chapter 0
  3. the checkers       attn/check/{NAME}.py, tests/unit/answers/{NAME}.py
  4. the notebook       chapters/{STEM}.ipynb, then `make notebooks`
  5. the claims         ledger/claims/{STEM}.toml, tests/claims/test_{NAME}.py, ledger/errors.toml
     and for teachers   chapters/teaching/{STEM}.md, attn/practice/by_hand/{NAME}.py

`make serve` shows it, `make test` checks it."""


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="chapter", description=__doc__)
    parser.add_argument("--name", default="", help="the module's name, in snake_case: rotary_embedding")
    parser.add_argument("--title", help="the page's title, with a verb (default: the name in words)")
    options = parser.parse_args(arguments)
    try:
        made = make(options.name, options.title)
    except Refused as error:
        print(f"{error}\nNothing was written.", file=sys.stderr)
        return 1
    print(f"Chapter {made.words['NUMBER']}, {made.words['TITLE']}:")
    print(
        "\n".join(
            [*(f"  new      {path}" for path in made.new), *(f"  changed  {path}" for path in made.changed)]
        )
    )
    print(NEXT.format_map(made.words))
    return 0


if __name__ == "__main__":
    sys.exit(main())
