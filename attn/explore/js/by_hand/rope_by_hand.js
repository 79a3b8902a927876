// Chapter 5, by hand: four points on a segment. Python twins: attn/explore/practice/by_hand/xor_by_attention.py,
// attn/practice/mistakes/xor.py.
import { dot, mapped } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const BITS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];
/** What the values of a pair's two bits make. */
const made = (ends, mix) => BITS.map(([a, b]) => ends[a].map((value, c) => mix(value, ends[b][c])));
const readOut = (points, readout, bias) => [points.map((point) => dot(point, readout[0]) + bias)];

export default byHand("RopeByHand", {
  points: {
    right: ({ ends }) => made(ends, (a, b) => (a + b) / 2),
    mistakes: {
      summed: ({ ends }) => made(ends, (a, b) => a + b),
      "first-alone": ({ ends }) => made(ends, (a) => a),
      difference: ({ ends }) => made(ends, (a, b) => (a - b) / 2),
    },
  },
  margins: {
    right: ({ points, readout, bias }) => readOut(points, readout, bias[0][0]),
    mistakes: {
      "no-bias": ({ points, readout }) => readOut(points, readout, 0),
      "bias-each": ({ points, readout, bias }) => readOut(points, readout, 2 * bias[0][0]),
      "first-number": ({ points, readout, bias }) =>
        readOut(
          points.map((point) => point.slice(0, 1)),
          readout,
          bias[0][0],
        ),
    },
  },
  says: {
    right: ({ margins }) => mapped(margins, (value) => Number(value > 0)),
    mistakes: {
      wished: () => [BITS.map(([a, b]) => a ^ b)],
      turned: ({ margins }) => mapped(margins, (value) => Number(value < 0)),
      "all-one": () => [BITS.map(() => 1)],
    },
  },
});
