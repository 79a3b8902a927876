// Chapter 3. Another key for the last word: whose output moves? Python twin: attn/explore/small/masking.py.
import { causalMask, distance, maskScores, matmul, scaledScores, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const Q = [
  [1, 0, 0, 1],
  [1, 1, 0, 0],
  [1, 1, 0, 1],
  [2, 0, 1, 0],
];
const K = [
  [2, 0, 0, 0],
  [0, 2, 0, 0],
  [0, 0, 2, 0],
  [2, 0, 0, 2],
];
const V = [
  [2, 0],
  [0, 2],
  [-1, 0],
  [3, 3],
];
const SEES = causalMask(4);
const WAYS = {
  before: (scores) => maskScores(scores, SEES).map(softmax),
  after: (scores) => maskScores(scores.map(softmax), SEES, 0),
};

const compute = ({ times }) => {
  const [old, now] = [1, times].map((factor) =>
    scaledScores(
      Q,
      K.map((key, j) => (j === 3 ? key.map((entry) => entry * factor) : key)),
    ),
  );
  const moved = (weigh) => {
    const [from, to] = [old, now].map((scores) => matmul(weigh(scores), V));
    return [from.map((point, i) => distance(point, to[i]))];
  };
  return { before: moved(WAYS.before), after: moved(WAYS.after) };
};

const render = small({
  name: "FutureMoved",
  question: "Give `ABIR`, the last word, another key. Whose output moves?",
  compute,
  tell({ after: [[, , is]] }, { times }) {
    if (times === 1) return "This is the key that `ABIR` has: nobody has moved.";
    return `Masked before, only \`ABIR\` itself moves. Masked after, \`IS\` has moved by ${number(is)}: a leak.`;
  },
});

export default { render, compute };
