// Chapter 3. A score goes down, and its word leaves the sum. Python twin: attn/explore/small/masking.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const compute = ({ score }) => {
  const scores = [1, 1, 0, score];
  return { exponentials: [scores.map(Math.exp)], weights: [softmax(scores)] };
};

const render = small({
  name: "HiddenScore",
  question: "Lower the score of `ABIR`. Where does its weight go?",
  compute,
  tell({ weights: [[my, , , abir]] }, { score }) {
    if (score === 2) return `\`ABIR\` has more than half of the weight: ${weightText(abir)}.`;
    if (score > -4)
      return `\`ABIR\` has ${weightText(abir)}, \`MY\` has ${weightText(my)}: what one loses, the others share.`;
    return `\`MY\` has ${weightText(my)}. A trace of \`ABIR\` is left at any score but −∞.`;
  },
});

export default { render, compute };
