// Chapter 5. Two unequal bits are read on the segment between their vectors. Python twin:
// attn/explore/small/xor_by_attention.py.
import { dot } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const VECTORS = [
  [-2, 1],
  [1.5, -1],
];
const [READOUT, BIAS] = [[1, 0.5], 0.5];

const compute = ({ share }) => {
  const point = [0, 1].map((c) => (1 - share) * VECTORS[0][c] + share * VECTORS[1][c]);
  const outputs = [VECTORS[0], point, VECTORS[1]].map((read) => dot(read, READOUT) + BIAS);
  return { ends: VECTORS, point: [point], start: [VECTORS[0]], stop: [VECTORS[1]], outputs: [outputs] };
};

const render = small({
  name: "PointOnTheRope",
  question: "Move (1, 0) along the rope. Can its bar ever pass both of the others?",
  compute,
  tell({ outputs: [[, output]] }, { share }) {
    const text = `The output for (1, 0) is ${number(output)}`;
    if (share === 0 || share === 1) return `${text}, that of (${share}, ${share}): the point is at an end.`;
    return `${text}, between −1 and 1.5, the outputs of the ends.`;
  },
});

export default { render, compute };
