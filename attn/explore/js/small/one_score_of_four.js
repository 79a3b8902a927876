// Chapter 6. Back through a softmax, when one score is moved. Python twin: attn/explore/small/learning_xor.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number, weightText } from "../number.js";

const TOKENS = [1, 0.5, -0.5, -1];

const compute = ({ score }) => {
  const weights = softmax([2, score, -1, -2]);
  const read = dot(weights, TOKENS);
  const d_read = -1 / (1 + Math.exp(read));
  return { weights: [weights], d_scores: [weights.map((p, t) => p * d_read * (TOKENS[t] - read))] };
};

const render = small({
  name: "OneScoreOfFour",
  question: "Raise the score of `b`. When is its own slope small?",
  compute,
  tell({ weights: [[, b]], d_scores: [[, slope]] }) {
    const text = `\`b\` has the weight ${weightText(b)}`;
    if (b < 0.05) return `${text}: with next to no weight, its score has next to no slope.`;
    if (b > 0.95) return `${text}: it is nearly the average itself, so its slope is small again.`;
    return `${text}, its score the slope ${number(slope)}: a lower score would make the loss lower.`;
  },
});

export default { render, compute };
