// Chapter 4. Larger entries, sharper weights. Python twin: attn/explore/small/multihead.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const STEPS = Array.from({ length: 121 }, (_, i) => i / 20);
const weights = (size) => softmax([size ** 2 / Math.sqrt(3), 0, 0]).slice(0, 2);

const compute = ({ size }) => {
  const line = STEPS.map(weights);
  return {
    weight: [0, 1].map((word) => line.map((row) => row[word])),
    weight_now: weights(size).map((weight) => [weight]),
  };
};

const render = small({
  name: "LargerEntries",
  question: "How large must the entries be until `sat` gives nearly all to `cat`?",
  compute,
  tell({ weight_now: [[cat], [the]] }, { size }) {
    if (size === 0) return "Queries and keys of zeros: all three words have a third.";
    return `\`cat\` has ${weightText(cat)}; \`the\` and \`sat\` have ${weightText(the)} each.`;
  },
});

export default { render, compute };
