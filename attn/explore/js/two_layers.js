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
 * What the two layers say after a text's last word: its logits. `without` names a part that is taken away: "layer 1",
 * "layer 2", "way 1", "places", "mask", "BOS"; the way round layer 2 brings the logits nothing.
 */
export const completed = (text, { beta = 5, without = "" }) => {
  const tokens = without === "BOS" ? text.slice(1) : text;
  const x = tokens.map((token) => VOCABULARY.map((_, word) => Number(word === token)));
  const none = mapped(x, () => 0);
  const scores = tokens.map((_, i) => tokens.map((__, j) => (j === i - 1 && without !== "places" ? beta : 0)));
  const mask = without === "mask" ? mapped(scores, () => true) : causalMask(tokens.length);
  const attend = (given) => maskScores(given, mask).map(softmax);
  const before = without === "layer 1" ? none : matmul(attend(scores), x);
  const names = without === "way 1" ? none : x;
  if (without === "layer 2") return none[0];
  const match = mapped(matmulT(names, before), (value) => beta * value);
  return matmul(attend(match), names).at(-1);
};

/** How many of the sixteen answers are ahead in what is said to each: tokens => logits. */
export const rightOf16 = (says) => QUESTIONS.filter(([tokens, answer]) => ahead(says(tokens), answer) > SURE).length;
