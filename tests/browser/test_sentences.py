"""Sentences that are tied to a figure: a number in them lights its place, another one is a slider of its own."""

import re

import pytest

from attn.explore import ExponentialsToWeights, LongerQuery
from bookext.standalone import page as standalone
from tests.browser import book
from tests.browser.chromium_hands import Finger, Mouse

TEXT = """<p>If the score of <code>cat</code> is <span data-scrub="score">1.40</span>, it gets
<span data-light="weights.0.1">0.77</span>, and both <span data-light="exponentials.0.0 weights.0.0">others</span>
get less. <span data-light="nothing.0.0">Nowhere</span>.</p><div style="height: 60px"></div>"""
AFTER = '<p>Of this one: <span data-light="weights.0.2" data-figure="ExponentialsToWeights">sat</span>.</p>'
LIT = """() => [...document.querySelectorAll(".abh-named")].map((node) =>
  `${node.closest("[data-matrix]").dataset.matrix}.${node.dataset.row}.${node.dataset.col}`)"""
TIED = "() => document.querySelectorAll('.abh-bound').length"
PHONE = {"has_touch": True, "is_mobile": True, "width": 390, "height": 700}


@pytest.fixture
def page_with_sentences(visit, tmp_path):
    """Open a page with a sentence, a figure, and a second one, which is farther away."""

    def go(**options):
        text = standalone([ExponentialsToWeights(), ExponentialsToWeights(score=-1.0)])
        text = text.replace("</h1>", f"</h1>{TEXT}").replace("</main>", f"{AFTER}</main>")
        return visit.html(text, tmp_path, **options)

    return go


NUMBERS = """() => [...document.querySelectorAll("input[name=score]")].map((node) => node.value)
  .concat(document.querySelector("[data-scrub]").textContent)"""


def numbers(view):
    """What both figures hold, and what the sentence says."""
    return view.evaluate(NUMBERS)


def holds(view, wanted):
    """They become that: a finger's moves come when the browser likes."""
    view.wait_for_function(f"(wanted) => String(({NUMBERS})()) === String(wanted)", arg=wanted)


def middle(view, selector):
    box = view.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("kind", [Mouse, Finger])
def test_a_number_is_dragged_in_its_sentence(page_with_sentences, take, kind):
    """Sideways, called off, there and back, no further than the ends; the nearest figure follows, the other stays."""
    view = page_with_sentences(**(PHONE if kind.finger else {}))
    hand = take(kind, view)
    holds(view, ["1.4", "-1", "1.40"])
    x, y = middle(view, "[data-scrub]")
    hand.go((x, y), (x - 55, y))
    holds(view, ["0.4", "-1", "0.40"])  # a step is 220 px / 40
    shown = view.evaluate(
        "() => document.querySelector('[data-matrix=exponentials] [data-col=\"1\"]').dataset.value"
    )
    assert float(shown) == pytest.approx(2.718281828**0.4)
    if kind.finger:
        hand.cancel()
    else:
        hand.key("Escape")
        hand.up()
    holds(view, ["1.4", "-1", "1.40"])
    hand.go((x, y), (x - 55, y))
    hand.move(x + 5 * 5.5, y)
    hand.move(x - 400, y)
    holds(view, ["-2", "-1", "−2"])
    hand.move(x + 11, y)
    hand.up()
    holds(view, ["1.6", "-1", "1.60"])
    hand.move(x - 80, y)
    holds(view, ["1.6", "-1", "1.60"])


def test_a_finger_that_goes_up_scrolls(page_with_sentences, take):
    view = page_with_sentences(**PHONE)
    hand = take(Finger, view)
    x, y = middle(view, "[data-scrub]")
    hand.swipe((x, y), (x + 2, y - 100), steps=8)
    view.wait_for_function("() => scrollY > 30")
    holds(view, ["1.4", "-1", "1.40"])


def test_a_number_in_a_sentence_is_a_slider(page_with_sentences):
    """For the keyboard and for who can't see it: name, ends, value; and it follows the figure's own slider."""
    view = page_with_sentences()
    scrub = view.locator("[data-scrub]")
    names = [
        "role",
        "aria-label",
        *(f"aria-value{end}" for end in ("min", "max", "now", "text")),
        "data-grip",
    ]
    say = f"node => {names}.map((name) => node.getAttribute(name))"
    assert scrub.evaluate(say) == ["slider", "Score of cat", "-2", "2", "1.4", "1.40", "score"]
    view.keyboard.press("Tab")
    assert scrub.evaluate("node => node === document.activeElement")
    for key, value in [
        ("ArrowRight", "1.5"), ("ArrowUp", "1.6"), ("ArrowLeft", "1.5"), ("PageDown", "0.5"), ("End", "2"),
        ("ArrowRight", "2"), ("Home", "-2"), ("PageUp", "-1"),
    ]:  # fmt: skip
        view.keyboard.press(key)
        assert numbers(view)[0] == value, key
        assert scrub.get_attribute("aria-valuenow") == value
    view.evaluate("probe.set(probe.roots()[0], 'score', 0.7)")
    view.wait_for_function("() => document.querySelector('[data-scrub]').textContent === '0.70'")
    view.locator('[data-action="reset"]').first.click()
    view.wait_for_function("() => document.querySelector('[data-scrub]').textContent === '1.40'")


