// Chapter 5. Four pairs of bits, what a head reads of them as points, and a line. Python twin: attn/explore/xor.py.
import { distance, dot, matmul, matmulT, softmax, vectorOf } from "./core.js";
import { choice, DEGREES, slider, stories, toggle } from "./draw/controls.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h, put, rich, scalar, write } from "./draw/elements.js";
import { figure, minimap } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { tween } from "./draw/motion.js";
import { plane } from "./draw/plane.js";
import { needed, number } from "./number.js";

const WEIGHTS = ["w_q", "w_k", "w_v", "queries", "w_o_2", "positions", "w_1", "w_2"];
const SWITCHES = ["second_head", "position", "position_in_scores", "residual", "ffn", "read"];
const BITS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];
const XOR = [0, 1, 1, 0];
const PAIRS = BITS.map((bits) => bits.join(" "));
const TOKENS = BITS.map((bits) => bits.map((bit) => [1 - bit, bit]));
const ON_THE_LINE = 1e-9; // on neither side

const plus = (a, b) => a.map((row, i) => row.map((value, j) => value + b[i][j]));
const readoutOf = ({ angle, length }) => vectorOf(angle, length);

/** Pure: one pair of tokens through the network. Twin: attn.xor.XorNetwork. */
const forward = (state, x, readout) => {
  const placed = plus(x, state.positions);
  const seen = state.position_in_scores ? placed : x;
  const valued = state.position ? placed : x;
  const attention = matmulT(matmul(seen, state.w_q), matmul(seen, state.w_k)).map(softmax);
  let hidden = matmul(attention, matmul(valued, state.w_v));
  if (state.residual) hidden = plus(valued, hidden);
  if (state.ffn) {
    const inner = matmul(hidden, state.w_1.slice(0, 2)).map((row) =>
      row.map((value, j) => Math.max(0, value + state.w_1[2][j])),
    );
    hidden = matmul(inner, state.w_2);
  }
  const [sought, decoder_2] = state.queries.map((query) => softmax(hidden.map((row) => dot(row, query))));
  const decoder = { mean: [0.5, 0.5], "row 1": [1, 0] }[state.read] ?? sought;
  let [read] = matmul([decoder], hidden);
  if (state.second_head) [read] = plus([read], matmul(matmul([decoder_2], hidden), state.w_o_2));
  return { attention, hidden, decoder, decoder_2, read, output: dot(read, readout) + state.bias };
};

const signed = (outputs) => outputs.map((value, i) => (XOR[i] ? value : -value));
const accuracyOf = (outputs) => signed(outputs).filter((value) => value > ON_THE_LINE).length / 4;
const marginOf = (outputs) => Math.min(...signed(outputs));

/** Pure: state in, everything that is drawn out; a list for each pair of bits. */
const compute = (state) => {
  const readout = readoutOf(state);
  const runs = TOKENS.map((x) => forward(state, x, readout));
  const each = Object.fromEntries(Object.keys(runs[0]).map((key) => [key, runs.map((run) => run[key])]));
  return {
    ...each,
    readout,
    accuracy: accuracyOf(each.output),
    margin: marginOf(each.output),
    ...Object.fromEntries(WEIGHTS.map((key) => [key, state[key]])),
  };
};

// ---------------------------------------------------------------- pictures

const alone = (state) => SWITCHES.every((key) => key === "read" || key === "position_in_scores" || !state[key]);
const WALL =
  "No line can: all that one head reads lies on the segment, " +
  "and a line that cuts off its middle cuts off an end with it. " +
  "Three of four is all. Now switch on the second head.";
const tell = ({ accuracy }, state) => {
  if (accuracy === 1) return "Four of four: XOR. The mixed pairs have left the segment, and one line is enough.";
  if (alone(state)) return WALL;
  return (
    "Now the points may leave the segment. " +
    "Turn the line: can it have the mixed pairs on its gray side, and nothing else?"
  );
};

