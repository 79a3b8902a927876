"""A question gives nothing away before the reader commits, is answered by the first drag, and shuts nothing off."""

import json

import pytest

from attn.explore import Masking, Predict, SelfAttention
from tests.browser import book
from tests.browser.axe import some_violations
from tests.browser.hand import drawn, same

CHOICE = {
    "options": ["two", "three", "four"],
    "solution": 1,
    "explanation": "Count the *corners*.\n\nThree `points` span it.",
}
NUMBER = {"solution": 0.25, "tolerance": 0.01, "unit": "nats", "explanation": "One quarter of the whole."}
ASKED = {"question": "Whose *output* moves?", **CHOICE}
# The first control in sight that the question is about.
FIRST = """(root, about) => probe.inputs(root).find(({ visible, name }) =>
  visible && (!about.length || about.includes(name.split(".")[0]))).name"""


def words(text):
    """An explanation as a reader sees it."""
    return book.as_shown(text).split("\n\n")


def asking(page):
    """The figures of a page that ask, each with its question."""
    return [(figure, figure.state["predict"]) for figure in book.figures(page) if figure.state["predict"]]


ASKING = [page for page in book.lively() if asking(page)]


def test_each_chapter_asks_in_its_first_figure():
    chapters = [
        page for page in book.lively() if page.startswith("chapters/0")
    ]  # a further page need not ask
    assert chapters == [page for page in ASKING if page.startswith("chapters/0")]
    for page in chapters:
        figure = book.figures(page)[0]
        assert figure.name != "Predict", f"{page}: the question stands apart from its figure"
        assert figure.state["predict"], page


def test_each_question_is_a_landmark_of_its_own(mount):
    asked = [Masking(predict=ASKED), Predict("How many `corners`?", **CHOICE), Predict("How far?", **NUMBER)]
    view = mount(asked)
    names = [form.get_attribute("aria-label") for form in view.get_by_role("form").all()]
    texts = ("Whose output moves?", "How many corners?", "How far?")
    assert names == [f"Your prediction: {text}" for text in texts]
    assert some_violations(view, ["landmark-unique"]) == []


@pytest.mark.parametrize("page", ASKING)
def test_nothing_is_given_away(visit, page):
    """Neither to the eye nor to a screen reader, until the reader commits and drags."""
    view = visit(page, again=True)
    for figure, asks in asking(page):
        root = view.locator("[data-explorable]").nth(figure.index)
        seen = root.inner_text()
        for part in words(asks["explanation"]):
            assert part not in seen, str(figure)
            assert part not in root.aria_snapshot(), str(figure)
            assert root.get_by_text(part).count() == 0, str(figure)
        assert words(asks["question"])[0] in seen, f"{figure} does not ask"
        assert root.get_attribute("data-right") == ""
        for place, option in enumerate(asks["options"]):
            button = root.locator(f"[data-option='{place}']")
            assert button.inner_text() == words(option)[0]
            assert button.get_attribute("aria-pressed") == "false"
        if not asks["options"]:
            assert root.locator("[data-action=commit]").is_disabled(), f"{figure}: a commitment to no number"


def test_nothing_is_given_away_alone(mount):
    """Not even to "find in page" or to who looks into the page's text."""
    view = mount([Masking(predict=ASKED), Predict("How much?", **NUMBER)])
    text = view.evaluate("[...document.querySelectorAll('.abh')].map((root) => root.textContent).join(' ')")
    assert ASKED["question"].replace("*", "") in text
    for part in [*words(CHOICE["explanation"]), NUMBER["explanation"]]:
        assert part not in text


# A control is moved: a slider to where it stands, a switch with some places to another.
MOVED = """(root, name) => {
  const [{ type, options }] = probe.inputs(root).filter((input) => input.name === name);
  const now = probe.state(root)[name];
  probe.set(root, name, type === "radio" ? options.find((option) => option !== now) : now);
}"""


