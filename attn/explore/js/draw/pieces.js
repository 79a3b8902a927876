// The pieces of small figures that the large ones don't have: upright bars, a number line, a plane that only shows.
import { clamp } from "../core.js";
import { needed, number, weightText } from "../number.js";
import { h, put, s, write } from "./elements.js";

const plain = (value) => number(value, Math.abs(value) < 100 ? 2 : 1);

/** At the end of a bar: what is above 0 never says 0. */
const atBar = (value) => (value > 0 && value < 0.005 ? weightText(value) : plain(value));

/** A picture with its name above it. */
const framed = (label, role, width, height, ...children) =>
  h(
    "figure",
    { class: `abh-piece abh-role-${role}` },
    label ? h("figcaption.abh-label", label) : null,
    s(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "abh-piece-svg", role: "img", "aria-label": label },
      ...children,
    ),
  );

/** An entry of a matrix that is drawn: what it is stands with it. */
const tag = (node, value) => put(node, "data-value", value);

/** Upright bars over [low, high], one for each entry of a row: a matrix, with its numbers at the bars' ends. */
export function uprights(fig, { name, label, names, ends: [low, high], role, weight }) {
  const few = names.length < 5; // two of these stand beside each other on a phone
  const [width, height, up, down] = [few ? 216 : 440, few ? 176 : 200, 20, 24];
  const py = (y) => up + ((high - clamp(y, low, high)) / (high - low)) * (height - up - down);
  const slot = width / names.length;
  const wide = Math.min(54, 0.68 * slot);
  const cells = names.map((text, j) => {
    const middle = (j + 0.5) * slot;
    const bar = s("rect.abh-upright", { x: (middle - wide / 2).toFixed(2), width: wide.toFixed(2), rx: 2 });
    const num = s("text.abh-num", { x: middle.toFixed(2), "text-anchor": "middle" });
    const word = s("text.abh-under-bar", { x: middle.toFixed(2), y: height - 6, "text-anchor": "middle" }, text);
    return { bar, num, el: s("g", { "data-row": 0, "data-col": j, "data-of": text }, bar, num), word };
  });
  const lines = [...new Set([low, 0, high])].flatMap((y) => [
    s("line", { x1: 0, x2: width, y1: py(y), y2: py(y), class: y ? "abh-grid" : "abh-floor" }),
    y
      ? s("text", { x: 0, y: y < 0 ? py(y) - 4 : py(y), dy: y < 0 ? 0 : "1em", class: "abh-end" }, needed(y, 0, 2))
      : null,
  ]);
  const el = framed(
    label,
    role,
    width,
    height,
    s("g.abh-axes", ...lines.filter(Boolean), ...cells.map(({ word }) => word)),
    s("g", { "data-matrix": name, class: weight ? "abh-weight" : "" }, ...cells.map((cell) => cell.el)),
  );
  el.classList.toggle("abh-few", few);
  fig.add((numbers) => {
    numbers[name][0].forEach((value, j) => {
      const { bar, num, el: cell } = cells[j];
      const [top, floor] = [py(Math.max(value, 0)), py(Math.min(value, 0))];
      tag(cell, value);
      put(bar, "y", top.toFixed(2));
      put(bar, "height", (floor - top).toFixed(2));
      cell.classList.toggle("abh-beyond", value > high || value < low);
      put(num, "y", (value < 0 ? floor + 2 : top - 5).toFixed(2));
      put(num, "dy", value < 0 ? ".86em" : 0);
      write(num, weight ? weightText(value) : atBar(value));
    });
  });
  return el;
}

/** A number line: a disk for each value, its area the weight, its name above; the result is a mark below. */
export function numberLine(fig, { name, label, names, ends: [low, high], role, weights, result, says, ticks }) {
  const [width, height, edge, middle] = [360, 132, 26, 46];
  const px = (x) => edge + ((clamp(x, low, high) - low) / (high - low)) * (width - 2 * edge);
  const axis = s(
    "g.abh-axes",
    s("line", { x1: px(low), x2: px(high), y1: middle, y2: middle, class: "abh-floor" }),
    ...ticks.flatMap((tick) => [
      s("line", { x1: px(tick), x2: px(tick), y1: middle, y2: middle + 5 }),
      s("text", { x: px(tick), y: height - 6, "text-anchor": "middle", class: "abh-tick" }, number(tick)),
    ]),
  );
  const disks = names.map((text, j) => {
    const disk = s("circle.abh-share-disk");
    const word = s("text.abh-over-disk", { "text-anchor": "middle" }, text);
    const [value, weight] = [name, weights].map(() => s("desc", { "data-row": 0, "data-col": j, "data-of": text }));
    return { disk, word, value, weight };
  });
  const mark = s("path.abh-result-mark", { d: "M0 0L-9 16L9 16Z" });
  const num = s("tspan.abh-num");
  const said = s("text.abh-result-text", { "text-anchor": "middle" }, `${says} `, num);
  const end = s("g", { "data-row": 0, "data-col": 0, "data-of": says }, mark, said);
  const el = framed(
    label,
    role,
    width,
    height,
    axis,
    ...disks.flatMap(({ disk, word }) => [disk, word]),
    s("g", { "data-matrix": name }, ...disks.map(({ value }) => value)),
    s("g.abh-weight", { "data-matrix": weights }, ...disks.map(({ weight }) => weight)),
    s("g", { "data-matrix": result }, end),
  );
  fig.add((numbers) => {
    names.forEach((_, j) => {
      const [x, share] = [numbers[name][0][j], numbers[weights][0][j]];
      const { disk, word, value, weight } = disks[j];
      const size = 22 * Math.sqrt(clamp(share, 0, 1));
      put(disk, "cx", px(x).toFixed(2));
      put(disk, "cy", middle);
      put(disk, "r", Math.max(1.5, size).toFixed(2));
      put(word, "x", px(x).toFixed(2));
      put(word, "y", (middle - Math.max(8, size) - 6).toFixed(2));
      tag(value, x);
      tag(weight, share);
      write(value, plain(x));
      write(weight, weightText(share));
    });
    const [[at]] = numbers[result];
    put(mark, "transform", `translate(${px(at).toFixed(2)} ${middle + 24})`);
    put(said, "x", clamp(px(at), 40, width - 40).toFixed(2));
    put(said, "y", middle + 58);
    tag(end, at);
    write(num, plain(at));
  });
  return el;
}