/** The four points, the segment between the equal pairs, the line. After a jump they glide; a drag has them at once. */
function picture(fig) {
  const reach = 3.4;
  const view = plane(fig, { of: "length", reach });
  const cut = view.cut();
  const hull = view.hull();
  const rope = view.weightLine();
  const arrow = view.arrow("", { role: "ink", grip: "angle", also: "length" });
  const marks = XOR.map((one) => view.mark(one === 1));
  const scale = h("p.abh-label");
  let zoom = 0;
  fig.add((x) => {
    if (zoom && !fig.root.classList.contains("abh-glide")) return; // never during a drag
    const far = Math.max(...x.read.flat().map(Math.abs));
    zoom = far > 3.2 || far < 1.2 ? 2 ** Math.max(-2, Math.ceil(Math.log2(far / 3.2))) : 1;
    scale.replaceChildren(
      ...rich(`Gray says 1. ● wants 1, ○ wants 0. The edges are at ±${needed(reach * zoom, 0, 2)}.`),
    );
  });
  tween(
    fig,
    (x) => x.read.flat(),
    (flat, x, state) => {
      const small = XOR.map((_, i) => [flat[2 * i] / zoom, flat[2 * i + 1] / zoom]);
      cut(x.readout, state.bias / zoom);
      hull(small);
      rope(small[0], small[3], 0.3);
      const near = (i, j) => distance(x.read[i], x.read[j]) < 0.25 * zoom;
      const [same, ends] = [near(1, 2), near(0, 3)];
      const text = [ends ? "00, 11" : "00", same ? "10, 01" : "10", same ? "" : "01", ends ? "" : "11"];
      marks.forEach((mark, i) => mark(small[i], text[i], x.readout));
      arrow(x.readout, { shown: state.length > 0 });
    },
  );
  return { el: h("div.abh-plane-box", view.el, scale), copy: () => minimap(fig, view) };
}

/** The four outputs, what they say, and what XOR wants. */
function table(fig) {
  const output = matrix(fig, {
    name: "output",
    label: "readout · read + bias",
    role: "v",
    rows: PAIRS,
    cols: ["output"],
    bare: true,
    values: (x) => x.output.map((value) => [value]),
  });
  output.classList.add("abh-cases");
  const [head, ...rows] = output.querySelectorAll("tr");
  head.append(h("th", { scope: "col" }, "says"), h("th", { scope: "col" }, "XOR"));
  const says = rows.map((row, i) => {
    const cell = h("td.abh-says");
    row.append(cell, h("td.abh-says", String(XOR[i])));
    return cell;
  });
  fig.add((x) => {
    x.output.forEach((value, i) => {
      const said = Math.abs(value) <= ON_THE_LINE ? "–" : String(Number(value > 0));
      const wrong = said !== String(XOR[i]);
      const text = `${said} ${wrong ? "✗" : "✓"}`;
      write(says[i], text);
      says[i].classList.toggle("abh-wrong", wrong);
    });
  });
  return output;
}

/** How many are right, and the most so far. */
function score(fig) {
  const status = h("span.abh-status", { "aria-hidden": "true" }); // no goal's: it may go out again
  const right = scalar(fig, "accuracy", (share) => `${4 * share} of 4`);
  const best = h("span.abh-label");
  let most = 0;
  fig.onReset.push(() => {
    most = 0;
  });
  fig.add(({ accuracy }) => {
    most = Math.max(most, accuracy);
    put(status, "data-solved", Number(accuracy === 1));
    write(status, accuracy === 1 ? "✓" : "");
    write(best, accuracy === 1 ? "solved" : `best so far: ${4 * most} of 4`);
  });
  return h("p.abh-score", status, right, best);
}

/** Shown only while one of some switches is on. */
const asleep = (fig, el, switches) => {
  fig.add((_, state) => {
    el.hidden = !switches.some((key) => state[key]);
  });
  return el;
};

/** The weights, with a copy of the picture, which may be far. */
function weightEditor(fig, copy) {
  const two = ["1", "2"];
  const bits = ["bit 0", "bit 1"];
  const weigher = matrixEditor(fig, {
    matrices: [
      { key: "w_q", role: "q", rows: bits, cols: two },
      { key: "w_k", role: "k", rows: bits, cols: two },
      { key: "w_v", role: "v", rows: bits, cols: two },
      { key: "queries", role: "q", rows: ["head 1", "head 2"], cols: two },
      { key: "w_o_2", role: "ink", rows: two, cols: two },
      { key: "positions", role: "ink", rows: ["place 1", "place 2"], cols: two },
      { key: "w_1", role: "ink", rows: [...two, "bias"], cols: two },
      { key: "w_2", role: "ink", rows: two, cols: two },
    ],
    minimaps: [copy],
  });
  for (const [key, ...switches] of [
    ["w_o_2", "second_head"],
    ["positions", "position", "position_in_scores"],
    ["w_1", "ffn"],
    ["w_2", "ffn"],
  ]) {
    asleep(fig, weigher.querySelector(`[data-action="edit-${key}"]`), switches);
  }
  return weigher;
}

