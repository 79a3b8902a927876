// The dock: matrices of sliders, one number at a time in the hand.
import { clamp, snap } from "../core.js";
import { number } from "../number.js";
import { at, onRange, repeats, step10, withAt } from "./controls.js";
import { h, put, write } from "./elements.js";
import { grab, SLACK } from "./hand.js";
import { chip, matrix } from "./matrix.js";

const PX_A_STEP = 6; // of a sideways drag
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Matrices whose entries the reader sets: one is open, the others are strips; the dock below holds the range of the
 * selected entry at full width, − and +, and a number field. Tap selects, a sideways drag scrubs, arrows change,
 * Ctrl + arrows choose a neighbor. Each matrix is a grid, too, with one tab stop: there arrows choose a neighbor, + and
 * − change the entry, and Enter leads to its range. Every entry keeps its own input, named `key.i.j`; where a matrix
 * has `heads`, `key.h.i.j`, and buttons choose the head.
 *
 * Their names, and how far and in which steps their entries go, come from their traits.
 *
 * all    small matrices may stand open side by side, without strips
 * lent   inputs by name that stand elsewhere in the figure: an entry never has two
 * peeks  for each matrix a small live copy of what its entries change, where that is far away; or one for all
 */
export function dock(fig, { matrices: given, values, all = false, lent = {}, peeks = [] }) {
  const matrices = given.map(({ key, role, rows, cols, heads, names, ...more }) => ({
    ...fig.control(key, [], more),
    key,
    role,
    rows,
    cols,
    heads,
    names,
  }));
  const { min, max, step } = matrices[0];
  const el = h("div", { class: all ? "abh-dock abh-dock-all" : "abh-dock" });
  const tabs = h("div", { class: "abh-tabs", role: "group", "aria-label": "Which matrix is open" });
  const headTabs = h("div", { class: "abh-tabs", role: "group", "aria-label": "Which head" });
  const panels = [];
  let open = 0;
  let [head, row, col] = [0, 0, 0];

  const pathOf = (p, [k, i, j]) => (matrices[p].heads ? [k, i, j] : [i, j]);
  const read = (p, spot) => at(fig.state()[matrices[p].key], pathOf(p, spot));
  const send = (p, spot, value, final) => {
    const { key } = matrices[p];
    fig.touch([key]);
    fig.set({ [key]: withAt(fig.state()[key], pathOf(p, spot), clamp(snap(value, step), min, max)) }, { final });
  };
  const select = (p, spot, focus = false) => {
    const { rows, cols, heads } = matrices[p];
    open = p;
    [head, row, col] = [
      clamp(spot[0], 0, heads ? heads.length - 1 : 0),
      clamp(spot[1], 0, rows.length - 1),
      clamp(spot[2], 0, cols.length - 1),
    ];
    refresh();
    if (focus) panels[p].inputs[head][row][col].focus();
  };

  matrices.forEach((spec, p) => {
    const view = matrix(fig, {
      ...spec,
      name: spec.key,
      domain: max,
      values: (numbers) => values(numbers, spec.key),
    });
    view.el.classList.add("abh-editable");
    const labels = { rows: spec.rows.slice(), cols: spec.cols.slice() };
    const inputs = (spec.heads || [""]).map((_, k) =>
      spec.rows.map((__, i) =>
        spec.cols.map((___, j) => {
          const spot = [k, i, j];
          const entryName = [spec.key, ...pathOf(p, spot)].join(".");
          scrub(view.cell(i, j, k), p, spot);
          reach(view.cell(i, j, k), p, spot);
          const input =
            lent[entryName] ??
            h("input", {
              type: "range",
              class: "abh-range",
              name: entryName,
              min,
              max,
              step,
              "data-lm-suppress-shortcuts": "true",
            });
          input.addEventListener("keydown", (event) => {
            const move = ARROWS[event.key];
            if (!move || !event.ctrlKey || !el.checkVisibility()) return;
            event.preventDefault();
            select(p, [k, i + move[0], j + move[1]], true);
          });
          if (lent[entryName]) return input;
          onRange(input, (final) => send(p, spot, input.valueAsNumber, final));
          fig.add((_numbers, state) => {
            const value = at(state[spec.key], pathOf(p, spot));
            if (input.valueAsNumber !== value) input.value = value;
            put(input, "aria-valuetext", number(value));
          });
          return input;
        }),
      ),
    );
    let named = null;
    fig.add((numbers) => {
      Object.assign(labels, spec.names?.(numbers));
      const now = [labels.rows, labels.cols].join();
      if (now === named) return;
      named = now;
      inputs.forEach((lines, k) =>
        lines.forEach((line, i) =>
          line.forEach(
            (input, j) =>
              lent[input.name] ||
              put(
                input,
                "aria-label",
                [spec.label, ...(spec.heads ? [spec.heads[k]] : []), labels.rows[i], labels.cols[j]].join(", "),
              ),
          ),
        ),
      );
    });
    inputs.forEach((_, k) => {
      const grid = view.cell(0, 0, k).closest("table");
      const name = [spec.label, ...(spec.heads ? [spec.heads[k]] : [])].join(", ");
      put(grid, "role", "grid");
      put(grid, "aria-label", `${name}: arrow keys choose a number, Enter goes to its slider`);
      put(grid, "data-lm-suppress-shortcuts", "true");
    });
    fig.add((_, state) => {
      inputs.forEach((lines, k) =>
        lines.forEach((line, i) =>
          line.forEach((__, j) => {
            const value = number(at(state[spec.key], pathOf(p, [k, i, j])));
            put(view.cell(i, j, k), "aria-label", `${labels.rows[i]}, ${labels.cols[j]}: ${value}`);
          }),
        ),
      );
    });
    const tab = h(
      "button",
      {
        type: "button",
        class: `abh-tab abh-role-${spec.role}`,
        "data-action": `edit-${spec.key}`,
        onclick: () => select(p, [head, 0, 0]),
      },
      chip(spec.label, `${spec.rows.length} × ${spec.cols.length}`, spec.role),
    );
    tabs.append(tab);
    panels.push({ view, inputs, tab, labels });
  });
  const most = Math.max(0, ...matrices.map(({ heads }) => heads?.length ?? 0));
  const pickers = Array.from({ length: most }, (_, k) =>
    h("button", {
      type: "button",
      class: "abh-tab abh-role-ink",
      "data-action": `head-${k}`,
      onclick: () => select(open, [k, row, col]),
    }),
  );
  headTabs.append(...pickers);

  /** Tap selects, a sideways drag changes the value; a vertical one still scrolls the page. */
  function scrub(cell, p, spot) {
    let from = null;
    grab(cell, {
      scrolls: true,
      start(event) {
        from = { x: event.clientX, state: fig.state(), value: read(p, spot), moved: false };
      },
      move(event) {
        const dx = event.clientX - from.x;
        if (!from.moved && Math.abs(dx) <= SLACK) return;
        if (!from.moved) select(p, spot);
        from.moved = true;
        send(p, spot, from.value + Math.round(dx / PX_A_STEP) * step, false);
      },
      end() {
        if (from.moved) fig.set({}, { final: true });
        else select(p, spot);
      },
      cancel: () => from.moved && fig.set(from.state, { final: true }),
    });
  }

  /** A cell as a place that the keyboard reaches. */
  function reach(cell, p, [k, i, j]) {
    put(cell, "role", "gridcell");
    cell.addEventListener("focus", () => cell.matches(":focus-visible") && select(p, [k, i, j]));
    cell.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const change = { "+": 1, "=": 1, "-": -1, "−": -1 }[event.key];
      const last = matrices[p].cols.length - 1;
      const move = { ...ARROWS, Home: [0, -last], End: [0, last] }[event.key];
      if (!change && !move && event.key !== "Enter") return;
      event.preventDefault();
      if (event.key === "Enter") panels[p].inputs[k][i][j].focus();
      else if (change) nudge(change)({}); // Shift is part of a + on many keyboards
      else {
        select(p, [k, i + move[0], j + move[1]]);
        panels[p].view.cell(row, col, head).focus();
      }
    });
  }

  const here = () => [head, row, col];
  const nudge = (direction) => (event) =>
    send(open, here(), read(open, here()) + direction * step * step10(event), true);
  const name = h("span", { class: "abh-label" });
  const field = h("input", {
    type: "number",
    inputmode: "decimal",
    class: "abh-field",
    min,
    max,
    step,
    "data-lm-suppress-shortcuts": "true",
    "aria-label": "Exact value",
  });
  const sign = h(
    "button",
    {
      type: "button",
      class: "abh-key",
      "aria-label": "Change the sign",
      onclick: () => send(open, here(), -read(open, here()), true),
    },
    "±",
  );
  const elsewhere = h("span", { class: "abh-label" }, "Its slider stands above the picture.");
  const slot = h("span", { class: "abh-dock-ranges" }, elsewhere);
  for (const { inputs } of panels) slot.append(...inputs.flat(2).filter((input) => !lent[input.name]));
  field.addEventListener("change", () => {
    if (Number.isFinite(field.valueAsNumber)) send(open, here(), field.valueAsNumber, true);
    else fig.redraw();
  });
  const bar = h(
    "div",
    { class: "abh-dock-bar" },
    h("div", { class: "abh-dock-line" }, name, field, sign),
    h(
      "div",
      { class: "abh-dock-line" },
      repeats(h("button", { type: "button", class: "abh-key", "aria-label": "Less" }, "−"), nudge(-1)),
      slot,
      repeats(h("button", { type: "button", class: "abh-key", "aria-label": "More" }, "+"), nudge(1)),
    ),
  );
  el.append(
    ...(all ? [] : [tabs]),
    ...(most ? [headTabs] : []),
    h(
      "div",
      { class: "abh-editor" },
      h("div", { class: "abh-panels" }, ...panels.map(({ view }) => view.el)),
      ...peeks,
    ),
    bar,
  );

  const title = () => {
    const [{ label, heads }, { labels }] = [matrices[open], panels[open]];
    write(name, [label, ...(heads ? [heads[head]] : []), labels.rows[row], labels.cols[col]].join(" · "));
  };
  const refresh = () => {
    if (peeks.length > 1)
      peeks.forEach((peek, p) => {
        peek.hidden = p !== open;
      });
    panels.forEach(({ view, inputs, tab }, p) => {
      view.el.hidden = !all && p !== open;
      put(tab, "aria-pressed", p === open);
      view.boxes?.forEach((box, k) => box.classList.toggle("abh-other", k !== head));
      inputs.forEach((lines, k) =>
        lines.forEach((line, i) =>
          line.forEach((input, j) => {
            const chosen = p === open && k === head && i === row && j === col;
            input.hidden = !chosen && !lent[input.name];
            const cell = view.cell(i, j, k);
            cell.classList.toggle("abh-selected", chosen);
            put(cell, "aria-selected", chosen);
            put(cell, "tabindex", (p === open ? chosen : !(k || i || j)) ? 0 : -1);
          }),
        ),
      );
    });
    const { heads, role } = matrices[open];
    headTabs.hidden = !heads;
    pickers.forEach((picker, k) => {
      write(picker, heads?.[k] ?? "");
      picker.hidden = !heads?.[k];
      put(picker, "aria-pressed", k === head);
    });
    elsewhere.hidden = !lent[panels[open].inputs[head][row][col].name];
    title();
    bar.className = `abh-dock-bar abh-role-${role}`;
    field.value = read(open, here());
  };
  fig.add(() => {
    const value = read(open, here());
    if (field !== document.activeElement || field.valueAsNumber !== value) field.value = value;
    title();
  });
  fig.onReset.push(() => select(0, [0, 0, 0]));
  refresh();
  return { el };
}
