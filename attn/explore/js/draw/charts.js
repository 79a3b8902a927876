// Bars, curves, gauges, histograms.
import { clamp } from "../core.js";
import { number } from "../number.js";
import { h, put, s, write } from "./elements.js";
import { chip } from "./matrix.js";

/** Push labels apart until neighbors are `gap` away from each other; keeps their order. */
const spread = (ys, gap) => {
  const order = ys.map((_, index) => index).sort((a, b) => ys[a] - ys[b]);
  for (let k = order.length - 2; k >= 0; k -= 1) ys[order[k]] = Math.min(ys[order[k]], ys[order[k + 1]] - gap);
};

/**
 * Horizontal bars over [0, top], which stands above them, with a tip where a value is beyond, and then "cut at" stands
 * there too: a matrix of one column, so that what it shows can be read and tested. loud(numbers) -> which rows are to
 * be noticed; they say `cry`. names(numbers) -> what the rows are called, where that changes.
 */
export function bars(
  fig,
  { name, label, rows, top, values, text = number, rowHeads = true, names = null, loud = () => [], cry = "" },
) {
  const lines = rows.map((_, i) => {
    const mark = h("i", { class: "abh-length", "aria-hidden": "true" });
    const num = h("span", { class: "abh-num" });
    return {
      mark,
      num,
      name: h("span", { class: rowHeads ? "" : "abh-unseen" }, rows[i]),
      td: h("td", { "data-row": i, "data-col": 0 }, mark, num, cry ? h("span", { class: "abh-cry" }, cry) : null),
    };
  });
  const end = h("span", {}, number(top));
  const scale = h("td", { class: "abh-corner abh-scale", "aria-hidden": "true" }, h("span", {}, "0"), end);
  const el = h(
    "div",
    { class: "abh-matrix abh-bars", "data-matrix": name },
    h("div", { class: "abh-matrix-head" }, chip(label, "", "v")),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("td", { class: rowHeads ? "abh-corner" : "abh-nil" }), scale)),
      h(
        "tbody",
        {},
        ...lines.map(({ name: called, td }) =>
          h("tr", {}, h("th", { scope: "row", class: rowHeads ? "" : "abh-nil" }, called), td),
        ),
      ),
    ),
  );
  fig.add((numbers) => {
    const noticed = loud(numbers);
    if (names) names(numbers).forEach((called, i) => write(lines[i].name, called));
    const cut = values(numbers).some(([value]) => value > top);
    write(end, cut ? `cut at ${number(top)}` : number(top));
    scale.classList.toggle("abh-cut", cut);
    values(numbers).forEach(([value], i) => {
      const { td, mark, num } = lines[i];
      put(td, "data-value", value);
      mark.style.transform = `scaleX(${clamp(value / top, 0, 1)})`;
      td.classList.toggle("abh-over", value > top);
      td.classList.toggle("abh-loud", Boolean(noticed[i]));
      write(num, text(value));
    });
  });
  return { el };
}

/**
 * Curves over one variable, drawn as SVG, with the present value marked.
 * lines(numbers, state) -> [{label, points: [[x, y], …], now: [x, y]}], each told apart by its dash and its label;
 * now may be left out.
 */
