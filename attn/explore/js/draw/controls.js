// Controls: a slider, a switch, a choice, each bound to a trait, and buttons. What a control is called, how far it
// goes and what may be chosen comes from the trait (fig.control); a view says where it stands and how it looks.
import { clamp, snap } from "../core.js";
import { number } from "../number.js";
import { h, put, rich, write } from "./elements.js";
import { SLACK } from "./pointer_drag.js";

export const at = (value, path) => path.reduce((inner, index) => inner[index], value);

export const withAt = (value, path, leaf) => {
  if (!path.length) return leaf;
  const copy = value.slice();
  copy[path[0]] = withAt(value[path[0]], path.slice(1), leaf);
  return copy;
};

export const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export const step10 = (event) => (event.shiftKey ? 10 : 1);

/** A native input; JupyterLab leaves the keys to it. */
export const nativeInput = (name, props, ...children) =>
  h(name, { ...props, "data-lm-suppress-shortcuts": "true" }, ...children);
export const range = (props) => nativeInput("input.abh-range", { type: "range", ...props });

/**
 * Send what a native range is set to, `send(final)`. A browser sets it where a finger comes down on its track, though
 * the finger may be about to scroll the page: it counts once the finger goes sideways or lets go, and where the browser
 * takes it to scroll, the range is put back.
 */
export function onRange(input, send) {
  let finger = null; // that is down: where it came down, what was set then, and whether it may still be a swipe
  let over = false; // it was taken, and the browser has yet to say that the range changed
  input.addEventListener("pointerdown", (event) => {
    const { pointerType, clientX: x, clientY: y } = event;
    over = false;
    finger = pointerType === "mouse" ? null : { x, y, value: input.value, waits: true };
  });
  input.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!finger?.waits) return;
    const [across, along] = [Math.abs(clientX - finger.x), Math.abs(clientY - finger.y)];
    if (across <= SLACK || across <= along) return;
    finger.waits = false;
    send(false);
  });
  input.addEventListener("pointerup", () => {
    const tapped = finger?.waits && finger.value !== input.value;
    finger = null;
    if (tapped) send(true);
  });
  input.addEventListener("pointercancel", () => {
    if (!finger) return;
    const { value, waits } = finger;
    [input.value, finger, over] = [value, null, true];
    if (!waits) send(true);
  });
  input.addEventListener("input", () => {
    over = false;
    if (!finger?.waits) send(false);
  });
  input.addEventListener("change", () => {
    if (!over && !finger?.waits) send(true);
    over = false;
  });
}

const labelOf = (label) => h("span.abh-label", ...rich(label));

/**
 * A native range with a label and its exact value. Its name is the trait, with `.i.j` for an entry.
 * Where an end follows from the state, `within(state)` gives it: {min, max}, or one of them.
 * `also(value, state)` gives further changes, set with the value.
 */
export function slider(fig, { key, path = [], role = "ink", format = number, say = format, ...options }) {
  const { within = () => ({}), also = () => ({}) } = options;
  const { label, min, max, step } = fig.control(key, path);
  const low = (state) => snap(within(state).min ?? min, step);
  const top = (state) => snap(within(state).max ?? max, step);
  const first = fig.state();
  const input = range({ name: [key, ...path].join("."), min: low(first), max: top(first), step });
  const output = h("span.abh-value", { "aria-hidden": "true" }); // aria-valuetext says it
  const send = (final) => {
    const [state, value] = [fig.state(), snap(input.valueAsNumber, step)];
    fig.markInteracted([key]);
    fig.set({ [key]: withAt(state[key], path, value), ...also(value, state) }, { final });
  };
  onRange(input, send);
  fig.add((_, state) => {
    put(input, "min", low(state));
    put(input, "max", top(state));
    const value = clamp(at(state[key], path), low(state), top(state));
    if (input.valueAsNumber !== value) input.value = value;
    write(output, format(value));
    put(input, "aria-valuetext", say(value));
  });
  return h(`label.abh-slider.abh-role-${role}`, labelOf(label), output, input);
}

/** How a slider writes and says an angle. */
export const DEGREES = { format: (value) => `${number(value)}°`, say: (value) => `${value} degrees` };

/** A native checkbox. */
export function toggle(fig, { key, path = [] }) {
  const { label } = fig.control(key, path);
  const input = nativeInput("input", { type: "checkbox", name: [key, ...path].join(".") });
  input.addEventListener("change", () => fig.setState({ [key]: withAt(fig.state()[key], path, input.checked) }));
  fig.add((_, state) => {
    input.checked = Boolean(at(state[key], path));
  });
  return h("label.abh-toggle", input, h("span", ...rich(label)));
}

/** One of a few: a native select. */
export function choice(fig, { key }) {
  const { label, options } = fig.control(key); // [value, label] pairs; a value may be a number
  const texts = options.map(([value, text]) => h("option", { value }, text));
  const select = nativeInput("select", { name: key }, ...texts);
  const read = () => options.find(([value]) => String(value) === select.value)?.[0];
  select.addEventListener("change", () => fig.setState({ [key]: read() }));
  fig.add((_, state) => {
    if (read() !== state[key]) select.value = state[key];
  });
  return h("label.abh-choice", labelOf(label), select);
}

/** One of a few, all in sight: native radio buttons drawn as a switch. */
export function radios(fig, { key }) {
  const { label, options } = fig.control(key);
  const inputs = options.map(([value]) => nativeInput("input", { type: "radio", name: key, value }));
  // A form of its own keeps two figures with the same trait apart.
  const el = h(
    "form.abh-radios",
    h("span.abh-label", { "aria-hidden": "true" }, ...rich(label)),
    h(
      "span.abh-options",
      { role: "radiogroup", "aria-label": label },
      ...options.map(([, text], index) => h("label", inputs[index], h("span", ...rich(text)))),
    ),
  );
  el.addEventListener("submit", (event) => event.preventDefault());
  inputs.forEach((input) =>
    input.addEventListener("change", () => input.checked && fig.setState({ [key]: input.value })),
  );
  fig.add((_, state) => {
    for (const input of inputs) input.checked = input.value === state[key];
  });
  return el;
}

export const button = (label, action, onclick) =>
  h("button.abh-button", { type: "button", "data-action": action, onclick }, ...rich(label));

/**
 * A button that brings the figure to a known state, and shows while it stands there. `changes` are traits, or a
 * function of the state that gives them.
 */
export function preset(fig, label, action, changes) {
  const wanted = typeof changes === "function" ? changes : () => changes;
  const el = button(label, action, () => fig.setState(structuredClone(wanted(fig.state()))));
  const same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
  fig.add((_, state) => {
    const stands = Object.entries(wanted(state)).every(([key, value]) => same(state[key], value));
    put(el, "aria-pressed", stands);
  });
  return el;
}

/** A button for each state that the figure's class tells as a story. */
export function stories(fig, action = "story") {
  return fig.model.get("stories").map(({ name, label, changes }) => preset(fig, label, `${action}-${name}`, changes));
}
