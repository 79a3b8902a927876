// Chapter 0. Three scores, e to each, and the weights. Python twin: attn/explore/small/attention.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const compute = ({ score }) => {
  const scores = [0, score, -Math.SQRT2];
  return { exponentials: [scores.map(Math.exp)], weights: [softmax(scores)] };
};

const render = small({
  name: "ExponentialsToWeights",
  question: "Only the score of `cat` moves. Which bars move with it?",
  compute,
  tell: ({ weights: [[the, cat]] }) =>
    `On the left one bar moves. On the right all do: \`cat\` has ${weightText(cat)}, and the others lose ` +
    `what it takes; \`the\` keeps ${weightText(the)}.`,
});

export default { render, compute };
