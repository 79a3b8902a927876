"""What a reader meets between the figures: words that open, code and its colors, folds, the keyboard's way."""

import keyword
import re

import pytest
from playwright.sync_api import expect

from bookext.fonts import FACES
from tests.browser import book
from tests.browser.axe import violations
from tests.browser.chromium_hands import Finger
from tests.browser.contrasts import system_colors

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
OPEN = "() => { for (const fold of document.querySelectorAll('details')) fold.open = true; }"


def test_a_word_opens_within_a_phone_by_finger_and_beside_it_by_keyboard(visit):
    view = visit("chapters/03_masking.html", **PHONE)
    meaning = view.locator(".abh-meaning:popover-open")
    view.locator("button.abh-term:visible").first.tap()
    meaning.wait_for()
    box = meaning.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390.5
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 844.5
    view.touchscreen.tap(195, 40)
    meaning.wait_for(state="hidden")
    view.set_viewport_size({"width": 1280, "height": 800})
    word = view.locator("button.abh-term").nth(3)
    word.scroll_into_view_if_needed()
    word.focus()
    view.keyboard.press("Enter")
    meaning.wait_for()
    here, there = word.bounding_box(), meaning.bounding_box()
    below = there["y"] - here["y"] - here["height"]
    above = here["y"] - there["y"] - there["height"]
    assert -2 < max(below, above) < 40
    assert abs(there["x"] - here["x"]) < there["width"]
    view.keyboard.press("Escape")
    meaning.wait_for(state="hidden")


def test_code_has_its_colors(visit):
    """When it comes near, all of it on paper: Python's words, no names; also in a long line, a piece of its own."""
    view = visit("chapters/04_multi_head_attention.html", **PHONE)
    assert view.evaluate("CSS.highlights.size") == 0, "no code is near"
    view.evaluate(OPEN)
    view.locator(".cell_input pre[data-runs]:visible").first.scroll_into_view_if_needed()
    view.wait_for_function("() => CSS.highlights.size > 0")
    count = "[...CSS.highlights.values()].reduce((sum, set) => sum + set.size, 0)"
    before = view.evaluate(count)
    view.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert 0 < before < view.evaluate(count)
    words = view.evaluate("""() => Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name,
      [...ranges].map((range) => range.startContainer.data.slice(range.startOffset, range.endOffset))]))""")
    (name,) = [name for name, found in words.items() if "def" in found]
    found = " ".join(words[name]).split()
    exceptions = {word for word in found if word.endswith(("Error", "Exception", "Warning"))}
    assert set(found) - exceptions <= set(keyword.kwlist)
    code = "\n".join(view.locator(".cell_input pre").all_text_contents())
    for word in ("def", "return", "import"):
        assert found.count(word) >= len(re.findall(rf"^\s*{word}\b", code, re.MULTILINE)) > 0
    pieces = [piece.rstrip() for found in words.values() for piece in found]
    assert all(pieces)
    assert "# (n_heads, n, d_k), …" in pieces  # a comment behind a long line
    color = "name => getComputedStyle(document.querySelector('.cell_input pre'), name && `::highlight(${name})`).color"
    assert view.evaluate(color, name) != view.evaluate(color, "")


def test_who_copies_text_gets_its_tex(visit):
    view = visit("chapters/02_qk_variance.html")
    copied, formulas, shown = view.evaluate("""async () => {
      const long = [...document.querySelectorAll(".bd-article p")]
        .find((node) => node.querySelector("span.math") && node.querySelector("math.math"));
      getSelection().selectAllChildren(long);
      document.execCommand("copy");
      const formulas = [...long.querySelectorAll("[data-tex]")].map((node) => node.dataset.tex);
      return [await navigator.clipboard.readText(), formulas, long.textContent];
    }""")
    assert len(formulas) > 1
    place = -1
    for tex in formulas:
        place = copied.index(f"${tex}$", place + 1)  # in their order
    assert "\u200b" not in copied
    assert copied.split("$")[0].strip() == shown[: len(copied.split("$")[0])].strip(), (
        "the words are as they were"
    )


