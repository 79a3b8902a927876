"""A question gives nothing away before the reader commits, is answered by the first drag, and shuts nothing off."""

import json

import pytest

from attn.explore import Masking, OrderSeen, Predict, SelfAttention
from bookext.standalone import page as standalone
from tests.browser import book
from tests.browser.exercises import TRIED, reopen
from tests.browser.hand import drawn, same

CHOICE = {
    "options": ["two", "three", "four"],
    "solution": 1,
    "explanation": "Count the *corners*.\n\nThree `points` span it.",
}
NUMBER = {"solution": 0.25, "tolerance": 0.01, "unit": "nats", "explanation": "One quarter of the whole."}
ABOUT_TWO = NUMBER | {"solution": 2, "tolerance": 0.5}
ASKED = {"question": "Whose *output* moves?", **CHOICE}
# The first control in sight that the question is about.
FIRST = """(root, about) => probe.inputs(root).find(({ visible, name }) =>
  visible && (!about.length || about.includes(name.split(".")[0]))).name"""
# A control is moved: a slider to where it stands, a switch with some places to another.
MOVED = """(root, name) => {
  const [{ type, options }] = probe.inputs(root).filter((input) => input.name === name);
  const now = probe.state(root)[name];
  probe.set(root, name, type === "radio" ? options.find((option) => option !== now) : now);
}"""
# From the question's top to the first control's foot, and to the first thing that it moves.
SPAN = """root => {
  const control = [...root.querySelectorAll("input[name], select[name]")].find(probe.shown);
  const [top, low] = [root.querySelector(".abh-question"), control].map((node) => node.getBoundingClientRect());
  const things = [...root.querySelectorAll(".abh-stage [data-value], .abh-stage svg")].filter(probe.shown);
  const far = things.map((node) => node.getBoundingClientRect().top);
  return Math.max(low.bottom, Math.min(...far) + 44) - top.top;
}"""
TALL = "root => [root.offsetHeight, root.querySelector('.abh-stage')?.offsetTop ?? 0]"  # rounded, each to a pixel


def words(text):
    """An explanation as a reader sees it."""
    return book.as_shown(text).split("\n\n")


def asking(page):
    """The figures of a page that ask, each with its question."""
    return [(figure, figure.state["predict"]) for figure in book.figures(page) if figure.state["predict"]]


ASKING = [page for page in book.lively() if asking(page)]


def told(root):
    return root.locator(".abh-answer > [role=status]").inner_text()


def test_each_chapter_asks_in_its_first_figure():
    for page in (
        page for page in book.lively() if page.startswith("chapters/0")
    ):  # a further page need not ask
        first = book.figures(page)[0]
        assert first.name != "Predict", f"{page}: the question stands apart from its figure"
        assert first.state["predict"], page


@pytest.mark.parametrize("page", ASKING)
def test_a_question_is_asked_and_a_drag_answers_it(visit, page):
    """On a phone, understood without scrolling; nothing is given away until the reader commits and drags, neither to
    the eye nor to a screen reader nor to "find in page". Then the verdict and the reason take the place of the answers;
    nothing below them moves, from the first look to the answer.
    """
    view = visit(page, width=390, height=844, has_touch=True, is_mobile=True)
    header = view.evaluate("probe.header()")
    for figure, asks in asking(page):
        root = view.locator("[data-explorable]").nth(figure.index)
        options, explanation = asks["options"], words(asks["explanation"])
        hidden = [root.inner_text(), root.aria_snapshot(), root.text_content()]
        assert not any(part in seen for part in explanation for seen in hidden), str(figure)
        assert words(asks["question"])[0] in hidden[0], f"{figure} does not ask"
        assert root.get_attribute("data-right") == ""
        for place, option in enumerate(options):
            button = root.locator(f"[data-option='{place}']")
            assert button.inner_text() == words(option)[0]
            assert button.get_attribute("aria-pressed") == "false"
        before, ruled = root.evaluate(TALL), bool(asks.get("exercise"))
        if figure.name != "Predict":
            assert root.evaluate(SPAN) <= 844 - header, str(figure)
        if options:
            root.locator("[data-option='0']").click()
            said = words(options[0])[0]
        else:
            assert root.locator("[data-action=commit]").is_disabled(), f"{figure}: a commitment to no number"
            root.locator(".abh-ask input").fill("3")
            root.locator("[data-action=commit]").click()
            said = f"3\u00a0{asks['unit']}".rstrip("\u00a0")
        assert root.evaluate(TALL) == pytest.approx(before, abs=1), f"{figure}: the commitment moves lines"
        did = f"{'You ruled' if ruled else 'You said'}: {said}"
        if figure.name != "Predict":
            assert told(root) == "", f"{figure} tells before the drag"
            assert did in root.inner_text(), str(figure)
            root.evaluate(MOVED, root.evaluate(FIRST, asks["about"]))
        assert root.evaluate(TALL) == pytest.approx(before, abs=1), f"{figure}: the answer moves lines"
        right = bool(options) and asks["solution"] == 0
        assert root.get_attribute("data-right") == str(int(right))
        solution = words(options[asks["solution"]])[0] if options else f"It is: {asks['solution']}"
        for part in (*explanation, solution, "Yes" if right else did):
            assert part in told(root), str(figure)
        assert root.get_attribute("data-exercise") == asks.get("exercise")
        assert (root.locator("[data-hint]").count() > 0) == ruled
    ruled = {asks["exercise"] for _, asks in asking(page) if asks.get("exercise")}
    assert set(view.evaluate(TRIED)) == ruled, "no question is an exercise unless it says so"


