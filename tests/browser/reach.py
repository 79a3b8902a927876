"""Bring a figure's inputs to wanted values as a hand does: drag, tap, choose. For any hand of gestures.py."""

from tests.browser.gestures import aim, open_up, state_of, tap_until, wait

FEW = 8  # arrow keys that finish what a drag began: a hand is no finer than a pixel


def same(one, other):
    if isinstance(one, bool | str) or isinstance(other, bool | str):
        return str(one) == str(other)  # a choice among numbers is text on the page
    return abs(one - float(other)) < 1e-9


def reach(hand, figure, way):
    """Go a way: its steps are [name of an input, value], or the action of a button that is pressed."""
    for step in way:
        if isinstance(step, str):
            press(hand, figure, step)
        elif not same(state_of(hand, figure)[step[0]], step[1]):
            bring(hand, figure, *step)


def press(hand, figure, action):
    """Tap a button, once."""
    at = aim(hand, figure, "button", action)
    assert at, f"{figure} shows no button {action}"
    assert not at["over"], f"{figure}: the button {action} lies under {at['over']}"
    hand.tap(at["x"], at["y"])
    hand.settle()


def bring(hand, figure, name, value):
    """Bring one input to a value. What is closed is opened; an entry of an editor is chosen by tapping its cell."""
    open_up(hand, figure)
    kind = hand.ask("kind", figure.index, name)
    if kind == "painter":
        paint(hand, figure, name, value)
    elif kind == "range":
        if name not in hand.ask("keys", figure.index, "slider"):
            choose(hand, figure, name)
        slide(hand, figure, name, value)
    elif kind == "select-one":
        ahead = hand.ask("choices", figure.index, name, str(value))
        for _ in range(abs(ahead)):
            hand.key("ArrowDown" if ahead > 0 else "ArrowUp")
    elif kind == "text":
        hand.ask("all_of", figure.index, name)
        for letter in value:
            hand.key(letter)
    else:
        key = f"{name}={value}" if kind == "radio" else name
        wanted = True if kind == "radio" else value
        at = aim(hand, figure, "switch", key)
        tap_until(
            hand,
            (at["x"], at["y"]),
            lambda: hand.ask("look", figure.index, "switch", key)["on"],
            wanted.__eq__,
        )
    now = wait(lambda: state_of(hand, figure)[name], lambda now: same(now, value))
    assert same(now, value), f"{figure}: the hand brings {name} to {now}, not to {value}"


def choose(hand, figure, name):
    """Tap the cell of an entry; before that its matrix and its head, where these are closed."""
    matrix, *path = name.split(".")
    for action in (f"edit-{matrix}", f"head-{path[0]}"):
        if name not in hand.ask("keys", figure.index, "cell"):
            press(hand, figure, action)
    at = aim(hand, figure, "cell", name)
    tap_until(
        hand,
        (at["x"], at["y"]),
        lambda: hand.ask("look", figure.index, "cell", name)["selected"],
        lambda selected: selected,
    )


def slide(hand, figure, name, value):
    """Drag the thumb to a value, and go the rest of the way by arrow keys."""
    seen = aim(hand, figure, "slider", name)
    low, high = seen["room"]
    x = low + (float(value) - seen["min"]) / (seen["max"] - seen["min"] or 1) * (high - low)
    if abs(x - seen["x"]) > 2:
        hand.go((seen["x"], seen["y"]), (x, seen["y"]), steps=3)
        hand.up()
        hand.settle()
    seen = hand.ask("focus", figure.index, "slider", name)
    steps = round((float(value) - seen["value"]) / seen["step"])
    assert abs(steps) <= FEW, f"{figure}: a drag leaves {name} {steps} steps from {value}"
    for _ in range(abs(steps)):
        hand.key("ArrowRight" if steps > 0 else "ArrowLeft")


def paint(hand, figure, name, value):
    key, i, j = name.split(".")

    def cell(sight=None):
        return (sight or hand.ask("look", figure.index, "painter", key))["cells"][int(i)][int(j)]

    at = cell(aim(hand, figure, "painter", key))
    tap_until(hand, (at["x"], at["y"]), lambda: cell()["on"], lambda on: on == value)
