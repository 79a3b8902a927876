// Chapter 3. −∞ and −1e9 agree until nothing is in sight. Python twin: attn/explore/small/masking.py.
import { softmax } from "../core.js";
import { small } from "../draw/small.js";

const SCORES = [1, 1, 0, 2];
const under = (hidden, fill) => [softmax(SCORES.map((score, j) => (j < 4 - hidden ? score : fill)))];

const compute = ({ hidden }) => ({ infinite: under(hidden, -Infinity), finite: under(hidden, -1e9) });

const render = small({
  name: "EmptyRow",
  question: "Hide one word after another. When do −∞ and −1e9 part?",
  compute,
  tell(_, { hidden }) {
    if (hidden === 4) return "All are hidden: −∞ looks at nothing, and −1e9 at everything alike.";
    if (hidden === 0) return "Nothing is hidden, so nothing is filled in.";
    return `${hidden} hidden: the two agree.`;
  },
});

export default { render, compute };
