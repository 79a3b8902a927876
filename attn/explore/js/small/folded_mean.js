// Chapter 5. An average whose negative half is bent. Python twin: attn/explore/small/xor_by_attention.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const MEAN = [-1, 0, 0, 1];

const compute = ({ slope }) => ({ mean: [MEAN], folded: [MEAN.map((mean) => (mean < 0 ? slope * mean : mean))] });

const render = small({
  name: "FoldedMean",
  question: "From which slope on are both equal pairs on the same side of the unequal ones?",
  compute,
  tell({ folded: [[first]] }, { slope }) {
    if (slope === 1) return "Times 1: nothing is bent, and the unequal pairs lie midway between the equal ones.";
    if (slope === 0) return "Times 0, a ReLU: (0, 0) is level with the unequal pairs, and no cut parts them.";
    if (slope > 0) return `(0, 0) is at ${number(first)}: the unequal pairs are still in the middle.`;
    return `(0, 0) is at ${number(first)}: a cut between it and 0 parts equal from unequal.`;
  },
});

export default { render, compute };
