// Chapter 2. Switch and blur at each length. Python twin: attn/explore/small/qk_variance.py.
import { jacobianNorm, normals, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [SEED, LARGEST, N_ROWS, STEPS] = [13, 256, 64, 9];
const FACTORS = [() => 1, (d_k) => 1 / Math.sqrt(d_k), (d_k) => 1 / d_k];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Dot products of each query with its eight keys, at each length 1, 2, 4, …, 256: [row][key][length]. */
const rowsOf = () => {
  const draws = normals(SEED, N_ROWS * 9 * LARGEST);
  return Array.from({ length: N_ROWS }, (_, row) =>
    Array.from({ length: 8 }, (__, key) => {
      const [query, own, sums] = [row * 9 * LARGEST, (row * 9 + key + 1) * LARGEST, []];
      for (let i = 0, sum = 0; i < LARGEST; i += 1) {
        sum += draws[query + i] * draws[own + i];
        if (i + 1 === 2 ** sums.length) sums.push(sum);
      }
      return sums;
    }),
  );
};

/** The mean of both gauges, for each scale and length; made when they are first asked for. */
let made = null;
const gauges = () => {
  if (made) return made;
  const rows = rowsOf();
  const over = (gauge) =>
    FACTORS.map((factor) =>
      Array.from({ length: STEPS }, (_, power) =>
        mean(rows.map((keys) => gauge(softmax(keys.map((sums) => factor(2 ** power) * sums[power]))))),
      ),
    );
  made = { largest: over((weights) => Math.max(...weights)), norm: over(jacobianNorm) };
  return made;
};

const compute = ({ log2_d_k: power }) => {
  const { largest, norm } = gauges();
  const now = (lines) => lines.map((line) => [line[power]]);
  return { largest, norm, largest_now: now(largest), norm_now: now(norm) };
};

const render = small({
  name: "SaturationByScale",
  question: "Which of the three scales holds the weights still while the vectors grow?",
  compute,
  tell: ({ largest_now: [[none], [root], [d_k]] }, { log2_d_k: power }) =>
    `At d_k = ${2 ** power} the largest weight is ${number(none)} undivided, ${number(root)} by the root, ` +
    `${number(d_k)} by d_k.`,
});

export default { render, compute };
