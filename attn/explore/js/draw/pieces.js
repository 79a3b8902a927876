// The pieces of small figures that the large ones don't have: upright bars, a number line, a plane that only shows.
import { clamp } from "../core.js";
import { needed, number, weightText } from "../number.js";
import { h, indexed, place, plainly, put, rich, s, scalar, write } from "./elements.js";
import { square } from "./square.js";

const plain = (value) => number(value, Math.abs(value) < 100 ? 2 : 1);

/** At the end of a bar: what is above 0 never says 0. */
const atBar = (value) => (value > 0 && value < 0.005 ? weightText(value) : plain(value));

/** A picture with its name above it. */
const framed = ({ label, role }, width, height, ...children) => {
  const box = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": plainly(label) };
  const title = label ? h("figcaption.abh-label", ...rich(label)) : null;
  return h(`figure.abh-piece.abh-role-${role}`, title, s("svg.abh-piece-svg", box, ...children));
};

/** An entry of a matrix that is drawn: what it is stands with it. */
const tag = (node, value) => put(node, "data-value", value);

/** Upright bars over [low, high], one for each entry of a row: a matrix, with its numbers at the bars' ends. */
export function uprights(fig, part) {
  const { name, names, weight } = part;
  const [low, high] = part.ends;
  const few = names.length < 5; // two of these stand beside each other on a phone
  const [width, height, up, down] = [few ? 216 : 440, few ? 176 : 200, 20, 24];
  const py = (y) => up + ((high - clamp(y, low, high)) / (high - low)) * (height - up - down);
  const slot = width / names.length;
  const wide = Math.min(54, 0.68 * slot);
  const cells = names.map((text, j) => {
    const middle = (j + 0.5) * slot;
    const bar = s("rect.abh-upright", { x: (middle - wide / 2).toFixed(2), width: wide.toFixed(2), rx: 2 });
    const num = s("text.abh-num", { x: middle.toFixed(2), "text-anchor": "middle" });
    const word = s(
      "text.abh-under-bar",
      { x: middle.toFixed(2), y: height - 6, "text-anchor": "middle" },
      ...indexed(text),
    );
    return { bar, num, el: s("g", { "data-row": 0, "data-col": j, "data-of": text }, bar, num), word };
  });
  const lines = [...new Set([low, 0, high])].flatMap((y) => [
    s(y ? "line.abh-grid" : "line.abh-baseline", { x1: 0, x2: width, y1: py(y), y2: py(y) }),
    y < 0 ? s("text.abh-end", { x: 0, y: py(y) - 4 }, needed(y, 0, 2)) : null,
    y > 0 ? s("text.abh-end", { x: 0, y: py(y), dy: "1em" }, needed(y, 0, 2)) : null,
  ]);
  const axes = s("g.abh-axes", ...lines, ...cells.map(({ word }) => word));
  const bars = s(weight ? "g.abh-weight" : "g", { "data-matrix": name }, ...cells.map((cell) => cell.el));
  const el = framed(part, width, height, axes, bars);
  el.classList.toggle("abh-few", few);
  fig.add((numbers) => {
    numbers[name][0].forEach((value, j) => {
      const { bar, num, el: cell } = cells[j];
      const [top, floor] = [py(Math.max(value, 0)), py(Math.min(value, 0))];
      tag(cell, value);
      place(bar, { y: top, height: floor - top });
      cell.classList.toggle("abh-beyond", value > high || value < low);
      place(num, { y: value < 0 ? floor + 2 : top - 5 });
      put(num, "dy", value < 0 ? ".86em" : 0);
      write(num, weight ? weightText(value) : atBar(value));
    });
  });
  return el;
}

