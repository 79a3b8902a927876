"""A page's store of what was practiced, for node: JavaScript that needs one runs as in a browser."""

import json

from attn.explore._base import module_source, parts
from tests.unit.node import answer

KEPT = "attention-by-hand:practice"
# A page's store and its events, as far as they are needed.
PAGE = """
const stored = new Map(Object.entries(START));
let told = 0;
globalThis.document = { dispatchEvent: () => { told += 1; } };
globalThis.CustomEvent = class {};
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => { if (FULL) throw new Error("full"); stored.set(key, text); },
  removeItem: (key) => stored.delete(key),
};
const DAY = 86400000;
const noon = Date.parse("2026-03-10T12:00:00Z");
"""


def page(expression, *, start=None, full=False, module="draw/kept", **given):
    """The value of an expression that may use a module, the time `noon`, what is given, and `stored`.

    `start` is what stands in the store at first: a text, or what becomes one; a `full` store takes nothing more.
    """
    start = {KEPT: start if isinstance(start, str) else json.dumps(start)} if start is not None else {}
    names = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
    script = PAGE.replace("START", json.dumps(start)).replace("FULL", json.dumps(full))
    source = "\n".join(map(module_source, [*parts(module), module]))
    return answer(f"{script}\n{source}\n{names}", expression)
