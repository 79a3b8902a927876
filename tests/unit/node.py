"""Run a figure's JavaScript without a browser, in the node that Playwright carries, and read its answer."""

import json
import subprocess

from playwright._impl._driver import compute_driver_executable

from attn.explore._base import module_source

NODE = compute_driver_executable()[0]


def answer(script, expression):
    """The value of a JavaScript expression after a script; like JSON, it knows no infinity."""
    text = f"{script}\nprocess.stdout.write(JSON.stringify({expression}));"
    done = subprocess.run(
        [NODE, "--input-type=module", "-"], input=text, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pure_half(view, until):
    """core.js, and what a view calculates before it draws: its text up to the words that are named."""
    pure, found, _ = module_source(view).partition(until)
    assert found, f"{view}.js has no {until!r}"
    return f"{module_source('core')}\n{pure}"


def in_the_page(view, until, widgets):
    """What the page computes for these widgets, by the view's function `compute`."""
    names = [
        trait for trait in widgets[0].own_traits() if trait not in ("alt", "reserve", "rules", "lecture")
    ]
    states = [{name: getattr(widget, name) for name in names} for widget in widgets]
    return answer(pure_half(view, until), f"{json.dumps(states)}.map(compute)")
