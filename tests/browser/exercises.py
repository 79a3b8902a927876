"""Exercises of the page in a reader's hands: what is kept of them on her device, and how each kind is solved."""

import json

KEPT = "attention-by-hand:practice"
#: JavaScript: the exercises that were tried, by their names; the cards, by theirs.
TRIED = f"(JSON.parse(localStorage.getItem('{KEPT}')) ?? {{ exercises: {{}} }}).exercises"
CARDS = f"JSON.parse(localStorage.getItem('{KEPT}'))?.cards ?? {{}}"
#: JavaScript for a page's start: reading and writing are refused, as in some private windows and frames.
REFUSED = """for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {
  configurable: true, get() { throw new DOMException("refused", "SecurityError"); },
});"""


def reopen(view, script=None):
    """Open the page anew, perhaps with a script before its own."""
    if script:
        view.add_init_script(script)
    view.reload()
    view.wait_for_selector("[data-ready]")


# ---------------------------------------------------------------- by hand


def texts(values):
    return [f"{value:.2f}" for value in values.ravel().tolist()]


def fields(view, step):
    return view.locator(f'input[data-answer^="{step}."]')


def type_in(view, step, answer, end="Enter"):
    """Type numbers into the cells of a step by keyboard alone, one after the other."""
    fields(view, step).first.focus()
    for place, text in enumerate(answer):
        view.keyboard.press("Control+a")
        view.keyboard.type(text)
        if place < len(answer) - 1:
            view.keyboard.press("Tab")
    view.keyboard.press(end)


# ---------------------------------------------------------------- cards


def answer_card(root, known):
    """Look at the card that is asked and judge it, by the buttons; return its name."""
    name = root.locator("[data-card]").get_attribute("data-card")
    for action in ("show", "knew" if known else "not-yet"):  # by key: what a tap brings up waits for a moment
        root.locator(f"[data-action={action}]:not([aria-disabled])").press("Enter")
    return name


# ---------------------------------------------------------------- reports


def move_control(root):
    """Move the one control of a small figure by keyboard, to another state."""
    control = root.locator(".abh-stage :is(input, select)").first
    before = root.evaluate("root => JSON.stringify(probe.state(root))")
    for key in ("ArrowDown", "ArrowUp", "Space"):
        control.press(key)
        if root.evaluate("root => JSON.stringify(probe.state(root))") != before:
            return
    raise AssertionError("the control does not move")


# ---------------------------------------------------------------- ladders


class Board:
    """The board of one ladder, as a reader meets it."""

    def __init__(self, view, index=0):
        self.view = view
        self.slot = view.locator(".abh-slot").nth(index)

    def button(self, action):
        return self.slot.locator(
            f'.abh-ladder li:not([hidden]) [data-action="{action}"], .abh-steps [data-action="{action}"]'
        )

    def open(self, n):
        self.button(f"rung-{n}").click()
        assert self.slot.locator(".abh-ladder li:visible").count() == 1
        return self

    def press(self, *actions):
        for action in actions:
            self.button(action).click()

    def states(self, n):
        """What an exercise, its goal and its hint say."""
        rung = self.slot.locator(".abh-ladder li").nth(n - 1)
        return rung.evaluate("""(li) => ({
          exercise: li.dataset.state,
          goal: li.querySelector("[data-goal]").dataset.state,
          hint: li.querySelector("[data-hint]").textContent,
          prize: li.querySelector(".abh-reward").textContent,
          kept: li.querySelector(".abh-label").textContent,
        })""")

    def kept(self):
        return json.loads(self.view.evaluate(f"localStorage.getItem('{KEPT}')") or "{}").get("exercises", {})
