"""States of a figure that its rules allow: wild ones, and such as a reader makes."""

import random
from urllib.parse import quote

from attn.explore._share import leaves, shape_of

#: What a reader may type, in pieces.
SENTENCES = "who looks at whom in the text that you have typed here and what is next that's a question"


def random_state(widget, rng, wild=0.2, exact=False):
    """A state that keeps every rule; so large a part of its numbers is as wild as the rules allow.

    The others are such as its controls reach, now and then an end of them, or are small where a number has no control.
    Wild numbers have three decimals, or are exact: all their digits, tiny, an end.
    """

    def entry(rule, control):
        match rule:
            case ("bool",):
                return rng.random() < 0.5
            case "of", *options:
                return rng.choice(options)
            case "text", letters, fewest, most:
                text = "".join(rng.choices(letters, k=rng.randint(fewest, most)))
                if rng.random() < 0.5:  # as somebody types it
                    start = rng.randrange(len(SENTENCES) - most)
                    text = SENTENCES[start : start + len(text)]
                return text
            case "number" | "int" as kind, *ends:
                low, high = ends
                if rng.random() >= wild:
                    if "options" in control:
                        return rng.choice(control["options"])[0]
                    low, high = max(low, control.get("min", -3)), min(high, control.get("max", 3))
                    if rng.random() < 0.1:
                        return rng.choice([low, high])
                if exact and kind == "number":
                    odd = [low, high, *(tiny for tiny in (-0.0, 5e-324, -1e-7) if low <= tiny <= high)]
                    return rng.choice([*odd, *(rng.uniform(low, high) for _ in odd)])
                return rng.randint(low, high) if kind == "int" else round(rng.uniform(low, high), 3)

    def fill(rule, control, shape):
        if not shape:
            return entry(rule, control)
        return [fill(rule, control, shape[1:]) for _ in range(shape[0])]

    state = {}
    for name, rule in widget.rules.items():
        if rule[0] == "order":
            state[name] = rng.sample(getattr(widget, name), len(getattr(widget, name)))
        elif rule[0] != "fixed" and not (rule[0] == "of" and shape_of(getattr(widget, name))):
            state[name] = fill(rule, widget.controls.get(name, {}), shape_of(getattr(widget, name)))
    return state


def whole(widget, changes):
    """All traits of a figure's state, with some changes."""
    return {name: getattr(widget, name) for name in widget.rules} | changes


def possible(state):
    """The same state, or one that can be: a pair of words meets as often as the margins allow."""
    if "p_11" in state:
        low = max(0.0, state["p_row"] + state["p_column"] - 1)
        high = min(state["p_row"], state["p_column"])
        state["p_11"] = low + state["p_11"] * (high - low)
    return state


def states(widget, n, seed, /, wild=0.05, exact=False, **fixed):
    """So many whole states; the first is the widget's own."""
    rng = random.Random(seed)
    found = [whole(widget, fixed)]
    while len(found) < n:
        found.append(whole(widget, possible(random_state(widget, rng, wild, exact)) | fixed))
    return found


def link_text(state):
    """What a link says of a state, written a second time."""

    def text(value):
        return str(int(value)) if isinstance(value, bool) else quote(str(value), safe="")

    return "&".join(f"{name}={','.join(map(text, leaves(value)))}" for name, value in state.items())


class Twin:
    """A figure's mathematics in NumPy, in one state after the other: a widget for each would take 50 times as long."""

    def __init__(self, widget):
        self.widget = type(widget)(**{name: getattr(widget, name) for name in widget.own_traits()})

    def at(self, state):
        """The widget with other traits, unchecked; until the next call."""
        self.widget._trait_values.update(state)
        return self.widget


def rebuilt(value, spot, entry):
    """Nested lists with another entry at a place."""
    if not spot:
        return entry
    copy = list(value)
    copy[spot[0]] = rebuilt(copy[spot[0]], spot[1:], entry)
    return copy


def spots(value, path=()):
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from spots(inner, (*path, index))
    else:
        yield path, value
