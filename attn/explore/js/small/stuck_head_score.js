// Complete the pattern: a stripe that begins a row too early. Python twin: attn/explore/small/induction_heads.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const LENGTHS = Array.from({ length: 19 }, (_, i) => i + 2);
/** Of the rows of the diagonal, one has its place at the first word: that where no word has come again yet. */
const scores = (length) => [1 / (length + 1), 0];

const compute = ({ length }) => ({
  score: [0, 1].map((line) => LENGTHS.map((words) => scores(words)[line])),
  score_now: scores(length).map((score) => [score]),
});

const render = small({
  name: "StuckHeadScore",
  question: "A head looks at the first word and at nothing else. What does the mean over the whole stripe give it?",
  compute,
  tell: ({ score_now: [[whole]] }, { length }) =>
    `${length} words, then the same again. All ${length + 1} rows of the stripe give ${number(whole)}. ` +
    "Without its first row, where no word has come again yet: 0.",
});

export default { render, compute };
