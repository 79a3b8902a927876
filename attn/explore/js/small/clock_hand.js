// Chapter 1. A pair is the sine and cosine of a clock's hand. Python twin: attn/explore/small/positional_encoding.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const compute = ({ position }) => {
  const pair = [[Math.sin(position), Math.cos(position)]];
  return { hand: pair, pair };
};

const render = small({
  name: "ClockHand",
  question: "The first clock turns by 1 radian from word to word. What does its pair hold?",
  compute,
  tell({ pair: [[sine, cosine]] }, { position }) {
    if (position === 0) return "Position 0: the hand points to twelve, with sine 0 and cosine 1.";
    return `Position ${position}: ${number(sine)} is how far right the hand reaches, ${number(cosine)} how far up.`;
  },
});

export default { render, compute };
