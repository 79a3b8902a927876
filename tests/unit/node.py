"""Run a figure's JavaScript without a browser, in the node that the lock pins, and read its answer."""

import json
import subprocess

from attn.explore._base import joined_module
from bookext.formulas import node_executable

NODE = node_executable()


def answer(script, expression):
    """The value of a JavaScript expression after a script; like JSON, it knows no infinity."""
    text = f"{script}\nprocess.stdout.write(JSON.stringify({expression}));"
    done = subprocess.run(
        [NODE, "--input-type=module", "-"], input=text, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def view_of(name, *more):
    """A script with a view's own function `compute`, from state to numbers, and the shared modules that it needs.

    `more` names further functions that the view exports with it.
    """
    return joined_module(name).replace("export default ", f"const {{ {', '.join(['compute', *more])} }} = ")
