// Chapter 1. Positions as clock hands, and the inner product that knows only how far apart they are.
// Python twin: attn/explore/positional.py.
import { angularFrequencies, clamp, dot, sinusoids } from "./core.js";
import { curves } from "./draw/charts.js";
import { clockFaces } from "./draw/clocks.js";
import { choice, radios, slider, stories } from "./draw/controls.js";
import { h, scalar, write } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { grouped, number } from "./number.js";

const POSITIONS = 128; // rows of the heat map

/** One frequency for each dimension: the paper's come in pairs; doubled, each dimension has its own. */
const frequencies = ({ d_model, base, exponent }) => {
  const paired = angularFrequencies(d_model, base).flatMap((omega) => [omega, omega]);
  return exponent === "paper" ? paired : paired.map((_, j) => base ** ((-2 * j) / d_model));
};

/** Sines first, then cosines. */
const concatenated = (row) => [...row.filter((_, j) => j % 2 === 0), ...row.filter((_, j) => j % 2 === 1)];

/** What does not depend on the position is kept until the settings change. */
const remember = (make) => {
  let [key, value] = [null, null];
  return (state) => {
    const now = [state.d_model, state.base, state.exponent, state.columns].join();
    if (now !== key) [key, value] = [now, make(state)];
    return value;
  };
};

const tables = remember((state) => {
  const omega = frequencies(state);
  const own = Array.from({ length: POSITIONS }, (_, pos) => sinusoids(pos, omega));
  return { own, shown: state.columns === "interleaved" ? own : own.map(concatenated) };
});

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const { position: p, offset, d_model } = state;
  const { own, shown } = tables(state);
  const [here, there] = [own[p], own[p + offset]];
  const pairs = d_model / 2;
  const clocks = Array.from({ length: Math.min(4, pairs) }, (_, c) =>
    pairs <= 4 ? c : Math.floor((c * (pairs - 1)) / 3),
  );
  const omega = frequencies(state);
  // The dimension that the slider counts is a column of the heat map.
  const dimension = Math.min(state.dimension, d_model - 1);
  const pair = state.columns === "interleaved" ? Math.floor(dimension / 2) : dimension % pairs;
  const own_dimension = state.columns === "interleaved" ? dimension : 2 * pair + (dimension < pairs ? 0 : 1);
  return {
    clocks,
    omega,
    dimension,
    pair,
    encoding: shown,
    hands: [here, there].map((row) => clocks.flatMap((i) => [row[2 * i], row[2 * i + 1]])),
    adds: [clocks.map((i) => here[2 * i] * there[2 * i] + here[2 * i + 1] * there[2 * i + 1])],
    dot: dot(here, there),
    squared_length: dot(here, here),
    wavelength: (2 * Math.PI) / omega[own_dimension],
    neighbor: dot(own[0], own[1]),
    moves: shown.reduce(
      ([low, high], row) => [Math.min(low, row[dimension]), Math.max(high, row[dimension])],
      [1, -1],
    ),
    /** The inner product of two positions over its largest value. */
    alike: (a, b) => dot(own[a], own[b]) / pairs,
  };
};

const turn = (length) => {
  if (length < 100) return number(length, 1);
  return length < 1e6 ? grouped(Math.round(length)) : `${Math.round(length / 1e6)} million`;
};

/** The big number, its gauge over ± d_model/2 with the range that it has been through, and the sum that gives it. */
function bigNumber(fig) {
  const what = h("p.abh-label");
  const big = scalar(fig, "dot", (value) => number(value, 4), "p.abh-big");
  const [bar, seen] = [h("i.abh-gauge-bar"), h("i.abh-gauge-seen")];
  const ends = [h("span"), h("span"), h("span")];
  const adds = h("p.abh-adds", { "data-matrix": "adds" });
  const range = h("p.abh-seen");
  const el = h(
    "div.abh-number",
    what,
    big,
    h("div.abh-gauge", { "aria-hidden": "true" }, seen, bar),
    h("div.abh-ends", { "aria-hidden": "true" }, ...ends),
    range,
    adds,
  );
  let [key, low, high] = ["", 0, 0];
  fig.add((x, state) => {
    const top = state.d_model / 2;
    const now = [state.offset, state.d_model, state.base, state.exponent].join();
    if (now !== key) [key, low, high] = [now, x.dot, x.dot];
    [low, high] = [Math.min(low, x.dot), Math.max(high, x.dot)];
    write(what, `PE(${state.position}) · PE(${state.position + state.offset})`);
    const at = (value) => 50 + (50 * clamp(value, -top, top)) / top;
    bar.style.left = `${Math.min(50, at(x.dot)).toFixed(2)}%`;
    bar.style.width = `${Math.abs(at(x.dot) - 50).toFixed(2)}%`;
    seen.style.left = `${at(low).toFixed(2)}%`;
    seen.style.width = `${(at(high) - at(low)).toFixed(2)}%`;
    ends.forEach((end, k) => write(end, number((k - 1) * top)));
    const [least, most] = [low, high].map((value) => number(value, 4));
    write(range, least === most ? `so far always ${least}` : `so far from ${least} to ${most}`);
    const terms = x.adds[0].flatMap((value, c) => {
      const [text, data] = [number(value, 4), { "data-row": 0, "data-col": c, "data-value": value }];
      return [c ? " + " : "", h("span", data, value < 0 && c ? `(${text})` : text)];
    });
    adds.replaceChildren(x.clocks.length < top ? `four of ${top} clocks: ` : "clock by clock: ", ...terms);
  });
  fig.onReset.push(() => {
    key = "";
  });
  return el;
}

