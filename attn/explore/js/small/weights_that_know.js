// Chapter 5. The weights know XOR, the average loses it. Python twin: attn/explore/small/xor_by_attention.py.
import { dot, softmax } from "../core.js";
import { small } from "../draw/small.js";
import { number, weightText } from "../number.js";

const BITS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];

const compute = ({ score }) => {
  const own = [];
  const read = BITS.map((bits) => {
    const weights = bits.map((a) => softmax(bits.map((b) => (a === b ? score : 0))));
    own.push(weights[0][0]);
    const hidden = weights.map((row) =>
      dot(
        row,
        bits.map((b) => 1.5 * (2 * b - 1)),
      ),
    );
    return dot(softmax(hidden.map((x) => 0.6 * x)), hidden);
  });
  return { own: [own], read: [read] };
};

const render = small({
  name: "WeightsThatKnow",
  question: "On the left, unequal pairs stand out on the same side. Do they on the right?",
  compute,
  tell: ({ own: [[, own]], read: [[, read]] }, { score }) =>
    score === 0
      ? "All weights are ½, and unequal bits average to 0, midway between the equal pairs."
      : `Unequal bits have the weight ${weightText(own)}, and are read as ${number(read)}: between −1.5 and 1.5.`,
});

export default { render, compute };