def test_a_tap_opens_code(visit, take):
    view = visit("chapters/00_attention.html", **PHONE)
    fold = view.locator("details.abh-fold:visible").first
    word, code = fold.locator("summary"), fold.locator("pre")
    word.scroll_into_view_if_needed()
    place = word.bounding_box()
    assert place["height"] >= 24
    take(Finger, view).tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    code.wait_for(state="visible")
    assert code.bounding_box()["width"] > 300
    assert view.evaluate("probe.wide()") == []


def test_a_link_in_a_dropdowns_title_opens_it_and_one_to_it_too(visit):
    """In "Solution to Exercise …": the first press opens, the next leads to the exercise; the console says nothing."""
    view = visit("chapters/03_masking.html")
    name = view.locator(".admonition.toggle-hidden:has(> .admonition-title a)").first.get_attribute("id")
    box = view.locator(f"[id='{name}']")
    link = box.locator("> .admonition-title a")
    link.click()
    assert "toggle-hidden" not in box.get_attribute("class")
    assert "#" not in view.url
    link.click()
    view.wait_for_url("**#*")
    assert "toggle-hidden" not in box.get_attribute("class")
    view.goto(f"{view.address}?anew#{name}")
    view.wait_for_function("name => !document.getElementById(name).matches('.toggle-hidden')", arg=name)


def test_what_begins_to_scroll_is_reached_by_keyboard(visit):
    view = visit("chapters/00_attention.html", width=360, height=560)
    tables = "[...document.querySelectorAll('.abh-shown figure')].filter(probe.shown)"
    assert view.evaluate(f"{tables}.filter((node) => node.tabIndex === 0).length") == 0
    view.add_style_tag(content=".abh-shown table { min-width: 60rem }")
    view.set_viewport_size({"width": 361, "height": 560})
    view.wait_for_function(f"() => {tables}.every((node) => node.tabIndex === 0)")


@pytest.mark.parametrize("look", [{"dark": False}, {"dark": True}, {"forced_colors": "active"}], ids=str)
@pytest.mark.parametrize("width", [1280, 390])
def test_buttons_of_the_top_bar_have_a_ring(visit, look, width):
    view = visit("chapters/notation.html", width=width, height=800, **look)
    buttons = view.locator(".bd-header-article button:visible")
    assert buttons.count() >= 3
    view.keyboard.press("Tab")  # from here on a focus is seen
    for button in buttons.all():
        button.focus()
        assert button.evaluate("node => node.matches(':focus-visible')")
        ring = button.evaluate("node => { const { outline } = getComputedStyle(node); return outline; }")
        assert "solid 3px" in ring


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)])
def test_menus_of_the_top_bar_open_by_keyboard(visit, width, dark):
    """What to take along, and where the book's address is known the places that run a chapter; axe is content."""
    view = visit("chapters/03_masking.html", width=width, height=640, dark=dark)
    menus = view.locator(".bd-header-article .dropdown:has(> .dropdown-menu)").all()
    assert menus
    for menu in menus:
        toggle, entries = menu.locator("> button"), menu.locator(".dropdown-menu :is(a, button)")
        toggle.focus()
        view.keyboard.press("Enter")
        expect(toggle).to_have_attribute("aria-expanded", "true")
        for entry in entries.all():
            view.keyboard.press("ArrowDown")
            expect(entry).to_be_focused()
            box = entry.bounding_box()
            assert box["height"] >= 24
            assert 0 <= box["x"] < box["x"] + box["width"] <= width
        assert violations(view, ".bd-header-article") == []
        view.keyboard.press("Escape")
        expect(toggle).to_be_focused()
        expect(toggle).to_have_attribute("aria-expanded", "false")


