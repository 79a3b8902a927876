"""What a hand does to a figure and what must come of it: written once, for every figure and every way to send events.

A *hand* sends events (`Hand` says which). A *question* is a generator: it moves the hand, looks, and yields a sentence
for each thing that is not as it should be. Nothing here knows a browser's driver or a figure's name; the figures are
found by what the DOM contract says: `data-grip`, `data-painter`, `data-reorder`, ranges with a name, cells of a matrix
that can be edited.
"""

import itertools
import json
import math
import time
from functools import partial
from pathlib import Path

from tests.browser.explorables import EXPLORABLES
from tests.browser.hand import differences

SCRIPTS = [Path(__file__).parent / name for name in ("probe.js", "hands.js")]
NEAR = 7  # px: half a step of the finest grid, rounding, and what a browser rounds
OFFSET = (8, -7)  # a hand takes a grip beside its middle: farther than NEAR, and inside the smallest grip
SMALLEST = {False: 24, True: 44}  # px, for a mouse and for a finger
LONG = 30  # s: how long a slow machine may take


class Hand:
    """How events are sent. Positions are CSS px from the window's corner; each call returns once the page has it.

    The page must have the scripts of `SCRIPTS`. A driver implements

    run(function, argument) : call a JavaScript function, given as text, with one JSON argument; return its string
    settle() : wait until the page has drawn two frames
    down(x, y) : press the button there, after a move of the mouse; or put the finger down
    move(x, y), up(), key(name)

    and for a finger second(x, y), which puts a second one down or moves it, second_up(), and cancel(): the system takes
    the finger, as when a call comes in.
    """

    finger = False
    scrolls = False  # whether a swipe scrolls the page

    def ask(self, name, *arguments):
        """The answer of one of the functions of hands.js."""
        answer = self.run(
            "([name, given]) => probe.text(hands[name](...given) ?? null)", [name, list(arguments)]
        )
        return json.loads(answer)

    def hold(self, x, y):
        """Be down there until the thing is held: a mouse holds it at once, a finger rests a moment."""
        self.down(x, y)
        held = "() => probe.text(document.querySelector('.abh-held') !== null)"
        wait(lambda: json.loads(self.run(held, None)), bool)

    def go(self, start, *stops, steps=4, rest=False):
        """Take hold at `start`, after a rest perhaps, and go to each stop on a straight way; the hand stays down."""
        (self.hold if rest else self.down)(*start)
        for stop in stops:
            for step in range(1, steps + 1):
                self.move(*(a + (b - a) * step / steps for a, b in zip(start, stop, strict=True)))
            start = stop

    def tap(self, x, y):
        self.down(x, y)
        self.up()

    def swipe(self, start, end, steps=6):
        self.go(start, end, steps=steps)
        self.up()


