// Chapter 6. The votes of four cases: three at most are right. Python twin: attn/explore/small/learning_xor.py.
import { small } from "../draw/small.js";

const [MINUS, NOISE] = [-1, 0.6];

const compute = ({ plus }) => {
  const [low, mixed, high] = [MINUS + MINUS, MINUS + plus, plus + plus].map((ends) => ends + NOISE);
  return { votes: [[low, mixed, mixed, high]], pairs: [[low + high, mixed + mixed]] };
};

const render = small({
  name: "ThreeOfFour",
  question: "The outer bars should hang, the inner two stand. How many can you get right?",
  compute,
  tell({ votes: [[low, mixed, , high]] }) {
    const right = [low < 0, mixed > 0, mixed > 0, high < 0].filter(Boolean).length;
    const count = ["None", "One", "Two", "Three"][right];
    if (right === 3) return `${count} of four are right. To mend the last one would cost the two in the middle.`;
    const text = `${count} of four ${right === 1 ? "is" : "are"} right`;
    return `${text}. The sums of − − and + + together always equal those of + − and − +.`;
  },
});

export default { render, compute };
