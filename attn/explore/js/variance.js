// Chapter 2. How far scores spread as d_k grows, and what that does to a softmax.
// Python twin: attn/explore/variance.py.
import { clamp, entropy, jacobianNorm, normalCdf, normals, softmax, spreadOf } from "./core.js";
import { gauges, histogram } from "./draw/charts.js";
import { radios, slider } from "./draw/controls.js";
import { h, scalar } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { digits } from "./number.js";

const [N_KEYS, N_PAIRS, STEPS] = [8, 128, 11]; // d_k is 1, 2, 4, …, 1024
const [LARGEST, LOW, HIGH, N_BINS] = [1024, -8, 8, 32];

/** Sums of the first 1, 2, 4, … products of two vectors, which stand in `all` from a and from b on, `stride` apart. */
const prefixSums = (all, a, b, stride) => {
  const sums = new Array(STEPS);
  let total = 0;
  for (let i = 0, power = 0; i < LARGEST; i += 1) {
    total += all[a + stride * i] * all[b + stride * i];
    if (i + 1 === 1 << power) sums[power++] = total;
  }
  return sums;
};

const draws = new Map();

/** All that a seed gives: for each pair of vectors q·q and z·q at each d_k. Made once, kept for all of a page. */
const drawn = (seed) => {
  if (!draws.has(seed)) {
    const one = normals(2 * seed, (1 + N_KEYS) * LARGEST);
    const many = normals(2 * seed + 1, 2 * N_PAIRS * LARGEST);
    const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
    draws.set(seed, {
      squares: prefixSums(one, 0, 0, 1),
      products: list(N_KEYS, (j) => prefixSums(one, 0, (j + 1) * LARGEST, 1)),
      pairs: list(N_PAIRS, (p) => {
        const start = 2 * p * LARGEST;
        return [prefixSums(many, start, start, 2), prefixSums(many, start, start + 1, 2)];
      }),
    });
  }
  return draws.get(seed);
};

/** A key that is correlated with its query: ρ q + √(1 − ρ²) z, times q. */
const blend = (rho, square, product) => rho * square + Math.sqrt(1 - rho * rho) * product;

const factorOf = (scale, power, temperature) =>
  ({ none: 1, root: 1 / Math.sqrt(2 ** power), d_k: 1 / 2 ** power })[scale] / temperature;

/** Pure: state in, everything that is drawn out. */
const compute = (state) => {
  const { log2_d_k: now, scale, temperature, correlation: rho } = state;
  const { squares, products, pairs } = drawn(state.seed);
  const [factor, d] = [factorOf(scale, now, temperature), 2 ** now];
  const scores = products.map((sums, j) => factor * (j ? sums[now] : blend(rho, squares[now], sums[now])));
  const weights = softmax(scores);
  const samples = pairs.map(([square, product]) => factor * blend(rho, square[now], product[now]));
  const { variance: sample_variance, error } = spreadOf(samples);
  const bins = new Array(N_BINS).fill(0);
  const width = (HIGH - LOW) / N_BINS;
  for (const value of samples) bins[clamp(Math.floor((value - LOW) / width), 0, N_BINS - 1)] += 1 / N_PAIRS;
  const mean = factor * d * rho;
  const variance = factor * factor * d * (1 + rho * rho);
  const below = bins.map((_, i) => (i ? normalCdf((LOW + i * width - mean) / Math.sqrt(variance)) : 0));
  const normal = bins.map((_, i) => (i + 1 < N_BINS ? below[i + 1] : 1) - below[i]);
  return {
    scores: [scores],
    weights: [weights],
    largest_weight: Math.max(...weights),
    entropy: entropy(weights),
    jacobian_norm: jacobianNorm(weights),
    histogram: [bins],
    normal: [normal],
    variance,
    sample_variance,
    sample_error: 1.96 * error,
  };
};

