// Chapter 3. Who may look at whom, and what a hidden token can still do. Python twin: attn/explore/masking.py.
import {
  causalMask,
  distance,
  mapped,
  maskScores,
  matmul,
  matrixFrom,
  paddingMask,
  prefixMask,
  scaledScores,
  slidingWindowMask,
  softmax,
  sumOf,
} from "./core.js";
import { bars } from "./draw/charts.js";
import { choice, radios, slider, stories, withAt } from "./draw/controls.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { maskPainter } from "./draw/painter.js";
import { linkTokens } from "./draw/tokens.js";
import { number } from "./number.js";

/** The mask in force: a preset's, or the one that the reader painted. */
const allowed = (state, n) => {
  const both = (a, b) => matrixFrom(n, n, (i, j) => a[i][j] && b[i][j]);
  switch (state.preset) {
    case "none":
      return matrixFrom(n, n, () => true);
    case "causal":
      return causalMask(n);
    case "padding":
      return paddingMask(n, state.length);
    case "causal+padding":
      return both(causalMask(n), paddingMask(n, state.length));
    case "window":
      return slidingWindowMask(n, state.window);
    case "prefix":
      return prefixMask(n, state.n_prefix);
    default:
      return state.mask;
  }
};

/** The scores that go into the softmax. */
const masked = (scores, mask, { order, fill }) =>
  order === "before" ? maskScores(scores, mask, fill === "-1e9" ? -1e9 : -Infinity) : scores;

/** Weights under one of three orders, from `masked` scores; only the first is what a transformer does. */
const weigh = (scores, mask, { order }) => {
  const weights = scores.map(softmax);
  if (order === "before") return weights;
  const zeroed = maskScores(weights, mask, 0);
  if (order === "after") return zeroed;
  return zeroed.map((row) => {
    const total = sumOf(row);
    return row.map((p) => (total > 0 ? p / total : 0));
  });
};

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const n = state.q.length;
  const mask = allowed(state, n);
  const k = withAt(state.k, [n - 1, 0], state.k[n - 1][0] + state.nudge);
  const scores = scaledScores(state.q, k);
  const masked_scores = masked(scores, mask, state);
  const weights = weigh(masked_scores, mask, state);
  const output = matmul(weights, state.v);
  const still = masked(scaledScores(state.q, state.k), mask, state); // without the nudge
  const from = matmul(weigh(still, mask, state), state.v);
  return {
    q: state.q,
    k,
    v: state.v,
    mask,
    hidden: mapped(mask, (see) => !see),
    scores,
    masked_scores,
    weights,
    output,
    moved: output.map((row, i) => [distance(row, from[i])]),
  };
};

