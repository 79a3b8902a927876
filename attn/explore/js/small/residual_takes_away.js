// Chapter 5. What is found is subtracted from what was there. Python twin: attn/explore/small/xor_by_attention.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const BITS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];

const compute = ({ times }) => {
  const owns = BITS.map((bits) => bits.map((bit) => 1 - bit)); // 1 for bit 0
  const mean = owns.map(([first, second]) => (first + second) / 2);
  const found = owns.map((own, i) => dot(softmax(BITS[i].map((bit) => 9 * bit)), own));
  return { mean: [mean], left: [mean.map((value, i) => value - times * found[i])] };
};

const render = small({
  name: "ResidualTakesAway",
  question: "How much must be taken away until the two equal pairs are level?",
  compute,
  tell({ left: [[first]] }, { times }) {
    if (times === 1) return "Once: (0, 0) and (1, 1) both have 0, and unequal bits keep a half.";
    const where = first > 0.5 ? "above the unequal pairs" : "below the unequal pairs, as (1, 1) is";
    if (Math.abs(first - 0.5) < 0.01) return "(0, 0) is level with the unequal pairs, and no cut parts them.";
    return `(0, 0) has ${number(first)}: ${where}.`;
  },
});

export default { render, compute };
