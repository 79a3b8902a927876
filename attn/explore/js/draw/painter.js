// A grid that is painted: by click, tap, stroke or key.
import { crosses, mapped, matrixFrom } from "../core.js";
import { ARROWS, nativeInput, withAt } from "./controls.js";
import { h } from "./elements.js";
import { dragState } from "./pointer_drag.js";
import { chip, wide } from "./matrix.js";

/**
 * Let strokes paint the cells of a grid: all that lie under the way of a mouse, a pen or a finger, also between two of
 * its events, take one value. `cells` are rows of elements.
 *
 * begin([i, j])         the value that a stroke from this cell paints
 * paint(spots, value)   gives it to some [i, j]; fig.state() is as before a stroke again if it is called off
 */
export function strokes(fig, grid, cells, { begin, paint }) {
  const spots = cells.flatMap((row, i) => row.map((_, j) => [i, j]));
  const under = (from, to) => spots.filter(([i, j]) => crosses(cells[i][j].getBoundingClientRect(), from, to));
  let stroke = null;
  dragState(fig, grid, {
    start(event) {
      const spot = spots.find(([i, j]) => cells[i][j].contains(event.target));
      if (!spot) return false;
      stroke = { value: begin(spot), last: [event.clientX, event.clientY] };
      paint([spot], stroke.value);
      return true;
    },
    move(event) {
      const now = [event.clientX, event.clientY];
      const crossed = under(stroke.last, now);
      stroke.last = now;
      if (crossed.length) paint(crossed, stroke.value);
    },
  });
  // The click after a stroke would flip a cell back. One that no pointer made, from a key or a screen reader, has no
  // count.
  grid.addEventListener("click", (event) => event.detail > 0 && event.preventDefault());
}

/**
 * A mask painted cell by cell: a table of checkboxes, one tab stop, arrows move, space toggles, strokes paint.
 * change(mask) -> the traits that a painted mask sets.
 */
export function maskPainter(fig, { key, rows, cols, allowed, change }) {
  const { label } = fig.control(key);
  const inputs = matrixFrom(rows.length, cols.length, (i, j) =>
    nativeInput("input", {
      type: "checkbox",
      name: `${key}.${i}.${j}`,
      tabindex: i + j ? -1 : 0,
      "aria-label": `${rows[i]} may look at ${cols[j]}`,
    }),
  );
  const stop = (i, j) => {
    for (const other of inputs.flat()) other.tabIndex = -1;
    inputs[i][j].tabIndex = 0;
    inputs[i][j].focus({ preventScroll: true });
  };
  const paint = (spots, value, set) => {
    const now = allowed(fig.state());
    const changed = spots.filter(([i, j]) => now[i][j] !== value);
    if (changed.length) set(change(changed.reduce((mask, spot) => withAt(mask, spot, value), now)));
  };
  const cells = mapped(inputs, (input, i, j) => {
    input.addEventListener("change", () => paint([[i, j]], input.checked, fig.setState));
    input.addEventListener("keydown", (event) => {
      const move = ARROWS[event.key];
      if (!move) return;
      event.preventDefault();
      if (inputs[i + move[0]]?.[j + move[1]]) stop(i + move[0], j + move[1]);
    });
    return h("td.abh-paint", h("label", input, h("span", { "aria-hidden": "true" })));
  });
  const grid = h(
    "table",
    h("thead", h("tr", h("td.abh-corner"), ...cols.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", ...rows.map((text, i) => h("tr", h("th", { scope: "row" }, text), ...cells[i]))),
  );
  strokes(fig, grid, cells, {
    begin([i, j]) {
      stop(i, j);
      return !inputs[i][j].checked;
    },
    paint(spots, value) {
      fig.markInteracted([key]);
      paint(spots, value, fig.set);
    },
  });
  const el = h(
    "div.abh-matrix.abh-painter",
    { "data-painter": key, ...wide(cols, label) },
    h("div.abh-matrix-head", chip(label, `${rows.length} × ${cols.length}`, "ink")),
    grid,
  );
  fig.add((_, state) => {
    const now = allowed(state);
    mapped(inputs, (input, i, j) => {
      input.checked = Boolean(now[i][j]);
    });
  });
  return el;
}
