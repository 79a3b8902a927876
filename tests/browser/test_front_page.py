"""The figure on the front page is the map of the book: six buttons beside the plane, and each changes the picture.

Below it stand the way in, a card for each chapter, and for who comes back the place where she was.
"""

import json
import re

import pytest

from attn.explore import FirstTouch
from tests.browser import book

ACTS = ["shuffle", "length", "hide", "second", "triangle", "frequencies"]
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
# What is drawn in the plane, as far as it is shown.
PICTURE = """root => [...root.querySelectorAll(".abh-plane *")].filter(probe.shown).map((node) =>
  ["cx", "cy", "x1", "y1", "d", "points", "stroke-width", "transform"].map((name) => node.getAttribute(name)).join()
  + (node.matches("text") ? node.textContent : "")).join(";")"""
MOVES = (
    "root => root.getAnimations({ subtree: true }).filter((each) => !(each instanceof CSSTransition)).length"
)


@pytest.fixture
def front(visit):
    def open_it(**options):
        view = visit("index.html", **{**PHONE, **options})
        return view, view.locator("[data-explorable=FirstTouch]").first

    return open_it


@pytest.mark.parametrize("width", [390, 1280])
def test_each_button_changes_the_picture_and_no_line(front, width):
    """In sight with it on a phone, with what they say; and no two buttons of the figure say the same."""
    view, root = front(width=width, height=844)
    node = root.element_handle()
    plane = root.locator(".abh-plane").bounding_box()
    labels = root.locator("button:visible").all_inner_texts()
    assert len(labels) == len(set(labels)), labels
    if width == PHONE["width"]:
        assert 0 <= min(box_of(root, act)["y"] for act in ACTS) - (plane["y"] + plane["height"]) < 16
        said = root.locator(".abh-map-said").bounding_box()
        assert said["y"] + said["height"] - plane["y"] < PHONE["height"] - 50
    tall = node.evaluate("root => root.offsetHeight")
    seen = {node.evaluate(PICTURE)}
    for act in ACTS:
        root.locator("[data-action=reset]").click()
        root.locator(f"[data-action=map-{act}]").click()
        picture = node.evaluate(PICTURE)
        assert picture not in seen, f"{act} changes nothing in the plane, or what another one does"
        seen.add(picture)
        assert node.evaluate("root => root.offsetHeight") == tall, f"{act} moves lines"
        said = root.locator(".abh-map-said > [role=status]")
        assert said.locator("a[href^='chapters/']").is_visible(), f"{act} opens no chapter"
        assert said.evaluate("node => node.scrollHeight <= node.parentElement.clientHeight"), (
            f"{act}: words run over"
        )
        last = max(box_of(root, each)["y"] + box_of(root, each)["height"] for each in ACTS)
        assert 0 <= said.bounding_box()["y"] - last < 16, "what a button says stands right under the buttons"


def box_of(root, act):
    return root.locator(f"[data-action=map-{act}]").bounding_box()


def pressed(root):
    """Which buttons are shown as pressed."""
    return [
        act
        for act in ACTS
        if root.locator(f"[data-action=map-{act}]").get_attribute("aria-pressed") == "true"
    ]


def test_a_button_pressed_again_undoes_and_another_replaces(front):
    """From where the reader left the arrow; and nothing piles up."""
    view, root = front()
    node = root.element_handle()
    slider = root.locator("input[name=angle]")
    slider.fill("50")
    own = node.evaluate(PICTURE)
    assert pressed(root) == []
    alone = {}
    for act in ACTS:
        root.locator(f"[data-action=map-{act}]").click()
        assert pressed(root) == [act]
        alone[act] = node.evaluate(PICTURE)
        assert alone[act] != own
        root.locator(f"[data-action=map-{act}]").click()
        assert pressed(root) == []
        assert node.evaluate(PICTURE) == own, f"{act} is not undone"
        assert root.locator(".abh-map-said a:visible").count() == 0
    for act in [*ACTS, *reversed(ACTS[:-1])]:
        root.locator(f"[data-action=map-{act}]").click()
        assert pressed(root) == [act]
        assert node.evaluate(PICTURE) == alone[act], f"{act} stands on what another one did"
    slider.fill("-100")
    assert pressed(root) == ["shuffle"], "another arrow, the same order"
    root.locator("[data-action=reset]").click()
    assert pressed(root) == []


def test_the_dot_goes_along_its_dotted_line(front):
    """Where it comes to while the query turns: NumPy's outputs lie on the line, for each of some angles."""
    view, root = front()
    root.locator("[data-action=map-triangle]").click()
    read = """root => ["trail", "dot-v"].map((name) => {
      const node = root.querySelector(`.abh-plane > .abh-${name}`);
      if (name === "trail") return [...node.points].map(({ x, y }) => [x, y]);
      return [node.cx.baseVal.value, node.cy.baseVal.value];
    })"""
    for angle in (-120, -30, 60):
        root.locator("input[name=angle]").fill(str(angle))
        assert pressed(root) == ["triangle"]
        trail, dot = root.evaluate(read)
        assert len(trail) > 100
        assert trail[0] == pytest.approx(trail[-1])
        x, y = FirstTouch(angle=float(angle), length=3.2).output[0]
        at = (150 * (1 + x / 3.4), 150 * (1 - y / 3.4))
        assert dot == pytest.approx(at, abs=0.02)
        assert min(abs(complex(*point) - complex(*at)) for point in trail) < 0.2
    root.locator("[data-action=map-triangle]").click()
    assert root.evaluate(read)[0] == []


