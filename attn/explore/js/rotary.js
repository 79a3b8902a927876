// Turned positions. Two clocks a word, and a score that knows how far apart two words stand, and not where.
// Python twin: attn/explore/rotary.py.
import { dot, matmul, matmulT, quarterTurn, softmax, turnPairs } from "./core.js";
import { clockFaces } from "./draw/clocks.js";
import { radios, slider, stories, toggle } from "./draw/controls.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h, scalar } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { number } from "./number.js";

const TOKENS = ["very", "very", "very", "big"];
const VALUES = [
  [1, 0],
  [1, 0],
  [1, 0],
  [0, 1],
];
const [NEIGHBOR, LAST] = [2, 3];
const REACH = 3.3; // of a hand that ends at the rim

/** A query or key at a place. All angles are quarter turns: the first clock makes two of them a word, or none. */
const turned = (x, place, { pairs, fixed }) => turnPairs(x, [fixed ? 0 : 2 * place, place].map(quarterTurn), pairs);

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const { start, query_at, turn_v, q, k } = state;
  const places = TOKENS.map((_, i) => start + i);
  const at = { own: places[LAST], next: places[LAST] + 1, zero: 0 }[query_at];
  const turned_q = [turned(q[0], at, state)];
  const turned_k = places.map((place, i) => turned(k[i === LAST ? 1 : 0], place, state));
  const scores = matmulT(turned_q, turned_k);
  const weights = scores.map((row) => softmax(row.map((score) => score / 2)));
  const values = turn_v ? VALUES.map((v, i) => turnPairs(v, [quarterTurn(places[i])])) : VALUES;
  const lead = k[1].map((value, i) => value - k[0][i]);
  return {
    q,
    k,
    at,
    // A clock shows the two numbers that turn together.
    hands: [turned_q[0], turned_k[NEIGHBOR]].map(([a, b, c, d]) =>
      state.pairs === "halves" ? [a, c, b, d] : [a, b, c, d],
    ),
    turned_q,
    turned_k,
    scores,
    weights,
    output: matmul(weights, values),
    leads: [places.map((place) => dot(turned_q[0], turned(lead, place, state)))],
    score: scores[0][NEIGHBOR],
  };
};

function render({ model, el }) {
  const stays =
    "The score stays. The query and the key turn by the same angle more, so the angle between them is what it was. " +
    "Now mix up the angles, and drag again.";
  const fig = figure({
    el,
    model,
    compute,
    question:
      "Everyone starts further on, and all hands turn. Does the score of `big` with the word before it change?",
    invite: "Drag the slider, and watch the number.",
    answer: stays,
    tell: (_, { pairs, query_at }) => {
      if (pairs === "mixed") return "Each number of a pair turns by an angle of its own, and the score can move.";
      if (query_at === "zero") return "The query stays at 0 while the keys go on: the offset grows with the start.";
      return pairs === "halves" ? "Paired by halves: other scores, and they stay too. It is a layout." : stays;
    },
  });
  const start = slider(fig, { key: "start", role: "q" });
  const big = scalar(fig, "score", number, "p.abh-big");
  const faces = clockFaces(fig, {
    name: "hands",
    cols: ["x", "y"],
    pairs: () => [0, 1],
    heads: () => ["q", "k"],
    told: (i) => `Clock ${i}: two hands, q of big and k of its neighbor`,
    caption: (i, _, { fixed, pairs }) => {
      if (pairs === "mixed") return fixed ? "x stands still, y a quarter turn" : "x half a turn, y a quarter";
      if (i) return "clock 1: a quarter turn a word";
      return fixed ? "clock 0 stands still" : "clock 0: half a turn a word";
    },
    reach: REACH,
    tips: [4, 6.5],
  });
  faces.classList.add("abh-large");
  const score = h("div.abh-number", h("p.abh-label", "score of big with its neighbor"), big);
  fig.stage.append(start, h("div.abh-clockwork", score, faces));
  fig.next.append(radios(fig, { key: "pairs" }));

  fig.later(() => {
    const shown = (name, label, rows, cols, more = {}) =>
      matrix(fig, { name, label, rows, cols, domain: 8, ...more });
    const dims = ["0", "1", "2", "3"];
    const scores = () => shown("scores", "scores", ["big"], TOKENS);
    const weights = () => shown("weights", "weights", ["big"], TOKENS, { kind: "weight", sum: true });
    const entries = matrixEditor(fig, {
      matrices: [
        { key: "q", role: "q", rows: ["big"], cols: dims },
        { key: "k", role: "k", rows: ["very", "big"], cols: dims },
      ],
      minimaps: [h("div.abh-minimap.abh-flow", scores(), weights())], // the others stand far above
    });
    const same = ({ k }) => k[0].every((value, i) => value === k[1][i]);
    const own = ({ pairs, query_at }) => pairs === "neighbors" && query_at === "own";
    const spread = (values) => Math.max(...values) - Math.min(...values);
    return [
      h("div.abh-row", h("span.abh-label", "Stories"), ...stories(fig)),
      h(
        "div.abh-row",
        radios(fig, { key: "query_at" }),
        toggle(fig, { key: "fixed" }),
        toggle(fig, { key: "turn_v" }),
      ),
      h(
        "div.abh-flow",
        weights(),
        shown("output", "output", ["big"], ["0", "1"], { role: "v", domain: 1 }),
        scores(),
        shown("leads", "lead of big over very", ["big"], TOKENS),
        shown("turned_q", "turned q", ["big"], dims, { role: "q", domain: REACH }),
        shown("turned_k", "turned k", TOKENS, dims, { role: "k", domain: REACH }),
      ),
      entries,
      goals(fig, [
        {
          text: "With all words alike, let `big` look two back: more than 0.75.",
          test: (x, state) => own(state) && same(state) && x.weights[0][1] > 0.75,
        },
        {
          text: "With all words alike, weigh all four the same, with a query that is not 0.",
          test: (x, state) =>
            own(state) && same(state) && spread(x.weights[0]) < 0.005 && x.q[0].some((value) => value !== 0),
        },
        {
          text: "With all words alike, look at all but the neighbor: less than 0.05 there, the others the same.",
          test: ({ weights: [[a, b, c, d]] }, state) =>
            own(state) && same(state) && c < 0.05 && spread([a, b, d]) < 0.005,
        },
        {
          text: "Let the key of `big` be worth more than that of `very` at each place: all four leads above 0.1.",
          test: (x) => Math.min(...x.leads[0]) > 0.1,
        },
      ]),
    ];
  });
  return fig.mount();
}
export default { render, compute };
