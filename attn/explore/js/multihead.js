// Chapter 4. Two heads side by side, a fader for each, and the sum of what they say.
// Python twin: attn/explore/multihead.py.
import { matmul, scaledScores, softmax } from "./core.js";
import { arcs } from "./draw/arcs.js";
import { slider, stories, toggle } from "./draw/controls.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { linkTokens } from "./draw/tokens.js";
import { number } from "./number.js";

const WEIGHTS = ["w_q", "w_k", "w_v", "w_o"];
const HEADS = ["head 1", "head 2"];

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const x = state.x.slice(0, state.n_tokens);
  const oneHot = state.x.every((row, i) => row.every((value, j) => value === Number(i === j)));
  const [q, k, v] = WEIGHTS.slice(0, 3).map((key) => state[key].map((w) => matmul(x, w)));
  const scores = q.map((own, head) => (state.scaled ? scaledScores(own, k[head]) : scaledScores(own, k[head], 1)));
  const weights = scores.map((rows) => rows.map(softmax));
  const heads = weights.map((p, head) => matmul(p, v[head]));
  const shares = heads.map((said, head) =>
    matmul(said, state.w_o[head]).map((row) => row.map((value) => state.faders[head] * value)),
  );
  const output = shares[0].map((row, i) => row.map((value, c) => value + shares[1][i][c]));
  const words = state.tokens.slice(0, state.n_tokens);
  const axes = state.x[0].map((_, j) => (oneHot ? state.tokens[j] : String(j + 1))); // one-hot: a dimension is a word
  return {
    x,
    q,
    k,
    v,
    scores,
    weights,
    heads,
    shares,
    output,
    words,
    axes,
    ...Object.fromEntries(WEIGHTS.map((key) => [key, state[key]])),
  };
};

const STORIES = {
  legible: {
    question:
      "Head 1 looks up the word before, head 2 the first word, both by name. " +
      "Change a fader or a weight: what does each head add to the output?",
    answer:
      "Heads add up, like the channels of a mixing desk. A minus makes a difference of them: " +
      "where both find the same word nothing is left, and `sat` gets `cat` minus `the`.",
    channels: ["head 1: word before, by name", "head 2: first word, by name"],
  },
  source: {
    question:
      "Each head of the notebook stares at `World`. Which of the 48 numbers in its W_Q and W_K can still turn a head?",
    answer:
      "A fader moves the output, and no weight. Almost no number of W_Q and W_K moves one either. " +
      "Open the weights, and find those that do.",
    channels: HEADS,
  },
  opposites: {
    question: "Head 1 seeks the largest number, head 2 the smallest. What is left when they are subtracted?",
    answer:
      "Largest minus smallest: 2 where the numbers differ, and 0 where all are equal. " +
      "One head alone can't: its average of equal numbers is that number.",
    channels: ["head 1: largest", "head 2: smallest"],
  },
};

/** What to try, by what the figure starts from. */
const goalsFor = (name, start) => {
  if (name !== "source" && name !== "paper") {
    return name === "opposites"
      ? []
      : [
          {
            text: "Rewire head 2: let each word look at itself, with more than half of the weight.",
            test: ({ weights }) => weights[1].every((row, i) => row[i] > 0.5),
          },
          {
            text: "Silence head 1 with its weights alone, its fader at +1.",
            test: ({ shares }, state) =>
              state.faders[0] === 1 && shares[0].flat().every((value) => Math.abs(value) < 0.005),
          },
        ];
  }
  const still = compute(start).weights;
  const changed = (state) =>
    ["w_q", "w_k"]
      .flatMap((key) =>
        state[key].flatMap((head, n) =>
          head.flatMap((row, i) => row.map((value, j) => value !== start[key][n][i][j])),
        ),
      )
      .filter(Boolean).length;
  const same = (state) => String(state.x) === String(start.x) && state.scaled === start.scaled;
  return [0, 1].map((head) => ({
    text: `Turn head ${head + 1}: move one of its weights by 0.005 with a *single* number of W_Q or W_K.`,
    test: ({ weights }, state) =>
      same(state) &&
      changed(state) === 1 &&
      weights[head].some((row, i) => row.some((p, j) => Math.abs(p - still[head][i]?.[j]) > 0.005)),
  }));
};

