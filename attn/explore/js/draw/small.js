// A small figure: one idea, a control or two, a picture from shared parts. Its Python class states the controls and
// the parts, and brings a table of what it shows in each state (attn/explore/_small.py).
import { number } from "../number.js";
import { curves, histogram } from "./charts.js";
import { choice, slider, toggle } from "./controls.js";
import { h, put } from "./elements.js";
import { figure } from "./figure.js";
import { matrix } from "./matrix.js";
import { numberLine, showFigures, showPlane, uprights } from "./pieces.js";

/** Curves; their present points are a matrix of one column. */
function curvesNow(fig, { name, label, x, ends, names, axes, ticks, at, power }) {
  const chart = curves(fig, {
    name,
    label,
    xLabel: axes[0],
    yLabel: axes[1],
    x,
    y: ends,
    ticksX: ticks[0],
    ticksY: ticks[1],
    textX: (value) => number(power ? 2 ** value : value),
    height: fig.model.get("parts").filter(({ kind }) => kind === "curve").length > 1 ? 150 : 210, // both on a phone
    lines: (numbers, state) =>
      numbers[name].map((line, i) => ({
        label: names[i],
        points: line.map((y, j) => [x[0] + ((x[1] - x[0]) * j) / (line.length - 1), y]),
        now: [[numbers[at] ?? state[at]].flat(2)[0], numbers[`${name}_now`][i][0]],
      })),
  });
  const plot = chart.querySelector(".abh-axes + g");
  put(plot, "data-matrix", `${name}_now`);
  fig.add((numbers) => {
    plot.querySelectorAll(".abh-now").forEach((point, i) => {
      put(point, "data-row", i);
      put(point, "data-col", 0);
      if (names[i]) put(point, "data-of", names[i]);
      put(point, "data-value", numbers[`${name}_now`][i][0]);
    });
  });
  return chart;
}

const grid = (fig, { weight, ends, ...part }) =>
  matrix(fig, { ...part, kind: weight ? "weight" : "signed", domain: ends[1], bare: true, fit: true });

const bins = (fig, { law, ends, ticks, axis, ...part }) =>
  histogram(fig, { ...part, curve: law, top: ends[1], ticksX: ticks, xLabel: axis });

const PIECES = {
  columns: uprights,
  line: numberLine,
  plane: showPlane,
  figures: showFigures,
  curve: curvesNow,
  histogram: bins,
  grid,
};

const nearest = (values, value) =>
  values.reduce((best, one, i) => (Math.abs(one - value) < Math.abs(values[best] - value) ? i : best), 0);

/** The numbers and the sentence of a state, from a figure's table; between two values of a control, of the nearer. */
function rowOf({ keys, values, numbers, says, own }, state) {
  if (own && keys.every((key, i) => own.state[i] === state[key])) return own;
  const place = keys.reduce((before, key, i) => {
    const found = values[i].indexOf(state[key]);
    return before * values[i].length + (found < 0 ? nearest(values[i], state[key]) : found);
  }, 0);
  const now = Object.entries(numbers).map(([name, { all, each }]) => [name, all ?? each[place]]);
  return { numbers: Object.fromEntries(now), says: says[place] };
}

const longest = (texts) => texts.reduce((one, other) => (other.length > one.length ? other : one));

/** The control of a trait: a list, a switch, or a slider of which power it says. */
const controlOf = (fig, key, { options, step, power }) => {
  if (options) return choice(fig, { key });
  if (step === undefined) return toggle(fig, { key });
  return slider(fig, { key, format: (value) => number(power ? power ** value : value) });
};

const numbersIn = (state, rows = state.table) => rowOf(rows, state).numbers;

function renderTable({ model, el }) {
  const rows = () => model.get("table");
  const { question, invite, says } = rows();
  const controls = Object.entries(model.get("controls"));
  const [[, { options, step }]] = controls;
  const fig = figure({
    el,
    model,
    question,
    compute: (state) => numbersIn(state, rows()),
    tell: (_, state) => rowOf(rows(), state).says,
    answer: longest(says), // keeps room for all
    invite: invite || (options || step === undefined ? "Choose below." : "Drag the slider below."),
  });
  fig.root.classList.add("abh-small");
  const pieces = model.get("parts").map((part) => PIECES[part.kind](fig, part));
  fig.stage.append(h("div.abh-pieces", { "data-pieces": pieces.length }, ...pieces));
  for (const [key, control] of controls) {
    const node = controlOf(fig, key, control);
    node.classList.add("abh-full");
    fig.stage.append(node);
  }
  model.on("change:table", fig.redraw); // Python set a value that no control reaches
  const leave = fig.mount();
  return () => {
    model.off("change:table", fig.redraw);
    leave();
  };
}

/** A view whose numbers and sentences are a table, the trait `table`. */
export const table = { compute: numbersIn, render: renderTable };
