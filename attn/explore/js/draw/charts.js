// Bars, curves, gauges, histograms.
import { clamp } from "../core.js";
import { number } from "../number.js";
import { h, indexed, plainly, put, s, scalar, write } from "./elements.js";
import { chip } from "./matrix.js";

/** Push labels apart until neighbors are `gap` away from each other; keeps their order. */
const spread = (ys, gap) => {
  const order = ys.map((_, index) => index).sort((a, b) => ys[a] - ys[b]);
  for (let k = order.length - 2; k >= 0; k -= 1) ys[order[k]] = Math.min(ys[order[k]], ys[order[k + 1]] - gap);
};

/**
 * Horizontal bars over [0, top], which stands above them, with a tip where a value is beyond, and then "cut at" stands
 * there too: a matrix of one column, so that what it shows can be read and tested. loud(numbers) -> which rows are to
 * be noticed; they say `notice`. names(numbers) -> what the rows are called, where that changes.
 */
export function bars(fig, options) {
  const { name, label, rows, top, text = number, rowHeads = true, names, loud, notice = "" } = options;
  const lines = rows.map((row, i) => {
    const mark = h("i.abh-length", { "aria-hidden": "true" });
    const num = h("span.abh-num");
    const called = h("span", { class: rowHeads ? "" : "abh-unseen" }, row);
    const td = h("td", { "data-row": i, "data-col": 0 }, mark, num, notice ? h("span.abh-notice", notice) : null);
    return { mark, num, called, td };
  });
  const end = h("span", number(top));
  const scale = h("td.abh-corner.abh-scale", { "aria-hidden": "true" }, h("span", "0"), end);
  fig.add((numbers) => {
    const noticed = loud?.(numbers) ?? [];
    names?.(numbers).forEach((called, i) => write(lines[i].called, called));
    const cut = numbers[name].some(([value]) => value > top);
    write(end, cut ? `cut at ${number(top)}` : number(top));
    scale.classList.toggle("abh-cut", cut);
    numbers[name].forEach(([value], i) => {
      const { td, mark, num } = lines[i];
      put(td, "data-value", value);
      mark.style.transform = `scaleX(${clamp(value / top, 0, 1)})`;
      td.classList.toggle("abh-over", value > top);
      td.classList.toggle("abh-noticed", Boolean(noticed[i]));
      write(num, text(value));
    });
  });
  const nil = rowHeads ? "" : "abh-collapsed";
  return h(
    "div.abh-matrix.abh-bars",
    { "data-matrix": name },
    h("div.abh-matrix-head", chip(label, "", "v")),
    h(
      "table",
      h("thead", h("tr", h("td", { class: nil || "abh-corner" }), scale)),
      h("tbody", ...lines.map(({ called, td }) => h("tr", h("th", { scope: "row", class: nil }, called), td))),
    ),
  );
}

