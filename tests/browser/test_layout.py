"""Room for a thumb, nothing that jumps, nothing that overflows: 360 × 560 px and wider."""

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from attn.explore import Masking
from bookext import heights
from bookext.explorables import figure_name
from tests import tiers
from tests.browser import book
from tests.browser.conftest import READY
from tests.browser.explorables import DRAWN, EXPLORABLES, STANDS_ON

PHONE = {"width": 360, "height": 560}
WIDTHS = [(360, 560), (390, 844), (768, 1024), (1280, 800)]
SLACK = 48  # pixels that a reserved height may be more than the live one: fonts differ between machines


def assert_nothing_jumped(view):
    """The layout shifts since the page's start sum to less than 0.05."""
    shifts = view.evaluate("probe.shifts()")
    assert sum(shift["value"] for shift in shifts) < 0.05, shifts


@pytest.mark.parametrize("page", book.pages())
def test_no_sideways_scroll_and_the_right_room(visit, page):
    """Nothing jumps, no page scrolls sideways, and each figure's reserved height is its live height, never less."""
    view = visit(page, **PHONE, keep=True)
    assert_nothing_jumped(view)
    wrong = []
    for width, height in WIDTHS if book.figures(page) or tiers.ALL else [WIDTHS[0], WIDTHS[-1]]:
        if (width, height) != WIDTHS[0]:
            view.set_viewport_size({"width": width, "height": height})
        too_much, nodes = view.evaluate("probe.wide()")
        assert too_much <= 0, f"{too_much} px too wide at {width} px: {nodes}"
        for figure, size in zip(book.figures(page), view.evaluate("probe.heights()"), strict=True):
            if not size["live"] <= size["kept"] <= size["live"] + max(SLACK, 0.12 * size["live"]):
                wrong.append(
                    f"{figure} at {width} px, column {size['width']}: live {size['live']}, kept {size['kept']:.0f}"
                )
    assert wrong == [], "run `python -m tools.heights`, which measures the built pages, and build again"


def test_each_figure_was_measured():
    """And nothing is stored for a figure that is gone."""
    found = set()
    for page in book.lively():
        views = [figure.kind.view for figure in book.figures(page)]
        for place, view in enumerate(views):
            found.add(figure_name(page.removesuffix(".html"), view, views[:place].count(view)))
    assert found == set(heights.measured()), "run `python -m tools.heights`, and build again"


@pytest.mark.parametrize("page", [page for page in book.pages() if page.startswith("chapters/")])
def test_tables_and_equations_fit_a_phone(visit, page):
    """What is wider than the column would hide its last columns, or terms."""
    view = visit(page, **PHONE, again=True)
    too_wide = """[...document.querySelectorAll(".pst-scrollable-table-container, div.math")]
        .filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.innerText.slice(0, 60))"""
    assert view.evaluate(too_wide) == []


# Formulas with the signs beside them: the signs stand on the line of the part of the formula that they stand with.
ENDS = """[...document.querySelectorAll(".abh-short:has(> math)")].filter(probe.shown).map((node) => {
  const formula = node.querySelector("math").getBoundingClientRect();
  return [...node.childNodes].filter((part) => part.data).every((part) => {
    const range = document.createRange();
    range.selectNode(part);
    const rects = [...range.getClientRects()];
    return rects.length === 1 && rects[0].top < formula.bottom && rects[0].bottom > formula.top;
  });
})"""


def test_there_are_signs(visit):
    view = visit("chapters/02_qk_variance.html", **PHONE, again=True)
    assert len(view.evaluate(ENDS)) > 10


@pytest.mark.parametrize("page", [page for page in book.lively() if book.is_notebook(page)])
def test_no_line_begins_with_the_comma_of_a_formula(visit, page):
    """It stands on the line of the formula's last part; and so does the bracket before the first."""
    view = visit(page, **PHONE, again=True)
    beside = """[...document.querySelectorAll(".bd-article .math:not(div)")].map((node) =>
      node.parentElement.matches(".abh-short") ? "" : node.nextSibling?.data ?? "")"""
    after = view.evaluate(beside)
    assert after or "$" not in (book.ROOT / page.replace(".html", ".ipynb")).read_text(encoding="utf-8")
    assert [text[:20] for text in after if text[:1] and text[:1] in ".,;:!?)"] == []
    assert all(view.evaluate(ENDS))