@pytest.mark.parametrize(
    ("asks", "typed", "right"),
    [
        (CHOICE, 0, "0"), (CHOICE, 1, "1"), (NUMBER, "0.25", "1"), (NUMBER, "0.258", "1"), (NUMBER, "-3", "0"),
        (ABOUT_TWO, "2.5", "1"), (ABOUT_TWO, "1.49", "0"),
    ],
)  # fmt: skip
def test_answered_by_keyboard_and_asked_again(mount, asks, typed, right):
    """Of a question that no figure answers the explanation follows at once; a number may be as far off as is said."""
    view = mount([Predict("How many corners?", **asks)])
    root = view.locator("[data-explorable]")
    for _ in range(typed + 1 if asks is CHOICE else 1):
        view.keyboard.press("Tab")
    if asks is not CHOICE:
        view.keyboard.type(typed)
    assert (root.get_attribute("data-right"), told(root)) == ("", "")
    view.keyboard.press("Enter")
    assert root.get_attribute("data-right") == right
    solution = "three" if asks is CHOICE else f"{asks['solution']}\u00a0nats"
    assert all(part in told(root) for part in (*words(asks["explanation"]), solution))
    assert ("Yes" in told(root)) == (right == "1")
    assert not root.locator(".abh-ask").is_visible()
    root.locator("[data-action=reset]").focus()
    view.keyboard.press("Enter")
    assert (root.get_attribute("data-right"), told(root)) == ("", "")
    assert root.locator(".abh-ask").is_visible()
    assert root.locator(".abh-ask :is([data-option], input)").first.is_enabled()
    assert root.locator("[aria-pressed=true]").count() == 0


def test_a_question_can_be_skipped(mount):
    """Alone it is answered; in a figure the first drag says what the answer is."""
    view = mount([Predict("How many corners?", **CHOICE), Masking(predict=ASKED)])
    alone, figure = view.locator("[data-explorable]").all()
    alone.locator("[data-action=skip]").click()
    assert told(alone).startswith("The answer: three. Count")
    assert alone.get_attribute("data-right") == ""
    figure.locator("[data-action=skip]").click()
    assert not figure.locator("[data-action=skip]").is_visible()
    assert told(figure) == ""
    figure.locator("[name=nudge]").focus()
    view.keyboard.press("ArrowRight")
    assert told(figure).startswith("The answer: three. Count")


def test_a_list_is_not_dragged(mount):
    root = mount([OrderSeen(predict={**ASKED, "about": ["added"]})]).locator("[data-explorable]")
    root.locator("[data-option='0']").click()
    noted = root.locator(".abh-noted")
    assert noted.inner_text() == "You said: two. Now choose at “Add to each word”, and see."
    root.locator("[name=added]").select_option("position")
    assert not noted.is_visible()


