// Sentences that are tied to a figure, on a page of the book: without this script they are plain text.  <span
// data-light="weights.0.1">0.77</span>   lights that place of the nearest figure that has it, when it is pointed at,
// touched or focused: an entry of a matrix, a matrix, a scalar, a control (by its trait) <span
// data-scrub="score">1.40</span>         is a slider for that trait: dragged sideways, or by arrow keys; numbers that
// light a place follow the figure where their paragraph has such a slider, so that it stays true  The nearest figure
// is the one with the fewest paragraphs in between; data-figure="Name" names another.
import { clamp, snap } from "../core.js";
import { number, weightText } from "../number.js";
import { h, put, write } from "./elements.js";
import { pointerDrag } from "./pointer_drag.js";

const BLOCKS = "p, li, table, pre, h1, h2, h3, .abh-slot";
const WAY = 220; // px for all of a range, or 8 for a step where it has few

/** The figures of the page, the nearest first, or those of the name that is given. */
const figuresNear = (node) => {
  const named = node.dataset.figure;
  const blocks = [...document.querySelectorAll(BLOCKS)].filter((one) => !one.parentElement.closest(".abh-slot"));
  const here = blocks.indexOf(node.closest(BLOCKS));
  return blocks
    .map((block, index) => [Math.abs(index - here), block.querySelector("[data-explorable]")])
    .filter(([, root]) => root && (!named || root.dataset.explorable === named))
    .sort(([one], [other]) => one - other)
    .map(([, root]) => root);
};

/** What a name such as `weights.0.1`, `weights`, `score` calls in a figure. */
const placeIn = (root, text) => {
  const [name, row, col] = text.split(".");
  const input = root.querySelector(`input[name="${text}"]`);
  if (input) return input.closest(".abh-slider, .abh-radios, .abh-toggle") ?? input;
  const matrix = root.querySelector(`[data-matrix="${name}"]`);
  if (matrix && col !== undefined) return matrix.querySelector(`[data-row="${row}"][data-col="${col}"]`);
  return matrix ?? root.querySelector(`[data-scalar="${name}"], [data-grip="${text}"]`);
};

const findIn = (node, text, find = placeIn) => {
  for (const root of figuresNear(node)) {
    const place = find(root, text);
    if (place) return place;
  }
  return null;
};

let saying = null; // where a screen reader hears what was lit

const announce = (text) => {
  if (!saying) {
    saying = h("p.abh-unseen", { role: "status" });
    document.body.append(saying);
  }
  write(saying, text);
};

/** What a place is called: the matrix, and who looks at whom; or a bar, a point, a number, a control by its label. */
const nameOf = (place, light) => {
  const text = (found) => found?.textContent.trim() ?? "";
  if (place.dataset.scalar) return text(place.closest("li")?.querySelector("span")) || place.dataset.scalar;
  const matrix = place.closest("[data-matrix]");
  if (!matrix) return text(place.querySelector(".abh-label")) || light;
  const title = text(matrix.querySelector(".abh-chip b")) || matrix.closest("svg")?.getAttribute("aria-label");
  const parts = [title || matrix.dataset.matrix];
  if (place.dataset.of) parts.push(place.dataset.of);
  const row = place.closest("tr");
  if (row) {
    const at = [...row.querySelectorAll("td[data-row]")].indexOf(place);
    const col = text(row.closest("table").querySelectorAll("thead th[scope=col]")[at]);
    const names = [text(row.querySelector("th")), col].filter(Boolean);
    parts.push(names.join(matrix.classList.contains("abh-weight") ? " looks at " : ", "));
  }
  return parts.filter(Boolean).join(", ");
};

const valueOf = (place) => {
  const said = place.querySelector(".abh-num, .abh-value")?.textContent ?? place.textContent;
  return said || weightText(Number(place.dataset.value));
};

