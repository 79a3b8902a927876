// Chapter 1, by hand: a query and a key that are turned. Python twins:
// attn/explore/practice/by_hand/positional_encoding.py, attn/practice/mistakes/positional.py.
import { matmulT } from "../core.js";
import { byHand } from "../draw/by_hand.js";

/** Cosine and sine of no step of the clock, of one and of two. */
const TURNS = [
  [1, 0],
  [0.6, 0.8],
  [-0.28, 0.96],
];

/** (x cos − y sin, x sin + y cos); `signs` are those of the two products with a sine. */
const turned = ([[x, y]], place, signs = [-1, 1]) => {
  const [cos, sin] = TURNS[place];
  return [[x * cos + signs[0] * (y * sin), signs[1] * (x * sin) + y * cos]];
};

/** Turn the pair `name`, which stands at entry `which` of `places`. */
const turn = (name, which) => ({
  right: ({ [name]: pair, places }) => turned(pair, places[0][which]),
  mistakes: {
    "other-way": ({ [name]: pair, places }) => turned(pair, places[0][which], [1, -1]),
    "one-sign": ({ [name]: pair, places }) => turned(pair, places[0][which], [1, 1]),
    exchanged: ({ [name]: [[x, y]], places }) => turned([[y, x]], places[0][which]),
    "other-place": ({ [name]: pair, places }) => turned(pair, 3 - places[0][which]),
  },
});

export default byHand("RotationByHand", {
  asks: turn("q", 0),
  asked: turn("k", 1),
  score: {
    right: ({ asks, asked }) => matmulT(asks, asked),
    mistakes: {
      unturned: ({ q, k }) => matmulT(q, k),
      "key-alone": ({ q, asked }) => matmulT(q, asked),
      crossed: ({ asks, asked: [[x, y]] }) => matmulT(asks, [[y, x]]),
    },
  },
});