function render({ model, el }) {
  const stays =
    "The number stays. Both hands of a clock turn by the same angle, so the triangle between them only turns. " +
    "Now take a notebook's formula, which looks almost the same, and drag again.";
  const fig = figure({
    el,
    model,
    compute,
    invite: "Drag the slider, and watch the hands.",
    question: `Two positions, ${model.get("offset")} apart. Slide both: does their inner product move?`,
    answer: stays,
    tell: (x, state) =>
      state.exponent === "paper"
        ? stays
        : "Now it moves, though the distance is the same. The tips leave their circles, the triangles change shape: " +
          "these are no clocks any more. What does the notebook do differently?",
  });
  const both = (first) => `${first} and ${first + fig.state().offset}`;
  const place = slider(fig, { key: "position", role: "q", format: both });
  const faces = clockFaces(fig, {
    name: "hands",
    cols: ["sin", "cos"],
    pairs: (x) => x.clocks,
    heads: ({ position, offset }) => [position, position + offset],
    told: (i, { position, offset }) =>
      `Clock of pair ${i}: the hands of positions ${position} and ${position + offset}`,
    caption: (i, x) => {
      const every = [x.omega[2 * i], x.omega[2 * i + 1]].map((w) => turn((2 * Math.PI) / w));
      return every[0] === every[1] ? `a turn takes ${every[0]} steps` : `sin takes ${every[0]}, cos ${every[1]}`;
    },
  });
  fig.stage.append(place, h("div.abh-clockwork", bigNumber(fig), faces));
  fig.next.append(radios(fig, { key: "exponent" }));

  fig.later(() => {
    const labels = (word, n) => Array.from({ length: n }, (_, k) => `${word} ${k}`);
    const heat = matrix(fig, {
      name: "encoding",
      label: "encoding",
      rows: labels("position", POSITIONS),
      cols: labels("dimension", Math.max(128, model.get("d_model"))),
      domain: 1,
    });
    const marks = ["q", "k", "ink"].map((role) => h(`i.abh-mark.abh-role-${role}`));
    const canvas = heat.querySelector("canvas");
    const holder = h("div.abh-marked");
    canvas.replaceWith(holder);
    holder.append(canvas, ...marks);
    holder.before(radios(fig, { key: "columns" })); // beside what it changes, also on a phone
    const share = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;
    fig.add(({ dimension }, { position, offset, d_model }) => {
      marks[0].style.top = share(position, POSITIONS);
      marks[1].style.top = share(position + offset, POSITIONS);
      marks[2].style.left = share(dimension, d_model);
      marks[2].style.width = share(1, d_model);
    });
    const fact = (name, label, text) => h("span.abh-stat", h("span.abh-label", label), " ", scalar(fig, name, text));
    const { max: farthest } = fig.control("offset");
    const range = (top, steps = 1) => Array.from({ length: steps * top + 1 }, (_, k) => k / steps);
    const chart = (name, label, xLabel, yLabel, lines) =>
      curves(fig, {
        name,
        label,
        xLabel,
        yLabel,
        x: [0, farthest],
        y: [-1, 1],
        ticksX: [0, farthest / 2, farthest],
        ticksY: [-1, 0, 1],
        lines: (x, state) => (state.opened ? lines(x, state) : []),
      });
    return [
      h("div.abh-row", h("span.abh-label", "Stories"), ...stories(fig)),
      h(
        "div.abh-row",
        slider(fig, { key: "offset", role: "k" }),
        choice(fig, { key: "d_model" }),
        choice(fig, { key: "base" }),
      ),
      h(
        "div.abh-flow",
        chart(
          "by_distance",
          "Similarity of the first position and those after it, against their distance",
          "distance",
          "inner product ÷ its largest value",
          (x, { position, offset }) =>
            [position, 0].map((from) => ({
              label: `from ${from}`,
              points: range(farthest).map((far) => [far, x.alike(from, from + far)]),
              now: [offset, x.alike(from, from + offset)],
            })),
        ),
      ),
      h("div.abh-row", slider(fig, { key: "dimension", within: (state) => ({ max: state.d_model - 1 }) })),
      h(
        "div.abh-flow",
        chart(
          "waves",
          "The two waves of the chosen dimension's pair, against the position",
          "position",
          "the pair's two waves",
          ({ omega, pair }, { position }) =>
            [
              ["sine", Math.sin, omega[2 * pair]],
              ["cosine", Math.cos, omega[2 * pair + 1]],
            ].map(([label, wave, speed]) => ({
              label,
              points: range(farthest, 4).map((x) => [x, wave(x * speed)]),
              now: [position, wave(position * speed)],
            })),
        ),
        heat,
      ),
      h(
        "div.abh-row",
        fact("wavelength", "wavelength", (x) => `${turn(x)} positions`),
        fact("squared_length", "PE(p) · PE(p)", (x) => number(x, 4)),
      ),
      goals(fig, [
        {
          text:
            "With the paper's formula, find a distance of 4 or more at which " +
            "two positions are more alike than neighbors are.",
          test: (x, state) => state.exponent === "paper" && state.offset >= 4 && x.dot > x.neighbor,
        },
        {
          text: "Find a dimension whose values differ by less than 0.01 over all 128 positions.",
          test: (x) => x.moves[1] - x.moves[0] < 0.01,
        },
        {
          text: "With the notebook's formula at distance 3, get the number below 0.75.",
          test: (x, state) => state.exponent === "doubled" && state.offset === 3 && x.dot < 0.75,
        },
      ]),
    ];
  });
  return fig.mount();
}
export default { render, compute };
