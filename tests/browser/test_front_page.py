"""The figure on the front page is the map of the book: six buttons under the plane, and each changes the picture."""

import pytest

from attn.explore import FirstTouch
from tests.browser.hand import drawn

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
        view = visit("index.html", **{**PHONE, **options}, own=True)
        return view, view.locator("[data-explorable=FirstTouch]").first

    return open_it


def test_the_buttons_stand_right_under_the_plane(front):
    """In sight with it on a phone, and no two buttons of the figure say the same."""
    view, root = front()
    plane = root.locator(".abh-plane").bounding_box()
    boxes = [root.locator(f"[data-action=map-{act}]").bounding_box() for act in ACTS]
    assert 0 <= min(box["y"] for box in boxes) - (plane["y"] + plane["height"]) < 16
    assert max(box["y"] + box["height"] for box in boxes) - plane["y"] < PHONE["height"] - 100
    labels = root.locator("button:visible").all_inner_texts()
    assert len(labels) == len(set(labels)), labels


@pytest.mark.parametrize("width", [390, 1280])
def test_each_button_changes_the_picture_and_no_line(front, width):
    view, root = front(width=width, height=844)
    node = root.element_handle()
    tall = node.evaluate("root => root.offsetHeight")
    seen = {node.evaluate(PICTURE)}
    for act in ACTS:
        root.locator("[data-action=reset]").click()
        root.locator(f"[data-action=map-{act}]").click()
        picture = node.evaluate(PICTURE)
        assert picture not in seen, f"{act} changes nothing in the plane, or what another one does"
        seen.add(picture)
        assert node.evaluate("root => root.offsetHeight") == tall, f"{act} moves lines"
        said = root.locator(".abh-answer > [role=status]")
        assert said.locator("a[href^='chapters/']").is_visible(), f"{act} opens no chapter"
        assert said.evaluate("node => node.scrollHeight <= node.parentElement.clientHeight"), (
            f"{act}: words run over"
        )


def test_shuffled_words_take_their_weights_along_and_the_dot_stays(front):
    view, root = front()
    node = root.element_handle()
    words = (
        "root => [...root.querySelectorAll('.abh-sentence .abh-token')].map((node) => node.lastChild.data)"
    )
    before, order = drawn(node), node.evaluate(words)
    root.locator("[data-action=map-shuffle]").click()
    after, now = drawn(node), node.evaluate(words)
    assert now != order
    assert after["output"] == pytest.approx(before["output"], abs=1e-12)
    for name in ("weights", "weights_2"):
        one = dict(zip(order, before[name][0], strict=True))
        assert one == pytest.approx(dict(zip(now, after[name][0], strict=True)), abs=1e-12)
    assert node.evaluate(MOVES) == 0, "motion, though the reader wants none"


def test_words_glide_and_looks_fly_where_motion_is_welcome(front):
    view, root = front(reduced_motion="no-preference")
    node = root.element_handle()
    root.locator("[data-action=map-shuffle]").click()
    assert node.evaluate(MOVES) >= 4, "words and columns jump"
    root.locator("[data-action=map-frequencies]").click()
    assert node.evaluate(MOVES) >= 100


@pytest.mark.parametrize("hidden", [[False] * 3, [False, True, False]])
def test_a_hundred_looks_are_a_hundred_dots(mount, hidden):
    """As many around each word as its weight says, to one look; none around a hidden word; counted in the row below."""
    widget = FirstTouch(angle=70.0, length=1.1, hidden=hidden, looks=True)
    view = mount([widget], **PHONE)
    root = view.query_selector("[data-explorable]")
    near = """root => {
      const points = [...root.querySelectorAll(".abh-point")].map((node) => node.transform.baseVal[0].matrix);
      const counts = points.map(() => 0);
      for (const dot of root.querySelectorAll(".abh-look")) {
        const far = points.map(({ e, f }) => Math.hypot(dot.cx.baseVal.value - e, dot.cy.baseVal.value - f));
        counts[far.indexOf(Math.min(...far))] += 1;
      }
      return counts;
    }"""
    counts = root.evaluate(near)
    assert sum(counts) == 100
    assert counts == pytest.approx(100 * widget.weights[0], abs=1)
    assert counts == list(drawn(root)["looks"][0])
    assert [count == 0 for count in counts] == hidden


def test_hidden_words_wear_the_hatch_and_a_second_query_has_its_row(front):
    view, root = front()
    row = root.locator("[data-matrix=weights_2]")
    assert not row.is_visible()
    root.locator("[data-action=map-second]").click()
    assert row.is_visible()
    assert "query 2" in row.inner_text()
    root.locator("[data-action=map-hide]").click()
    assert not row.is_visible()
    veils = root.evaluate("root => [...root.querySelectorAll('.abh-veil')].map(probe.shown)")
    assert veils == [False, True, False]
    fill = root.locator(".abh-veil").nth(1).get_attribute("fill")
    assert root.locator(f"pattern#{fill.removeprefix('url(#').removesuffix(')')}").count() == 1
