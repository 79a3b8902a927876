// Chapter 2. A weight near 1 has no slope. Python twin: attn/explore/small/qk_variance.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number, weightText } from "../number.js";

const both = (difference) => {
  const [p, rest] = softmax([difference, 0]);
  return [p, p * rest];
};
const LINE = Array.from({ length: 121 }, (_, i) => both(i / 10));

const compute = ({ difference }) => {
  const now = both(difference).map((value) => [value]);
  return { both: [0, 1].map((which) => LINE.map((pair) => pair[which])), both_now: now, slope: [now[1]] };
};

const render = small({
  name: "VanishingSlope",
  question: "Two keys. Let one lead by more and more: what is left of the slope p(1 − p)?",
  compute,
  tell({ both_now: [[p], [slope]] }, { difference }) {
    if (difference === 0) return "Half and half: the slope is ¼, the largest there is.";
    const where = `p is ${weightText(p)}, the slope ${slope < 0.01 ? "below .01" : number(slope)}`;
    return difference > 4 ? `${where}: next to no gradient gets through.` : `${where}: learning still feels it.`;
  },
});

export default { render, compute };