def test_nothing_floats_over_the_page(visit):
    """Also when the reader scrolls up, which is when the theme would show a button above the text."""
    view = visit("chapters/03_masking.html", width=360, height=560)
    for far in (3000, -600):
        before = view.evaluate("scrollY")
        view.mouse.wheel(0, far)
        view.wait_for_function("before => scrollY !== before", arg=before)
        view.evaluate("probe.still()")
    assert view.evaluate("scrollY") > 1000
    floats = """[...document.querySelectorAll("body *")].filter((node) => getComputedStyle(node).position === "fixed"
        && probe.shown(node) && node.getBoundingClientRect().bottom > 0).map((node) => node.outerHTML.slice(0, 80))"""
    assert view.evaluate(floats) == []


PARTS = """[...document.querySelectorAll(".bd-article > section > section")].map((part) => [
  part.classList.contains("abh-laid"),
  part.firstElementChild.checkVisibility({ contentVisibilityAuto: true }),
  part.offsetHeight,
])"""


def test_a_long_page_is_laid_out_by_and_by(visit):
    """First what is near; then, without a move of what is in view, the rest. From its middle, all at once."""
    view = visit("chapters/02_qk_variance.html")
    laid, shown, heights = zip(*view.evaluate(PARTS), strict=True)
    assert all(laid)
    assert all(shown)
    view.evaluate("""() => {
      document.documentElement.dataset.near = "";
      for (const part of document.querySelectorAll(".abh-laid")) part.classList.remove("abh-laid");
      return probe.settled();
    }""")
    laid, shown, first = zip(*view.evaluate(PARTS), strict=True)
    assert not any(laid)
    assert shown[0]
    assert not any(shown[2:])
    assert first[0] == heights[0], "a part that is in view has its height"
    middle = view.evaluate("document.querySelector('.bd-article h2').parentElement.id")
    laid, shown, _ = zip(*visit(f"chapters/02_qk_variance.html#{middle}").evaluate(PARTS), strict=True)
    assert not any(laid)
    assert all(shown)


# Selectors (single ones) of the whole sheets that match an element here and are not in the sheet that the page links.
LOST = r"""async (names) => {
  const root = document.documentElement.dataset.content_root;
  const single = (sheet, found = new Set()) => {
    for (const rule of sheet.cssRules) {
      if (rule.selectorText) for (const part of rule.selectorText.split(/,(?![^(]*\))/)) found.add(part.trim());
      else if (rule.cssRules) single(rule, found);
    }
    return found;
  };
  const sheetOf = async (address) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync((await (await fetch(address)).text()).replace(/@import[^;]*;/g, ""));
    return single(sheet);
  };
  const matches = (selector) => {
    const plain = selector.replace(/::?(before|after|hover|focus|focus-visible|active|visited|target)\b/g, "");
    try {
      return document.querySelector(plain || "*");
    } catch {
      return false; // a selector of another browser
    }
  };
  const [linked] = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href);
  const here = await sheetOf(linked);
  const sheets = await Promise.all(names.map((name) => sheetOf(`${root}_static/${name}`)));
  const seen = sheets.flatMap((sheet) => [...sheet]).filter(matches);
  return [seen.length, seen.filter((selector) => !here.has(selector))];
}"""


def test_the_joined_style_sheet_has_lost_no_rule(visit):
    static = book.folder() / "_static"
    sheets = [path.relative_to(static).as_posix() for path in sorted(static.rglob("*.css"))]
    sheets = [name for name in sheets if not name.startswith(("site.", "math.", "sphinx-thebe"))]
    for page in ("index.html", "chapters/03_masking.html", "search.html", "genindex.html"):
        view = visit(page)
        assert view.locator("link[rel=stylesheet]").count() == 1
        seen, lost = view.evaluate(LOST, sheets)
        assert seen > 100
        assert lost == [], page


