// Chapter 8, by hand: a query and three keys on two clocks. Python twins: attn/explore/by_hand/rotary_positions.py,
// attn/mistakes/rotary_positions.py.
import { mapped, matmulT } from "../core.js";
import { byHand } from "../draw/by_hand.js";

/** Cosine and sine of no quarter turn, of one, of two and of three. */
const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** Rows of four numbers by their places; `clocks` are the quarter turns a word of the two pairs. */
const turned = (rows, places, pairs = "neighbors", [fast, slow] = [2, 1]) => {
  const order = pairs === "halves" ? [0, 2, 1, 3] : [0, 1, 2, 3];
  const speeds = pairs === "mixed" ? [fast, slow, fast, slow] : [fast, fast, slow, slow];
  return rows.map((row, n) => {
    const x = order.map((i) => row[i]);
    const done = x.map((value, i) => {
      const [cos, sin] = QUARTERS[(((places[n] * speeds[i]) % 4) + 4) % 4];
      return value * cos + (i % 2 ? x[i - 1] : -x[i + 1]) * sin;
    });
    return order.map((i) => done[i]);
  });
};
const keysOf = ([very, big]) => [very, very, big];
const query = (q, [[, , place]], ...how) => turned(q, [place], ...how);
const keys = (k, [places], ...how) => turned(keysOf(k), places, ...how);
const onward = (places) => mapped(places, (place) => place + 1);

const steps = {
  asks: {
    right: ({ q, places }) => query(q, places),
    mistakes: {
      "other-way": ({ q, places }) => query(q, places, "neighbors", [-2, -1]),
      "all-alike": ({ q, places }) => query(q, places, "neighbors", [1, 1]),
      mixed: ({ q, places }) => query(q, places, "mixed"),
      halves: ({ q, places }) => query(q, places, "halves"),
      "one-further": ({ q, places }) => query(q, onward(places)),
    },
  },
  asked: {
    right: ({ k, places }) => keys(k, places),
    mistakes: {
      "other-way": ({ k, places }) => keys(k, places, "neighbors", [-2, -1]),
      "query-place": ({ k, places: [[, , place]] }) => keys(k, [[place, place, place]]),
      "all-alike": ({ k, places }) => keys(k, places, "neighbors", [1, 1]),
      mixed: ({ k, places }) => keys(k, places, "mixed"),
      halves: ({ k, places }) => keys(k, places, "halves"),
    },
  },
  scores: {
    right: ({ asks, asked }) => matmulT(asks, asked),
    mistakes: {
      unturned: ({ q, k }) => matmulT(q, keysOf(k)),
      "key-alone": ({ q, asked }) => matmulT(q, asked),
      "query-alone": ({ asks, k }) => matmulT(asks, keysOf(k)),
      scaled: ({ asks, asked }) => mapped(matmulT(asks, asked), (value) => value / 2),
    },
  },
  moved: {
    right: ({ q, k, places }) => matmulT(query(q, onward(places)), keys(k, onward(places))),
    mistakes: {
      "query-alone": ({ q, asked, places }) => matmulT(query(q, onward(places)), asked),
      "keys-alone": ({ asks, k, places }) => matmulT(asks, keys(k, onward(places))),
      slid: ({ scores: [[a, b, c]] }) => [[c, a, b]],
    },
  },
};

const { compute, render } = byHand("TurnedScoresByHand", steps);

export default { render, compute, steps };
