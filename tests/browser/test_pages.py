"""Each page as it was built: on phones and laptops, in the dark, from a file, without scripts, on paper, for axe.

A page is opened once for each of these, and all is asked of it there. What may be wrong with what stands on a page is
in faults.js, a function for each.
"""

import io
import json

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from bookext import heights
from bookext.explorables import figure_name
from tests import tiers
from tests.browser import book
from tests.browser.axe import CONTRAST, violations
from tests.browser.conftest import READY, turn
from tests.browser.contrasts import TEXT, contrast, luminance, rgb
from tests.browser.explorables import DRAWN, EXPLORABLES, SMALL

FEW_ELEMENTS = 3000  # at the first paint
HIGH, MOST = "document.documentElement.scrollHeight", 18  # of a page; screens of a phone that a core may take
SLACK = 48  # pixels that a reserved height may be more than the live one: fonts differ between machines
SCREENS = [(360, 560), (390, 844), (768, 1024), (1280, 800)]
CORES = [page for page in book.pages() if page.startswith("chapters/0")]

ALWAYS = ["sideways", "figuresCut", "tornFormulas", "smallText", "wrongStills"]
CLOSED = [*ALWAYS, "foldsAbove", "wrongFolds", "iconLetters", "blackMarks", "smallPlanes"]
ONCE = ["emptyTerms"]  # the same on each screen
OPENED = [*ALWAYS, "cutOff", "unhungCode", "tornTerms"]
OPENED += ["narrowChoices", "nearControls", "struckNumbers", "wrongBars"]
PHONE = ["smallTargets"]