@pytest.mark.parametrize("page", ASKING)
def test_a_drag_answers_and_no_line_moves(visit, page):
    """On a phone: commit to the first answer, then move the first control. The verdict and the reason take the place of
    the answers; nothing below them moves, from the first look to the answer."""
    view = visit(page, width=390, height=844, has_touch=True, is_mobile=True, again=True)
    tall = "root => [root.offsetHeight, root.querySelector('.abh-stage')?.offsetTop]"
    for figure, asks in asking(page):
        root = view.locator("[data-explorable]").nth(figure.index)
        told = root.locator(".abh-answer > [role=status]")
        before, ruled = root.evaluate(tall), bool(asks.get("exercise"))
        did = "You ruled" if ruled else "You said"
        if asks["options"]:
            root.locator("[data-option='0']").click()
            said = words(asks["options"][0])[0]
        else:
            root.locator(".abh-ask input").fill("3")
            root.locator("[data-action=commit]").click()
            said = f"3\u00a0{asks['unit']}".rstrip("\u00a0")
        assert root.evaluate(tall) == before, f"{figure}: the commitment moves lines"
        if figure.name != "Predict":
            assert told.inner_text() == "", f"{figure} tells before the drag"
            waits = "{}: {}. Now move the control: " if ruled else "{}: {}. Now drag, and see."
            assert waits.format(did, said) in root.inner_text(), str(figure)
            name = root.evaluate(FIRST, asks["about"])
            root.evaluate(MOVED, name)
        assert root.evaluate(tall) == before, f"{figure}: the answer moves lines"
        right = bool(asks["options"]) and asks["solution"] == 0
        assert root.get_attribute("data-right") == str(int(right))
        verdict = "Yes" if right else f"{did}: {said}"
        assert verdict in told.inner_text(), str(figure)
        for part in words(asks["explanation"]):
            assert part in told.inner_text(), str(figure)
        if asks["options"]:
            assert words(asks["options"][asks["solution"]])[0] in told.inner_text()
        else:
            assert f"It is: {asks['solution']}" in told.inner_text()


@pytest.mark.parametrize("page", ASKING)
def test_the_question_is_understood_without_scrolling(visit, page):
    """On a phone the question, its answers, the first control and the first thing it moves are on screen."""
    view = visit(page, width=390, height=844, has_touch=True, is_mobile=True, again=True)
    header = view.evaluate("probe.header()")
    ends = """root => {
      const control = [...root.querySelectorAll("input[name], select[name]")].find(probe.shown);
      const [top, low] = [root.querySelector(".abh-question"), control].map((node) => node.getBoundingClientRect());
      const things = [...root.querySelectorAll(".abh-stage [data-value], .abh-stage svg")].filter(probe.shown);
      const far = things.map((node) => node.getBoundingClientRect().top);
      return Math.max(low.bottom, Math.min(...far) + 44) - top.top;
    }"""
    for figure, _ in asking(page):
        if figure.name == "Predict":
            continue
        root = view.locator("[data-explorable]").nth(figure.index)
        assert root.evaluate(ends) <= 844 - header, str(figure)


@pytest.mark.parametrize("place", [0, 1])
def test_choice_by_keyboard(mount, place):
    """Of a question that no figure answers the explanation follows at once."""
    view = mount([Predict("How many corners?", **CHOICE)])
    root = view.locator("[data-explorable]")
    for _ in range(place + 1):
        view.keyboard.press("Tab")
    assert root.locator(".abh-answer > [role=status]").inner_text() == ""
    view.keyboard.press("Enter")
    check_told(root, str(place), words(CHOICE["explanation"]), "three")
    ask_again(view, root)


@pytest.mark.parametrize(("typed", "right"), [("0.25", "1"), ("0.258", "1"), ("-3", "0")])
def test_number_by_keyboard(mount, typed, right):
    view = mount([Predict("How much?", **NUMBER)])
    root = view.locator("[data-explorable]")
    view.keyboard.press("Tab")
    view.keyboard.type(typed)
    assert root.get_attribute("data-right") == ""
    view.keyboard.press("Enter")
    check_told(root, right, words(NUMBER["explanation"]), "0.25\u00a0nats")
    ask_again(view, root)


