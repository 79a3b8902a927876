// Chapter 0. The output is an average of values. Python twin: attn/explore/small/attention.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const VALUES = [2, -1, -2];

const compute = ({ score }) => {
  const weights = softmax([0, score, 0]);
  return { values: [VALUES], weights: [weights], output: [[dot(weights, VALUES)]] };
};

const render = small({
  name: "AverageOnALine",
  question: "Give `cat` a higher score. Where does the average go, and how far can it get?",
  compute,
  tell({ output: [[output]] }, { score }) {
    const text = number(output);
    if (score === 0) return `${text}: equal scores, equal weights, the plain mean of the three.`;
    if (score > 4) return `${text}: nearly at the value of \`cat\`, and never beyond it.`;
    if (score < -2) return `${text}: nearly without \`cat\`, close to the mean of the other two.`;
    return score > 0
      ? `${text}: it is pulled toward the value of \`cat\`, since that disk weighs more.`
      : `${text}: it has moved away from the value of \`cat\`, since that disk weighs less.`;
  },
});

export default { render, compute };
