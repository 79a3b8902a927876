// Chapter 5. Sums of two votes: equal and unequal pairs have one total. Python twin:
// attn/explore/small/xor_by_attention.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const vote = (token, bias) => Math.exp(token) * (token + bias);

const compute = ({ bias }) => {
  const [zero, one] = [vote(-1, bias), vote(1, bias)];
  const sums = [2 * zero, one + zero, zero + one, 2 * one];
  return { sums: [sums], totals: [[sums[0] + sums[3], sums[1] + sums[2]]] };
};

const OF = { "0000": "says 0 to all four", "0001": "is AND", "0111": "is OR", 1111: "says 1 to all four" };

const render = small({
  name: "BiasOfVotes",
  question: "For XOR the middle two bars must stand and the outer two hang. Can you get there?",
  compute,
  tell({ sums: [sums] }, { bias }) {
    const does = OF[sums.map((sum) => (sum > 0 ? 1 : 0)).join("")];
    return `A 0 votes ${number(vote(-1, bias))}, a 1 votes ${number(vote(1, bias))}: the head ${does}.`;
  },
});

export default { render, compute };
