// Chapter 2. None, √d_k, d_k: switch, mixture, blur. Python twin: attn/explore/small/qk_variance.py.
import { normals, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const [SEED, LARGEST, LENGTH] = [13, 256, 64];
const FACTORS = { none: 1, root: 1 / 8, d_k: 1 / 64 };

/** The first 64 products of a query with eight keys, added. */
const dots = () => {
  const draws = normals(SEED, 9 * LARGEST);
  return Array.from({ length: 8 }, (_, key) => {
    let sum = 0;
    for (let i = 0; i < LENGTH; i += 1) sum += draws[i] * draws[(key + 1) * LARGEST + i];
    return sum;
  });
};
const DOTS = dots();

const compute = ({ scale }) => ({ weights: [softmax(DOTS.map((product) => FACTORS[scale] * product))] });

const render = small({
  name: "ThreeScales",
  question: "The same query, the same keys: which scale leaves a choice?",
  compute,
  tell({ weights: [weights] }, { scale }) {
    const largest = weightText(Math.max(...weights));
    if (scale === "none") return `A switch: one key has ${largest}.`;
    if (scale === "root") return `A mixture: the same key leads, with ${largest}, and the others still count.`;
    return `A blur: the largest weight is ${largest}, and an eighth would be 0.13.`;
  },
});

export default { render, compute };
