// Complete the pattern: what one layer says in the four cases, with a door open. Python twin:
// attn/explore/small/induction.py.
import { layerNorm, softmax, sumOf } from "../core.js";
import { small } from "../draw/small.js";

const CASES = ["A1B0A", "A0B1A", "B1A0A", "B0A1A"];
const WANTED = [1, -1, -1, 1];
const SAYS = { 1: 1, 0: -1, A: 0, B: 0 };
const said = (scores, values) => sumOf(softmax(scores).map((weight, i) => weight * values[i]));
const pairs = (text) => [text.slice(0, 2), text.slice(2, 4)];
const plain = ([name, digit]) => said([0, 0, 0, 0, 0], [name === "A" ? 2.5 : -2.5, 2.5 * SAYS[digit], 0, 0, 0]);

const DOORS = {
  none: plain,
  relu: (text) => Math.max(0, plain(text)) + Math.max(0, -plain(text)) - 0.5,
  norm: (text) => 1.2 - layerNorm([plain(text), -plain(text), 1, -1])[2],
  shifted: (text) =>
    said(
      [...text].map((_, i) => (text[i - 1] === "A" ? 5 : 0)),
      [...text].map((word) => SAYS[word]),
    ),
  joined: (text) =>
    said(
      pairs(text).map(([name]) => (name === "A" ? 5 : 0)),
      pairs(text).map(([, digit]) => SAYS[digit]),
    ),
  guards: (text) => sumOf(pairs(text).map(([name, digit]) => said([name === "A" ? -5 : 5, 0], [0, SAYS[digit]]))),
};
const WHY = {
  none: "The votes of names and digits add up to 1, 0, 0 and −1: only the first is right.",
  relu: "Two ReLUs make the size of the sum; less 0.5, only that of 0 is below 0.",
  norm: "The norm divides by a spread that grows with the sum, on either side.",
  shifted: "The key of a digit knows the name before it, so one look finds the digit.",
  joined: "A token holds a name and its digit, so one look finds both.",
  guards: "Each head reads one digit, and the name before it lets it speak or not.",
};

const compute = ({ door }) => {
  const sums = CASES.map(DOORS[door]);
  return { sums: [sums], right: [[sums.filter((sum, i) => sum * WANTED[i] > 1e-9).length]] };
};

const render = small({
  name: "OpenDoor",
  question: "The first and the last want a bar above 0, the two between them below. Which doors let one layer do it?",
  compute,
  tell: ({ right: [[right]] }, { door }) => `${right} of 4. ${WHY[door]}`,
});

export default { render, compute };
