"""Run a figure's JavaScript without a browser, in the node that the lock pins, and read its answer."""

import json
import subprocess

from attn.explore._base import joined_module
from bookext.formulas import node_executable

# JSON of JavaScript has no infinity and no NaN; Python reads and writes them by name, and JavaScript knows the names.
WRITTEN = """
const $written = (value) =>
  JSON.stringify(value, (_, one) => (typeof one === "number" && !Number.isFinite(one) ? `@${one}@` : one))
    .replace(/"@(-?Infinity|NaN)@"/g, "$1");
"""


def answer(script, expression, **given):
    """The value of a JavaScript expression after a script; the expression knows what is given by its name.

    The keys of a dict stand in the order in which a stored notebook hands them to its page.
    """
    values = [json.dumps(one, sort_keys=True, default=lambda array: array.tolist()) for one in given.values()]
    call = f"$written((({', '.join(given)}) => ({expression}))({', '.join(values)}))"
    done = subprocess.run(
        [node_executable(), "--input-type=module", "-"],
        input=f"{script}\n{{{WRITTEN}\nprocess.stdout.write({call});}}",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def view_of(name, *more):
    """A script with a view's own function `compute`, from state to numbers, and the shared modules that it needs.

    `more` names further functions that the view exports with it.
    """
    return joined_module(name).replace("export default ", f"const {{ {', '.join(['compute', *more])} }} = ")
