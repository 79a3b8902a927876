// Chapter 2, by hand: a factor on the scores. Python twins: attn/explore/practice/by_hand/qk_variance.py,
// attn/practice/mistakes/variance.py.
import { mapped, softmax, sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const others = ([[lead, ...rest]], compare) => [rest.map((score) => compare(lead, score))];
/** Key 1, and the others relative to it. */
const relative = ([ahead], sign) => [0, ...ahead.map((value) => sign * value)];

export default byHand("OddsByHand", {
  gaps: {
    right: ({ scores }) => others(scores, (lead, score) => lead - score),
    mistakes: {
      turned: ({ scores }) => others(scores, (lead, score) => score - lead),
      added: ({ scores }) => others(scores, (lead, score) => lead + score),
      ratio: ({ scores }) => others(scores, (lead, score) => lead / score),
    },
  },
  grown: {
    right: ({ gaps, factor }) => mapped(gaps, (value) => value * factor[0][0]),
    mistakes: {
      added: ({ gaps, factor }) => mapped(gaps, (value) => value + factor[0][0]),
      unchanged: ({ gaps }) => gaps,
      exponential: ({ gaps }) => mapped(gaps, Math.exp),
    },
  },
  weights: {
    right: ({ scores, factor }) => [softmax(scores[0].map((score) => score * factor[0][0]))],
    mistakes: {
      before: ({ gaps }) => [softmax(relative(gaps, -1))],
      undivided: ({ grown }) => [relative(grown, -1).map(Math.exp)],
      shares: ({ scores }) => mapped(scores, (score) => score / sumOf(scores[0])),
      turned: ({ grown }) => [softmax(relative(grown, 1))],
    },
  },
});