def test_nothing_floats_over_the_page(visit):
    """Also when the reader scrolls up, which is when the theme would show a button above the text."""
    view = visit("chapters/03_masking.html", **PHONE)
    for far in (3000, -600):
        before = view.evaluate("scrollY")
        view.mouse.wheel(0, far)
        view.wait_for_function("before => scrollY !== before", arg=before)
        view.evaluate("probe.still()")
    assert view.evaluate("scrollY") > 1000
    floats = """[...document.querySelectorAll("body *")].filter((node) => getComputedStyle(node).position === "fixed"
        && probe.shown(node) && node.getBoundingClientRect().bottom > 0).map((node) => node.outerHTML.slice(0, 80))"""
    assert view.evaluate(floats) == []


@pytest.mark.parametrize("page", book.lively())
def test_everything_opens_without_sideways_scroll(visit, page):
    view = visit(page, **PHONE, again=True)
    view.evaluate("probe.open()")
    for width in (360, 768):
        view.set_viewport_size({"width": width, "height": 640})
        too_much, nodes = view.evaluate("probe.wide()")
        assert too_much <= 0, f"{too_much} px too wide at {width} px: {nodes}"


@pytest.mark.parametrize("page", book.lively())
def test_on_a_small_phone(visit, page):
    """The first control and what it changes are on screen together; targets and cells are large enough."""
    view = visit(page, width=360, height=640, has_touch=True, is_mobile=True, again=True)
    view.set_viewport_size(PHONE)
    header = view.evaluate("probe.header()")
    for figure in book.figures(page):
        if (
            figure.name not in DRAWN or figure.name in STANDS_ON
        ):  # of a ladder test_ladders.py asks it, puzzle by puzzle
            continue
        beside = EXPLORABLES[figure.name].beside
        span = view.evaluate(
            "([i, selector]) => probe.span(probe.roots()[i], selector)", [figure.index, beside]
        )
        assert span <= 560 - header, f"{figure}: control and picture take {span:.0f} of {560 - header:.0f} px"
    view.evaluate("probe.open()")
    assert view.evaluate("probe.small()") == []


# Code, outputs, tables and frames in sight: does it scroll, can a keyboard reach it, is it marked in any way?
SCROLLERS = """() => {
  const kinds =
    "pre, .cell_output > .output, .pst-scrollable-table-container, .abh-shown figure";
  return [...document.querySelectorAll(kinds)].filter((node) => node.checkVisibility()).map((node) => [
    node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight,
    node.tabIndex === 0,
    node.hasAttribute("tabindex"),
  ]);
}"""


#: What may be asked of each: it scrolls and a keyboard reaches it, or it does neither.
REACHED, STILL = (True, True, True), (False, False, False)


@pytest.mark.parametrize("page", book.lively())
def test_a_keyboard_reaches_what_scrolls(visit, page):
    """And nothing else of that kind: neither the theme nor the loader marks what stands still."""
    view = visit(page, **PHONE, again=True)
    assert {tuple(node) for node in view.evaluate(SCROLLERS)} <= {REACHED, STILL}
    for fold in view.query_selector_all("details:has(pre):not([open])"):
        fold.evaluate("fold => { fold.open = true; }")
    view.evaluate("probe.settled()")
    view.wait_for_function(f"() => ({SCROLLERS})().every(([scrolls, reached]) => scrolls === reached)")
    view.evaluate("() => { for (const fold of document.querySelectorAll('details')) fold.open = false; }")


def test_what_scrolls_is_reached(visit):
    """No table is wider than a phone; where one is, a keyboard reaches it. Code goes on in the next line."""
    view = visit("chapters/00_attention.html", **PHONE, own=True)
    assert REACHED not in {tuple(node) for node in view.evaluate(SCROLLERS)}
    view.add_style_tag(content=".abh-shown table { min-width: 60rem }")
    view.set_viewport_size({**PHONE, "width": 361})
    view.wait_for_function(f"() => ({SCROLLERS})().some(([scrolls, stop]) => scrolls && stop)")
    assert view.evaluate(
        "[...document.querySelectorAll('.cell pre')].filter(probe.shown)"
        ".every((pre) => pre.scrollWidth <= pre.clientWidth)"
    )