/** What is behind "Open the weights". */
function laboratory(fig, copy) {
  const two = ["1", "2"];
  const rows = ["row 1", "row 2"];
  const part = (name, label, options) => matrix(fig, { name, label, rows, cols: two, ...options });
  const reads = { kind: "weight", rows: PAIRS, cols: rows, sum: true };
  return [
    h("div.abh-row", h("span.abh-label", "Start from"), ...stories(fig, "preset")),
    h(
      "div.abh-row",
      ...["position", "position_in_scores", "residual", "ffn"].map((key) => toggle(fig, { key })),
      choice(fig, { key: "read" }),
    ),
    copy(),
    weightEditor(fig, copy()),
    h("div.abh-row", ...["length", "bias"].map((key) => slider(fig, { key }))),
    h(
      "p",
      "margin ",
      scalar(fig, "margin", (value) => number(value, 3)),
    ),
    h(
      "p.abh-label",
      "The tokens are [1, 0] for bit 0 and [0, 1] for bit 1: a row of W_Q, W_K or W_V is what a bit asks, " +
        "answers to, hands over. Scores are not scaled.",
    ),
    h(
      "div.abh-flow.abh-tight",
      part("attention", "S: who looks at whom", { kind: "weight", heads: PAIRS, cols: rows }),
      part("hidden", "H: a row for each token", { role: "v", heads: PAIRS }),
      part("decoder", "what head 1 reads", reads),
      asleep(fig, part("decoder_2", "what head 2 reads", reads), ["second_head"]),
      part("read", "read", { role: "v", rows: PAIRS }),
    ),
  ];
}

function render({ model, el }) {
  const fig = figure({
    el,
    model,
    compute,
    tell,
    answer: WALL,
    invite: "Drag the slider, or the tip of the small arrow.",
    question: "Turn the line. Can it have ● on its gray side, and both ○ on the other?",
  });
  const angle = slider(fig, { key: "angle", ...DEGREES });
  const view = picture(fig);
  fig.stage.append(h("div.abh-turner", angle, score(fig)), h("div.abh-beside", view.el, table(fig)));
  fig.next.append(toggle(fig, { key: "second_head" }));
  fig.later(() => {
    const told = Object.fromEntries(model.get("stories").map(({ name, changes }) => [name, changes]));
    const same = (state, other, ...but) =>
      [...WEIGHTS, "angle", "length", ...SWITCHES].every(
        (key) => but.includes(key) || String(state[key]) === String(other[key]),
      );
    const only = (state, ...keys) =>
      ["second_head", "position", "residual", "ffn"].every((key) => state[key] === keys.includes(key));
    return [
      ...laboratory(fig, view.copy),
      goals(fig, [
        {
          text: "Get three of four right with one head and no other help.",
          test: (x, state) => alone(state) && x.accuracy === 0.75,
        },
        {
          text: "Solve XOR with the second head alone.",
          test: (x, state) => only(state, "second_head") && x.accuracy === 1,
        },
        {
          text: "Solve XOR with one head and a residual connection, reading the mean.",
          test: (x, state) => only(state, "residual") && state.read === "mean" && x.accuracy === 1,
        },
        {
          text: "Start from source 000, and solve XOR with its bias alone.",
          test: (x, state) => same(state, told.source) && x.accuracy === 1,
        },
        {
          text:
            "Start from *the asker holds a bit*, whose margin is 0.5. " +
            "Widen it beyond 0.55 with the readout's length and the bias alone.",
          test: (x, state) => same(state, told.asker, "length") && x.margin > 0.55,
        },
      ]),
    ];
  });
  return fig.mount();
}
export default { render, compute };
