// Chapter 6. The example by hand: read and loss over the query. Python twin: attn/explore/small/learning_xor.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const TOKENS = [1, 0.5, -0.5, -1];
const weightsOf = (q) => softmax(TOKENS.map((token) => q * token));
const readBy = (q) => dot(weightsOf(q), TOKENS);
const lossOf = (read) => Math.log1p(Math.exp(-read));
const LINE = Array.from({ length: 81 }, (_, i) => readBy(-4 + i / 10));

const compute = ({ query: q }) => {
  const [weights, read] = [weightsOf(q), readBy(q)];
  const variance = weights.reduce((sum, p, t) => sum + p * (TOKENS[t] - read) ** 2, 0);
  return {
    learned: [LINE.map(lossOf), LINE],
    learned_now: [[lossOf(read)], [read]],
    slope: [[-variance / (1 + Math.exp(read))]],
  };
};

const render = small({
  name: "QueryLearns",
  question: "Which query makes the loss small?",
  compute,
  tell({ learned_now: [[loss], [read]] }, { query: q }) {
    const text = `It reads ${number(read)}, loss ${number(loss)}`;
    if (q === 0) return `${text}: the answer is a coin's.`;
    if (q < 0) return `${text}: it looks more at the −1.`;
    return q > 3 ? `${text}: hardly any slope is left.` : `${text}: further right is lower.`;
  },
});

export default { render, compute };
