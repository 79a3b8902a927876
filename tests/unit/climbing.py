"""Ladders without a browser: states of all kinds, and what the page's own code, run by node, says of them."""

import copy
import random

import numpy as np

from attn.explore._share import leaves
from tests import tiers
from tests.browser.states import Twin, possible, rebuilt, spots
from tests.unit.node import answer, view_of

RANDOM = 1000 if tiers.ALL else 100
SLACK = 1e-9


class Climber:
    """One ladder in any state, without a widget for each."""

    def __init__(self, kind):
        self.kind, self.widget = kind, kind()
        self.first = copy.deepcopy(self.widget.state())
        self.twin = Twin(self.widget)

    def at(self, state):
        return self.twin.at(state)

    def solution(self, n):
        return self.first | copy.deepcopy(dict(self.kind.climb[n - 1].solution))

    def lit(self, states):
        """Which rungs each state reaches, as 0 and 1, from the page."""
        return self._judged(states)[0].astype(int)

    def par(self, n):
        """What a rung's solution takes, from the page."""
        return self._judged([self.solution(n)])[1][0, n - 1]

    def _judged(self, states):
        found = answer(
            view_of(self.widget.view, "rungs"),
            "states.map((state) => { const x = compute(state); return rungs.map((reached, n) =>"
            " [Number(Boolean(reached(x, state, first))), scoreOf(scores[n], state, first)]); })",
            first=self.first,
            states=states,
            scores=[rung["score"] for rung in self.widget.rungs],
        )
        return np.moveaxis(np.array(found), -1, 0)

    # ------------------------------------------------------------ states
    def control(self, name, path=()):
        """What the control of an entry takes: its options, or its ends and step; of a button alone, nothing."""
        entry = self.widget.controls.get(".".join(map(str, (name, *path))), {})
        return self.widget.controls[name] | entry

    def values(self, name, path, value):
        """All values that the control of one entry has."""
        control = self.control(name, path)
        if isinstance(value, bool):
            return [False, True]
        if "options" in control:
            return [option for option, _ in control["options"]]
        if "step" in control:
            low, high = control.get("min", 0), control.get("max", 1)
            if name == "dimension":
                high = 127
            steps = round((high - low) / control["step"])
            grid = [round(low + k * control["step"], 6) for k in range(steps + 1)]
            return [int(x) for x in grid] if isinstance(value, int) and control["step"] == 1 else grid
        return [value]

    def drawn(self, rng):
        """A state drawn at random: each entry uniform among the values that its control can take."""
        state = {}
        for name, value in self.first.items():
            new = value
            for path, entry in spots(value):
                new = rebuilt(new, path, rng.choice(self.values(name, path, entry)))
            state[name] = new
        if "p_11" in state:  # its slider goes as far as the margins allow
            state = possible(state | {"p_11": rng.random()})
            state["p_11"] = self.kept(state)
        return state

    @staticmethod
    def kept(state):
        low = max(0.0, state["p_row"] + state["p_column"] - 1)
        high = min(state["p_row"], state["p_column"])
        return min(max(round(round(state["p_11"] / 0.005) * 0.005, 3), low), high)

    def neighbors(self, state):
        """All states that one step of one control makes of a state, and those at its control's ends."""
        for name, value in state.items():
            if name in ("opened", "focus", "preset"):
                continue
            for path, entry in spots(value):
                grid = self.values(name, path, entry)
                if len(grid) < 2:
                    continue
                if len(grid) > 12 and not isinstance(entry, str | bool):
                    near = int(np.abs(np.array(grid) - entry).argmin())
                    grid = [
                        grid[k] for k in {max(0, near - 1), min(len(grid) - 1, near + 1), 0, len(grid) - 1}
                    ]
                for other in grid:
                    if other == entry:
                        continue
                    new = state | {name: rebuilt(value, path, other)}
                    if "p_11" in new:
                        new["p_11"] = self.kept(new)
                    yield new

    def uphill(self, far, rng, starts, rounds, keep):
        """Coordinate ascent of `far(figure)` from random states that `keep` puts inside a rung's conditions."""
        best, found = -np.inf, None
        for _ in range(starts):
            state = keep(self.drawn(rng))
            now = far(self.at(state))
            for _ in range(rounds):
                name = rng.choice([name for name in state if leaves(state[name])])
                path, entry = rng.choice(list(spots(state[name])))
                new = state | {name: rebuilt(state[name], path, rng.choice(self.values(name, path, entry)))}
                if "p_11" in new:
                    new["p_11"] = self.kept(new)
                new = keep(new)
                there = far(self.at(new))
                if there >= now:
                    state, now = new, there
            if now > best:
                best, found = now, state
        return best, found


def seeded(name):
    return random.Random(name)
