"""Run a figure's JavaScript without a browser, in the node that the lock pins, and read its answer."""

import json
import math
import subprocess

import numpy as np

from attn.explore._base import joined_module
from bookext.formulas import node_executable

NODE = node_executable()
# JSON has no infinity and no NaN: they go as ["#", "-inf"].
WIRE = """
const $named = { "-inf": -Infinity, inf: Infinity, nan: NaN };
const $called = (value) => (Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf");
const $read = (text) =>
  JSON.parse(text, (_, value) => (Array.isArray(value) && value[0] === "#" ? $named[value[1]] : value));
const $written = (value) => JSON.stringify(value, (_, one) =>
  (typeof one === "number" && !Number.isFinite(one) ? ["#", $called(one)] : one));
"""


def plain(value):
    """For JSON: arrays as lists, and ["#", "-inf"] for what JSON has no number for."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return ["#", str(value)]
    return value


def marked(value):
    if isinstance(value, dict):
        return {key: marked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return float(value[1]) if value[:1] == ["#"] else [marked(inner) for inner in value]
    return value


def answer(script, expression, **given):
    """The value of a JavaScript expression after a script; the expression knows what is given by its name.

    The keys of a dict stand in the order in which a stored notebook hands them to its page.
    """
    values = ", ".join(f"$read({json.dumps(json.dumps(plain(one), sort_keys=True))})" for one in given.values())
    call = f"$written((({', '.join(given)}) => ({expression}))({values}))"
    done = subprocess.run(
        [NODE, "--input-type=module", "-"],
        input=f"{script}\n{{{WIRE}\nprocess.stdout.write({call});}}",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return marked(json.loads(done.stdout))


def view_of(name, *more):
    """A script with a view's own function `compute`, from state to numbers, and the shared modules that it needs.

    `more` names further functions that the view exports with it.
    """
    return joined_module(name).replace("export default ", f"const {{ {', '.join(['compute', *more])} }} = ")
