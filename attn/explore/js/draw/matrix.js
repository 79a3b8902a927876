// A matrix: cells with numbers, cells with colors, or a canvas, by its size.
import { clamp, matrixFrom } from "../core.js";
import { number, weightText } from "../number.js";
import { h, put, rich, write } from "./elements.js";

const NUMBERS = 8; // up to here each cell shows its number

const CELLS = 16; // up to here each cell is an element; above, a canvas

export const chip = (label, shape, role) =>
  h(`span.abh-chip.abh-role-${role}`, h("b", ...rich(label)), shape ? h("span.abh-shape", shape) : null);

/** Many columns with numbers scroll inside their own frame on a phone, and the keyboard reaches that frame. */
export const wide = (cols, label) =>
  cols.length > 5 && cols.length <= NUMBERS
    ? { "data-wide": "1", tabindex: 0, role: "group", "aria-label": `${label}, all columns` }
    : {};

/**
 * A matrix: rows are queries (or tokens), columns are keys (or dimensions).
 *
 * kind "weight" draws a bar over [0, 1] under each number; kind "signed" one from a center line over ±domain.
 * most: up to how many decimals a weight may have that ends there: 0.125.
 * `fit` keeps many columns within the width of the figure, also on a phone.
 * values(numbers) -> rows, by default those of its name; hidden(numbers) -> rows of booleans, true where the mask hides
 * the pair. There may be fewer values than labels. names(numbers) -> {rows, cols} are labels that change.
 * heads: a label for each head; then values and hidden hold one matrix for each, and so does the picture.
 */
export const matrix = (fig, options) => matrixParts(fig, options).el;

/** A matrix with what an editor needs of it: `boxes`, the heads' elements, and `cell`, that of an entry. */
export function matrixParts(fig, options) {
  const { name, label = name, role = "ink", kind = "signed", rows, cols, heads, names } = options;
  const { values = (numbers) => numbers[name], hidden, bare = false, fit = false } = options;
  const most = Math.max(rows.length, cols.length);
  const [small, large] = [most <= NUMBERS, most > CELLS];
  const head = h("div.abh-matrix-head", chip(label, bare ? "" : `${rows.length} × ${cols.length}`, role));
  const readout = h("p.abh-readout");
  const tables = heads
    ? heads.map((_, index) => cellMatrix({ ...options, head: index }))
    : [large ? canvasMatrix(fig, options, readout) : cellMatrix(options)];
  const boxes = heads?.map((text, index) => h("div.abh-head", h("p.abh-label", text), tables[index].el));
  const el = h(
    `div.abh-matrix.abh-role-${role}.abh-${kind}${small ? "" : ".abh-heat"}`,
    {
      "data-matrix": name,
      "data-most": large ? most : null,
      ...(fit ? {} : wide(cols, label)),
    },
    head,
    heads ? h("div.abh-heads", ...boxes) : tables[0].el,
    small || kind !== "weight" ? null : inkKey(large),
    small ? null : readout,
  );
  const size = head.querySelector(".abh-shape");
  fig.add((numbers) => {
    const [shown, veiled] = [values(numbers), hidden?.(numbers) ?? null];
    const labels = names?.(numbers);
    tables.forEach((table, index) => {
      if (labels) table.name(labels);
      table.update(heads ? shown[index] : shown, heads && veiled ? veiled[index] : veiled, el);
    });
    const first = heads ? shown[0] : shown;
    if (size && !large) write(size, `${first.length} × ${first[0].length}`);
  });
  if (!small && !large) {
    el.addEventListener("pointerover", (event) => {
      const cell = event.target.closest("td[data-row]");
      if (!cell) return;
      const { row, col, masked, value } = cell.dataset;
      write(readout, `${rows[row]} → ${cols[col]}: ${number(masked ? -Infinity : Number(value), 3)}`);
    });
  }
  return { el, boxes, cell: (i, j, index = 0) => tables[index].cell(i, j) };
}

// Among many keys most weights are small, and a share of ink as small would be paper. So ink grows as the root of the
// weight, and a key under the picture says so.
const inkOf = (weight) => Math.sqrt(clamp(weight, 0, 1));
const inked = (weight, space = "oklab") =>
  `color-mix(in ${space}, var(--abh-ink) ${(100 * inkOf(weight)).toFixed(1)}%, var(--abh-raised))`;

/** What the ink of a heat map of weights stands for, at a few weights. */
const inkKey = (large) =>
  h(
    "p.abh-ink-key",
    ...[0, 0.01, 0.1, 0.5, 1].map((weight) =>
      h(
        "span",
        h("i", { "data-ink": weight, style: `background: ${inked(weight, large ? "srgb" : "oklab")}` }),
        String(weight),
      ),
    ),
    "(ink grows as the square root)",
  );

