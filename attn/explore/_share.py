"""What a link may change in an explorable, and the named states that a lecture steps through.

A reader shares a state as a link (``#state=Masking&nudge=2``), and whoever opens a link may have any text in it. So
each trait has a rule, made here from its type, and the page takes a value only if it keeps that rule
(``stateFrom`` in js/core.js).
"""

import re
from typing import Any

import traitlets

MOST = 1000  # how far from 0 a number may be where its trait names no end
MOST_INT = 10**6
STEP = re.compile(r"[a-z][a-z0-9-]{0,39}")


def shape_of(value: Any) -> tuple[int, ...] | None:
    """The shape of nested lists, () for a leaf; None where they are ragged, empty or hold a dictionary."""
    if isinstance(value, dict):
        return None
    if not isinstance(value, list | tuple):
        return ()
    inner = {shape_of(item) for item in value}
    shape = inner.pop() if len(inner) == 1 else None
    return None if shape is None else (len(value), *shape)


def leaves(value: Any) -> list:
    """What stands in nested lists and dictionaries."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def rule_of(trait: traitlets.TraitType, value: Any, words: list[str], control: dict[str, Any]) -> list | None:
    """Return what a link may set a trait to; of a list, each of its entries.

    Parameters
    ----------
    trait : traitlets.TraitType
    value : its value, whose shape stays
    words : list of str
        The texts of the figure itself: a link brings no others.
    control : dict
        Of the trait: a link goes as far as its ends, and has no other than its options.

    Returns
    -------
    rule : list or None
        ["bool"], ["int", low, high], ["number", low, high], ["of", option, …]; ["fixed"] for what no link changes;
        None for what a figure does not need in order to be built again. A class may also say (in ``limits``)
        ["order", low, high]: whole numbers that may change places; or ["text", letters, fewest, most]: a text of
        the reader's own, of these letters alone, so many of them.
    """
    if isinstance(trait, traitlets.Enum):
        return ["of", *(trait.values or ())]
    if "options" in control:
        return ["of", *(option for option, _ in control["options"])]
    if isinstance(trait, traitlets.Dict):
        return None
    if isinstance(trait, traitlets.List):
        if not shape_of(value):
            return ["fixed"]
        if not isinstance(trait._trait, traitlets.List | traitlets.Any) and trait._trait is not None:
            return rule_of(trait._trait, None, words, control)
        entries = leaves(value)
        if all(isinstance(entry, bool) for entry in entries):
            return ["bool"]
        if all(isinstance(entry, str) for entry in entries):
            return ["of", *words]
        numbers = all(isinstance(entry, int | float) for entry in entries)
        return ["number", -MOST, MOST] if numbers else ["fixed"]
    if isinstance(trait, traitlets.Bool):
        return ["bool"]
    if isinstance(trait, traitlets.Float | traitlets.Int):
        kind, most = ("int", MOST_INT) if isinstance(trait, traitlets.Int) else ("number", MOST)
        ends = ((-most, control.get("min", trait.min)), (most, control.get("max", trait.max)))
        return [kind, *(far if end in (None, far * float("inf")) else end for far, end in ends)]
    return ["of", *words] if isinstance(trait, traitlets.Unicode) else ["fixed"]


def rules(widget: Any, own: list[str]) -> dict[str, list]:
    """The rule of each trait in `own` that has one, by name, in the order in which its class names them."""
    given = widget.limits()
    values = {name: getattr(widget, name) for name in own if given.get(name, True)}
    traits = widget.traits()
    known = [values, *(told["changes"] for told in widget.stories)]
    texts = [
        value
        for state in known
        for name, value in state.items()
        if name in values and not isinstance(traits[name], traitlets.Enum)
    ]
    words = sorted({leaf for leaf in leaves(texts) if isinstance(leaf, str)})
    found = {
        name: rule_of(traits[name], value, words, widget.control(name)) for name, value in values.items()
    }
    return {name: rule for name, rule in (found | given).items() if rule}


def check_lecture(widget: Any, steps: list[dict], known: dict[str, list]) -> None:
    """Check a lecture's steps: names that can stand in a link, and changes of known traits to possible values.

    Raises
    ------
    ValueError
        If they are not; the message says which step, what is expected and what came.
    """
    seen = set()
    for place, step in enumerate(steps, 1):
        what = f"step {place} of the lecture"
        if not isinstance(step, dict) or set(step) != {"name", "says", "changes"}:
            raise ValueError(f"{what} must have name, says and changes, got {step!r}")
        name, changes = step["name"], step["changes"]
        if not STEP.fullmatch(str(name)) or name in seen:
            raise ValueError(
                f"{what} needs a name of its own in lower-case letters, digits and hyphens, got {name!r}"
            )
        seen.add(name)
        for trait, value in changes.items():
            if trait not in known:
                raise ValueError(f"{what}, {name}, changes {trait!r}; it may change {', '.join(known)}")
            if shape_of(value) != shape_of(getattr(widget, trait)):
                raise ValueError(
                    f"{what}, {name}: {trait} must have shape {shape_of(getattr(widget, trait))}, got {shape_of(value)}"
                )
            for entry in leaves(value):
                if not keeps(known[trait], entry):
                    raise ValueError(f"{what}, {name}: {trait} must be {known[trait]}, got {value!r}")


def keeps(rule: list, value: Any) -> bool:
    """Whether an entry keeps a rule."""
    kind, *limits = rule
    match kind:
        case "of":
            return value in limits
        case "bool":
            return isinstance(value, bool)
        case "text":
            letters, fewest, most = limits
            return isinstance(value, str) and fewest <= len(value) <= most and set(value) <= set(letters)
        case "int" | "order" | "number":
            wanted = int | float if kind == "number" else int
            return (
                isinstance(value, wanted) and not isinstance(value, bool) and limits[0] <= value <= limits[1]
            )
    return False