PARTS = """[...document.querySelectorAll(".bd-article > section > section")].map((part) => [
  part.classList.contains("abh-laid"),
  part.firstElementChild.checkVisibility({ contentVisibilityAuto: true }),
  part.offsetHeight,
])"""


@pytest.mark.last
def test_a_long_page_is_laid_out_by_and_by(visit):
    """First what is near; then, without a move of what is in view, the rest. From its middle, all at once."""
    view = visit("chapters/02_qk_variance.html", own=True)
    laid, shown, heights = zip(*view.evaluate(PARTS), strict=True)
    assert all(laid)
    assert all(shown)
    near = """() => {
      document.documentElement.dataset.near = "";
      for (const part of document.querySelectorAll(".abh-laid")) part.classList.remove("abh-laid");
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    }"""
    view.evaluate(near)
    laid, shown, first = zip(*view.evaluate(PARTS), strict=True)
    assert not any(laid)
    assert shown[0]
    assert not any(shown[2:])
    assert first[0] == heights[0], "a part that is in view has its height"
    far = visit(
        "chapters/02_qk_variance.html#"
        + view.evaluate("document.querySelector('.bd-article h2').parentElement.id")
    )
    laid, shown, _ = zip(*far.evaluate(PARTS), strict=True)
    assert not any(laid)
    assert all(shown)


@pytest.mark.parametrize(
    ("page", "width"),
    # Their layout is one, and a slow line takes its time.
    [(page, 360) for page in book.lively()]
    + [(page, 640) for page in book.lively()]
    + [(page, 1280) for page in book.lively()],
)
def test_nothing_jumps_on_a_slow_line(visit, page, width):
    """At 10 Mbit/s and 60 ms, where style sheets, fonts and scripts come one after the other."""
    view = visit(page, width=width, height=640, wait=False, own=True)
    client = view.context.new_cdp_session(view)
    client.send("Network.enable")
    client.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 60, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8},
    )
    # Chromium's throttle now and then never delivers a file: load again, rather than call the page broken.
    for patience in (30_000, 60_000, 60_000):
        try:
            view.goto(view.address, timeout=patience)  # with its pictures
            break
        except PlaywrightTimeout:
            view.goto("about:blank")  # the files that are still on their way fail now, not later
            visit.trouble.clear()
    view.wait_for_function(READY)
    view.evaluate("document.fonts.ready.then(() => null)")
    assert_nothing_jumped(view)


def test_eight_tokens_fit_a_phone(mount):
    """The widest matrix with numbers scrolls inside its own frame, not the page."""
    import numpy as np

    rng = np.random.default_rng(0)
    tokens = ["The", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs"]
    view = mount(
        [
            Masking(
                tokens=tokens,
                q=rng.normal(size=(8, 4)),
                k=rng.normal(size=(8, 4)),
                v=rng.normal(size=(8, 2)),
            )
        ],
        width=360,
    )
    view.locator('[data-action="open"]').click()
    view.wait_for_function("() => probe.roots()[0].dataset.ready === '1'")
    too_much, nodes = view.evaluate("probe.wide()")
    assert too_much <= 0, nodes


def test_a_laboratory_waits_closed_on_a_phone(mount):
    """It opens by its button, is open on a laptop, and follows the window until a reader has chosen."""
    view = mount([Masking(opened=True)], width=390)
    button = view.locator('[data-action="open"]')
    more = view.locator(".abh-more")
    assert button.get_attribute("aria-expanded") == "false"
    assert not more.is_visible()
    view.set_viewport_size({"width": 1280, "height": 800})
    more.wait_for(state="visible")
    view.set_viewport_size({"width": 390, "height": 844})
    more.wait_for(state="hidden")
    button.click()
    more.wait_for(state="visible")
    view.set_viewport_size({"width": 360, "height": 560})
    view.evaluate("new Promise(requestAnimationFrame)")
    assert button.get_attribute("aria-expanded") == "true"