/** A place in words: "weights, sat looks at cat: 0.77"; a whole matrix by its name alone. */
const inWords = (place, light) =>
  place.matches("[data-matrix]") ? nameOf(place, light) : `${nameOf(place, light)}: ${valueOf(place)}`;

function tieLight(node) {
  const places = () => node.dataset.light.split(" ").map((text) => findIn(node, text));
  const light = (on) => {
    for (const place of places()) place?.classList.toggle("abh-named", on);
    node.classList.toggle("abh-lights", on);
  };
  const told = () => {
    light(true);
    const names = node.dataset.light.split(" ");
    const said = places().flatMap((found, index) => (found ? [inWords(found, names[index])] : []));
    if (said.length) announce(`In the figure: ${said.join("; ")}`);
  };
  const [place] = places();
  const said = [() => valueOf(place), () => number(Number(place.dataset.value))].find(
    (text) => text() === node.textContent,
  );
  if (said && node.closest(BLOCKS)?.querySelector("[data-scrub]")) {
    const follow = () => write(node, said());
    new MutationObserver(follow).observe(place, { attributes: true, attributeFilter: ["data-value"] });
  }
  put(node, "tabindex", 0);
  put(node, "role", "button");
  put(node, "aria-description", "Lights its place in the figure");
  node.addEventListener("pointerenter", () => light(true));
  node.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && light(false));
  node.addEventListener("focus", told);
  node.addEventListener("blur", () => light(false));
  const go = () => {
    told();
    places()[0]?.scrollIntoView({ block: "nearest" });
  };
  node.addEventListener("click", go);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    go();
  });
}

function tieScrub(node, input) {
  const [min, max, step] = [input.min, input.max, input.step].map(Number);
  const label = input.closest(".abh-slider");
  const show = () => {
    write(node, label.querySelector(".abh-value").textContent);
    put(node, "aria-valuenow", input.value);
    put(node, "aria-valuetext", input.getAttribute("aria-valuetext"));
  };
  const set = (value, final) => {
    const text = String(clamp(snap(value, step), min, max));
    if (input.value !== text) {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (final) input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  for (const [name, value] of Object.entries({
    role: "slider",
    tabindex: 0,
    "aria-label": label.querySelector(".abh-label").textContent,
    "aria-valuemin": min,
    "aria-valuemax": max,
    "data-grip": input.name,
  }))
    put(node, name, value);
  show();
  new MutationObserver(show).observe(input, { attributes: true, attributeFilter: ["aria-valuetext"] });

  const one = Math.min(WAY / ((max - min) / step), 24); // px for a step
  let from = null;
  pointerDrag(node, {
    scrolls: true,
    start(event) {
      from = { x: event.clientX, value: input.valueAsNumber };
      node.focus({ preventScroll: true });
    },
    move: (event) => set(from.value + step * Math.round((event.clientX - from.x) / one), false),
    end: () => set(input.valueAsNumber, true),
    cancel: () => set(from.value, true),
  });
  const far = { PageUp: 10, PageDown: -10, ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
  node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = input.valueAsNumber;
    const value = event.key === "Home" ? min : event.key === "End" ? max : now + step * far[event.key];
    if (Number.isNaN(value)) return;
    event.preventDefault();
    set(value, true);
  });
}

/** Tie all sentences, once all figures of the page are alive: before, the nearest may not be there yet. */
export function tieSentences() {
  if (document.readyState === "loading" || document.querySelector(".abh-slot:not([data-mounted])")) return;
  for (const node of document.querySelectorAll("[data-light]:not(.abh-bound), [data-scrub]:not(.abh-bound)")) {
    const { light, scrub } = node.dataset;
    const range = (root, text) => root.querySelector(`input[type=range][name="${text}"]`);
    const found = light ? findIn(node, light.split(" ")[0]) : findIn(node, scrub, range);
    if (!found) continue;
    node.classList.add("abh-bound");
    if (light) tieLight(node);
    else tieScrub(node, found);
  }
}
