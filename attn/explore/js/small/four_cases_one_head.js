// Complete the pattern: four cases that one head can't have all right. Python twin: attn/explore/small/induction.py.
import { small } from "../draw/small.js";

const CASES = ["A 1 B 0 A", "A 0 B 1 A", "B 1 A 0 A", "B 0 A 1 A"];
const WANTED = [1, -1, -1, 1];
const OTHER = -1; // the vote of the names B, A
const DIGITS = [0.5, 2]; // the votes of the digits 1, 0 and 0, 1

const compute = ({ vote }) => {
  const sums = [vote, OTHER].flatMap((names) => DIGITS.map((digits) => names + digits));
  const total = (wanted) => sums.reduce((sum, value, i) => (WANTED[i] === wanted ? sum + value : sum), 0);
  return {
    sums: [sums],
    totals: [[total(1), total(-1)]],
    right: [[sums.filter((value, i) => value * WANTED[i] > 1e-9).length]],
  };
};

const render = small({
  name: "FourCasesOneHead",
  question:
    "One head. The first case and the last want a bar above 0, the two between them below. How many can you get?",
  compute,
  tell: ({ sums: [sums], right: [[right]] }) => {
    const wrong = CASES.filter((_, i) => !(sums[i] * WANTED[i] > 1e-9)).map((words) => `\`${words}\``);
    return (
      `${right} of 4: wrong ${wrong.length === 1 ? "is" : "are"} ${wrong.join(" and ")}. ` +
      "The two that want 1 add up to the same as the two that want 0."
    );
  },
});

export default { render, compute };
