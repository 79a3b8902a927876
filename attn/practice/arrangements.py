"""What each arrangement of a program's lines computes: found by running them.

A program has right lines and wrong ones, which are real bugs. Run one after the other, the lines change what its names
stand for. So its arrangements are ways through a table of *states*: one for each set of values that some arrangement
reaches, and for each line the state that it leads to, or why it stops there. :func:`table_of` runs each line once in
each state, in NumPy; states that no further line can tell apart become one. The table is a few KB, and
:func:`judge` follows an arrangement through it. Its JavaScript twin is in ``js/code_in_order.js``.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from attn._numbers import significant
from attn.practice.program import Program, Values, parts_of, right_values, run_line, size_of

UNTRIED = -1  # in a table: the line stands above already, so it can't come here

RIGHT = "It computes what was asked."
IDLE = "What is returned is right, and would be without this line: leave it out."


@dataclass
class _State:
    values: Values
    keys: list[str]  # of a shortest program that comes here
    next: dict[int, int | str] = field(default_factory=dict)  # line -> state, or why it stops


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal up to rounding."""
    if isinstance(one, tuple | list):
        return (
            type(one) is type(other)
            and len(one) == len(other)
            and all(_same(a, b) for a, b in zip(one, other, strict=True))
        )
    a, b = np.asarray(one), np.asarray(other)
    if a.shape != b.shape or a.dtype.kind != b.dtype.kind:
        return False
    with np.errstate(invalid="ignore"):  # np.allclose does the same, and takes five times as long
        near = (np.abs(a.astype(float) - b) <= 1e-12 + 1e-9 * np.abs(b)) & np.isfinite(b)
    return bool((near | (a == b) | ((a != a) & (b != b))).all())


def _all_same(one: Values, other: Values) -> bool:
    return one.keys() == other.keys() and all(
        one[name] is other[name] or _same(one[name], other[name]) for name in one
    )


def _kind(values: Values) -> tuple:
    """What equal values have in common, to the letter: names, shapes and types."""
    return tuple(
        (name, np.shape(value), np.asarray(value).dtype.kind) for name, value in sorted(values.items())
    )


def _explore(program: Program) -> list[_State]:
    """All states that an arrangement of the lines can reach, and where each line leads from them."""
    lines, tools, start = parts_of(program)
    keys = list(program.all_lines)
    states = [_State(start, [])]
    alike: dict[tuple, list[int]] = {_kind(start): [0]}
    frontier = [(0, frozenset[int]())]
    met = set(frontier)
    while frontier:
        now, later = frontier, []
        for here, used in now:
            state = states[here]
            for line in range(len(lines)):
                if line in used:
                    continue
                if line not in state.next:
                    after = run_line(lines[line], tools, state.values)
                    if not isinstance(after, str):
                        near = alike.setdefault(_kind(after), [])
                        found = next((i for i in near if _all_same(states[i].values, after)), len(states))
                        if found == len(states):
                            near.append(found)
                            states.append(_State(after, [*state.keys, keys[line]]))
                        state.next[line] = found
                    else:
                        state.next[line] = after
                there = state.next[line]
                if isinstance(there, int) and (step := (there, used | {line})) not in met:
                    met.add(step)
                    later.append(step)
        frontier = later
    return states


def _merged(states: list[_State], ends: list[str]) -> list[int]:
    """For each state the class that it is in: states of one class end alike, and each line leads them alike."""
    classes = [sorted(set(ends)).index(end) for end in ends]
    while True:
        looks = [
            (
                classes[i],
                tuple(
                    (line, classes[to] if isinstance(to, int) else to)
                    for line, to in sorted(state.next.items())
                ),
            )
            for i, state in enumerate(states)
        ]
        order = list(dict.fromkeys(looks))
        finer = [order.index(look) for look in looks]
        if len(order) == len(set(classes)):
            return finer
        classes = finer


