// A dial: a clock whose hours are words, with one hand that turns back from a word, by hand.
import { snap } from "../core.js";
import { h, place, s, write } from "./elements.js";
import { gripOf } from "./grip.js";

const DIAL = { size: 200, rim: 70, tip: 62, names: 86 };

/**
 * Words stand round a clock, the first one at the top and the others clockwise; a hand points so many words back from
 * one of them. A line to each word is as thick as its weight.
 *
 * It draws the numbers `words`, of which there may be fewer than hours, and the last row of `weights`.
 *
 * key      the trait that the hand sets: how many hours back from the last word, from 0, round and round
 * hours    how many hours the clock has
 * weights  the name of a matrix: what each word gives to each
 */
export function dial(fig, { key, hours, weights }) {
  const { min, max, step } = fig.control(key);
  const point = (hour, far) => {
    const angle = (2 * Math.PI * hour) / hours;
    return [far * Math.sin(angle), -far * Math.cos(angle)];
  };
  const lines = Array.from({ length: hours }, () => s("line.abh-weight-line", { x1: 0, y1: 0 }));
  const words = Array.from({ length: hours }, () => s("text.abh-dial-word"));
  const hand = s("line.abh-dial-hand", { x1: 0, y1: 0 });
  const halo = s("circle.abh-halo.abh-role-q", { r: 15 });
  const tip = s("circle.abh-tip-q", { r: 6 });
  const box = `${-DIAL.size / 2} ${-DIAL.size / 2} ${DIAL.size} ${DIAL.size}`;
  const picture = s(
    "svg.abh-dial",
    { viewBox: box, role: "img", "aria-label": fig.model.get("picture") },
    s("circle.abh-rim", { r: DIAL.rim }),
    ...lines,
    s("g.abh-role-q", halo, hand, tip),
    ...words,
  );
  let start = 0; // the hour from which the hand points back
  const { node: grip, putAt } = gripOf(fig, picture, halo, { trait: key }, (across, down) => {
    const hour = (Math.atan2(across - 0.5, 0.5 - down) * hours) / (2 * Math.PI);
    const back = snap((((start - hour) % hours) + hours) % hours, step);
    fig.set({ [key]: back > max ? min : back });
  });
  fig.add((x, state) => {
    const [called, shares] = [x.words, x[weights].at(-1)];
    start = called.length - 1;
    lines.forEach((line, j) => {
      const [x2, y2] = point(j, DIAL.tip - 8);
      place(line, { x2, y2, "stroke-width": 14 * (shares[j] ?? 0) });
    });
    words.forEach((word, j) => {
      write(word, called[j] ?? "");
      word.classList.toggle("abh-dial-own", j === start);
      const [left, up] = point(j, DIAL.names);
      place(word, { x: left, y: up + 5 });
    });
    const [left, up] = point(start - state[key], DIAL.tip);
    place(hand, { x2: left, y2: up });
    for (const node of [halo, tip]) place(node, { cx: left, cy: up });
    putAt(0.5 + left / DIAL.size, 0.5 + up / DIAL.size);
  });
  return h("div.abh-plane-frame.abh-dial-frame", picture, grip);
}
