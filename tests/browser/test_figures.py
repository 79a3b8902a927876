"""Each figure alone: two of a kind, what its class states, what it says, its stories, its room on a phone."""

import json

import numpy as np
import pytest

from attn.explore import HiddenScore, Masking, RowSum, ScoreVariance, SelfAttention
from bookext.standalone import page as standalone
from tests.browser.explorables import EXPLORABLES
from tests.browser.hand import drawn, randomize, roots, same
from tests.browser.states import Twin, rebuilt, spots

STATE = "root => [probe.state(root), root.className.replace(' abh-glide', ''), root.innerText]"
EACH = pytest.mark.parametrize("name", EXPLORABLES)


@pytest.mark.parametrize("name", [name for name in EXPLORABLES if name != "Cards"])  # see test_cards.py
def test_two_of_a_kind_keep_apart_and_reset_brings_everything_back(mount, name):
    """What happens in one figure leaves its twin on the same page alone."""
    view = mount([EXPLORABLES[name].example(), EXPLORABLES[name].example()])
    one, two = roots(view)
    for seed, (moved, other) in enumerate([(one, two), (two, one), (one, two)]):
        before = [(root.evaluate(STATE), drawn(root)) for root in (moved, other)]
        randomize(moved, seed)
        moved_state = moved.evaluate(STATE)
        assert other.evaluate(STATE) == before[1][0]
        assert same(drawn(other), before[1][1])
        moved.query_selector('[data-action="reset"]').evaluate("button => button.click()")
        assert moved.evaluate(STATE) == before[0][0]
        assert same(drawn(moved), before[0][1])
        assert other.evaluate(STATE) == before[1][0] != moved_state
    ids = view.evaluate("[...document.querySelectorAll('.abh [id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


@EACH
def test_unmounting_leaves_nothing_behind(mounted, name):
    """JupyterLab removes a figure when its cell runs again: its listeners go with it."""
    widget = EXPLORABLES[name].example()
    live, listening, left = mounted.put(widget).page.evaluate("mounted.remove()")
    assert live > 0 or not (widget.state_traits() or widget.predict)
    assert (listening, left) == (0, 0)


def test_a_figure_that_can_not_be_mounted_leaves_the_others_alone(visit, tmp_path):
    """Its own picture comes back and the page says so; what comes before and after is alive."""
    for broken in range(3):
        text = standalone([SelfAttention(), HiddenScore(), RowSum()], pictures=True)
        before, *rest = text.split("data-abh>{")
        rest = [("!{" if place == broken else "{") + part for place, part in enumerate(rest)]
        view = visit.html("data-abh>".join([before, *rest]), tmp_path, wait=False)
        view.goto(view.address)
        view.locator('[data-ready="1"]').nth(1).wait_for()
        slots = view.locator(".abh-slot").all()
        for place, slot in enumerate(slots):
            assert slot.locator('[data-ready="1"]').count() == (place != broken)
            assert (slot.locator(".abh-still svg").count() > 0) == (place == broken)
        assert "does not work here" in slots[broken].inner_text()
        assert [trouble.split(":")[0] for trouble in visit.trouble] == ["page error"]
        visit.trouble.clear()


# ---------------------------------------------------------------- what the class states, once

# The names of inputs, of lists that are put in order, and of buttons by the trait that they set.
PLACED = """(root) => [...root.querySelectorAll("input[name], select[name], [data-reorder], [data-action]")]
  .map((node) => node.name || node.dataset.reorder || node.dataset.action)"""


@EACH
def test_each_control_that_the_class_states_is_on_the_page(mounted, name):
    """Of a trait of its own or an entry; a list in an order; or a row of buttons, one for each entry."""
    widget = EXPLORABLES[name].example()
    opened = {"opened": True} if "opened" in widget.traits() else {}
    (placed,) = mounted.put(widget).tour([opened], PLACED)
    stated = [trait for trait in widget.state_traits() if widget.control(trait)] + [*widget.entry_controls()]
    missing = [
        trait
        for trait in stated
        if not any(one == trait or one.startswith((f"{trait}.", f"{trait}-")) for one in placed)
    ]
    assert missing == []


# ---------------------------------------------------------------- stories

HEADINGS = """root => Object.fromEntries([...root.querySelectorAll("[data-matrix]")].map((table) =>
  [table.dataset.matrix, [...table.querySelectorAll("th")].map((head) => head.textContent)]))"""
STORIES = '[data-action^="story-"], [data-action^="preset-"]'
PRESSED = f"""root => [...root.querySelectorAll('{STORIES}')].map((button) =>
  [button.dataset.action.replace(/^\\w+-/, ""), button.getAttribute("aria-pressed") === "true"])"""
# Press the button of a story: what a figure's traits are then.
PRESS = f"""([name, traits]) => {{
  const buttons = [...mounted.root().querySelectorAll('{STORIES}')];
  buttons.find((button) => button.dataset.action.endsWith(`-${{name}}`)).click();
  return mounted.traits(traits);
}}"""


def elsewhere(value):
    """A table with its first number moved."""
    path, entry = next((path, entry) for path, entry in spots(value) if isinstance(entry, float))
    return rebuilt(value, path, entry + (0.5 if entry < 1 else -0.5))


# A ladder always begins with its own numbers.
@pytest.mark.parametrize("name", [name for name in EXPLORABLES if not name.endswith("Ladder")])
def test_a_button_leads_to_its_story_and_is_pressed_while_that_stands_there(mounted, name):
    """Then, and with no number of a table elsewhere; the tables' headings are those of a figure that begins so."""
    widget = EXPLORABLES[name].example()
    told = {story["name"]: json.loads(json.dumps(dict(story["changes"]))) for story in widget.stories}
    opened = {"opened": True} if "opened" in widget.traits() else {}
    states = [{**changes, **opened} for changes in told.values()]
    for changes in states[:]:
        for trait, value in changes.items():
            if isinstance(value, list) and any(isinstance(entry, float) for _, entry in spots(value)):
                states.append(changes | {trait: elsewhere(value)})
    mounted.put(widget)
    for state, seen in zip(states, mounted.tour(states, PRESSED), strict=True):
        assert {button for button, _ in seen} == set(told)
        for button, pressed in seen:
            wanted = all(state.get(trait) == value for trait, value in told[button].items())
            assert pressed == wanted, (button, state)
    for story, changes in told.items():
        mounted.page.evaluate("mounted.reset()")
        assert mounted.page.evaluate(PRESS, [story, list(changes)]) == changes
        (moved,) = mounted.tour([opened], HEADINGS)
        (fresh,) = mounted.put(Twin(widget).at(changes)).tour([{**changes, **opened}], HEADINGS)
        assert moved == fresh
        mounted.put(widget).tour([opened], HEADINGS)


# ---------------------------------------------------------------- what a large figure says is so there

SAID = "(root) => root.querySelector('.abh-answer').innerText.replace(/\\s+/g, ' ').trim()"
ROOT, NOT_ALONE = (
    "the root keeps the spread of the scores at 1",
    "temperature and correlation set the scores here, too",
)
ONE, NOBODY = "Only ABIR itself moves", "Nobody moves: nobody may look at ABIR, not even ABIR itself."


@pytest.mark.parametrize(
    ("figure", "said", "unsaid"),
    [
        (ScoreVariance(scale="root"), ROOT, NOT_ALONE),
        (ScoreVariance(scale="none", log2_d_k=2), "drag on", NOT_ALONE),
        (ScoreVariance(scale="none", temperature=32.0, log2_d_k=10), NOT_ALONE, "drag on"),
        (ScoreVariance(scale="root", temperature=0.25, log2_d_k=2), NOT_ALONE, ROOT),
        (ScoreVariance(scale="root", temperature=8.0), NOT_ALONE, "mixture"),
        (ScoreVariance(scale="d_k", temperature=0.25, log2_d_k=5), NOT_ALONE, "about the same"),
        (ScoreVariance(scale="d_k", correlation=1.0, log2_d_k=10), NOT_ALONE, "about the same"),
        (ScoreVariance(scale="d_k", log2_d_k=10), "all keys weigh about the same", NOT_ALONE),
        (Masking(preset="causal", nudge=1.5), ONE, NOBODY),
        (Masking(preset="padding", length=3, nudge=1.5), NOBODY, ONE),
        (Masking(preset="causal+padding", length=3, nudge=1.5), NOBODY, ONE),
        (Masking(preset="none", nudge=1.5), "Whoever may look at ABIR moves", ONE),
    ],
)
def test_a_large_figure_says_a_thing_only_where_it_is_so(mounted, figure, said, unsaid):
    mounted.put(figure).page.evaluate(
        "mounted.root().classList.add('abh-touched')"
    )  # as after a hand's first move
    (text,) = mounted.tour([{name: getattr(figure, name) for name in figure.state_traits()}], SAID)
    assert said in text
    assert unsaid not in text


# ---------------------------------------------------------------- room


def test_eight_tokens_and_bars_that_are_cut_fit_a_phone(mount):
    """The widest matrix with numbers scrolls inside its own frame, not the page; a bar beyond its scale says so."""
    rng = np.random.default_rng(0)
    tokens = ["The", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs"]
    eight = Masking(tokens, rng.normal(size=(8, 4)), rng.normal(size=(8, 4)), rng.normal(size=(8, 2)))
    view = mount([eight, Masking()], width=360)
    view.evaluate("probe.open()")
    view.wait_for_function("() => probe.roots().every((root) => root.dataset.ready === '1')")
    assert view.evaluate("probe.wide()") == []
    root = view.locator("[data-explorable]").nth(1).element_handle()
    rows = "root => [...root.querySelectorAll('.abh-bars td[data-row]')].map((td) => td.getBoundingClientRect().top)"
    before = root.evaluate(rows)
    end = root.query_selector('[data-matrix="moved"] .abh-scale > :last-child')
    assert end.inner_text() == "0.50"
    root.evaluate("root => probe.set(root, 'nudge', 3)")
    assert root.query_selector('[data-matrix="moved"] .abh-over')
    assert end.inner_text() == "cut at 0.50"
    assert root.evaluate(rows) == before, "the rows stay beside those of the weights"
    right = "(node) => node.getBoundingClientRect().right"
    assert end.evaluate(right) <= end.evaluate(f"(end) => ({right})(end.closest('table'))")


def test_a_laboratory_waits_closed_on_a_phone(mount):
    """It opens by its button, is open on a laptop, and follows the window until a reader has chosen."""
    view = mount([Masking(opened=True)], width=390)
    button, more = view.locator('[data-action="open"]'), view.locator(".abh-more")
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


# ---------------------------------------------------------------- chapter 0's figure


def test_who_asks_is_marked_and_its_query_is_the_arrow(mount):
    view = mount([SelfAttention(opened=True)])
    root = view.query_selector("[data-explorable]")
    marked = "() => [...document.querySelectorAll('tr.abh-chosen > th')].map((head) => head.textContent)"
    assert view.evaluate(marked) == ["sat"] * 4
    view.locator('input[name="asks"][value="the"]').check(force=True)
    assert view.evaluate(marked) == ["the"] * 4
    assert view.locator(".abh-arrow-name").text_content() == "q of the"
    view.locator('input[name="q.2.0"]').press("ArrowRight")
    assert view.evaluate(marked) == ["sat"] * 4, "the first slider brings `sat` back"
    assert drawn(root)["q"][2, 0] == 2.1
    root.query_selector('[data-matrix="scores"] td[data-row="1"][data-col="2"]').hover()
    lit = view.evaluate("""() => [...document.querySelectorAll("tr.abh-linked")].map((row) =>
        [row.closest("[data-matrix]").dataset.matrix, row.querySelector("th").textContent].join(" "))""")
    assert sorted(lit) == ["k sat", "output cat", "q cat", "scores cat", "v sat", "weights cat"]


def test_an_entry_has_one_input(mount):
    """The slider above the plane is the dock's for that entry: choosing it there shows no second one."""
    view = mount([SelfAttention(opened=True)])
    root = view.query_selector("[data-explorable]")
    names = root.evaluate("root => [...root.querySelectorAll('input[type=range]')].map((node) => node.name)")
    assert sorted(names) == sorted(f"{key}.{i}.{c}" for key in "qkv" for i in range(3) for c in range(2))
    root.query_selector('[data-matrix="q"] td[data-row="2"][data-col="0"]').click()
    assert not root.evaluate(
        "root => [...root.querySelectorAll('.abh-editor-ranges input')].some(probe.shown)"
    )
    field = view.locator(".abh-field")
    assert field.input_value() == "2"
    field.fill("-1")
    field.press("Enter")
    assert drawn(root)["q"][2, 0] == -1
    assert view.locator('input[name="q.2.0"]').input_value() == "-1"
