// Chapter 9, by hand: a lane that says who stood before, and what came then. Python twins:
// attn/explore/practice/by_hand/induction_heads.py, attn/practice/mistakes/completing.py.
import { sumOf } from "../core.js";
import { byHand } from "../draw/by_hand.js";

const VOCABULARY = [1, 2, 3, 4];

/** Entries `back` places further to the right, or to the left; 0 where nothing comes from. */
const moved = (row, back) => row.map((_, i) => row[i - back] ?? 0);
const rowOf = ([row]) => row;
const before = ([row]) => [row.map((word, i) => (i ? row[i - 1] : word))];
/** `grown` where `found` is the last of the words, `other` elsewhere. */
const powers = (found, [words], grown, other = 1) => [found.map((word) => (word === words.at(-1) ? grown : other))];
const says = (weights, words) => [VOCABULARY.map((word) => sumOf(weights.filter((_, i) => words[i] === word)))];
const loudest = ([weights]) => {
  const most = Math.max(...weights) - 1e-9;
  return weights.map((weight) => Number(weight >= most));
};

export default byHand("InductionByHand", {
  before: {
    right: ({ words }) => before(words),
    mistakes: {
      itself: ({ words }) => words,
      ahead: ({ words: [row] }) => [moved(row, -1)],
      "two-back": ({ words: [row] }) => [moved(row, 2)],
      wrapped: ({ words: [row] }) => [[row.at(-1), ...row.slice(0, -1)]],
    },
  },
  powers: {
    right: ({ words, before: [lane], grown: [[e]] }) => powers(lane, words, e),
    mistakes: {
      parrot: ({ words, grown: [[e]] }) => powers(rowOf(words), words, e),
      "own-place": ({ words, before: [lane], grown: [[e]] }) => powers([...lane.slice(1), 0], words, e),
      "too-far": ({ words, grown: [[e]] }) => powers(moved(rowOf(words), 2), words, e),
      nothing: ({ words, before: [lane], grown: [[e]] }) => powers(lane, words, e, 0),
      root: ({ words, before: [lane], grown: [[e]] }) => powers(lane, words, Math.sqrt(e)),
    },
  },
  weights: {
    right: ({ powers: [row] }) => [row.map((power) => power / sumOf(row))],
    mistakes: {
      undivided: ({ powers: all }) => all,
      "by-count": ({ powers: [row] }) => [row.map((power) => power / row.length)],
      "all-or-nothing": ({ powers: all }) => {
        const matches = loudest(all);
        return [matches.map((match) => match / sumOf(matches))];
      },
      "without-bos": ({ powers: [row] }) => [row.map((power) => power / sumOf(row.slice(1)))],
    },
  },
  says: {
    right: ({ weights: [row], words: [words] }) => says(row, words),
    mistakes: {
      "who-before": ({ weights: [row], before: [lane] }) => says(row, lane),
      "one-further": ({ weights: [row], words: [words] }) => says(moved(row, 1), words),
      averaged: ({ weights: [row], words: [words] }) => [
        says(row, words)[0].map((sum, i) => sum / Math.max(1, words.filter((word) => word === VOCABULARY[i]).length)),
      ],
      loudest: ({ weights, words: [words] }) => says(loudest(weights), words),
    },
  },
});