def wait(look, wanted):
    """Look until it is as wanted, or for a long time; return what was seen last."""
    end = time.monotonic() + LONG
    while not wanted(seen := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return seen


def tap_until(hand, place, look, wanted):
    """Tap, and look until it is as wanted; return what was seen last.

    On a busy machine a finger may come off so late that the browser takes the tap for a long press: it tries again.
    """
    if not hand.finger:
        hand.tap(*place)
        return wait(look, wanted)
    end = time.monotonic() + LONG
    while not wanted(seen := look()) and time.monotonic() < end:
        hand.tap(*place)
        for _ in range(60):  # looks, each after two frames
            hand.settle()
            if wanted(look()):
                break
    return seen


def calm(hand):
    """Wait until the page stands still; return how far it is scrolled."""
    same, last = 0, None
    while same < 2:
        hand.settle()
        now = hand.ask("scroll")["now"]
        same, last = (same + 1 if now == last else 0), now
    return last


def numbers(hand, figure):
    """Each number that the figure draws is NumPy's for the state that its inputs show."""
    shown = hand.ask("read", figure.index)
    state = shown["state"]
    if unseen := EXPLORABLES[figure.name].unseen:
        ask = f"([i, own, state]) => probe.text(({unseen})(probe.roots()[i], {{...own, ...state}}))"
        state |= json.loads(hand.run(ask, [figure.index, figure.state, state]))
    yield from differences(figure.after(state), shown["drawn"])


def open_up(hand, figure):
    """Open the figure as a reader does, if there is something to open."""
    if at := hand.ask("opener", figure.index):
        tap_until(hand, (at["x"], at["y"]), lambda: hand.ask("opener", figure.index), lambda still: not still)


def aim(hand, figure, sort, key):
    """Bring a thing to the middle of the screen; look when the page stands: what was far may grow as it comes."""
    while True:
        seen = hand.ask("aim", figure.index, sort, key)
        hand.settle()
        if not slipped(now := hand.ask("look", figure.index, sort, key), seen):
            return now


def state_of(hand, figure):
    return hand.ask("read", figure.index)["state"]


def slipped(seen, first):
    """Whether the thing, for a grip its plane, is elsewhere on the screen: scrolled away, or pushed by what grew."""
    return abs(seen["stands"] - first["stands"]) > 2


def steady(hand, figure, what, seen, first):
    """Under the hand it stays where it was on the screen, and the numbers are NumPy's."""
    if slipped(seen, first):
        yield f"{what}: it slips by {seen['stands'] - first['stands']:.0f} px under the hand"
    for said in numbers(hand, figure):
        yield f"{what}: {said}"


def called_off(hand, figure, what, before, place):
    """Escape, or a cancel where there is a finger, puts back what it was, and the drag is over."""
    if hand.finger:
        hand.cancel()
    else:
        hand.key("Escape")
    if wait(lambda: state_of(hand, figure), lambda now: now == before) != before:
        yield f"{what}: calling a drag off does not put back what it was"
    if not hand.finger:
        yield from stays(hand, figure, what, place)
        hand.up()


def away(seen, other):
    return math.hypot(seen["x"] - other[0], seen["y"] - other[1])


# ---------------------------------------------------------------- grips


def target(seen):
    """Where to drag a grip: as far from the middle of the plane as it is, but not at the rim, 70° further on."""
    frame = seen["frame"]
    middle = (frame["left"] + frame["width"] / 2, frame["top"] + frame["width"] / 2)
    dx, dy = seen["x"] - middle[0], seen["y"] - middle[1]
    far = min(max(math.hypot(dx, dy), 0.2 * frame["width"]), 0.38 * frame["width"])
    angle = math.atan2(dy, dx) + math.radians(70)
    return middle[0] + far * math.cos(angle), middle[1] + far * math.sin(angle)


def beside(point, by=OFFSET):
    return point[0] + by[0], point[1] + by[1]


def grip_lies_on_top(hand, figure, key):
    """The grip is found at its middle, and around it as far as a mouse or a finger needs."""
    what, least = f"{figure}: the grip {key}", SMALLEST[hand.finger]
    seen = aim(hand, figure, "grip", key)
    if seen["over"]:
        yield f"{what} lies under {seen['over']}"
    if min(seen["width"], seen["height"]) < least:
        yield f"{what} is {seen['width']} × {seen['height']} px, less than {least}"
    if seen["scrolls"] != "none":
        yield f"{what} lets a finger scroll: touch-action is {seen['scrolls']}"
    for said in hand.ask("reach", figure.index, key, least / 2 - 1.5):
        yield f"{what} is not found: {said}"


def grip_follows(hand, figure, key):
    """A drag there and back: the grip is at the hand, the page stays, the numbers are NumPy's; then it is over."""
    what = f"{figure}: the grip {key}"
    look = partial(hand.ask, "look", figure.index, "grip", key)
    first = aim(hand, figure, "grip", key)
    before, home = state_of(hand, figure), (first["x"], first["y"])
    for start, end in ((home, target(first)), (None, home)):
        start = start or ((now := look())["x"], now["y"])
        hand.go(beside(start), beside(end))
        seen = wait(look, lambda seen, end=end: away(seen, end) < NEAR)
        if away(seen, end) >= NEAR:
            yield f"{what} is {away(seen, end):.0f} px from the hand at the end of a drag"
        yield from steady(hand, figure, what, seen, first)
        if end is not home and state_of(hand, figure) == before:
            yield f"{what} sets nothing"
        hand.up()
        yield from stays(hand, figure, what, beside(end, (40, 30)))
    if said := hand.ask("selected"):
        yield f"{what}: the drag selected {said!r}"


def stays(hand, figure, what, place):
    """After the end of a drag nothing follows any more."""
    hand.settle()
    before = state_of(hand, figure)
    if not hand.finger:
        hand.move(*place)
        hand.settle()
    if state_of(hand, figure) != before:
        yield f"{what} follows a hand that has let go"


def grip_lets_go(hand, figure, key):
    """Whatever ends a drag ends it: Escape, a cancel and what a second finger does leave nothing that follows."""
    what = f"{figure}: the grip {key}"
    look = partial(hand.ask, "look", figure.index, "grip", key)
    first = aim(hand, figure, "grip", key)
    home, there = (first["x"], first["y"]), target(first)
    before = state_of(hand, figure)
    hand.go(home, there)
    yield from called_off(hand, figure, what, before, home)
    if hand.finger:
        # A second finger beside the first, on the way and off again: the first goes on as if there were none.
        hand.go(home, there)
        hand.second(*beside(there, (13, 9)))
        hand.second(*beside(there, (40, 30)))
        for when, then in (("comes", hand.second_up), ("leaves", hand.up), ("has left", hand.settle)):
            hand.settle()
            if away(seen := look(), there) >= NEAR:
                yield f"{what} jumps by {away(seen, there):.0f} px when a second finger {when}"
            then()
        if slipped(seen, first):
            yield f"{what}: the page scrolled under two fingers"
    else:
        # Out of the window and back in with the button down, then let go outside.
        hand.go(home, (-60, there[1]), there)
        seen = wait(look, lambda seen: away(seen, there) < NEAR)
        if away(seen, there) >= NEAR:
            yield f"{what} is lost when the hand leaves the window and comes back"
        hand.move(-60, there[1])
        hand.up()
        yield from stays(hand, figure, what, home)
    now = look()
    hand.go((now["x"], now["y"]), home)
    wait(look, lambda seen: away(seen, home) < NEAR)
    hand.ask("blur")
    hand.move(*there)
    hand.settle()
    if away(seen := look(), home) >= NEAR:
        yield f"{what} follows though the window has lost the focus"
    hand.up()
    yield from stays(hand, figure, what, there)


def grips_that_meet(hand, figure, key, other):
    """Where two grips overlap, the nearest takes the pointer: one that was put on another can be taken away again."""
    what = f"{figure}: the grip {key}"

    def look(name=key):
        return hand.ask("look", figure.index, "grip", name)

    first = aim(hand, figure, "grip", key)
    goal = look(other)
    beside_it = (goal["x"] + 13, goal["y"] + 2)
    hand.go((first["x"], first["y"]), beside_it)
    hand.up()
    seen = wait(look, lambda seen: away(seen, beside_it) < NEAR)
    if away(seen, beside_it) >= NEAR:
        yield f"{what} does not come near {other}"
    for name in (key, other):
        if over := look(name)["over"]:
            yield f"{figure}: beside each other, the grip {name} lies under {over}"
    hand.go((seen["x"] + 3, seen["y"]), (first["x"] + 3, first["y"]))
    hand.up()
    seen = wait(look, lambda seen: away(seen, (first["x"], first["y"])) < NEAR)
    if away(seen, (first["x"], first["y"])) >= NEAR:
        yield f"{what} does not come away from {other}"
    if away(look(other), (goal["x"], goal["y"])) > 1:
        yield f"{what} takes {other} along"


# ---------------------------------------------------------------- scrolling


def up_or_down(hand):
    """A way for a finger that scrolls the page, whether it is at its end or not: −1 up, 1 down."""
    seen = hand.ask("scroll")
    return -1 if seen["most"] - seen["now"] > 200 else 1


def scrolls(hand, figure, what, start):
    """A swipe from there scrolls the page as always, and sets nothing."""
    before, top = state_of(hand, figure), calm(hand)
    end = (start[0] + 3, start[1] + 130 * up_or_down(hand))
    hand.swipe(start, end)
    seen = wait(lambda: hand.ask("scroll")["now"], lambda now: abs(now - top) > 40)
    if abs(seen - top) <= 40:
        yield f"{what}: a swipe from there scrolls the page by {abs(seen - top):.0f} px"
    calm(hand)
    if state_of(hand, figure) != before:
        yield f"{what}: a swipe that scrolls sets something"


def ground_scrolls(hand, figure, key):
    aim(hand, figure, "plane", key)
    place = hand.ask("ground", figure.index, key)
    yield from scrolls(hand, figure, f"{figure}: the ground of its plane", (place["x"], place["y"]))


def slider_scrolls(hand, figure, key):
    seen = aim(hand, figure, "slider", key)
    yield from scrolls(hand, figure, f"{figure}: the slider {key}", (seen["x"], seen["y"]))
    # Where the finger comes down on the track, far from the thumb, the browser sets the range at once.
    seen = aim(hand, figure, "slider", key)
    left, right = seen["room"]
    far = left + 10 if seen["x"] > (left + right) / 2 else right - 10
    yield from scrolls(hand, figure, f"{figure}: the track of {key}", (far, seen["y"]))


def cell_scrolls(hand, figure, key):
    seen = aim(hand, figure, "cell", key)
    yield from scrolls(hand, figure, f"{figure}: the cell {key}", (seen["x"], seen["y"]))


def list_scrolls(hand, figure, key):
    (item, *_) = aim(hand, figure, "list", key)["items"]
    yield from scrolls(hand, figure, f"{figure}: the list {key}", (item["x"], item["y"]))


def painter_leaves_ground(hand, figure, key):
    """A finger's stroke paints, so it can't scroll: beside the grid, on the names of its rows, a swipe does."""
    seen = aim(hand, figure, "painter", key)
    row = seen["cells"][-1][0]
    yield from scrolls(
        hand, figure, f"{figure}: the names beside the grid {key}", (row["left"] - 16, row["y"])
    )


# ---------------------------------------------------------------- sliders


def slider_follows(hand, figure, key):
    """The thumb goes where the hand goes, to the end and back; a tap on the track brings it there."""
    what = f"{figure}: the slider {key}"
    look = partial(hand.ask, "look", figure.index, "slider", key)
    first = aim(hand, figure, "slider", key)
    if first["max"] - first["min"] < first["step"]:
        return
    if first["over"]:
        yield f"{what} lies under {first['over']}"
    if first["height"] < SMALLEST[False]:
        yield f"{what} is {first['height']} px high"
    low, high = first["room"]
    reach, home = first["step"] / (first["max"] - first["min"]) * (high - low), first["x"]
    near = NEAR + reach / 2
    aside, tapped = (
        low + share * (high - low) for share in ((0.8, 0.7) if home < (low + high) / 2 else (0.2, 0.3))
    )
    for drag, end in ((True, aside), (True, home), (False, tapped), (True, home)):
        now = look()

        def there(seen, end=end):
            return abs(seen["x"] - end) < near

        if drag:
            hand.go((now["x"], now["y"]), (end, now["y"]))
            seen = wait(look, there)
        else:
            seen = tap_until(hand, (end, now["y"]), look, there)
        how = "at the end of a drag" if drag else "after a tap on its track"
        if abs(seen["x"] - end) >= near:
            yield f"{what}: its thumb is {abs(seen['x'] - end):.0f} px from the hand {how}"
        yield from steady(hand, figure, what, seen, first)
        if drag:
            hand.up()
        yield from stays(hand, figure, what, (low, now["y"]))


# ---------------------------------------------------------------- switches


def switch_flips(hand, figure, key):
    """One click or tap turns a switch once, and the numbers follow; a checkbox turns back at the next."""
    what, radio = f"{figure}: the switch {key}", "=" in key
    look = partial(hand.ask, "look", figure.index, "switch", key)
    before = seen = aim(hand, figure, "switch", key)
    if seen["over"]:
        yield f"{what} lies under {seen['over']}"
    if min(seen["width"], seen["height"]) < SMALLEST[False]:
        yield f"{what} is {seen['width']} × {seen['height']} px"
    for wanted in [True] if radio else [not before["on"], before["on"]]:
        place = (seen["x"], seen["y"])
        if tap_until(hand, place, look, lambda now, wanted=wanted: now["on"] == wanted)["on"] != wanted:
            yield f"{what} is {not wanted} after a tap"
        hand.settle()
        yield from steady(hand, figure, what, look() or seen, seen)
        seen = aim(hand, figure, "switch", key)


def button_stays(hand, figure, key):
    """A button that is tapped is where it was, whatever grows or shrinks above it."""
    if key not in hand.ask("keys", figure.index, "button"):
        return  # another one took it away
    at = aim(hand, figure, "button", key)
    hand.tap(at["x"], at["y"])
    hand.settle()
    if (now := hand.ask("look", figure.index, "button", key)) and slipped(now, at):
        yield f"{figure}: the button {key} slips by {now['stands'] - at['stands']:.0f} px under the hand"


# ---------------------------------------------------------------- cells of a matrix that can be edited

PX_A_STEP = 6  # as the figure promises: a step of 0.1 for each of these


def cell_follows(hand, figure, key):
    """A tap selects a cell and changes nothing; a drag aside changes its number step by step, there and back."""
    what = f"{figure}: the cell {key}"
    look = partial(hand.ask, "look", figure.index, "cell", key)
    first = aim(hand, figure, "cell", key)
    if first["over"]:
        yield f"{what} lies under {first['over']}"
    before = state_of(hand, figure)
    hand.tap(first["x"], first["y"])
    if not wait(look, lambda seen: seen["selected"])["selected"]:
        yield f"{what}: a tap does not select it"
    if state_of(hand, figure) != before:
        yield f"{what}: a tap changes something"
    first = aim(hand, figure, "cell", key)
    steps = -8 if first["value"] > 2 else 8
    for way, value in ((steps, first["value"] + 0.1 * steps), (-steps, first["value"])):
        hand.go((first["x"], first["y"]), (first["x"] + PX_A_STEP * way, first["y"]))
        seen = wait(look, lambda seen, value=value: abs(seen["value"] - value) < 0.051)
        if abs(seen["value"] - value) >= 0.051:
            yield f"{what} is {seen['value']} after a drag that leads to {value:.2f}"
        yield from steady(hand, figure, what, seen, first)
        hand.up()
        yield from stays(hand, figure, what, (first["x"] - 2 * PX_A_STEP * way, first["y"]))


def cell_lets_go(hand, figure, key):
    """Escape, or a cancel, puts a cell's number back, and the drag is over."""
    what = f"{figure}: the cell {key}"
    first, before = aim(hand, figure, "cell", key), state_of(hand, figure)
    hand.go((first["x"], first["y"]), (first["x"] + (-60 if first["value"] > 2 else 60), first["y"]))
    if wait(lambda: state_of(hand, figure), lambda now: now != before) == before:
        yield f"{what}: a drag aside changes nothing"
    yield from called_off(hand, figure, what, before, (first["x"] - 80, first["y"]))


# ---------------------------------------------------------------- grids that are painted


def painter_paints(hand, figure, key):
    """A click or a tap flips one cell once; a stroke gives one value to all cells under its way; the page stays."""
    what = f"{figure}: the grid {key}"
    look = partial(hand.ask, "look", figure.index, "painter", key)

    def painted(cells):
        return [[cell["on"] for cell in row] for row in cells]

    def check(wanted, how):
        seen = wait(look, lambda seen: painted(seen["cells"]) == wanted)
        if painted(seen["cells"]) != wanted:
            yield f"{what}: after {how} it is {painted(seen['cells'])}, not {wanted}"
        yield from steady(hand, figure, f"{what}, after {how}", seen, first)

    def middle(i, j):
        return cells[i][j]["x"], cells[i][j]["y"]

    first = aim(hand, figure, "painter", key)
    cells, now = first["cells"], painted(first["cells"])
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            if cell["over"]:
                yield f"{what}: cell {i}, {j} lies under {cell['over']}"
            if cell["scrolls"] != "none":
                yield f"{what}: cell {i}, {j} lets a finger scroll: touch-action is {cell['scrolls']}"
            if min(cell["width"], cell["height"]) < SMALLEST[True] - 0.5:
                yield f"{what}: cell {i}, {j} is {cell['width']} × {cell['height']} px"
    last_row, last = len(cells) - 1, len(cells[0]) - 1
    for turn in ("a first", "a second"):
        hand.tap(*middle(0, last))
        now[0][last] = not now[0][last]
        yield from check(now, f"{turn} tap on one cell")
    # Along a row with two moves, back along a column in one: a quick hand skips cells between two events.
    for (i, j), (k, m), steps in (
        ((0, 0), (0, last), 2),
        ((0, last), (last_row, last), 1),
        ((last_row, 0), (1, 0), 1),
    ):
        value = not now[i][j]
        hand.swipe(middle(i, j), middle(k, m), steps=steps)
        for row in range(min(i, k), max(i, k) + 1):
            for column in range(min(j, m), max(j, m) + 1):
                now[row][column] = value
        yield from check(now, f"a stroke from {i}, {j} to {k}, {m}")
    if last_row and last:  # a stroke that bends leaves alone what it goes around
        value = not now[0][0]
        hand.go(middle(0, 0), middle(0, last), middle(last_row, last), steps=2)
        hand.up()
        for i, j in [
            *((0, column) for column in range(last + 1)),
            *((row, last) for row in range(last_row + 1)),
        ]:
            now[i][j] = value
        yield from check(now, "a stroke along the first row and down the last column")
    yield from stays(hand, figure, what, middle(last_row, last))
    # Called off, a stroke leaves no trace.
    before = state_of(hand, figure)
    hand.go(middle(0, 0), middle(last_row, 0), steps=3)
    yield from called_off(hand, figure, what, before, middle(last_row, last))
    yield from check(now, "a stroke that was called off")


# ---------------------------------------------------------------- lists that can be put in another order


def list_follows(hand, figure, key):
    """An item that is dragged onto the last one's place stands there, the others in their order; and back."""
    what = f"{figure}: the list {key}"
    look = partial(hand.ask, "look", figure.index, "list", key)

    def words(seen):
        return [item["text"] for item in seen["items"]]

    first = aim(hand, figure, "list", key)
    for item in first["items"]:
        if item["over"]:
            yield f"{what}: {item['text']} lies under {item['over']}"
    old = words(first)
    for start, end, wanted in ((0, -1, [*old[1:], old[0]]), (-1, 0, old)):
        items = look()["items"]
        hand.go((items[start]["x"], items[start]["y"]), (items[end]["x"], items[end]["y"]), rest=True)
        seen = wait(look, lambda seen, wanted=wanted: words(seen) == wanted)
        hand.up()
        if words(seen) != wanted:
            yield f"{what} is {words(seen)}, not {wanted}"
        yield from steady(hand, figure, what, seen, first)


# ---------------------------------------------------------------- all of it


def one_of_each_matrix(keys):
    """Of the cells that a figure shows, the second row's first in each matrix, or the first."""
    chosen = {}
    for key in keys:
        matrix, *path = key.split(".")
        if matrix not in chosen or path[-2:] == ["1", "0"]:
            chosen[matrix] = key
    return list(chosen.values())


def questions(hand, figure, thorough=True):
    """All questions to a figure as it is shown now, as pairs of what is asked and its sentences; each is lazy."""
    sorts = ("grip", "slider", "painter", "list", "plane", "cell", "switch")
    keys = {sort: hand.ask("keys", figure.index, sort) for sort in sorts}
    grips, cells = keys["grip"], one_of_each_matrix(keys["cell"])
    asked = [(grip_lies_on_top, grips), (grip_follows, grips), (slider_follows, keys["slider"])]
    if hand.scrolls:
        asked += [
            (ground_scrolls, keys["plane"]),
            (slider_scrolls, keys["slider"]),
            (cell_scrolls, cells[:1]),
            (list_scrolls, keys["list"]),
            (painter_leaves_ground, keys["painter"]),
        ]
    if thorough:
        one_of_each_trait = list({key.split(".")[0]: key for key in grips}.values())
        asked += [(grip_lets_go, one_of_each_trait), (cell_lets_go, cells[:1])]
    # Last what puts other sliders into the dock, or opens and closes parts of the figure.
    asked += [(painter_paints, keys["painter"]), (list_follows, keys["list"]), (cell_follows, cells)]
    asked += [(switch_flips, keys["switch"])]
    for question, of in asked:
        for key in of:
            yield f"{question.__name__} {key}", question(hand, figure, key)
    if thorough and len(grips) > 1:
        yield "grips_that_meet", grips_that_meet(hand, figure, grips[0], grips[1])
    buttons = [
        key for key in hand.ask("keys", figure.index, "button") if key not in ("share", "reset", "open")
    ]
    for key in [*buttons, "open"]:  # the last one closes the figure
        yield f"button_stays {key}", button_stays(hand, figure, key)


def resets(hand, figure, before):
    """A tap on Reset brings back what the inputs were, and leaves Reset where it is."""
    at = aim(hand, figure, "reset", "reset")

    def same(now):
        return {name: now.get(name) for name in before} == before

    now = tap_until(hand, (at["x"], at["y"]), lambda: state_of(hand, figure), same)
    if not same(now):
        yield f"{figure}: Reset leaves { ({name: now.get(name) for name in before if now.get(name) != before[name]}) }"
    hand.settle()
    if slipped(after := hand.ask("look", figure.index, "reset", "reset"), at):
        yield f"{figure}: Reset slips by {after['stands'] - at['stands']:.0f} px under the hand"


def complaints(hand, figure, *, thorough=True):
    """What is wrong with a figure in this hand, opened if it can be: what the first question that fails has to say."""
    before = state_of(hand, figure)
    open_up(hand, figure)
    last = [("resets", resets(hand, figure, before))] if hand.ask("keys", figure.index, "reset") else []
    for asked, answer in itertools.chain(questions(hand, figure, thorough), last):
        if said := list(
            itertools.islice(answer, 3)
        ):  # where one thing fails, many may, and each takes its time
            return [f"{asked}:", *said]
    return []
