// Complete the pattern: one layer whose keys are those of the word before. Python twin:
// attn/explore/small/induction_heads.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";
import { TEXT, VOCABULARY, rightOf16 } from "../two_layers.js";

const BETA = 5;

const weightsOf = (tokens, share) => {
  const asks = tokens.at(-1);
  const own = (token) => Number(token === asks);
  return softmax(
    tokens.map((token, i) => BETA * ((1 - share) * own(token) + share * own(tokens[Math.max(0, i - 1)]))),
  );
};
const loud = (tokens, share) => {
  const heard = VOCABULARY.map(() => 0);
  weightsOf(tokens, share).forEach((weight, i) => {
    heard[tokens[i]] += weight;
  });
  return heard;
};

const compute = ({ share }) => ({
  weights: [weightsOf(TEXT, share)],
  says: [loud(TEXT, share).slice(1)],
  right: [[rightOf16((tokens) => loud(tokens, share))]],
});

const render = small({
  name: "ShiftedKeys",
  question: "One layer, one head. Each key comes more and more from the word before. What does the last `A` find?",
  compute,
  tell: ({ right: [[right]] }, { share }) => {
    if (share === 0) return "Each key is the word's own: `A` finds both `A`, and says `A`. None of 16 right.";
    if (right === 16)
      return "All 16 right: `1` has `A` before it, and is found. No key knows what comes after its own word.";
    return `Some of both: the words that it has, and those that came after. ${right} of 16 right.`;
  },
});

export default { render, compute };