/** A number line: a disk for each value, its area the weight, its name above; the result is a mark below. */
export function numberLine(fig, part) {
  const { name, names, weights, result, says, ticks } = part;
  const [low, high] = part.ends;
  const [width, height, edge, middle] = [360, 132, 26, 46];
  const px = (x) => edge + ((clamp(x, low, high) - low) / (high - low)) * (width - 2 * edge);
  const axis = s(
    "g.abh-axes",
    s("line.abh-baseline", { x1: px(low), x2: px(high), y1: middle, y2: middle }),
    ...ticks.flatMap((tick) => [
      s("line", { x1: px(tick), x2: px(tick), y1: middle, y2: middle + 5 }),
      s("text.abh-tick", { x: px(tick), y: height - 6, "text-anchor": "middle" }, number(tick)),
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
    part,
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
      place(disk, { cx: px(x), cy: middle, r: Math.max(1.5, size) });
      place(word, { x: px(x), y: middle - Math.max(8, size) - 6 });
      tag(value, x);
      tag(weight, share);
      write(value, plain(x));
      write(weight, weightText(share));
    });
    const [[at]] = numbers[result];
    put(mark, "transform", `translate(${px(at).toFixed(2)} ${middle + 24})`);
    place(said, { x: clamp(px(at), 40, width - 40), y: middle + 58 });
    tag(end, at);
    write(num, plain(at));
  });
  return el;
}

/** A plane that shows arrows, points and dashed segments. */
export function showPlane(fig, { label, ends: [, reach], arrows, points, segments }) {
  const { size, px, py, ends, arrowTo, picture } = square(reach);
  const ties = segments.map(() => s("line.abh-segment"));
  const groups = [...arrows.map((one) => [true, one]), ...points.map((one) => [false, one])].map(
    ([arrow, [name, names, role]]) => {
      const each = names.map((text, i) => {
        const mark = arrow ? s("path.abh-arrow") : s("circle.abh-spot", { r: 6 });
        const word = s(arrow ? "text.abh-arrow-name" : "text.abh-word", { "text-anchor": "middle" }, text);
        const entries = [0, 1].map((j) => s("desc", { "data-row": i, "data-col": j, "data-of": text }));
        return { mark, word, entries, el: s("g", mark, word, ...entries) };
      });
      return { name, arrow, each, el: s(`g.abh-role-${role}`, { "data-matrix": name }, ...each.map(({ el }) => el)) };
    },
  );
  fig.add((numbers) => {
    segments.forEach(([from, to], i) => place(ties[i], ends(numbers[from][0], numbers[to][0])));
    const spots = [];
    for (const { name, arrow, each } of groups) {
      numbers[name].forEach((point, i) => {
        const { mark, word, entries } = each[i];
        const [tx, ty] = [px(point[0]), py(point[1])];
        if (arrow) put(mark, "d", arrowTo(point));
        else place(mark, { cx: tx, cy: ty });
        const [over, under] = [ty - 12, ty + 24].map((y) => clamp(y, 16, size - 6));
        const text = word.textContent;
        const spot = { word, text, arrow, x: clamp(tx, 34, size - 34), y: point[1] < 0 ? under : over };
        // Names that would touch stand side by side, or a point's on the other side of it than an arrow's.
        const room = (one) => Math.max(48, 6 * (one.text + text).length);
        const touches = (one) => Math.abs(one.x - spot.x) < room(one) && Math.abs(one.y - spot.y) < 20;
        if (!arrow && spots.some((one) => one.arrow && touches(one))) spot.y = spot.y === over ? under : over;
        const near = spots.find(touches);
        if (near) {
          const [left, right] = near.x > spot.x ? [spot, near] : [near, spot];
          const short = (room(near) - right.x + left.x) / 2;
          [left.x, right.x] = [left.x - short, right.x + short];
        }
        spots.push(spot);
        point.forEach((value, j) => {
          tag(entries[j], value);
          write(entries[j], plain(value));
        });
      });
    }
    for (const { word, x, y } of spots) place(word, { x, y });
  });
  const drawn = picture(".abh-piece-svg", label, ...ties, ...groups.map(({ el }) => el));
  return h("figure.abh-piece.abh-piece-plane", drawn);
}

/** Numbers, each with what it is called. */
export function showFigures(fig, { names, labels }) {
  return h(
    "ul.abh-told",
    ...names.map((name, i) => h("li", h("span", ...rich(labels[i])), scalar(fig, name, number))),
  );
}
