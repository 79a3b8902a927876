// Chapter 4. One head with a fader gives both words one sign. Python twin: attn/explore/small/multihead.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const compute = ({ wanted }) => {
  const cat = Math.max(wanted, 0); // the nearest to (1, wanted) of all fader · (1 − weight, weight)
  return { one_head: [[1, cat]], two_heads: [[1, wanted]] };
};

const render = small({
  name: "OneHeadAtBest",
  question: "You want one `the` and some `cat`. How near can one head with a fader come?",
  compute,
  tell(_, { wanted }) {
    if (wanted === 0) return "One `the` and nothing else: for this, one head is enough.";
    if (wanted < 0)
      return "One head gives both words one sign: its best is plain `the`. Two heads and a minus do it.";
    return `Weights as 1 to ${number(wanted)} and a fader of ${number(1 + wanted)}: one head gives both as wanted.`;
  },
});

export default { render, compute };
