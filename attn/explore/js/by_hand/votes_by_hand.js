// Chapter 5, by hand: votes. Python twins: attn/explore/practice/by_hand/xor_by_attention.py,
// attn/practice/mistakes/xor.py.
import { mapped, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

export default byHand("VotesByHand", {
  margins: {
    right: ({ x, readout, bias }) => mapped(x, (value) => readout[0][0] * value + bias[0][0]),
    mistakes: {
      "no-bias": ({ x, readout }) => mapped(x, (value) => readout[0][0] * value),
      "bias-first": ({ x, readout, bias }) => mapped(x, (value) => readout[0][0] * (value + bias[0][0])),
      "bias-away": ({ x, readout, bias }) => mapped(x, (value) => readout[0][0] * value - bias[0][0]),
    },
  },
  votes: {
    right: ({ loud, margins }) => mapped(loud, (value, i, j) => value * margins[i][j]),
    mistakes: {
      "not-louder": ({ margins }) => margins,
      "bias-after": ({ loud, x, readout, bias }) =>
        mapped(loud, (value, i, j) => value * readout[0][0] * x[i][j] + bias[0][0]),
      divided: ({ loud, margins }) => mapped(loud, (value, i, j) => (value / sumOf(loud[0])) * margins[i][j]),
      added: ({ loud, margins }) => mapped(loud, (value, i, j) => value + margins[i][j]),
    },
  },
  output: {
    right: ({ votes, loud }) => [[sumOf(votes[0]) / sumOf(loud[0])]],
    mistakes: {
      sum: ({ votes }) => [[sumOf(votes[0])]],
      "by-tokens": ({ votes }) => [[sumOf(votes[0]) / votes[0].length]],
      "plain-mean": ({ margins }) => [[sumOf(margins[0]) / margins[0].length]],
    },
  },
});
