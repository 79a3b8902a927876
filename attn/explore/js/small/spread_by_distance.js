// Turned positions. The spread of random scores, and the paper's bound. Python twin: attn/explore/small/rotary.py.
import { angularFrequencies, clamp, dot, normalCdf, normals, spreadOf, sumOf, turnOf, turnPairs } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const [SEED, N_KEYS, HEAD, BINS, END] = [8, 512, 128, 20, 5];
const CLOCKS = angularFrequencies(HEAD, 10000);
const SHOWN = { 1000: "1,000", 4000: "4,000" };

/** A query and 512 keys, made when they are first asked for. */
let made = null;
const drawn = () => {
  if (made) return made;
  const [query, all] = [normals(SEED, HEAD), normals(SEED + 1, N_KEYS * HEAD)];
  made = { query, keys: Array.from({ length: N_KEYS }, (_, key) => all.subarray(key * HEAD, (key + 1) * HEAD)) };
  return made;
};

/** Scores of keys that stand `back` words before the query: the query is turned on, which is the same. */
const scoresAt = (back) => {
  const { query, keys } = drawn();
  const turned = turnPairs(
    query,
    CLOCKS.map((omega) => turnOf(omega * back)),
  );
  const length = Math.hypot(...query);
  return keys.map((key) => dot(turned, key) / length);
};

/** The mean size of the sums of the first 1, 2, … clocks' turns. */
const boundAt = (back) => {
  let [x, y] = [0, 0];
  const sizes = CLOCKS.map((omega) => Math.hypot((x += Math.cos(omega * back)), (y += Math.sin(omega * back))));
  return sumOf(sizes) / sizes.length;
};

const below = Array.from({ length: BINS + 1 }, (_, i) => normalCdf((2 * END * i) / BINS - END));
[below[0], below[BINS]] = [0, 1];
const NORMAL = below.slice(1).map((right, i) => right - below[i]);

const compute = ({ back: chosen }) => {
  const [back, share] = [Number(chosen), new Array(BINS).fill(0)];
  const scores = scoresAt(back);
  for (const score of scores) share[clamp(Math.floor(((score + END) * BINS) / (2 * END)), 0, BINS - 1)] += 1 / N_KEYS;
  return {
    share: [share],
    normal: [NORMAL],
    deviation: [[Math.sqrt(spreadOf(scores).variance)]],
    bound: [[boundAt(back)]],
  };
};

const render = small({
  name: "SpreadByDistance",
  question: "Put the same 512 random keys further back. Do their scores get smaller, as the bound does?",
  compute,
  tell: ({ deviation: [[deviation]], bound: [[bound]] }, { back }) =>
    `${SHOWN[back] ?? back} back: the bound is ${number(bound)}, and the scores have standard deviation ` +
    `${number(deviation)}.`,
});

export default { render, compute };