function render({ model, el }) {
  const story = STORIES[model.get("preset")] || STORIES.source;
  const fig = figure({
    el,
    model,
    compute,
    question: story.question,
    answer: story.answer,
    invite: "Drag the fader, and watch the sum.",
  });

  const start = structuredClone(fig.state());
  const upTo = (count) => Array.from({ length: count }, (_, index) => String(index + 1));
  const tokens = start.tokens;
  const first = [start.x[0], start.w_q[0][0], start.w_v[0][0], start.w_o[0][0]];
  const [model_, key_, value_, out_] = first.map((row) => upTo(row.length));
  const byToken = (x) => ({ rows: x.words });
  const byPair = (x) => ({ rows: x.words, cols: x.words });
  const wide = out_.length === model_.length; // the output lives in the space of the tokens
  const byOutput = (x) => ({ rows: x.words, ...(wide ? { cols: x.axes } : {}) });
  const weighing = { kind: "weight", names: byPair };
  const [queried, valued] = ["q", "v"].map((role) => ({ heads: HEADS, role, cols: role === "v" ? value_ : key_ }));
  const shared = { heads: HEADS, role: "v", cols: out_, names: byOutput, domain: 2 };
  const scored = { heads: HEADS, names: byPair, domain: 6 };
  const part = (name, label, options) =>
    matrix(fig, { name, label, rows: tokens, cols: tokens, names: byToken, ...options });

  const weights = part("weights", "weights", {
    ...weighing,
    heads: story.channels,
    sum: true,
  });
  const faders = HEADS.map((_, index) => slider(fig, { key: "faders", path: [index], role: "v", format: signed }));
  faders[0].classList.add("abh-wait"); // one control at first
  const output = part("output", "output: their sum", { cols: out_, role: "v", domain: 2, names: byOutput });
  fig.stage.classList.add("abh-faders");
  fig.stage.append(h("div.abh-mixer", ...faders), arcs(fig, tokens.length), output, weights);

  fig.later(() => {
    const presets = stories(fig, "preset");
    const count = slider(fig, { key: "n_tokens", within: (state) => ({ max: state.tokens.length }) });
    const scale = toggle(fig, { key: "scaled" });
    // What is set here changes tables that stand far away: small live copies of them beside it.
    const copies = {
      q: () => part("q", "q", queried),
      k: () => part("k", "k", { ...queried, role: "k" }),
      v: () => part("v", "v", valued),
      shares: () => part("shares", "shares", shared),
      scores: () => part("scores", "scores", scored),
      weights: () => part("weights", "weights", { ...weighing, heads: HEADS }),
    };
    const minimap = (...shown) => h("div.abh-minimap.abh-flow", ...shown.map((name) => copies[name]()));
    const into = { heads: HEADS, rows: model_, names: (x) => ({ rows: x.axes }) };
    const weigher = matrixEditor(fig, {
      matrices: [
        { ...into, key: "w_q", role: "q", cols: key_ },
        { ...into, key: "w_k", role: "k", cols: key_ },
        { ...into, key: "w_v", role: "v", cols: value_ },
        {
          key: "w_o",
          role: "ink",
          heads: HEADS,
          rows: value_,
          cols: out_,
          names: (x) => (wide ? { cols: x.axes } : {}),
        },
      ],
      minimaps: [minimap("q", "weights"), minimap("k", "weights"), minimap("v"), minimap("shares")],
    });
    return [
      ...(presets.length ? [h("div.abh-row", h("span.abh-label", "Start from"), ...presets)] : []),
      h("div.abh-row", count, scale),
      minimap("scores", "weights"),
      weigher,
    ];
  });
  fig.later(() => {
    const pipeline = [
      part("x", "x", { cols: model_, names: (x) => ({ rows: x.words, cols: x.axes }) }),
      part("q", "q = x W_Q", queried),
      part("k", "k = x W_K", { ...queried, role: "k" }),
      part("v", "v = x W_V", valued),
      part("scores", "scores", scored),
      part("heads", "head outputs = weights · v", valued),
      part("shares", "shares = fader · head · W_O", shared),
    ];
    const list = goalsFor(start.preset, start);
    return [h("div.abh-flow.abh-tight", ...pipeline), ...(list.length ? [goals(fig, list)] : [])];
  });
  linkTokens(fig);
  return fig.mount();
}

const signed = (value) => `${value > 0 ? "+" : ""}${number(value, 1)}`;
export default { render, compute };
