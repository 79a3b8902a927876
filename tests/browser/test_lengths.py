"""Each bar is as long as its number says, on its scale and on its side: measured in pixels, as a reader sees it."""

import math

import pytest

from tests.browser.explorables import DRAWN, SMALL

# Of each bar in sight: its number, the share of its track that it fills (sideways or upward), on which side of the
# middle it lies, and for a gauge what is written at its end.
BARS = """root => [...root.querySelectorAll(".abh-meter > .abh-length, .abh-letter-bar,\
  td[data-row] > :is(.abh-fill, .abh-signed-bar)")]
  .filter((bar) => probe.shown(bar.parentElement) && !bar.closest(".abh-hidden, .abh-heat")).map((bar) => {
    const [drawn, cell, line] = [bar.getBoundingClientRect(), bar.parentElement, bar.closest("li")];
    const around = cell.getBoundingClientRect();
    return {
      kind: bar.classList[0].slice(4),
      value: Number((line ? line.querySelector("[data-value]") : bar.closest("[data-row]") ?? cell).dataset.value),
      share: Math.min(drawn.width / bar.offsetWidth, drawn.height / bar.offsetHeight),
      slack: 1 / Math.min(bar.offsetWidth, 60),
      side: Math.sign(Math.round(drawn.left + drawn.right - around.left - around.right)),
      top: line?.querySelector(".abh-meter-top").textContent ?? "",
      matrix: bar.closest("[data-matrix]")?.dataset.matrix ?? "",
      beyond: cell.matches(".abh-over, .abh-under"),
    };
  })"""
TOPS = {"ln 2": math.log(2), "ln 8": math.log(8), "½": 0.5}  # what isn't written as a decimal number


def wrong(bars):
    """Sentences about bars that are not as long as their numbers say, or on the other side."""
    domains = {}
    for bar in bars:
        value, share, what = bar["value"], bar["share"], f"{bar['kind']} of {bar['matrix']}: {bar}"
        if bar["kind"] == "barlet":
            if bar["beyond"]:
                if share < 0.99:
                    yield f"beyond its domain, and not full: {what}"
            elif abs(value) > 0.3:  # a shorter one is a pixel or two
                # One domain for all cells of a matrix: the first long bar tells it.
                domain = domains.setdefault(bar["matrix"], abs(value) / share if share > 0.1 else None)
                if domain and abs(share - abs(value) / domain) > 2 * bar["slack"]:
                    yield f"another domain than {domain:.2f}: {what}"
                if bar["side"] != math.copysign(1, value):
                    yield f"on the wrong side: {what}"
            continue
        top = (TOPS.get(bar["top"]) or float(bar["top"])) if bar["top"] else 1
        if abs(share - min(max(value / top, 0), 1)) > 2 * bar["slack"]:
            yield f"too long or too short: {what}"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", DRAWN)
def test_bars_are_as_long_as_their_numbers(opened, name, width):
    root = opened(name, width=width, height=900)
    bars = root.evaluate(BARS)
    # Small figures have their own, test_small.py; on a phone some have shades alone.
    assert bars or name in SMALL or root.query_selector(".abh-heat")
    assert list(wrong(bars)) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_bars_that_are_cut_say_so(opened, width):
    """And the rows stay beside those of the weights, on a phone too."""
    root = opened("Masking", width=width)
    rows = "root => [...root.querySelectorAll('.abh-bars td[data-row]')].map((td) => td.getBoundingClientRect().top)"
    before = root.evaluate(rows)
    ends = root.query_selector('[data-matrix="moved"] .abh-scale > :last-child')
    assert ends.inner_text() == "0.50"
    reach = root.query_selector('input[name="nudge"]')
    reach.evaluate(
        "(input) => { input.value = 3; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    assert root.query_selector('[data-matrix="moved"] .abh-over')
    assert ends.inner_text() == "cut at 0.50"
    assert root.evaluate(rows) == before
    assert ends.evaluate(
        "(end) => end.getBoundingClientRect().right <= end.closest('table').getBoundingClientRect().right"
    )
