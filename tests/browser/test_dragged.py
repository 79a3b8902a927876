"""Sentences with a number that can be dragged: what they say at both of its ends, beside what a reader found true.

The numbers of such a sentence follow its figure, and its words do not: "both below 0" must be so wherever the number
can be dragged. `dragged.toml` has each paragraph with its number at the low end and at the high end. One that says
something else fails, and what all of them say now is written to ``_build/dragged.toml``: read each changed sentence as
somebody who wants to refute it, beside its figure, and then copy it.
"""

import re
import tomllib
from pathlib import Path

import pytest

from tests.browser import book

STORED = Path(__file__).with_name("dragged.toml")
ANEW = Path("_build/dragged.toml")
SCRUB = "main [data-scrub]"
# As a reader sees the paragraph; of a formula its plain text.
SAID = "node => node.closest('p, li').innerText.replace(/\\s+/g, ' ').trim()"
# The numbers of the paragraph that light a place of a figure: what is written, and what the place holds.
LIGHTS = """node => [...node.closest("p, li").querySelectorAll("[data-light]")].map((light) => {
  light.dispatchEvent(new PointerEvent("pointerenter"));
  const place = document.querySelector(".abh-named");
  light.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  return [light.textContent, Number(place?.dataset.value)];
})"""


def with_numbers():
    return [page for page in book.pages() if " data-scrub=" in (book.folder() / page).read_text("utf-8")]


def said(view):
    """The texts of all such paragraphs: (trait, at its low end, at its high end)."""
    found = []
    for place in range(view.locator(SCRUB).count()):
        span = view.locator(SCRUB).nth(place)
        span.focus()
        texts = []
        for key in ("Home", "End"):
            view.keyboard.press(key)
            texts.append(span.evaluate(SAID))
            for text, value in span.evaluate(LIGHTS):
                if re.fullmatch(r"−?[\d,.]+", text):
                    number = float(text.replace("−", "-").replace(",", ""))
                    assert number == pytest.approx(value, rel=0.005, abs=0.0051), f"{text} in: {texts[-1]}"
        found.append([span.get_attribute("data-scrub"), *texts])
    return found


def written(pages):
    quote = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'  # noqa: E731
    lines = []
    for page, rows in sorted(pages.items()):
        lines += [f"{quote(page)} = ["]
        for row in rows:
            lines += ["    [", *(f"        {quote(text)}," for text in row), "    ],"]
        lines += ["]", ""]
    return "\n".join(lines)


@pytest.mark.parametrize("page", with_numbers())
def test_a_dragged_sentence_says_what_was_read(visit, page):
    stored = tomllib.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    view = visit(page, own=True)
    view.wait_for_function("document.querySelectorAll('main [data-scrub].abh-tied').length > 0")
    now = said(view)
    if now != stored.get(page):
        ANEW.parent.mkdir(exist_ok=True)
        old = tomllib.loads(ANEW.read_text(encoding="utf-8")) if ANEW.exists() else stored
        ANEW.write_text(written(old | {page: now}), encoding="utf-8")
    assert now == stored.get(page), (
        f"not what was read. Read {ANEW}; if all of it is true, copy it to {STORED.name}"
    )


def test_each_stored_page_has_such_sentences():
    assert set(tomllib.loads(STORED.read_text(encoding="utf-8"))) == set(with_numbers())