def _entry(name: str, value: Any, right: Any) -> str:
    """The entry of a result that is furthest from the right one, in words."""
    got, wanted = np.asarray(value), np.asarray(right)
    if got.shape != wanted.shape:
        return f"`{name}` is {size_of(got)}; it should be {size_of(wanted)}."
    if not np.isfinite(got).all():
        return f"`{name}` holds {'NaN' if np.isnan(got).any() else 'infinity'}."
    place = np.unravel_index(np.abs(got.astype(float) - wanted).argmax(), got.shape)
    where = f"[{', '.join(map(str, place))}]" if place else ""
    return f"`{name}{where}` is {_figure(got[place])}; it should be {_figure(wanted[place])}."


def _figure(value: Any) -> str:
    """A number in three digits, so that what differs looks different; or True, False."""
    return str(value) if isinstance(value, np.bool_) else significant(value, 3).replace("-", "−")


def _needed(program: Program, states: list[_State], state: _State) -> list[str]:
    """The lines that brought a state, without those that change nothing in what it returns."""
    places = {key: place for place, key in enumerate(program.all_lines)}

    def returned(keys: list[str]) -> list[Any] | None:
        here = states[0]
        for key in keys:
            to = here.next.get(places[key])
            if not isinstance(to, int):
                return None
            here = states[to]
        return [here.values[name] for name in program.returns if name in here.values]

    keys, wanted = list(state.keys), [state.values[name] for name in program.returns]
    for key in reversed(state.keys):
        fewer = [other for other in keys if other != key]
        if (found := returned(fewer)) is not None and _same(found, wanted):
            keys = fewer
    return keys


def _end(
    program: Program, states: list[_State], state: _State, right: Values
) -> tuple[tuple[int, ...], str] | None:
    """What is said of a program that returns in a state: its meanings, and what differs. None where all is right."""
    for name in program.returns:
        if name not in state.values:
            return (), f"But it makes no `{name}` to return."
    wrong = [name for name in program.returns if not _same(state.values[name], right[name])]
    if not wrong:
        return None
    value = state.values[wrong[0]]
    broken = not np.isfinite(value).all()
    keys = _needed(program, states, state)
    told = tuple(i for i, meaning in enumerate(program.means) if meaning.fits(keys, broken))
    return told, _entry(wrong[0], value, right[wrong[0]])


@cache
def table_of(program: Program) -> dict[str, Any]:
    """All that is to be said of all arrangements of a program's lines, as plain data.

    Returns
    -------
    dict
        ``next``: a row for each state, an entry for each line: the state that it leads to; `UNTRIED`; or
        −2 − i, where it stops and ``stops[i]`` says why. ``ends``: for each state −1 where what it returns is right,
        else an index into ``says``: pairs of meanings, as indices into ``means``, and of what differs. State 0 is the
        start. ``right`` and ``idle`` are said of what is right, and of a line too many.
    """
    right = right_values(program)
    states = _explore(program)
    ends = [_end(program, states, state, right) for state in states]
    classes = _merged(states, [repr(end) for end in ends])
    names = {own: place for place, own in enumerate(dict.fromkeys(classes))}
    says = [end for end in dict.fromkeys(ends) if end]
    rows: list[list[int]] = [[] for _ in names]
    stops: list[str] = []
    last = [UNTRIED] * len(names)
    for state, own, end in zip(states, classes, ends, strict=True):
        row = []
        for line in range(len(program.all_lines)):
            to = state.next.get(line)
            if isinstance(to, str):
                if to not in stops:
                    stops.append(to)
                row.append(-2 - stops.index(to))
            else:
                row.append(UNTRIED if to is None else names[classes[to]])
        rows[names[own]] = row
        last[names[own]] = says.index(end) if end else -1
    return {
        "next": rows, "stops": stops, "ends": last, "says": [[list(told), entry] for told, entry in says],
        "means": [meaning.says for meaning in program.means], "right": RIGHT, "idle": IDLE,
    }  # fmt: skip