function render({ model, el }) {
  const tokens = model.get("tokens");
  const n = tokens.length;
  const small = n <= 8;
  const last = tokens[n - 1];
  const calm =
    `Only \`${last}\` itself moves: nobody else may look at it, so nobody else feels it. ` +
    "Now let the mask come *after* the softmax, and drag again.";
  const still = `Nobody moves: nobody may look at \`${last}\`, not even \`${last}\` itself.`;
  const tell = (x, state) => {
    if (state.order === "renormalized")
      return "Rescaled, each row sums to 1 again, and the hidden score cancels: on paper the same as masking before.";
    if (state.order === "after") {
      return x.hidden.some((row, i) => row[n - 1] && x.moved[i][0] > 1e-9)
        ? `Words move that may not look at \`${last}\`. Their hatched cells say 0, ` +
            "but its score is still in the denominator, so Σ depends on it."
        : "Now all weights are computed first, and then the hidden ones are set to 0. Drag again: who moves?";
    }
    if (x.hidden.every((row) => row[n - 1])) return still;
    return x.hidden.slice(0, -1).every((row) => row[n - 1])
      ? calm
      : `Whoever may look at \`${last}\` moves. Whoever may not stays, exactly.`;
  };
  const fig = figure({
    el,
    model,
    compute,
    question: small
      ? `Token ${n}, \`${last}\`, is hidden from the others. If its key changes, whose output moves?`
      : `${n} tokens: what shape does each mask have?`,
    invite: small ? "Drag the slider, and look who moves." : "Choose a mask, and drag what shapes it.",
    answer: small
      ? calm
      : "A mask is a shape: a triangle hides the future, columns hide the padding, " +
        "a band keeps the neighbors. Each row still sums to one.",
    tell: small ? tell : null,
  });
  const square = { rows: tokens, cols: tokens };
  const table = (sum = false) =>
    matrix(fig, { ...square, name: "weights", kind: "weight", sum, hidden: (x) => x.hidden });
  const weights = table(small);
  const nudge = slider(fig, { key: "nudge", role: "k" });
  const order = radios(fig, { key: "order" });
  const presets = choice(fig, { key: "preset" });
  const shape = [
    [slider(fig, { key: "window" }), ["window"]],
    [slider(fig, { key: "n_prefix" }), ["prefix"]],
    [slider(fig, { key: "length" }), ["padding", "causal+padding"]],
  ];
  fig.add((_, state) => {
    for (const [part, when] of shape) part.hidden = !when.includes(state.preset);
  });
  const controls = h("div.abh-row", presets, ...shape.map(([part]) => part));

  if (!small) {
    fig.stage.append(controls, h("div.abh-pair", weights));
    fig.more.remove();
    return fig.mount();
  }

  // Who moves is the question, not how far: the bars are full at 0.5, so that a leak is as plain as the last word's own
  // way.
  const moved = () =>
    bars(fig, {
      name: "moved",
      label: "moved",
      rows: tokens,
      top: 0.5,
      rowHeads: false,
      text: (x) => (x < 1e-12 ? "0" : x < 0.005 ? "<.01" : number(x)),
      loud: (x) => x.moved.map(([far], i) => far > 0.005 && x.hidden[i][n - 1]),
      notice: "moves",
    });
  fig.stage.append(nudge, h("div.abh-pair", weights, moved()));
  fig.next.append(order);

  const dims = (width) => Array.from({ length: width }, (_, index) => String(index + 1));
  const [dk, dv] = [dims(model.get("q")[0].length), dims(model.get("v")[0].length)];
  // The weights stand far above: a small live copy of them beside each editor.
  const copy = () => h("div.abh-minimap", table());
  const scores = () => matrix(fig, { ...square, name: "scores" });
  const outputs = () => matrix(fig, { name: "output", role: "v", rows: tokens, cols: dv });
  fig.later(() => {
    const paint = maskPainter(fig, {
      ...square,
      key: "mask",
      allowed: (state) => allowed(state, n),
      change: (mask) => ({ preset: "custom", mask }),
    });
    const hidden = (x) => mapped(x.masked_scores, (value) => value <= -1e8);
    const masked_scores = matrix(fig, { ...square, name: "masked_scores", label: "masked scores", hidden });
    const pile = h("div.abh-stack", masked_scores, radios(fig, { key: "fill" }));
    return [
      h("div.abh-row", h("span.abh-label", "Stories"), ...stories(fig)),
      controls,
      // What a story tells, and a painted mask does: who moves, and which rows no longer sum to 1.
      h("div.abh-flow", h("div.abh-minimap.abh-pair", table(true), moved()), paint, outputs()),
      h("div.abh-flow", scores(), pile),
    ];
  });
  fig.later(() => {
    const weigher = matrixEditor(fig, {
      matrices: [
        { key: "q", role: "q", rows: tokens, cols: dk },
        { key: "k", role: "k", rows: tokens, cols: dk },
        { key: "v", role: "v", rows: tokens, cols: dv },
      ],
      minimaps: [
        h("div.abh-minimap.abh-flow", scores(), copy()),
        h("div.abh-minimap.abh-flow", scores(), copy()),
        h("div.abh-minimap", outputs()),
      ],
    });
    const sees = (x, i, j) => x.weights[i].every((p, c) => (c === j ? p > 0.999 : p < 0.001));
    const [third, second] = [Math.min(2, n - 1), Math.min(1, n - 1)];
    const todo = goals(fig, [
      {
        text: `Paint a mask that makes \`${tokens[third]}\` look only at \`${tokens[second]}\`.`,
        test: (x) => sees(x, third, second),
      },
      {
        text:
          `Let the hidden future leak: with \`${last}\` hidden from \`${tokens[0]}\`, ` +
          `make the output of \`${tokens[0]}\` move.`,
        test: (x) => x.hidden[0][n - 1] && x.moved[0][0] > 0.05,
      },
      {
        text: "Hide everything from one token. Then compare −∞ with −1e9 in its row.",
        test: (x, state) =>
          state.fill === "-1e9" && state.order === "before" && x.hidden.some((row) => row.every(Boolean)),
      },
    ]);
    return [weigher, todo];
  });
  linkTokens(fig);
  return fig.mount();
}
export default { render, compute };