/** A picture with two axes; px and py lead from values to places in it. */
function picture({ size: [width, height], edges: [left, right, up, down], x: [x0, x1], y: [y0, y1], ...texts }) {
  const { label, ticksX, ticksY, textX = number, xLabel, yLabel } = texts;
  const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = (y) => height - down - ((clamp(y, y0, y1) - y0) / (y1 - y0)) * (height - up - down);
  const centered = { "text-anchor": "middle" };
  const frame = s(
    "g.abh-axes",
    ...ticksX.flatMap((tick) => [
      s("line", { x1: px(tick), x2: px(tick), y1: py(y0), y2: py(y0) + 4 }),
      s("text", { x: px(tick), y: py(y0) + 16, ...centered }, textX(tick)),
    ]),
    ...ticksY.flatMap((tick) => [
      s("line.abh-grid", { x1: left, x2: width - right, y1: py(tick), y2: py(tick) }),
      s("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, number(tick)),
    ]),
    s("text", { x: (left + width - right) / 2, y: height - 2, ...centered }, ...indexed(xLabel)),
    yLabel ? s("text.abh-ylabel", { x: left, y: 9 }, ...indexed(yLabel)) : null,
  );
  const el = (...drawn) =>
    s(
      "svg.abh-curves-svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": plainly(label) },
      frame,
      ...drawn,
    );
  /** A path through points. */
  const path = (points) =>
    points.map(([x, y], k) => `${k ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("");
  return { px, py, path, el };
}

/**
 * Curves over one variable, drawn as SVG, with the present value marked.
 * lines(numbers, state) -> [{label, points: [[x, y], …], now: [x, y]}], each told apart by its dash and its label;
 * now may be left out.
 */
export function curves(fig, { name, lines, height = 210, ...axes }) {
  const [width, right] = [360, 67]; // on the right "unchanged" fits, in WebKit too
  const { px, py, path, el } = picture({ size: [width, height], edges: [28, right, 22, 34], ...axes });
  const plot = s("g");
  let drawn = [];
  fig.add((numbers, state) => {
    const data = lines(numbers, state);
    if (drawn.length !== data.length) {
      drawn = data.map((_, index) => ({
        line: s(`path.abh-curve.abh-dash-${index % 4}`),
        point: s("circle.abh-now", { r: 4 }),
        tag: s("text.abh-tag"),
      }));
      plot.replaceChildren(...drawn.flatMap(({ line, point, tag }) => [line, point, tag]));
    }
    const ends = data.map(({ points }) => py(points.at(-1)[1]) + 4);
    const named = data.flatMap(({ label }, index) => (label ? [index] : []));
    const apart = named.map((index) => ends[index]);
    spread(apart, 13);
    named.forEach((index, k) => (ends[index] = apart[k]));
    data.forEach(({ label, points, now }, index) => {
      const { line, point, tag } = drawn[index];
      put(line, "d", path(points));
      point.style.display = now ? "" : "none";
      if (now) {
        put(point, "cx", px(now[0]).toFixed(1));
        put(point, "cy", py(now[1]).toFixed(1));
      }
      put(tag, "x", width - right + 6);
      put(tag, "y", ends[index].toFixed(1));
      if (drawn[index].label !== label) tag.replaceChildren(...indexed((drawn[index].label = label)));
    });
  });
  return h("figure.abh-curves", { "data-curves": name }, el(plot));
}

/**
 * Gauges: scalars over [0, top], one line each. items: [{name, label, top, topText}]; the number is numbers[name].
 */
export function gauges(fig, { label, items }) {
  const lines = items.map(({ name, label: text, top, topText = number(top), format = number }) => {
    const mark = h("i.abh-length", { "aria-hidden": "true" });
    fig.add((numbers) => {
      mark.style.transform = `scaleX(${clamp(numbers[name] / top, 0, 1)})`;
    });
    const value = scalar(fig, name, format);
    value.classList.add("abh-meter-value");
    return h("li", h("span", text), value, h("span.abh-meter", mark), h("span.abh-meter-top", topText));
  });
  return h("div.abh-meters", h("p.abh-label", label), h("ul", ...lines));
}

/**
 * A histogram in SVG over equal bins of [x0, x1], with what a law expects of each bin as a curve; both are shares.
 * It is two matrices of one row, `name` and `curve`, so that what it shows can be read and tested.
 */
export function histogram(fig, { name, curve, x: [x0, x1], top, ...axes }) {
  const ticksY = [0, top / 2, top];
  const edges = [30, 8, 12, 34];
  const { px, py, path, el } = picture({ size: [360, 180], edges, x: [x0, x1], y: [0, top], ticksY, ...axes });
  const [boxes, dots] = [s("g", { "data-matrix": name }), s("g", { "data-matrix": curve })];
  const line = s("path.abh-curve.abh-curve-ink");
  const fit = (group, shares, make) => {
    if (!group.childNodes.length) group.append(...shares.map((_, i) => make(i)));
    shares.forEach((share, i) => put(group.childNodes[i], "data-value", share));
  };
  fig.add((numbers) => {
    const [[shares], [law]] = [numbers[name], numbers[curve]];
    const step = (x1 - x0) / shares.length;
    const middle = (i) => x0 + (i + 0.5) * step;
    const wide = px(x0 + step) - px(x0) - 1;
    fit(boxes, shares, (i) =>
      s("rect.abh-bin", { "data-row": 0, "data-col": i, x: px(x0 + i * step) + 0.5, width: wide }),
    );
    fit(dots, law, (i) => s("circle.abh-bin-dot", { r: 1.8, "data-row": 0, "data-col": i, cx: px(middle(i)) }));
    shares.forEach((share, i) => {
      put(boxes.childNodes[i], "y", py(share).toFixed(1));
      put(boxes.childNodes[i], "height", (py(0) - py(share)).toFixed(1));
    });
    law.forEach((share, i) => put(dots.childNodes[i], "cy", py(share).toFixed(1)));
    put(line, "d", path(law.map((share, i) => [middle(i), share])));
  });
  return h("figure.abh-curves", el(boxes, line, dots));
}