@pytest.mark.parametrize("over", ["http", "file"])
def test_nothing_is_ever_laid_out_in_another_font(visit, over):
    """Their fonts are there when the page is first drawn."""
    view = visit("chapters/02_qk_variance.html", over=over)
    if over == "http":  # of files no times are kept
        drawn, ready = view.evaluate("""[
          performance.getEntriesByName("first-paint")[0].startTime,
          performance.getEntriesByType("resource").filter((entry) => /(math|type)\\.\\w+\\.js/.test(entry.name))
            .map((entry) => entry.responseEnd),
        ]""")
        assert len(ready) == 2
        assert max(ready) < drawn
    loaded = "[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)"
    # Signs that no font of the book has, such as ᵀ, are the system's.
    families = {family for family in view.evaluate(loaded) if "Fallback" not in family}
    assert families == {"STIX Two Math", *(family for family, *_ in FACES)}
    first = """['p', 'h2', '.abh button', '.abh svg text', 'pre'].map((each) =>
      getComputedStyle(document.querySelector(`.bd-article ${each}`)).fontFamily.split(',')[0])"""
    assert view.evaluate(first) == [*['"Source Serif 4"'] * 4, '"Source Code Pro"']


def test_the_theme_stands_still_for_readers_who_want_no_motion(visit):
    """Its sidebars come and go at once, and nothing scrolls by itself."""
    durations = """() => [...new Set([...document.querySelectorAll("body, body *")].flatMap((node) => {
      const { transitionDuration, animationDuration } = getComputedStyle(node);
      return [transitionDuration, animationDuration];
    }))]"""
    view = visit("index.html")
    assert view.evaluate(durations) == ["0s"]
    assert view.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert len(visit("index.html", reduced_motion="no-preference").evaluate(durations)) > 1


def test_the_themes_button_changes_the_colors_of_a_figure_at_once(visit):
    view = visit("index.html")
    root = view.locator("[data-explorable]").first
    ground = "node => getComputedStyle(node).backgroundColor"
    before = root.evaluate(ground)
    for _ in range(3):
        if root.evaluate(ground) != before:
            break
        view.locator(".theme-switch-button").first.click()
    assert root.evaluate(ground) != before


def test_with_forced_colors_icons_and_stills_have_the_systems(visit):
    """Signs of the bar and of menus are shapes cut out of a ground, and grounds are forced to vanish."""
    for dark in (False, True):
        view = visit("chapters/further/03_measure_a_leak.html", forced_colors="active", dark=dark)
        canvas, text = system_colors(view)
        grounds = view.locator(".bd-header-article .fa-solid, .bd-sidebar-primary .fa-solid").evaluate_all(
            "nodes => nodes.filter(probe.shown).map((node) => getComputedStyle(node).backgroundColor)"
        )
        assert len(grounds) > 3
        assert canvas not in grounds
        words = "nodes => nodes.map((node) => getComputedStyle(node).fill)"
        assert dark or set(view.locator(".abh-still text:visible").evaluate_all(words)) == {text}


def test_no_text_of_a_page_is_what_it_must_not_be():
    """No script in an attribute; no page asked for in advance, which Firefox would do and the policy refuse; no picture
    of a notebook as a file.
    """
    for page in book.pages():
        text = (book.folder() / page).read_text(encoding="utf-8")
        assert re.findall(r"<[^>]*\s(on[a-z]+)\s*=\s*[\"']", text) == [], page
        assert "javascript:" not in text.lower(), page
        rels = {
            kind for rel in re.findall(r'<link\b[^>]*\brel="([^"]*)"', text) for kind in rel.lower().split()
        }
        assert rels & {"next", "prev", "prefetch", "prerender", "preconnect", "dns-prefetch"} == set(), page
        assert "jupyter_execute" not in text, page
        assert not re.search(r'<div class="cell_output[^>]*>(?:(?!</div>).)*<img', text, re.DOTALL), page
