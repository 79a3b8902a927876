// Complete the pattern: what a head finds so many places back. Python twin: attn/explore/small/induction_heads.py.
import { mapped, maskFrom, sumOf } from "../core.js";
import { small } from "../draw/small.js";

const WORDS = ["A", "B", "C", "A", "B", "C"];
const [N, HALF] = [WORDS.length, 3];
const AGAIN = [3, 4, 5]; // the rows whose word has stood there before

const compute = ({ back }) => {
  const weights = mapped(
    maskFrom(N, N, (i, j) => j === Math.max(0, i - back)),
    Number,
  );
  const mean = (places) => sumOf(AGAIN.map((i) => weights[i][i - places])) / AGAIN.length;
  return { weights, same: [[mean(HALF)]], after: [[mean(HALF - 1)]] };
};

const render = small({
  name: "HeadByOffset",
  question:
    "In a text that comes twice, a head looks at the earlier occurrence of the present word. What does it find?",
  compute,
  tell: (_, { back }) => {
    const seen = `${back} back: the last \`C\` looks at \`${WORDS[N - 1 - back]}\``;
    if (back === HALF) return `${seen}, the word itself once more. What came after it is the next place.`;
    if (back === HALF - 1) return `${seen}, which came after the earlier \`C\`: this completes the pattern.`;
    return `${seen}: neither the earlier \`C\` nor what came after it.`;
  },
});

export default { render, compute };