def test_a_number_lights_its_place(page_with_sentences, take):
    """Pointed at, focused or touched; and goes out again. What has no place stays plain text."""
    view = page_with_sentences()
    assert view.evaluate(TIED) == 4
    assert view.locator('[data-light="nothing.0.0"]').get_attribute("tabindex") is None
    hand = take(Mouse, view)
    hand.move(*middle(view, '[data-light="weights.0.1"]'))
    assert view.evaluate(LIT) == ["weights.0.1"]
    hand.move(*middle(view, '[data-light^="exponentials"]'))
    assert view.evaluate(LIT) == ["exponentials.0.0", "weights.0.0"]
    hand.move(5, 5)
    assert view.evaluate(LIT) == []
    view.keyboard.press("Tab")
    view.keyboard.press("Tab")
    assert view.evaluate(LIT) == ["weights.0.1"]
    assert view.locator("p.abh-unseen[role=status]").inner_text() == "In the figure: weight, cat: 0.77"
    view.keyboard.press("Tab")
    view.keyboard.press("Tab")
    assert view.evaluate(LIT) == []


def test_a_touch_lights_and_brings_the_place_into_sight(page_with_sentences, take):
    view = page_with_sentences(**{**PHONE, "height": 420})
    hand = take(Finger, view)
    hand.tap(*middle(view, '[data-light="weights.0.1"]'))
    assert view.evaluate(LIT) == ["weights.0.1"]
    view.wait_for_function("""() => {
      const { top, bottom } = document.querySelector(".abh-named").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }""")


def test_after_a_figure_the_sentence_means_that_one(page_with_sentences, take):
    view = page_with_sentences()
    view.locator('[data-light="weights.0.2"]').hover()
    roots = "() => probe.roots().map((root) => root.querySelectorAll('.abh-named').length)"
    assert view.evaluate(roots) == [0, 1]


def test_a_sentence_with_a_slider_stays_true(page_with_sentences, take):
    """Its other numbers are those of the figure as it is; without a slider a sentence says what it said."""
    view = page_with_sentences()
    view.evaluate("probe.set(probe.roots()[0], 'score', 0.3); probe.set(probe.roots()[1], 'score', 0.3)")
    weight = "() => document.querySelector('[data-light=\"weights.0.1\"]').textContent"
    view.wait_for_function(f"() => ({weight})() === '0.52'")
    assert view.locator('[data-light="weights.0.2"]').inner_text() == "sat"
    view.locator('[data-action="reset"]').first.click()
    view.wait_for_function(f"() => ({weight})() === '0.77'")


def test_without_a_script_it_is_plain_text(page_with_sentences):
    view = page_with_sentences(java_script_enabled=False)
    said = re.sub(r"\s+", " ", view.locator("p").first.inner_text())
    assert said == "If the score of cat is 1.40, it gets 0.77, and both others get less. Nowhere."
    assert view.locator("[role=slider], [role=button], .abh-bound").count() == 0


TIES = [
    page
    for page in book.lively()
    if re.search(r"data-(?:light|scrub)=", (book.folder() / page).read_text("utf-8"))
]


@pytest.mark.parametrize("page", TIES)
def test_every_sentence_of_the_book_finds_its_figure(visit, page):
    """All do; a number that lights or can be dragged is in its sentence what it is in the figure."""
    view = visit(page)
    assert view.evaluate(
        "() => document.querySelectorAll('[data-light], [data-scrub]').length"
    ) == view.evaluate(TIED)
    shown = view.evaluate("""() => [...document.querySelectorAll("[data-light]")].map((node) => {
      node.focus();
      const places = [...document.querySelectorAll(".abh-named")];
      return [node.textContent, node.dataset.light, places.map((place) => place.dataset.value ?? null)];
    })""")
    for text, light, values in shown:
        assert len(values) == len(light.split(" ")), f"{light} of “{text}” has no place in its figure"
        if len(values) == 1 and values[0] and re.fullmatch(r"−?\d+(?:\.\d+)?", text):
            digits = len(text.partition(".")[2])
            told = float(text.replace("−", "-"))
            assert abs(float(values[0]) - told) <= 0.51 * 10**-digits, (
                f"{light} is {values[0]}, and not {text}"
            )
    written = view.evaluate(
        "() => [...document.querySelectorAll('[data-scrub]')].map((node) => node.textContent)"
    )
    text = (book.folder() / page).read_text("utf-8")
    assert written == re.findall(r'<span[^>]*data-scrub="[^"]*"[^>]*>([^<]*)</span>', text), "the text jumps"


def test_a_weight_near_0_or_1_reads_as_in_its_figure(visit, tmp_path):
    """Not 0.00 and not 1.00: both would be wrong."""
    text = """<p>Times <span data-scrub="length">1</span>, `cat` gets <span data-light="weights.0.1">0.77</span>.</p>"""
    view = visit.html(standalone([LongerQuery()]).replace("</h1>", f"</h1>{text}"), tmp_path)
    view.wait_for_function(f"({TIED})() === 2")
    for key, read in (("Home", "<.01"), ("End", ">.99")):
        view.locator("[data-scrub]").press(key)
        view.wait_for_function(
            "(read) => document.querySelector('[data-light]').textContent === read", arg=read
        )