OPEN = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  for (const shut of document.querySelectorAll(".toggle-hidden")) shut.classList.remove("toggle-hidden");
  probe.open();
  return probe.settled();
}"""
# Each figure opened, and touched by a hand.
TOUCH = """() => {
  probe.open();
  for (const root of probe.roots()) {
    for (const { name, type, min, max } of probe.inputs(root).slice(0, 3))
      if (type === "range") probe.set(root, name, min + 0.8 * (max - min));
    root.querySelector('[data-action="commit"]')?.click();
  }
}"""
# What of axe depends on a screen's width.
ROOM = ["target-size", "scrollable-region-focusable", "meta-viewport", "region", "landmark-unique"]


def faults(view, *names, most=5):
    """Name -> what is wrong, of these functions of faults.js that find something."""
    found = view.evaluate("names => Object.fromEntries(names.map((name) => [name, faults[name]()]))", names)
    return {name: said[:most] for name, said in found.items() if said}


def wrong_heights(page, view):
    """Figures whose reserved height is not their live height: never less, and not much more."""
    for figure, size in zip(book.figures(page), view.evaluate("probe.heights()"), strict=True):
        if not size["live"] <= size["kept"] <= size["live"] + max(SLACK, 0.12 * size["live"]):
            yield f"{figure}, column {size['width']}: live {size['live']}, kept {size['kept']:.0f}"


def breaches(page, view):
    """What breaks the DOM contract, and inputs that name no number of a trait."""
    for figure in book.figures(page):
        said, inputs = view.evaluate(
            "i => [probe.breaches(probe.roots()[i]), probe.inputs(probe.roots()[i])]", figure.index
        )
        yield from (f"{figure}: {breach}" for breach in said)
        for entry in inputs:
            trait, *path = entry["name"].split(".")
            value = figure.state[trait] if trait in figure.kind.class_trait_names(sync=True) else []
            for step in path:
                value = value[int(step)]  # the entry is there
            if isinstance(value, list):
                yield f"{figure}: the input {entry['name']} names no number of a trait"


def check_silent(page, view):
    """Alive without scrolling, nothing jumps, and the page keeps to its policy."""
    assert view.evaluate("scrollY") == 0
    names = view.evaluate("probe.roots().map((root) => root.dataset.explorable)")
    assert names == [figure.name for figure in book.figures(page)]
    shifts = view.evaluate("probe.shifts()")
    assert sum(shift["value"] for shift in shifts) < 0.05, shifts
    assert view.locator("head > meta[http-equiv=Content-Security-Policy]").count() == 1
    assert view.evaluate("violations") == []
    # Icons and letters are part of style sheets and scripts: no page asks for a font.
    asked = view.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in asked if "fontawesome" in name or ".woff" in name] == []
    parts = view.title().split(" — ")
    assert len(set(parts)) == len(parts), parts  # the tab says which page it is, once
    # The embedded state is used, not left in the page as a dead widget.
    assert view.locator(".jp-OutputArea-output script, .widget-subarea").count() == 0


def check_code(page, view):
    """Where a page shows a notebook's code, it is the cells', as plain text."""
    if book.is_notebook(page) and "/practice/" not in page:
        notebook = json.loads((book.ROOT / page).with_suffix(".ipynb").read_text(encoding="utf-8"))
        cells = {"".join(cell["source"]).strip() for cell in notebook["cells"] if cell["cell_type"] == "code"}
        code = view.locator(".cell_input pre").evaluate_all("all => all.map((pre) => pre.textContent.trim())")
        assert code
        assert set(code) <= cells
        colored = (
            ".highlight pre > :not(.abh-line, .abh-blank), :is(.abh-line, .abh-blank) > :not(.abh-aside)"
        )
        assert view.locator(colored).count() == 0


@pytest.mark.parametrize("page", book.pages())
def test_on_all_screens(visit, page):
    """From the smallest phone to a laptop, closed and with all opened; on paper; for axe on the phone."""
    view = visit(page, width=360, height=560)
    check_silent(page, view)
    assert view.evaluate("first") < FEW_ELEMENTS
    check_code(page, view)
    assert list(breaches(page, view)) == []
    found = {"as it comes": faults(view, *ONCE)}
    for width, height in SCREENS:
        view.set_viewport_size({"width": width, "height": height})
        found[width, "closed"] = faults(view, *CLOSED)
        if said := list(wrong_heights(page, view)):
            found[width, "heights"] = {"run `python -m tools.heights`, and build again": said}
        if width == 390 and page in CORES and (screens := view.evaluate(HIGH) / height) > MOST:
            found["core"] = {"screens of a phone": [f"{screens:.1f}, not {MOST}"]}
    for width, height in reversed(SCREENS):
        view.set_viewport_size({"width": width, "height": height})
        view.evaluate(OPEN)
        found[width, "opened"] = faults(view, *OPENED, *(PHONE if width == 360 else []))
    view.emulate_media(media="print")
    view.set_viewport_size({"width": 680, "height": 960})
    found["print"] = faults(view, "sideways", "figuresCut", "wrongFolds", "controlsOnPaper")
    view.emulate_media(media="screen")
    view.set_viewport_size({"width": 360, "height": 640})
    found["axe"] = {"on a phone": violations(view, rules=ROOM)}
    lines = [
        f"{where}: {name}: {one}"
        for where, said in found.items()
        for name, ones in said.items()
        for one in ones
    ]
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("page", book.pages())
def test_from_a_file(visit, page):
    """As from a server; and axe finds nothing while figures invite."""
    view = visit(page, over="file")
    check_silent(page, view)
    assert violations(view) == []


# Where the words of a picture stand in it, and their color.
WORDS = """still => {
  const frame = still.getBoundingClientRect();
  return [...still.querySelectorAll("text")].filter((text) => text.checkVisibility()).map((text) => {
    const box = text.getBoundingClientRect();
    return [text.textContent, getComputedStyle(text).fill, box.x - frame.x, box.y - frame.y, box.width, box.height];
  });
}"""


def without_words(still):
    """The pixels of a still picture, without its words."""
    hide = "(still, much) => still.querySelectorAll('text').forEach((text) => { text.style.opacity = much; })"
    still.evaluate(hide, "0")
    pixels = np.asarray(Image.open(io.BytesIO(still.screenshot())).convert("RGB"))
    still.evaluate(hide, "")
    return pixels


def check_ground(view, dark):
    """Around each still the ground is the page's, to the pixel; each word stands out from what lies behind it."""
    ground = rgb(view.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert (luminance(ground) < 0.05) == dark
    for still in view.query_selector_all(".abh-still"):
        if not still.is_visible():
            continue
        bare = without_words(still)
        rim = np.concatenate([bare[0], bare[-1], bare[:, 0], bare[:, -1]])
        assert (np.abs(rim - ground).max(axis=1) <= 2).mean() > 0.98, still.get_attribute("aria-label")
        for word, fill, x, y, wide, high in still.evaluate(WORDS):
            behind = bare[max(int(y), 0) : int(y + high) + 1, max(int(x), 0) : int(x + wide) + 1]
            seen = contrast(rgb(fill), np.median(behind.reshape(-1, 3), axis=0))
            assert seen >= TEXT, f"{word}: {seen:.2f}"


@pytest.mark.parametrize("page", book.pages())
def test_in_the_dark(visit, page):
    """No slab of light, stills on the page's own ground; axe finds nothing when figures were opened and touched."""
    view = visit(page)
    for dark in (False, True) if tiers.ALL else (True,):
        turn(view, "dark" if dark else "light")
        check_ground(view, dark)
    assert faults(view, "brightGrounds") == {}
    view.evaluate(TOUCH)
    assert violations(view) == []
    turn(view, "light")
    assert violations(view, rules=CONTRAST) == []


@pytest.mark.parametrize("page", book.pages())
def test_without_scripts(visit, page):
    """Each figure is a picture with its words and an answer to open; code is whole."""
    view = visit(page, java_script_enabled=False)
    pictures = view.evaluate("""() => [...document.querySelectorAll(".abh-slot")].map((slot) => {
      const [picture, answer] = [slot.querySelector(".abh-still"), slot.querySelector("details")];
      return { alt: picture.ariaLabel, shown: probe.shown(picture), width: picture.offsetWidth,
        answer: Boolean(answer && probe.shown(answer)), says: answer?.textContent ?? "",
        drawn: picture.querySelectorAll("svg *").length, asked: picture.textContent };
    })""")
    for figure, picture in zip(book.figures(page), pictures, strict=True):
        assert picture["shown"], str(figure)
        assert picture["alt"] == figure.state["alt"]
        assert len(figure.state["alt"]) > 20
        assert picture["width"] > 200
        assert picture["drawn"] > 5 or figure.name not in DRAWN
        if figure.name == "Cards" and figure.state["chapter"]:
            first = figure.state["cards"][0]
            assert first["asks"].split("`")[0] in picture["asked"]
            assert first["answer"].split("`")[0] in picture["says"]
        if figure.state["predict"]:
            assert figure.state["predict"]["question"].replace("*", "").split("`")[0][:30] in picture["asked"]
            assert picture["answer"], f"{figure}: no answer for readers without JavaScript"
            assert "`" not in picture["says"]
    for answer in view.locator(".abh-slot details").all()[:1]:
        answer.locator("summary").click()
        assert answer.locator("p").first.is_visible()
    check_code(page, view)


@pytest.mark.parametrize(
    ("page", "width"), [(page, width) for page in book.lively() for width in (360, 1280)]
)
def test_nothing_jumps_on_a_slow_line(visit, page, width):
    """At 10 Mbit/s and 60 ms, where style sheets, fonts and scripts come one after the other."""
    view = visit(page, width=width, height=640, wait=False)
    client = view.context.new_cdp_session(view)
    client.send("Network.enable")
    speed = {"latency": 60, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
    client.send("Network.emulateNetworkConditions", {"offline": False, **speed})
    # Chromium's throttle now and then never delivers a file: load again, rather than call the page broken.
    for timeout in (30_000, 60_000, 60_000):
        try:
            view.goto(view.address, timeout=timeout)  # with its pictures
            break
        except PlaywrightTimeout:
            view.goto("about:blank")  # the files that are still on their way fail now, not later
            visit.trouble.clear()
    view.wait_for_function(READY)
    view.evaluate("document.fonts.ready.then(() => null)")
    shifts = view.evaluate("probe.shifts()")
    assert sum(shift["value"] for shift in shifts) < 0.05, shifts


# ---------------------------------------------------------------- that nothing is forgotten


def test_every_explorable_has_a_row_and_every_page_is_found():
    classes = {kind.__name__ for kind in book.CLASSES.values()}
    assert set(EXPLORABLES) == classes, "see tests/browser/explorables.py"
    assert {"index.html", *CORES} < set(book.lively())
    assert len(CORES) >= 8
    for page in CORES:
        assert sum(figure.name in SMALL for figure in book.figures(page)) >= 2, f"{page}: small figures"


def test_each_figure_was_measured():
    """And nothing is stored for a figure that is gone."""
    found = set()
    for page in book.lively():
        views = [figure.kind.view for figure in book.figures(page)]
        for place, view in enumerate(views):
            found.add(figure_name(page.removesuffix(".html"), view, views[:place].count(view)))
    assert found == set(heights.measured()), "run `python -m tools.heights`, and build again"
