// Chapter 4. What head 1 gets of four tokens. Python twin: attn/explore/small/multihead.py.
import { small } from "../draw/small.js";

const TOKENS = [0, 1, 2, 3]; // each with four numbers

const compute = ({ heads }) => {
  const share = 4 / heads;
  return { right: [TOKENS.map(() => share)], blind: [TOKENS.map((token) => (token < share ? 4 : 0))] };
};

const render = small({
  name: "WhoseNumbers",
  question: "Four tokens of four numbers. How many of each does head 1 get?",
  compute,
  tell(_, { heads }) {
    if (heads === "1") return "One head gets everything, and the two ways agree.";
    const share = 4 / heads;
    const [numbers, tokens] = share === 1 ? ["1 number", "1 token"] : [`${share} numbers`, `${share} tokens`];
    return `The right head gets ${numbers} of each token, the blind head all numbers of ${tokens}.`;
  },
});

export default { render, compute };