export function curves(
  fig,
  { name, label, xLabel, yLabel, x: [x0, x1], y: [y0, y1], lines, ticksX, ticksY, textX = number, height = 210 },
) {
  const [width, left, right, up, down] = [360, 28, 67, 22, 34]; // on the right "unchanged" fits, in WebKit too
  const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = (y) => height - down - ((clamp(y, y0, y1) - y0) / (y1 - y0)) * (height - up - down);
  const frame = s("g", { class: "abh-axes" });
  for (const tick of ticksX) {
    frame.append(
      s("line", { x1: px(tick), x2: px(tick), y1: py(y0), y2: py(y0) + 4 }),
      s("text", { x: px(tick), y: py(y0) + 16, "text-anchor": "middle" }, textX(tick)),
    );
  }
  for (const tick of ticksY) {
    frame.append(
      s("line", { x1: left, x2: width - right, y1: py(tick), y2: py(tick), class: "abh-grid" }),
      s("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, number(tick)),
    );
  }
  frame.append(
    s("text", { x: (left + width - right) / 2, y: height - 2, "text-anchor": "middle" }, xLabel),
    s("text", { x: left, y: 9, class: "abh-ylabel" }, yLabel),
  );
  const plot = s("g");
  const picture = s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "abh-curves-svg", role: "img", "aria-label": label },
    frame,
    plot,
  );
  const el = h("figure", { class: "abh-curves", "data-curves": name }, picture);
  let drawn = [];
  fig.add((numbers, state) => {
    const data = lines(numbers, state);
    if (drawn.length !== data.length) {
      drawn = data.map((_, index) => ({
        path: s("path", { class: `abh-curve abh-dash-${index % 4}` }),
        point: s("circle", { r: 4, class: "abh-now" }),
        tag: s("text", { class: "abh-tag" }),
      }));
      plot.replaceChildren(...drawn.flatMap(({ path, point, tag }) => [path, point, tag]));
    }
    const ends = data.map(({ points }) => py(points[points.length - 1][1]) + 4);
    const named = data.flatMap(({ label: text }, index) => (text ? [index] : []));
    const apart = named.map((index) => ends[index]);
    spread(apart, 13);
    named.forEach((index, k) => (ends[index] = apart[k]));
    data.forEach(({ label: text, points, now }, index) => {
      const { path, point, tag } = drawn[index];
      put(path, "d", points.map(([x, y], k) => `${k ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join(""));
      point.style.display = now ? "" : "none";
      if (now) {
        put(point, "cx", px(now[0]).toFixed(1));
        put(point, "cy", py(now[1]).toFixed(1));
      }
      put(tag, "x", width - right + 6);
      put(tag, "y", ends[index].toFixed(1));
      write(tag, text);
    });
  });
  return { el };
}

/**
 * Gauges: scalars over [0, top], one line each. items: [{name, label, top, topText}]; the number is numbers[name].
 */
export function gauges(fig, { label, items }) {
  const lines = items.map(({ name, label: text, top, topText = number(top), format = number }) => {
    const mark = h("i", { class: "abh-length", "aria-hidden": "true" });
    const value = h("b", { class: "abh-meter-value", "data-scalar": name });
    fig.add((numbers) => {
      put(value, "data-value", numbers[name]);
      write(value, format(numbers[name]));
      mark.style.transform = `scaleX(${clamp(numbers[name] / top, 0, 1)})`;
    });
    return h(
      "li",
      {},
      h("span", {}, text),
      value,
      h("span", { class: "abh-meter" }, mark),
      h("span", { class: "abh-meter-top" }, topText),
    );
  });
  return { el: h("div", { class: "abh-meters" }, h("p", { class: "abh-label" }, label), h("ul", {}, ...lines)) };
}

/**
 * A histogram in SVG over equal bins of [x0, x1], with what a law expects of each bin as a curve; both are shares.
 * It is two matrices of one row, `name` and `curve`, so that what it shows can be read and tested.
 */
export function histogram(fig, { name, curve, label, x: [x0, x1], top, ticksX, xLabel, values, expected }) {
  const [width, height, left, right, up, down] = [360, 180, 30, 8, 12, 34];
  const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = (share) => height - down - (clamp(share, 0, top) / top) * (height - up - down);
  const frame = s("g", { class: "abh-axes" });
  for (const tick of ticksX)
    frame.append(s("text", { x: px(tick), y: py(0) + 15, "text-anchor": "middle" }, number(tick)));
  for (const tick of [0, top / 2, top]) {
    frame.append(
      s("line", { x1: left, x2: width - right, y1: py(tick), y2: py(tick), class: "abh-grid" }),
      s("text", { x: left - 5, y: py(tick) + 4, "text-anchor": "end" }, number(tick)),
    );
  }
  frame.append(s("text", { x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, xLabel));
  const [boxes, dots] = [s("g", { "data-matrix": name }), s("g", { "data-matrix": curve })];
  const line = s("path", { class: "abh-curve abh-curve-ink" });
  const el = h(
    "figure",
    { class: "abh-curves" },
    s(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "abh-curves-svg", role: "img", "aria-label": label },
      frame,
      boxes,
      line,
      dots,
    ),
  );
  const fit = (group, shares, make) => {
    if (!group.childNodes.length) group.append(...shares.map((_, i) => make(i)));
    shares.forEach((share, i) => put(group.childNodes[i], "data-value", share));
  };
  fig.add((numbers) => {
    const [shares, law] = [values(numbers), expected(numbers)];
    const step = (x1 - x0) / shares.length;
    fit(boxes, shares, (i) =>
      s("rect", {
        class: "abh-bin",
        "data-row": 0,
        "data-col": i,
        x: px(x0 + i * step) + 0.5,
        width: px(step) - px(0) - 1,
      }),
    );
    fit(dots, law, (i) =>
      s("circle", { class: "abh-bin-dot", r: 1.8, "data-row": 0, "data-col": i, cx: px(x0 + (i + 0.5) * step) }),
    );
    shares.forEach((share, i) => {
      put(boxes.childNodes[i], "y", py(share).toFixed(1));
      put(boxes.childNodes[i], "height", (py(0) - py(share)).toFixed(1));
    });
    law.forEach((share, i) => put(dots.childNodes[i], "cy", py(share).toFixed(1)));
    put(
      line,
      "d",
      law
        .map((share, i) => `${i ? "L" : "M"}${px(x0 + (i + 0.5) * step).toFixed(1)} ${py(share).toFixed(1)}`)
        .join(""),
    );
  });
  return { el };
}
