// Chapter 0. Two words: the weight of one is the logistic function. Python twin: attn/explore/small/attention.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const STEPS = Array.from({ length: 121 }, (_, i) => -6 + i / 10);
const both = (difference) => softmax([difference, 0]);

const compute = ({ difference }) => {
  const line = STEPS.map(both);
  return {
    weight: [0, 1].map((word) => line.map((weights) => weights[word])),
    weight_now: both(difference).map((weight) => [weight]),
  };
};

const render = small({
  name: "OneDifference",
  question: "How far ahead must `cat` score to get nearly everything?",
  compute,
  tell({ weight_now: [[cat]] }, { difference }) {
    const text = weightText(cat);
    if (difference === 0) return `${text}: equal scores, and each word gets half.`;
    if (Math.abs(difference) > 4) return `${text}: from here on more distance changes next to nothing.`;
    return `${text} for \`cat\`, and the rest for \`the\`: only the difference of the two scores counts.`;
  },
});

export default { render, compute };
