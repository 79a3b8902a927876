// Chapter 4. One head divides a weight of one. Python twin: attn/explore/small/multihead.py.
import { clamp } from "../core.js";
import { small } from "../draw/small.js";
import { number } from "../number.js";

const compute = ({ wanted }) => {
  const cat = clamp(wanted / 2, 0, 1); // the nearest point to (1, wanted) of all (1 − cat, cat)
  return { one_head: [[1 - cat, cat]], two_heads: [[1, wanted]] };
};

const render = small({
  name: "OneHeadAtBest",
  question: "You want one `the` and some `cat`. How near can one head come?",
  compute,
  tell({ one_head: [[the, cat]] }, { wanted }) {
    if (wanted === 0) return "One `the` and nothing else: for this, one head is enough.";
    if (wanted < 0) return "A weight can't be negative: the best is all `the`. Two heads and a minus do it.";
    return `The best of one head is ${number(the)} \`the\` and ${number(cat)} \`cat\`. Two heads give both as wanted.`;
  },
});

export default { render, compute };