def test_the_gate_is_soft(mount):
    """A mouse that takes the slider, or a grip in the picture, also moves it before there is an answer: that skips."""
    view = mount([Masking(predict=ASKED), SelfAttention(predict=ASKED)])
    masking, plane = view.locator("[data-explorable]").all()
    for root, held, way in ((masking, "[name=nudge]", (80, 0)), (plane, "[data-grip^='q']", (-60, 30))):
        handle = root.locator(held)
        handle.scroll_into_view_if_needed()
        box, before = handle.bounding_box(), drawn(root.element_handle())
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        view.mouse.move(x, y)
        view.mouse.down()
        view.mouse.move(x + way[0], y + way[1], steps=5)
        view.mouse.up()
        assert not same(before, drawn(root.element_handle()))
        assert told(root).startswith("The answer: three.")
        assert not root.locator(".abh-ask").is_visible()
    view.wait_for_function("getComputedStyle(document.querySelector('.abh-stage')).filter === 'none'")


def test_a_move_of_something_else_answers_nothing(mount):
    """The question is about the mask: after a nudge it stands as before, but there is nothing to skip any more."""
    view = mount([Masking(predict={**ASKED, "about": ["mask", "preset"]})])
    root = view.locator("[data-explorable]")
    assert root.locator("[data-action=skip]").is_visible()
    root.locator("[name=nudge]").focus()
    view.keyboard.press("ArrowRight")
    root.locator("[data-action=skip]").wait_for(state="hidden")
    assert root.locator("[data-option='0']").is_visible()
    assert told(root) == ""
    root.locator("[data-option='0']").click()
    view.keyboard.press("ArrowRight")
    assert (told(root), root.get_attribute("data-right")) == ("", "")
    root.locator("[data-action=open]").click()
    root.locator("[name=preset]").select_option("none")
    view.evaluate("probe.settled()")
    assert "You said: two" in told(root)
    assert root.get_attribute("data-right") == "0"
    with pytest.raises(ValueError, match="nudgee"):
        Masking(predict={**ASKED, "about": ["nudgee"]})


@pytest.fixture
def on_page(visit, tmp_path):
    """A figure that asks, on a page that says where the book begins, as the book's pages do."""
    text = standalone([Masking(predict=ASKED)]).replace("<html ", '<html data-content_root="./" ', 1)
    return visit.html(text, tmp_path)


def test_a_prediction_survives_a_reload_and_reset_forgets_it(on_page):
    """What was said is there again, and the figure still waits for the drag; nothing jumps. Links have no answer."""
    view = on_page
    root = view.locator("[data-explorable]")
    before, text = root.bounding_box(), root.inner_text()
    root.locator("[data-option='1']").click()
    said = root.locator(".abh-noted").inner_text()
    reopen(view)
    assert root.locator(".abh-noted").inner_text() == said != ""
    assert root.locator("[data-option='1']").get_attribute("aria-pressed") == "true"
    assert root.get_attribute("data-right") == ""
    assert root.bounding_box() == before
    root.locator("[name=nudge]").press("ArrowRight")
    assert root.get_attribute("data-right") == "1"
    root.locator("[data-action=reset]").click()
    assert (root.inner_text(), root.get_attribute("data-right")) == (text, "")
    reopen(view)
    assert root.locator("[data-option][aria-pressed=true]").count() == 0
    assert {"predict", "answer"}.isdisjoint(Masking(predict=ASKED).rules)


def test_a_prediction_that_no_page_wrote_is_none(on_page):
    view = on_page
    view.locator("[data-option='1']").click()
    store = view.evaluate("sessionStorage.getItem('attention-by-hand:predicted')")
    (key,) = json.loads(store)
    others = [json.dumps({key: wrong}) for wrong in ("length", -1, 99, 0.5, None)]
    for kept in ("{", "null", "[1]", json.dumps({f"{key}?": 1}), *others):
        view.evaluate("text => sessionStorage.setItem('attention-by-hand:predicted', text)", kept)
        reopen(view)
        assert view.locator("[data-option][aria-pressed=true]").count() == 0, kept


def test_python_sees_the_answer(mounted):
    """A commitment is a trait: what `observe` gets in a notebook, set once, and saved."""
    widget = Masking(predict=ASKED)
    page = mounted.put(widget).page
    page.locator('[data-option="2"]').click()
    assert page.evaluate("[mounted.traits(['answer']).answer, mounted.saves()]") == [2, 1]
    widget.answer = 2
    assert widget.right is False
    widget.answer = 1
    assert widget.right is True