const heat = (value, kind, domain) => {
  if (kind === "weight") return inked(value);
  const t = clamp(value / domain, -1, 1);
  return `color-mix(in oklab, var(--abh-${t < 0 ? "low" : "high"}) ${(100 * Math.abs(t)).toFixed(1)}%, var(--abh-mid))`;
};

/** The table of a matrix alone. `firstCol` is where its columns start in a matrix that is drawn in several tables. */
export function cellMatrix({ rows, cols, kind = "signed", domain = 3, ...more }) {
  const { decimals = 2, most = 2, sum = false, corner = "", head = null, rowHeads = true, firstCol = 0 } = more;
  const small = Math.max(rows.length, cols.length) <= NUMBERS;
  const cells = matrixFrom(rows.length, cols.length, (i, j) => {
    const text = h("span.abh-num");
    const mark = h(kind === "weight" ? "i.abh-fill" : "i.abh-signed-bar", { "aria-hidden": "true" });
    const td = h("td", { "data-row": i, "data-col": firstCol + j, "data-head": head }, small ? mark : null, text);
    return { td, text, mark, value: NaN, hidden: null };
  });
  const sums = rows.map(() => h("td.abh-sum"));
  const colNames = cols.map((text) => h("th", { scope: "col" }, text));
  const rowNames = rows.map((text) => h("th", { scope: "row" }, text));
  const heading = h(
    "tr",
    rowHeads ? h("td.abh-corner", corner) : null,
    ...colNames,
    sum ? h("th.abh-sum", { scope: "col" }, "sum") : null,
  );
  const lines = rows.map((_, i) =>
    h("tr", rowHeads ? rowNames[i] : null, ...cells[i].map(({ td }) => td), sum ? sums[i] : null),
  );
  const body = h("tbody", ...lines);
  const el = h("table", h("thead", heading), body);
  let [n, m] = [rows.length, cols.length];

  /** Fewer values than labels: the rows and columns at the end leave the page. */
  const resize = (height, width) => {
    body.replaceChildren(...lines.slice(0, height));
    for (const line of [colNames, ...cells.map((row) => row.map(({ td }) => td))]) {
      for (let j = 1; j < cols.length; j += 1) {
        if (j >= width) line[j].remove();
        else if (!line[j].parentNode) line[j - 1].after(line[j]);
      }
    }
    [n, m] = [height, width];
  };

  const paint = (cell, value, isHidden) => {
    if (Object.is(cell.value, value) && cell.hidden === isHidden) return;
    cell.value = value;
    cell.hidden = isHidden;
    const { td, text, mark } = cell;
    td.classList.toggle("abh-hidden", Boolean(isHidden));
    if (value === -Infinity) {
      td.removeAttribute("data-value");
      put(td, "data-masked", "1");
    } else {
      td.removeAttribute("data-masked");
      put(td, "data-value", value);
    }
    if (!small) {
      td.style.background = isHidden || value === -Infinity ? "" : heat(value, kind, domain);
      return;
    }
    write(
      text,
      kind === "weight"
        ? weightText(value, most)
        : number(value, Math.abs(value) < 100 ? decimals : Math.min(decimals, 1)),
    );
    if (kind === "weight") mark.style.setProperty("--abh-share", isHidden ? 0 : clamp(value, 0, 1));
    else {
      const t = Number.isFinite(value) && value > -1e8 ? value / domain : 0;
      mark.style.transform = `scaleX(${clamp(t, -1, 1)})`;
      td.classList.toggle("abh-over", t > 1 + 1e-9);
      td.classList.toggle("abh-under", t < -1 - 1e-9);
    }
  };
  return {
    el,
    cell: (i, j) => cells[i][j].td,
    name(labels) {
      labels.rows?.forEach((text, i) => rowNames[i] && write(rowNames[i], text));
      labels.cols?.forEach((text, j) => colNames[j] && write(colNames[j], text));
    },
    update(values, hidden) {
      if (values.length !== n || values[0].length !== m) resize(values.length, values[0].length);
      values.forEach((row, i) => {
        let total = 0;
        row.forEach((value, j) => {
          total += value;
          paint(cells[i][j], value, hidden ? Boolean(hidden[i][j]) : false);
        });
        if (sum) {
          write(sums[i], `Σ ${weightText(Math.abs(total - 1) < 1e-9 ? 1 : total)}`);
          sums[i].classList.toggle("abh-off", Math.abs(total - 1) > 1e-9);
        }
      });
    },
  };
}

const channels = (color) => {
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data];
};

const mix = (a, b, t) => [0, 1, 2].map((c) => Math.round(a[c] + (b[c] - a[c]) * t));

