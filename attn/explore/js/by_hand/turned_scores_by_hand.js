// Chapter 8, by hand: a query and three keys on two clocks. Python twins:
// attn/explore/practice/by_hand/rotary_positions.py, attn/practice/mistakes/rotary_positions.py.
import { mapped, matmulT, quarterTurn, turnPairs } from "../core.js";
import { byHand } from "../draw/by_hand.js";

/** Rows of four numbers by their places; `clocks` are the quarter turns a word of the two pairs. */
const turned = (rows, places, pairs = "neighbors", clocks = [2, 1]) =>
  rows.map((row, n) =>
    turnPairs(
      row,
      clocks.map((speed) => quarterTurn(speed * places[n])),
      pairs,
    ),
  );
const keysOf = ([very, big]) => [very, very, big];
const query = (q, [[, , place]], ...how) => turned(q, [place], ...how);
const keys = (k, [places], ...how) => turned(keysOf(k), places, ...how);
const onward = (places) => mapped(places, (place) => place + 1);

export default byHand("TurnedScoresByHand", {
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
});