function render({ model, el }) {
  const keys = Array.from({ length: N_KEYS }, (_, j) => String(j + 1));
  const answer =
    "A switch: one key takes nearly all, and nobody meant it. Now let the scores be divided by √d_k, and drag again.";
  const tell = (x, state) => {
    const [switched, long] = [x.largest_weight > 0.9, state.log2_d_k > 4];
    const plain = state.temperature === 1 && state.correlation === 0;
    if (switched && state.scale === "none") return answer;
    if (switched) return "A switch, in spite of the scale: see the scores below. What made one of them so large?";
    if (!plain) return "No switch. But temperature and correlation set the scores here, too.";
    if (state.scale === "none")
      return "A mixture, as long as the scores are small. They grow with the vectors: drag on.";
    if (state.scale === "root")
      return "A mixture, long or short: the root keeps the spread of the scores at 1. Now divide by d_k itself.";
    return long
      ? "A blur: all scores are close to 0, so all keys weigh about the same. Only the root stays a mixture."
      : "Divided by d_k the scores shrink as the vectors grow: drag on.";
  };
  const fig = figure({
    el,
    model,
    compute,
    invite: "Drag the slider: the glasses fill as its weights do.",
    question:
      "One query looks at eight keys, all of them random. What happens to its weights when the vectors get longer?",
    answer,
    tell,
  });
  const row = { rows: ["query"], cols: keys, rowHeads: false, bare: true, fit: true };
  const weights = matrix(fig, { ...row, name: "weights", label: "weights of the eight keys", kind: "weight" });
  weights.classList.add("abh-tall");
  const size = slider(fig, {
    key: "log2_d_k",
    format: (value) => String(2 ** value),
    say: (value) => `d_k = ${2 ** value}`,
  });
  fig.stage.append(size, weights);
  fig.next.append(radios(fig, { key: "scale" }));

  fig.later(() => {
    const label = "scores that go into the softmax";
    const scores = matrix(fig, { ...row, name: "scores", label, domain: 8, decimals: 1 });
    scores.classList.add("abh-wide");
    const sharp = gauges(fig, {
      label: "Mixture or switch",
      items: [
        { name: "largest_weight", label: "largest weight", top: 1 },
        { name: "entropy", label: "entropy, nats", top: Math.log(N_KEYS), topText: "ln 8" },
        { name: "jacobian_norm", label: "Jacobian norm", top: 0.5, topText: "½" },
      ],
    });
    const many = histogram(fig, {
      name: "histogram",
      curve: "normal",
      label: `${N_PAIRS} scores, each of a query with its own key, and the normal curve of the formula`,
      x: [LOW, HIGH],
      top: 0.5,
      ticksX: [-8, -4, 0, 4, 8],
      xLabel: "score; the outermost bars hold all beyond",
    });
    const said = h(
      "p.abh-said",
      "Variance: ",
      scalar(fig, "variance", digits),
      " by the formula, ",
      scalar(fig, "sample_variance", digits),
      " ± ",
      scalar(fig, "sample_error", digits),
      ` in these ${N_PAIRS} scores (95\u00a0%).`,
    );
    const todo = goals(fig, [
      {
        text:
          "Leave the scale at `none` and take `d_k` = 64. " +
          "Which temperature gives the weights that `÷ √d_k` gives?",
        test: (_, state) => state.scale === "none" && state.log2_d_k === 6 && state.temperature === 8,
      },
      {
        text:
          "The root is not always enough: at `d_k` = 1024 with `÷ √d_k`, " +
          "make the query look at key 1, its own, and at nothing else (above .99).",
        test: (x, state) => state.scale === "root" && state.log2_d_k === 10 && x.weights[0][0] > 0.99,
      },
      {
        text: "Distrust one draw: find one whose error bar misses the formula.",
        test: (x) => Math.abs(x.sample_variance - x.variance) > x.sample_error,
      },
    ]);
    return [
      h("div.abh-row", ...["temperature", "correlation", "seed"].map((key) => slider(fig, { key }))),
      scores,
      sharp,
      h("div.abh-flow", many, said),
      todo,
    ];
  });
  return fig.mount();
}
export default { render, compute };