/** A plane that shows arrows, points and dashed segments. */
export function showPlane(fig, { label, ends: [, reach], arrows, points, segments }) {
  const size = 300;
  const px = (x) => (size / 2) * (1 + x / reach);
  const py = (y) => (size / 2) * (1 - y / reach);
  const pair = ([x, y]) => `${px(x).toFixed(2)} ${py(y).toFixed(2)}`;
  const cross = s(
    "g.abh-axes",
    s("line", { x1: 0, x2: size, y1: size / 2, y2: size / 2, class: "abh-grid" }),
    s("line", { y1: 0, y2: size, x1: size / 2, x2: size / 2, class: "abh-grid" }),
  );
  const ties = segments.map(() => s("line.abh-tie"));
  const made = [...arrows.map((one) => [true, one]), ...points.map((one) => [false, one])].map(
    ([arrow, [name, names, role]]) => {
      const each = names.map((text, i) => {
        const mark = arrow ? s("path.abh-arrow") : s("circle.abh-spot", { r: 6 });
        const word = s("text", { class: arrow ? "abh-arrow-name" : "abh-word", "text-anchor": "middle" }, text);
        const told = [0, 1].map((j) => s("desc", { "data-row": i, "data-col": j, "data-of": text }));
        return { mark, word, told, el: s("g", mark, word, ...told) };
      });
      return {
        name,
        arrow,
        each,
        el: s("g", { "data-matrix": name, class: `abh-role-${role}` }, ...each.map((one) => one.el)),
      };
    },
  );
  const el = h(
    "figure.abh-piece.abh-piece-plane",
    s(
      "svg",
      { viewBox: `0 0 ${size} ${size}`, class: "abh-plane abh-piece-svg", role: "img", "aria-label": label },
      cross,
      ...ties,
      ...made.map((one) => one.el),
    ),
  );
  fig.add((numbers) => {
    segments.forEach(([from, to], i) => {
      const [[x1, y1], [x2, y2]] = [numbers[from][0], numbers[to][0]];
      Object.entries({ x1: px(x1), y1: py(y1), x2: px(x2), y2: py(y2) }).forEach(([key, value]) =>
        put(ties[i], key, value.toFixed(2)),
      );
    });
    for (const { name, arrow, each } of made) {
      numbers[name].forEach(([x, y], i) => {
        const { mark, word, told } = each[i];
        const [tx, ty] = [px(x), py(y)];
        if (arrow) {
          const turn = Math.atan2(ty - size / 2, tx - size / 2);
          const barb = (side) => [tx - 12 * Math.cos(turn + side), ty - 12 * Math.sin(turn + side)];
          const at = ([a, b]) => `${a.toFixed(2)} ${b.toFixed(2)}`;
          put(mark, "d", `M${pair([0, 0])}L${pair([x, y])}M${at(barb(0.45))}L${at([tx, ty])}L${at(barb(-0.45))}`);
        } else {
          put(mark, "cx", tx.toFixed(2));
          put(mark, "cy", ty.toFixed(2));
        }
        put(word, "x", clamp(tx, 34, size - 34).toFixed(2));
        put(word, "y", clamp(y < 0 ? ty + 24 : ty - 12, 16, size - 6).toFixed(2));
        [x, y].forEach((value, j) => {
          tag(told[j], value);
          write(told[j], plain(value));
        });
      });
    }
  });
  return el;
}

/** Numbers, each with what it is called. */
export function showFigures(fig, { names, labels }) {
  const lines = names.map((name, i) => {
    const value = h("b", { "data-scalar": name });
    fig.add((numbers) => {
      const [now] = [numbers[name]].flat(2);
      put(value, "data-value", now);
      write(value, number(now));
    });
    return h("li", h("span", labels[i]), value);
  });
  return h("ul.abh-told", ...lines);
}