@pytest.mark.parametrize(("typed", "right"), [("2.5", "1"), ("1.5", "1"), ("2.51", "0"), ("1.49", "0")])
def test_a_number_as_far_off_as_may_be_is_right_and_one_further_off_is_not(mount, typed, right):
    view = mount([Predict("How much?", **NUMBER | {"solution": 2, "tolerance": 0.5})])
    root = view.locator("[data-explorable]")
    view.keyboard.press("Tab")
    view.keyboard.type(typed)
    view.keyboard.press("Enter")
    check_told(root, right, words(NUMBER["explanation"]), "2\u00a0nats")


def check_told(root, right, explanation, solution):
    assert root.get_attribute("data-right") == right
    result = root.locator(".abh-answer > [role=status]")
    for part in [*explanation, solution]:
        assert part in result.inner_text()
    assert ("Yes" in result.inner_text()) == (right == "1")
    assert not root.locator(".abh-ask").is_visible()


def ask_again(view, root):
    button = root.locator("[data-action=reset]")
    button.focus()
    view.keyboard.press("Enter")
    assert root.locator(".abh-answer > [role=status]").inner_text() == ""
    assert root.get_attribute("data-right") == ""
    assert root.locator(".abh-ask").is_visible()
    assert root.locator(".abh-ask :is([data-option], input)").first.is_enabled()
    assert root.locator("[aria-pressed=true]").count() == 0


def test_a_question_can_be_skipped(mount):
    """Alone it is answered; in a figure the first drag says what the answer is."""
    view = mount([Predict("How many corners?", **CHOICE), Masking(predict=ASKED)])
    alone, figure = view.locator("[data-explorable]").all()
    alone.locator("[data-action=skip]").click()
    assert alone.locator(".abh-answer > [role=status]").inner_text().startswith("The answer: three. Count")
    assert alone.get_attribute("data-right") == ""
    figure.locator("[data-action=skip]").click()
    assert not figure.locator("[data-action=skip]").is_visible()
    assert figure.locator(".abh-answer > [role=status]").inner_text() == ""
    figure.locator("[name=nudge]").focus()
    view.keyboard.press("ArrowRight")
    assert figure.locator(".abh-answer > [role=status]").inner_text().startswith("The answer: three. Count")


def test_the_gate_is_soft(mount):
    """A mouse that takes the slider, or a grip in the picture, also moves it before there is an answer: that skips."""
    view = mount([Masking(predict=ASKED), SelfAttention(predict=ASKED)])
    masking, plane = view.locator("[data-explorable]").all()
    thumb = masking.locator("[name=nudge]").bounding_box()
    before = drawn(masking.element_handle())
    view.mouse.move(thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2)
    view.mouse.down()
    view.mouse.move(thumb["x"] + 0.8 * thumb["width"], thumb["y"] + thumb["height"] / 2, steps=5)
    view.mouse.up()
    assert not same(before, drawn(masking.element_handle()))
    assert masking.locator(".abh-answer > [role=status]").inner_text().startswith("The answer: three.")
    assert not masking.locator(".abh-ask").is_visible()
    view.wait_for_function("getComputedStyle(document.querySelector('.abh-stage')).filter === 'none'")
    plane.scroll_into_view_if_needed()
    grip = plane.locator("[data-grip^='q']")
    grip.scroll_into_view_if_needed()
    box, before = grip.bounding_box(), drawn(plane.element_handle())
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    view.mouse.move(*middle)
    view.mouse.down()
    view.mouse.move(middle[0] - 60, middle[1] + 30, steps=5)
    view.mouse.up()
    assert not same(before, drawn(plane.element_handle()))
    assert plane.locator(".abh-answer > [role=status]").inner_text().startswith("The answer: three.")


