// Complete the pattern: the sixteen questions, and the two layers that answer them, with one-hot places.
import { causalMask, mapped, maskScores, matmul, matmulT, softmax } from "./core.js";

export const VOCABULARY = ["BOS", "A", "B", "0", "1"];
export const TEXT = [0, 1, 4, 2, 3, 1]; // BOS A 1 B 0 A

/** The sixteen questions with their answers, in numbers of the vocabulary. */
export const QUESTIONS = [
  [1, 2],
  [2, 1],
].flatMap(([one, two]) =>
  [3, 4].flatMap((v) =>
    [3, 4].flatMap((w) => [1, 2].map((asked) => [[0, one, v, two, w, asked], asked === one ? v : w])),
  ),
);

/** By how much a logit is above all others. */
export const ahead = (logits, word) => logits[word] - Math.max(...logits.filter((_, other) => other !== word));
export const SURE = 1e-9; // a word is said if its logit is above all others by more than that

/**
 * What the two layers say after a text's last word: its logits.
 */
export const completed = (tokens, beta) => {
  const x = tokens.map((token) => VOCABULARY.map((_, word) => Number(word === token)));
  const scores = tokens.map((_, i) => tokens.map((__, j) => (j === i - 1 ? beta : 0)));
  const mask = causalMask(tokens.length);
  const attend = (given) => maskScores(given, mask).map(softmax);
  const match = mapped(matmulT(x, matmul(attend(scores), x)), (value) => beta * value);
  return matmul(attend(match), x).at(-1);
};

/** How many of the sixteen answers are ahead in what is said to each: tokens => logits. */
export const rightOf16 = (says) => QUESTIONS.filter(([tokens, answer]) => ahead(says(tokens), answer) > SURE).length;