function canvasMatrix(fig, { rows, cols, kind = "signed", domain = 3 }, readout) {
  let named = { rows, cols };
  const canvas = h("canvas", { role: "img" });
  let [n, m, scale] = [0, 0, 1];
  let [last, veiled] = [null, null]; // the values; which cells are hidden
  let drawn = []; // of what the picture is: values, hidden cells, colors in force, whether it is for paper
  let pixels, image, inks; // one pixel a cell; inks are its pixels as whole numbers
  const ramp = new Uint32Array(256);
  const hatch = new OffscreenCanvas(9, 9); // a tile of the stripes over what is hidden

  const prepare = (colors) => {
    const [low, mid, high] =
      kind === "weight" ? [colors.raised, colors.raised, colors.ink] : [colors.low, colors.mid, colors.high];
    const [a, b, c] = [low, mid, high].map(channels);
    const bytes = new Uint8ClampedArray(ramp.buffer);
    for (let index = 0; index < 256; index += 1) {
      bytes.set([...(index < 128 ? mix(a, b, index / 127.5) : mix(b, c, (index - 127.5) / 127.5)), 255], 4 * index);
    }
    const pen = hatch.getContext("2d");
    pen.fillStyle = colors.raised;
    pen.fillRect(0, 0, 9, 9);
    pen.strokeStyle = colors.hatch;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const x of [-9, 0, 9]) {
      pen.moveTo(x, 9);
      pen.lineTo(x + 9, 0);
    }
    pen.stroke();
  };
  /** There may be fewer values than labels, and their number may change. */
  const resize = (values, el) => {
    [n, m] = [values.length, values[0].length];
    scale = Math.max(2, Math.floor(512 / Math.max(n, m)));
    [canvas.width, canvas.height] = [m * scale, n * scale];
    put(canvas, "aria-label", `Heat map of ${n} rows and ${m} columns`);
    pixels = new OffscreenCanvas(m, n);
    image = new ImageData(m, n);
    inks = new Uint32Array(image.data.buffer);
    el.dataset.shape = `${n},${m}`;
    el.values = new Float64Array(n * m);
    const shape = el.querySelector(".abh-shape");
    if (shape) write(shape, `${n} × ${m}`);
  };
  const drawVeil = (pen) => {
    pen.fillStyle = pen.createPattern(hatch, "repeat");
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < m; j += 1) if (veiled[i][j]) pen.fillRect(j * scale, i * scale, scale, scale);
  };
  /** In gray both ends of the scale are alike, so on paper a line runs through what is below zero. */
  const drawMinus = (pen, colors) => {
    pen.fillStyle = colors.ink;
    const thick = Math.max(1, Math.round(scale / 5));
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < m; j += 1)
        if (last[i][j] < 0) pen.fillRect(j * scale, Math.round((i + 0.5) * scale - thick / 2), scale, thick);
  };
  const paint = () => {
    const [colors, lined] = [fig.colors(), fig.onPaper() && kind === "signed"];
    const now = [last, veiled, colors, lined];
    if (now.every((part, place) => part === drawn[place])) return;
    if (colors !== drawn[2]) prepare(colors);
    drawn = now;
    const share = kind === "weight" ? inkOf : (value) => clamp(value / domain, -1, 1);
    for (let i = 0; i < n; i += 1) {
      const row = last[i];
      for (let j = 0; j < m; j += 1) inks[i * m + j] = ramp[Math.round(255 * (0.5 + 0.5 * share(row[j])))];
    }
    pixels.getContext("2d").putImageData(image, 0, 0);
    const pen = canvas.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.drawImage(pixels, 0, 0, canvas.width, canvas.height);
    if (lined) drawMinus(pen, colors);
    if (veiled) drawVeil(pen);
  };
  const show = (event) => {
    const box = canvas.getBoundingClientRect(); // with its border, which is no part of a cell
    const [x, y] = [event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop];
    const j = clamp(Math.floor((x / (box.width - 2 * canvas.clientLeft)) * m), 0, m - 1);
    const i = clamp(Math.floor((y / (box.height - 2 * canvas.clientTop)) * n), 0, n - 1);
    const value = last[i][j];
    const between = `${named.rows[i]} → ${named.cols[j]}`;
    write(readout, `${between}: ${kind === "weight" ? weightText(value) : number(value, 3)}`);
  };
  canvas.addEventListener("pointermove", show);
  canvas.addEventListener("pointerdown", show);
  return {
    el: canvas,
    name(labels) {
      named = { ...named, ...labels };
    },
    update(values, hidden, el) {
      if (values.length !== n || values[0].length !== m) resize(values, el);
      if (values !== last) for (let i = 0; i < n; i += 1) el.values.set(values[i], i * m);
      [last, veiled] = [values, hidden];
      fig.paint(paint);
    },
  };
}