@pytest.mark.parametrize(("motion", "breath"), [("no-preference", "abh-breathe"), ("reduce", "none")])
def test_the_arrow_invites_the_hand_until_it_is_touched(visit, motion, breath):
    """Not for readers who want no motion."""
    view = visit("index.html", reduced_motion=motion)
    root = view.locator("[data-explorable=FirstTouch]")
    breathing = "node => getComputedStyle(node).animationName"
    assert root.locator(".abh-role-q > .abh-halo").first.evaluate(breathing) == breath
    root.locator("input[name=angle]").press("ArrowRight")
    assert root.locator(".abh-role-q > .abh-halo").first.evaluate(breathing) == "none"


def test_each_chapter_has_a_card_with_picture_question_and_minutes(front):
    view, _ = front()
    cards = view.locator(".abh-cards > .abh-card")
    chapters = [page for page in book.pages() if re.fullmatch(r"chapters/\d\d_\w+\.html", page)]
    assert cards.count() == len(chapters) >= 8
    seen = set()
    for number, page in enumerate(chapters):
        card = cards.nth(number)
        assert card.locator("a").get_attribute("href") == page
        words = card.inner_text()
        assert "?" in words
        low, high = map(int, re.search(rf"Chapter {number} · (\d+)–(\d+) minutes", words).groups())
        assert 10 <= low < high <= 120
        seen.add(card.locator("svg").inner_html())
    assert len(seen) == len(chapters)
    start, first = view.locator(".abh-start").bounding_box(), view.locator(".abh-slot").bounding_box()
    assert 0 < start["y"] - first["y"] - first["height"] < 60, "the way in stands right under the figure"


def test_who_comes_back_finds_where_she_was_and_may_forget_it(visit):
    view = visit("chapters/03_masking.html")
    section = view.locator(".bd-article section > h2").nth(2)
    section.evaluate("node => node.scrollIntoView({ behavior: 'instant' })")
    name = section.evaluate("node => node.firstChild.textContent.trim()")
    home = view.url.replace("chapters/03_masking.html", "index.html")
    view.goto(home)
    back = view.locator(".abh-back")
    assert back.is_visible()
    assert not view.locator(".abh-start").is_visible()
    assert name in back.inner_text()
    assert "due" not in back.inner_text()
    back.locator("a").first.click()
    view.wait_for_url("**/chapters/03_masking.html#*")
    view.goto(home)
    back.locator("button").click()
    assert view.locator(".abh-start").is_visible()
    assert view.evaluate("localStorage.getItem('attention-by-hand:place')") is None
    view.reload()
    assert not back.is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_who_comes_back_is_greeted_above_the_figure_with_the_cards_that_are_due(visit, width):
    """At once, before anything is painted: nothing is pushed down, and the page gets no longer."""
    view = visit("index.html", width=width, height=844)
    fresh = view.evaluate("document.documentElement.scrollHeight")
    day = {"step": 0, "rated": "2020-01-01T00:00:00Z"}
    cards = {
        "card.a.a": day | {"due": "2020-01-02T00:00:00Z"},
        "card.a.b": day | {"due": "2999-01-01T00:00:00Z"},
    }
    view.evaluate(
        """([practice, place]) => { localStorage.setItem("attention-by-hand:practice", practice);
          localStorage.setItem("attention-by-hand:place", place); }""",
        [json.dumps({"format": "attn-practice-1", "exercises": {}, "cards": cards}),
         json.dumps({"href": "chapters/03_masking.html", "name": "3 · Hide the future with a mask"})],
    )  # fmt: skip
    view.add_init_script("""window.jumps = [];
      new PerformanceObserver((list) => jumps.push(...list.getEntries().map((each) => each.value)))
        .observe({ type: "layout-shift", buffered: true });""")
    view.goto(view.address)
    view.wait_for_selector("[data-ready]")
    back, first = view.locator(".abh-back"), view.locator(".abh-slot")
    assert "One card is due." in back.inner_text()
    assert back.get_by_text("One card is due.").get_attribute("href") == "chapters/practice.html"
    box = back.bounding_box()
    assert box["y"] + box["height"] <= first.bounding_box()["y"]
    assert box["y"] < 300
    assert not view.locator(".abh-lead").is_visible()
    assert view.evaluate("document.documentElement.scrollHeight") <= fresh
    assert sum(view.evaluate("window.jumps")) < 0.01
    back.locator("button").click()
    assert view.locator(".abh-lead").is_visible()


@pytest.mark.parametrize(
    "kept", ['{"href": "javascript:alert(1)", "name": "a"}', "{", "null", '{"href": "chapters/a.html"}']
)
def test_a_place_that_no_page_wrote_is_none(visit, kept):
    view = visit("index.html")
    view.evaluate("text => localStorage.setItem('attention-by-hand:place', text)", kept)
    view.reload()
    assert view.locator(".abh-start").is_visible()
    assert not view.locator(".abh-back").is_visible()


def test_words_glide_and_looks_fly_where_motion_is_welcome(front):
    view, root = front(reduced_motion="no-preference")
    node = root.element_handle()
    root.locator("[data-action=map-shuffle]").click()
    assert node.evaluate(MOVES) >= 4, "words and columns jump"
    root.locator("[data-action=map-frequencies]").click()
    assert node.evaluate(MOVES) >= 100


def test_hidden_words_wear_the_hatch_and_a_second_query_has_its_row(front):
    view, root = front()
    row = root.locator("[data-matrix=weights_2]")
    assert not row.is_visible()
    root.locator("[data-action=map-second]").click()
    assert row.is_visible()
    assert "query 2" in row.inner_text()
    root.locator("[data-action=map-hide]").click()
    assert not row.is_visible()
    fill = root.locator(".abh-veil").nth(1).get_attribute("fill")
    assert root.locator(f"pattern#{fill.removeprefix('url(#').removesuffix(')')}").count() == 1
