// Chapter 1, by hand: the encoding of a position. Python twins: attn/explore/practice/by_hand/positional_encoding.py,
// attn/practice/mistakes/positional.py.
import { angularFrequencies, mapped } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const powers = (base, exponents) => [exponents.map((exponent) => base[0][0] ** exponent)];
/** One wave for the even dimensions, another for the odd ones. */
const waves = (angles, even, odd) => mapped(angles, (angle, _, j) => (j % 2 ? odd : even)(angle));
const degrees = (wave) => (angle) => wave((angle * Math.PI) / 180);

export default byHand("EncodingByHand", {
  divisors: {
    right: ({ base }) => [angularFrequencies(4, base[0][0]).flatMap((omega) => [1 / omega, 1 / omega])],
    mistakes: {
      doubled: ({ base }) => powers(base, [0, 1 / 2, 1, 3 / 2]),
      "one-each": ({ base }) => powers(base, [0, 1 / 4, 1 / 2, 3 / 4]),
      halved: ({ base }) => powers(base, [0, 0, 1 / 4, 1 / 4]),
      "upside-down": ({ base }) => powers(base, [0, 0, -1 / 2, -1 / 2]),
    },
  },
  angles: {
    right: ({ pos, divisors }) => mapped(divisors, (divisor) => pos[0][0] / divisor),
    mistakes: {
      multiplied: ({ pos, divisors }) => mapped(divisors, (divisor) => pos[0][0] * divisor),
      "from-one": ({ pos, divisors }) => mapped(divisors, (divisor) => (pos[0][0] + 1) / divisor),
      "full-turn": ({ pos, divisors }) => mapped(divisors, (divisor) => (2 * Math.PI * pos[0][0]) / divisor),
      "one-clock": ({ pos, divisors }) => mapped(divisors, () => pos[0][0]),
    },
  },
  encoding: {
    right: ({ angles }) => waves(angles, Math.sin, Math.cos),
    mistakes: {
      swapped: ({ angles }) => waves(angles, Math.cos, Math.sin),
      degrees: ({ angles }) => waves(angles, degrees(Math.sin), degrees(Math.cos)),
      "sines-alone": ({ angles }) => waves(angles, Math.sin, Math.sin),
      "sines-first": ({ angles: [[first, , second]] }) => [
        [Math.sin(first), Math.sin(second), Math.cos(first), Math.cos(second)],
      ],
    },
  },
  sum: {
    right: ({ word, encoding }) => mapped(word, (value, i, j) => value + encoding[i][j]),
    mistakes: {
      multiplied: ({ word, encoding }) => mapped(word, (value, i, j) => value * encoding[i][j]),
      "encoding-alone": ({ encoding }) => encoding,
      subtracted: ({ word, encoding }) => mapped(word, (value, i, j) => value - encoding[i][j]),
      angles: ({ word, angles }) => mapped(word, (value, i, j) => value + angles[i][j]),
    },
  },
});
