"""Sentences with a number that can be dragged: what they say at both of its ends, beside what a reader found true.

The numbers of such a sentence follow its figure, and its words do not: "both below 0" must be so wherever the number
can be dragged. `dragged.toml` has each paragraph with its number at the low end and at the high end. What to do about
one that says something else: readings.py.
"""

import re
from pathlib import Path

import pytest

from tests.browser import book, readings

STORED = Path(__file__).with_name("dragged.toml")
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


def drags(view):
    """Each number that can be dragged, focused, at its low end and then at its high end."""
    for place in range(view.locator(SCRUB).count()):
        span = view.locator(SCRUB).nth(place)
        span.focus()
        for key in ("Home", "End"):
            view.keyboard.press(key)
            yield span


@pytest.mark.parametrize("page", with_numbers())
def test_a_dragged_sentence_is_true_at_both_ends(visit, page):
    view = visit(page, own=True)
    view.wait_for_function("document.querySelectorAll('main [data-scrub].abh-bound').length > 0")
    names, texts = [], []
    for span in drags(view):
        names.append(span.get_attribute("data-scrub"))
        texts.append(span.evaluate(SAID))
        for text, value in span.evaluate(LIGHTS):
            if re.fullmatch(r"−?[\d,.]+", text):
                number = float(text.replace("−", "-").replace(",", ""))
                assert number == pytest.approx(value, rel=0.005, abs=0.0051), f"{text} in: {texts[-1]}"
    rows = [list(row) for row in zip(names[::2], texts[::2], texts[1::2], strict=True)]
    readings.check(STORED, {page: rows})


def test_each_stored_page_has_such_sentences():
    assert set(readings.stored(STORED)) == set(with_numbers())
