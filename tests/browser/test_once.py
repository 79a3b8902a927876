"""What a figure's class states of its controls is what stands on the page: all of it, and nothing beside it."""

import pytest

from attn.explore import (
    Masking,
    MultiHead,
    PositionalEncoding,
    SelfAttention,
    TrainingReplay,
    XorLab,
)
from attn.explore._base import joined_module
from attn.xor import train
from bookext.explorables import model_of
from tests.browser import book
from tests.browser.explorables import EXPLORABLES

MORE = {
    "Masking of three": lambda: Masking(
        tokens=["a", "b", "c"], q=[[1, 0]] * 3, k=[[1, 2]] * 3, v=[[1]] * 3, opened=True
    ),
    "MultiHead, opposites": lambda: MultiHead("opposites", opened=True),
    "MultiHead of two words": lambda: MultiHead(tokens=["a", "b"], x=[[1, 0, 0, 0], [0, 1, 0, 0]]),
    "PositionalEncoding, its own base": lambda: PositionalEncoding(d_model=6, base=777, opened=True),
    "SelfAttention of four": lambda: SelfAttention(
        tokens=list("abcd"), q=[[1, 0]] * 4, k=[[0, 1]] * 4, v=[[1, 1]] * 4, asks="b"
    ),
    "TrainingReplay of one run": lambda: TrainingReplay({"short": train(0, n_steps=20, record_every=10)}),
    "XorLab, all switches": lambda: XorLab("asker", second_head=True, ffn=True, position=True, opened=True),
}
MAKE = {name: row.example for name, row in EXPLORABLES.items()} | MORE

# Mounts a view as anywidget does, with its closed part; tells what its controls are and what it asked its model for.
LOOK = """async ([text, state]) => {
  const view = (await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })))).default;
  const [asked, computed] = [{}, new Set()];
  const model = {
    get(key) {
      asked[key] = (asked[key] ?? 0) + 1;
      return structuredClone(state[key]);
    },
    set() {}, on() {}, off() {}, save_changes() {},
  };
  const el = document.body.appendChild(document.createElement("div"));
  view.render({ model, el });
  const root = el.querySelector("[data-explorable]");
  view.compute(new Proxy(state, { get: (all, key) => (computed.add(key), all[key]) }));
  const text_of = (node) => node?.textContent ?? null;
  const inputs = [...root.querySelectorAll("input[name], select[name]")].map((node) => {
    const own = node.closest(".abh-slider, .abh-choice, .abh-toggle, .abh-radios, .abh-typing");
    const painter = node.closest(".abh-painter");
    const name = own?.querySelector(":scope > .abh-label, :scope > span") ?? painter?.querySelector(".abh-chip b");
    return {
      name: node.name,
      type: node.type,
      label: name ? text_of(name) : node.getAttribute("aria-label").split(", ")[0],
      ...(node.type === "range" ? { min: Number(node.min), max: Number(node.max), step: Number(node.step) } : {}),
      option: node.type === "radio" ? [node.value, text_of(node.nextSibling)] : null,
      options: node.type === "select-one" ? [...node.options].map((one) => [one.value, one.text]) : null,
    };
  });
  const actions = [...root.querySelectorAll("[data-action]")].map((node) => ({
    name: node.dataset.action, label: text_of(node), group: node.parentElement.getAttribute("aria-label"),
  }));
  const lists = Object.fromEntries(
    [...root.querySelectorAll("[data-reorder]")].map((node) => [node.dataset.reorder, node.getAttribute("aria-label")]),
  );
  return { inputs, actions, lists, asked, computed: [...computed] };
}"""


def ends(widget, name, control):
    """How far a slider goes: as its class states, or where that follows from the state, as far as what it counts."""
    if name == "p_11":
        return pytest.approx(widget.bounds)
    counted = {"dimension": "d_model", "asks": "text"}  # as many as these
    if name in counted and isinstance(end := getattr(widget, counted[name], None), int | str):
        return control["min"], (len(end) if isinstance(end, str) else end) - 1
    return control["min"], control["max"]


