// Chapter 2. 128 scores spread like √d_k. Python twin: attn/explore/small/qk_variance.py.
import { clamp, normalCdf, normals, spreadOf } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [SEED, LARGEST, N_PAIRS, END] = [12, 256, 128, 36];

/** Dot products of 128 pairs of vectors at each length 1, 2, 4, …, 256; made when they are first asked for. */
let made = null;
const pairs = () => {
  if (made) return made;
  const draws = normals(SEED, 2 * N_PAIRS * LARGEST);
  made = Array.from({ length: N_PAIRS }, (_, pair) => {
    const sums = [];
    for (let i = 0, sum = 0; i < LARGEST; i += 1) {
      const at = 2 * (pair * LARGEST + i);
      sum += draws[at] * draws[at + 1];
      if (i + 1 === 2 ** sums.length) sums.push(sum);
    }
    return sums;
  });
  return made;
};

const compute = ({ log2_d_k: power }) => {
  const scores = pairs().map((sums) => sums[power]);
  const [root, share] = [Math.sqrt(2 ** power), new Array(END).fill(0)];
  for (const score of scores) share[clamp(Math.floor((score + END) / 2), 0, END - 1)] += 1 / N_PAIRS;
  const below = share.map((_, i) => (i ? normalCdf((2 * i - END) / root) : 0));
  const normal = below.map((left, i) => (i + 1 < END ? below[i + 1] : 1) - left);
  return {
    share: [share],
    normal: [normal],
    deviation: [[Math.sqrt(spreadOf(scores).variance)]],
    root: [[root]],
  };
};

const render = small({
  name: "SpreadOfScores",
  question: "Make the vectors longer. How fast do the scores spread?",
  compute,
  tell: ({ deviation: [[deviation]], root: [[root]] }) =>
    `These 128 scores have standard deviation ${number(deviation)}, and √d_k is ${number(root)}.`,
});

export default { render, compute };
