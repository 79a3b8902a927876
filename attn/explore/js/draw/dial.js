// A dial: a clock whose hours are words, with one hand that turns back from a word, by hand.
import { snap } from "../core.js";
import { h, put, s, write } from "./elements.js";
import { offMiddle, pointerDrag } from "./pointer_drag.js";

const DIAL = { size: 200, rim: 70, tip: 62, names: 86 };

/**
 * Words stand round a clock, the first one at the top and the others clockwise; a hand points so many words back from
 * one of them. A line to each word is as thick as its weight.
 *
 * key      the trait that the hand sets: how many hours back, from 0, round and round
 * hours    how many hours the clock has
 * names    numbers => the words; there may be fewer than hours
 * from     numbers => from which word it points back
 * weights  numbers => what the hand's owner gives to each word
 */
export function dial(fig, { key, hours, names, from, weights }) {
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
  const picture = s(
    "svg",
    {
      viewBox: `${-DIAL.size / 2} ${-DIAL.size / 2} ${DIAL.size} ${DIAL.size}`,
      class: "abh-dial",
      role: "img",
      "aria-label": fig.model.get("picture"),
    },
    s("circle.abh-rim", { r: DIAL.rim }),
    ...lines,
    s("g.abh-role-q", halo, hand, tip),
    ...words,
  );
  const grip = h("div.abh-grip", { "data-grip": key });
  const frame = h("div.abh-plane-frame.abh-dial-frame", picture, grip);
  let start = 0; // the hour from which the hand points back
  let held = null;
  const turned = (x, y) => {
    const hour = (Math.atan2(x, -y) * hours) / (2 * Math.PI);
    const back = snap((((start - hour) % hours) + hours) % hours, step);
    return back > max ? min : back;
  };
  pointerDrag(grip, {
    start(event) {
      held = { state: fig.state(), ...offMiddle(grip, event) };
    },
    move(event) {
      const box = picture.getBoundingClientRect();
      fig.markInteracted([key]);
      fig.set({
        [key]: turned(
          event.clientX + held.x - box.left - box.width / 2,
          event.clientY + held.y - box.top - box.height / 2,
        ),
      });
    },
    end: () => fig.set({}, { final: true }),
    cancel: () => fig.set(held.state, { final: true }),
  });
  for (const type of ["pointerenter", "pointerleave"])
    grip.addEventListener(type, () => halo.classList.toggle("abh-near", type === "pointerenter"));
  const place = (node, x, y, [across, down]) => {
    put(node, across, x.toFixed(2));
    put(node, down, y.toFixed(2));
  };
  fig.add((x, state) => {
    const [called, shares] = [names(x), weights(x)];
    start = from(x);
    lines.forEach((line, j) => {
      put(line, "stroke-width", (14 * (shares[j] ?? 0)).toFixed(2));
      place(line, ...point(j, DIAL.tip - 8), ["x2", "y2"]);
    });
    words.forEach((word, j) => {
      write(word, called[j] ?? "");
      word.classList.toggle("abh-dial-own", j === start);
      const [left, up] = point(j, DIAL.names);
      place(word, left, up + 5, ["x", "y"]);
    });
    const [left, up] = point(start - state[key], DIAL.tip);
    place(hand, left, up, ["x2", "y2"]);
    for (const node of [halo, tip]) place(node, left, up, ["cx", "cy"]);
    grip.style.left = `${(50 + (100 * left) / DIAL.size).toFixed(3)}%`;
    grip.style.top = `${(50 + (100 * up) / DIAL.size).toFixed(3)}%`;
  });
  return frame;
}