def test_a_move_of_something_else_answers_nothing(mount):
    """The question is about the mask: after a nudge it stands as before, but there is nothing to skip any more."""
    view = mount([Masking(predict={**ASKED, "about": ["mask", "preset"]})])
    root = view.locator("[data-explorable]")
    said = root.locator(".abh-answer > [role=status]")
    assert root.locator("[data-action=skip]").is_visible()
    root.locator("[name=nudge]").focus()
    view.keyboard.press("ArrowRight")
    root.locator("[data-action=skip]").wait_for(state="hidden")
    assert root.locator("[data-option='0']").is_visible()
    assert said.inner_text() == ""
    root.locator("[data-action=open]").click()
    root.locator("[name=preset]").select_option("none")
    view.evaluate("probe.settled()")
    assert said.inner_text().startswith("The answer: three.")
    assert not root.locator("[data-option='0']").is_visible()


def test_a_prediction_survives_a_reload_and_reset_forgets_it(visit):
    """What was said is there again, and the figure still waits for the drag; nothing jumps."""
    view = visit("chapters/03_masking.html", own=True)
    root = view.locator("[data-explorable]").first
    place = (
        "box => { const b = box.getBoundingClientRect(); return [b.x, b.y + scrollY, b.width, b.height]; }"
    )
    before = root.evaluate(place)
    root.locator("[data-option]").nth(1).click()
    said = root.locator(".abh-noted").inner_text()
    assert said.startswith("You said: ")
    view.reload()
    view.wait_for_selector("[data-ready]")
    assert root.locator(".abh-noted").inner_text() == said
    assert root.locator("[data-option]").nth(1).get_attribute("aria-pressed") == "true"
    assert root.get_attribute("data-right") == ""
    assert root.evaluate(place) == before
    root.locator("[data-action=reset]").click()
    view.reload()
    view.wait_for_selector("[data-ready]")
    assert root.locator("[data-option][aria-pressed=true]").count() == 0


@pytest.mark.parametrize("kept", ["{", "null", "[1]", '{"/chapters/03_masking.html": 9}'])
def test_a_prediction_that_no_page_wrote_is_none(visit, kept):
    view = visit("chapters/03_masking.html", own=True)
    question = book.figures("chapters/03_masking.html")[0].state["predict"]["question"]
    view.evaluate("text => sessionStorage.setItem('attention-by-hand:predicted', text)", kept)
    for wrong in ("length", -1, 99, 0.5, None):
        store = json.dumps({f"{view.evaluate('location.pathname')} {question}": wrong})
        view.reload()
        view.wait_for_selector("[data-ready]")
        assert view.locator("[data-option][aria-pressed=true]").count() == 0
        view.evaluate("text => sessionStorage.setItem('attention-by-hand:predicted', text)", store)


def test_reset_asks_again_and_links_have_no_answer(mount):
    widget = Masking(predict=ASKED)
    view = mount([widget])
    root = view.locator("[data-explorable]")
    text = root.inner_text()
    root.locator("[data-option='1']").click()
    root.locator("[name=nudge]").focus()
    view.keyboard.press("ArrowRight")
    assert root.get_attribute("data-right") == "1"
    root.locator("[data-action=reset]").click()
    assert root.inner_text() == text
    assert root.get_attribute("data-right") == ""
    assert {"predict", "answer"}.isdisjoint(widget.rules)


def test_python_sees_the_answer(mount):
    """A commitment is a trait: what `observe` gets in a notebook, set once, and saved."""
    from attn.explore._base import joined_module

    widget = Masking(predict=ASKED)
    state = {key: value for key, value in widget.get_state().items() if not key.startswith(("_", "layout"))}
    found = mount([Predict("How many corners?", **CHOICE)]).evaluate(
        """async ([text, state]) => {
          const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const { render } = (await import(address)).default;
          const log = [];
          const model = { get: (key) => state[key], set(key, value) { state[key] = value; log.push([key, value]); },
            save_changes() { log.push("saved"); }, on() {}, off() {} };
          const el = document.body.appendChild(document.createElement("div"));
          render({ model, el });
          el.querySelector('[data-option="2"]').click();
          return log;
        }""",
        [joined_module(widget.view), json.loads(json.dumps(state))],
    )
    assert found == [["answer", 2], "saved"]
    widget.answer = 2
    assert widget.right is False
    widget.answer = 1
    assert widget.right is True
