// Chapter 0. Each word has a query, a key and a value of its own. Python twin: attn/explore/self_attention.py.
import { matmul, scaledScores, softmax } from "./core.js";
import { preset, radios, slider } from "./draw/controls.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h } from "./draw/elements.js";
import { figure, minimap } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { plane } from "./draw/plane.js";
import { linkTokens, markRow } from "./draw/tokens.js";

/** Pure: state in, everything that is drawn out. */
const compute = ({ q, k, v }) => {
  const scores = scaledScores(q, k);
  const weights = scores.map(softmax);
  return { q, k, v, scores, weights, output: matmul(weights, v) };
};

/** One word asks: its query as an arrow; keys and values as points; the output inside the hull of the values. */
function picture(fig, tokens) {
  const view = plane(fig, { of: "k" });
  const drag = (key, i) => (x, y) =>
    fig.set({ [key]: fig.state()[key].map((row, index) => (index === i ? [x, y] : row)) });
  const hull = view.hull();
  const ties = tokens.map(() => view.tie());
  const lines = tokens.map(() => view.weightLine());
  const keys = tokens.map((token, j) => view.word(token, { role: "k", grip: `k.${j}`, drag: drag("k", j) }));
  const values = tokens.map((token, j) => view.word(token, { role: "v", grip: `v.${j}`, drag: drag("v", j) }));
  const arrow = view.arrow("", { drag: (x, y) => drag("q", tokens.indexOf(fig.state().asks))(x, y) });
  const dot = view.dot();
  fig.add((x, state) => {
    const i = tokens.indexOf(state.asks);
    hull(x.v);
    tokens.forEach((_, j) => {
      ties[j](x.k[j], x.v[j]);
      lines[j](x.v[j], x.output[i], x.weights[i][j]);
      keys[j](x.k[j]);
      values[j](x.v[j]);
    });
    arrow(x.q[i], { text: `q of ${state.asks}`, grip: `q.${i}`, avoid: [x.output[i], ...x.k, ...x.v] });
    dot(x.output[i]);
  });
  return view;
}

function render({ model, el }) {
  const tokens = model.get("tokens");
  const asker = model.get("asks");
  const row = tokens.indexOf(asker);
  const keys = String(model.get("k")); // as they stand at first
  const fig = figure({
    el,
    model,
    compute,
    invite: "Drag the slider, the tip of the arrow, or any ring.",
    question: `Move what \`${asker}\` asks. Does the dot follow the arrow?`,
    answer:
      "The dot does not follow the arrow. The arrow is compared with the *keys* (k), " +
      "and the dot is the average of the *values* (v). " +
      "Point at the key of a word, and the dot goes to that word's value, wherever it lies.",
  });
  const axes = ["1", "2"];
  const ask = slider(fig, { key: "q", path: [row, 0], role: "q", also: () => ({ asks: asker }) });
  const square = { rows: tokens, cols: tokens };
  const weights = matrix(fig, { name: "weights", label: "weights", kind: "weight", sum: true, ...square });
  const view = picture(fig, tokens);
  fig.stage.append(
    ask,
    h("div.abh-beside", view.el, h("div.abh-side", weights, h("p.abh-label", "A row asks, a column is asked."))),
  );
  fig.next.append(radios(fig, { key: "asks" }));

  fig.later(() => {
    const scores = matrix(fig, { name: "scores", label: "scores", ...square });
    const output = matrix(fig, { name: "output", label: "output", role: "v", rows: tokens, cols: axes });
    const numbers = matrixEditor(fig, {
      matrices: ["q", "k", "v"].map((key) => ({ key, role: key, rows: tokens, cols: axes })),
      all: true,
      lent: { [ask.control.name]: ask.control },
      minimaps: [minimap(fig, view)],
    });
    markRow(fig, [numbers.querySelector('[data-matrix="q"]'), scores, weights, output], (state) =>
      tokens.indexOf(state.asks),
    );
    const copy = (rows) => rows.map((line) => line.slice());
    const other = (row + tokens.length - 1) % tokens.length;
    const off = (x) => tokens.some((_, i) => tokens.some((__, j) => i !== j && Math.abs(x.scores[i][j]) > 0.5));
    return [
      numbers,
      h("div.abh-flow", scores, output),
      h(
        "div.abh-row",
        h("span.abh-label", "One vector for two jobs"),
        preset(fig, "keys := queries", "story-k-is-q", ({ q }) => ({ k: copy(q) })),
        preset(fig, "values := keys", "story-v-is-k", ({ k }) => ({ v: copy(k) })),
      ),
      goals(fig, [
        {
          text: `Make \`${asker}\` weigh all words the same, and move no key.`,
          test: (x) => String(x.k) === keys && Math.max(...x.weights[row]) - Math.min(...x.weights[row]) < 0.005,
        },
        {
          text:
            `Let \`${tokens[other]}\` give \`${asker}\` more than 0.9 ` +
            `while \`${asker}\` gives \`${tokens[other]}\` less than 0.1.`,
          test: (x) => x.weights[other][row] > 0.9 && x.weights[row][other] < 0.1,
        },
        {
          text: "Make the scores symmetric: each word scores the others as they score it.",
          test: (x) =>
            off(x) && x.scores.every((line, i) => line.every((value, j) => Math.abs(value - x.scores[j][i]) < 1e-9)),
        },
      ]),
    ];
  });
  linkTokens(fig);
  return fig.mount();
}
export default { render, compute };