def disagreements(widget, seen):
    """What the page shows and the class does not state, and the other way around, as sentences."""
    state = widget.state_traits()
    for one in seen["inputs"]:
        name, trait = one["name"], one["name"].split(".")[0]
        if trait not in state:
            yield f"{name} is an input, and {trait} no part of the state"
            continue
        control = widget.control(trait) | widget.entry_controls().get(name, {})
        if book.as_shown(one["label"]) != book.as_shown(control.get("label", "")):
            yield f"{name} is called {one['label']}, and its class calls it {control.get('label')}"
        if one["type"] == "range":
            if (one["min"], one["max"]) != ends(widget, name, control):
                yield f"{name} goes from {one['min']} to {one['max']}, and its class says {control}"
            if one["step"] != control.get("step"):
                yield f"{name} has steps of {one['step']}, and its class says {control.get('step')}"
        offered = [[str(value), book.as_shown(text)] for value, text in control.get("options", [])]
        if one["option"] and [one["option"][0], book.as_shown(one["option"][1])] not in offered:
            yield f"{name} may be {one['option']}, and its class says {control['options']}"
        if one["options"]:
            wanted = [[str(value).removesuffix(".0"), text] for value, text in control["options"]]
            if one["options"] != wanted:
                yield f"{name} may be {one['options']}, and its class says {wanted}"

    placed = {one["name"] for one in seen["inputs"]}
    for name in [*state, *widget.entry_controls()]:
        control = widget.control(name) if name in state else widget.entry_controls()[name]
        lights = [one for one in seen["actions"] if one["name"].startswith(f"{name}-")]
        if not control:
            direct = seen["asked"][name] > min(seen["asked"][key] for key in state)
            drawn = name == "opened" or name in seen["computed"] or direct  # `opened` is every figure's own
            if not drawn:
                yield f"{name} is part of the state, and nothing is made of it"
        elif name in seen["lists"]:
            if not seen["lists"][name].startswith(f"{control['label']}: "):
                yield f"the list of {name} is called {seen['lists'][name]}"
        elif lights and name not in placed:
            if {one["group"] for one in lights} != {control["label"]}:
                yield f"the buttons of {name} are called {lights}"
        elif not any(one == name or one.startswith(f"{name}.") for one in placed):
            yield f"{name} has a control in its class, and none on the page"
        if "options" in control:
            radios = [one["option"] for one in seen["inputs"] if one["name"] == name and one["option"]]
            if radios and radios != [[str(value), book.as_shown(text)] for value, text in control["options"]]:
                yield f"{name} offers {radios}, and its class says {control['options']}"
    given = [name for name in widget.own_traits() if name not in state]
    yield from (f"{name} is given, and not asked for" for name in given if name not in seen["asked"])
    handed = ("draws", "history", "trained", "table")  # a view gives them to its `compute` itself
    yield from (f"compute reads {name}" for name in seen["computed"] if name not in (*state, *handed))
    told = [[told["name"], book.as_shown(told["label"])] for told in widget.stories]
    buttons = [one for one in seen["actions"] if one["name"].startswith(("story-", "preset-"))]
    shown = [[one["name"].split("-", 1)[1], one["label"]] for one in buttons]
    if [one for one in shown if one not in told and not one[0].startswith(("k-is-q", "v-is-k"))]:
        yield f"the page tells {shown}, and the class {told}"
    if [one for one in told if one not in shown]:
        yield f"the class tells {told}, and the page {shown}"


@pytest.mark.parametrize("name", MAKE)
def test_the_class_states_what_the_page_shows(mount, name):
    widget = MAKE[name]()
    seen = mount([]).evaluate(LOOK, [joined_module(widget.view), model_of(widget.get_state())])
    assert list(disagreements(widget, seen)) == []


def test_a_view_that_states_it_too_is_refused(mount):
    """A label, an end, a step or a list of keys in a view: the figure does not stand, and says why."""
    text = joined_module("masking")
    state = model_of(Masking().get_state())
    view = mount([])
    for before, after, says in [
        ('slider(fig, { key: "nudge"', 'slider(fig, { min: -2, key: "nudge"', "nudge: min"),
        ('slider(fig, { key: "window"', 'slider(fig, { step: 2, key: "window"', "window: step"),
        ('radios(fig, { key: "order"', 'radios(fig, { label: "Mask", key: "order"', "order: label"),
        ('choice(fig, { key: "preset"', 'choice(fig, { options: [], key: "preset"', "preset: options"),
        ('{ key: "q", role', '{ label: "Q", key: "q", role', "q: label"),
        ('name: "Masking",', 'name: "Masking", keys: ["q"],', "keys"),
        ('slider(fig, { key: "nudge"', 'slider(fig, { key: "tokens"', "no state tokens"),
    ]:
        assert text.count(before) == 1
        error = view.evaluate(
            f"(args) => ({LOOK})(args).then(() => '', (error) => error.message)",
            [text.replace(before, after), state],
        )
        assert says in error, after
