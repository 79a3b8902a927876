"""`make corpus`: what counts as the book's prose."""

import json

from tools import corpus

PAGE = """---
settings: ignored
---
# Hide the *future*

You don't see $x^2$ or `code`, [a link](https://gone.example/path) and {cite:p}`key2017`.

$$ E = mc^2
 \\text{gone} $$

```{exercise-start} One row
:label: ex-gone
```
Kept words.
```{exercise-end}
```

```{code-cell} ipython3
gone = 1
```

```sh
gone too
```
Naïve 12 words, <span>tags</span> — a "quote".
"""


KEPT = "hide the future you don't see or a link and kept words words tags a quote"


def test_prose():
    assert corpus.prose(PAGE) == KEPT.split()


def test_the_frozen_text_is_prose_already():
    text = corpus.TARGET.read_text(encoding="utf-8")
    for page in text.split("\n\n"):
        assert corpus.prose(page) == page.split()


def test_the_pages_are_the_front_page_and_the_chapters(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "index.md").write_text("front", encoding="utf-8")
    cells = [{"cell_type": "markdown", "source": ["one ", "two"]}, {"cell_type": "code", "source": ["no"]}]
    (tmp_path / "chapters" / "01_x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert corpus.text_of(corpus.pages(tmp_path)) == "front\n\none two\n"
