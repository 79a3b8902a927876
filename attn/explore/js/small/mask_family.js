// Chapter 3. Five masks, as the weights of words whose scores are equal. Python twin: attn/explore/small/masking.py.
import { causalMask, maskFrom, paddingMask, prefixMask, slidingWindowMask, softmax } from "../core.js";
import { small } from "../draw/small.js";

const N = 5;
const [CAUSAL, PADDING] = [causalMask(N), paddingMask(N, 3)];
const SEES = {
  causal: CAUSAL,
  padding: PADDING,
  both: maskFrom(N, N, (i, j) => CAUSAL[i][j] && PADDING[i][j]),
  window: slidingWindowMask(N, 2),
  prefix: prefixMask(N, 3),
};
const SAYS = {
  causal: "Word 5 looks at all five, word 1 at itself alone.",
  padding: "Nobody looks at the last two columns, which hold no words.",
  both: "The triangle, without the columns of the padding.",
  window: "From word 2 on, each looks at two words: itself and the one before.",
  prefix: "The first three see one another both ways; from then on it is the triangle.",
};

const compute = ({ mask }) => ({
  weights: SEES[mask].map((row) => softmax(row.map((sees) => (sees ? 0 : -Infinity)))),
});

const render = small({
  name: "MaskFamily",
  question: "Five words with equal scores. Who may look at whom under each mask?",
  compute,
  tell: (_, { mask }) => SAYS[mask],
});

export default { render, compute };
