// Chapter 1. A sine alone does not say where its hand goes. Python twin: attn/explore/small/positional_encoding.py.
import { small } from "../draw/small.js";
import { number } from "../number.js";

const compute = ({ angle }) => {
  const turn = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  return {
    rising: [[sine, cosine]],
    falling: [[sine, -cosine]],
    later: [[Math.sin(turn + 1), Math.sin(Math.PI - turn + 1)]],
  };
};

const render = small({
  name: "SameSine",
  question: "Two hands have the same sine now. Do they have the same sine 1 radian later?",
  compute,
  tell: ({ rising: [[sine]], later: [[up, down]] }) =>
    `Both sines are ${number(sine)} now, and ${number(up)} and ${number(down)} later: the cosine tells which.`,
});

export default { render, compute };
