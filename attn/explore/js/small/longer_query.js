// Chapter 0. A longer query makes a sharper choice. Python twin: attn/explore/small/attention.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { weightText } from "../number.js";

const compute = ({ length }) => {
  const scores = [0, length * Math.SQRT2, -length * Math.SQRT2];
  return { scores: [scores], weights: [softmax(scores)] };
};

const render = small({
  name: "LongerQuery",
  question: "Make the query of `sat` longer, without turning it. What happens to the weights?",
  compute,
  tell({ weights: [[, cat, sat]] }, { length }) {
    if (length === 0) return "A query of length zero asks nothing: all weights are the same.";
    if (length < 0) return `Turned around: now \`sat\` leads, with ${weightText(sat)}.`;
    if (length > 2) return `Sharper: \`cat\` has ${weightText(cat)}. The order of the words is the same as before.`;
    const leads = `\`cat\` leads with ${weightText(cat)}, as at any length above 0.`;
    return `${leads} How clearly it leads depends on the length.`;
  },
});

export default { render, compute };
