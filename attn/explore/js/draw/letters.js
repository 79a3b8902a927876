// A text letter by letter: who asks, and whom it looks at.
import { clamp } from "../core.js";
import { weightText } from "../number.js";
import { h, put, write } from "./elements.js";
import { dragState } from "./pointer_drag.js";

/**
 * A text in a line, or in lines that follow each other; over each letter a bar as high as its weight, and the number.
 * A tap on a letter lets it ask, and a hand that moves along goes on from letter to letter; the trait's slider does
 * the same for the keyboard. It is a matrix of one row, so that what it shows can be read and tested.
 *
 * It draws the numbers `text` and `at`, the letter that asks; what comes after it is hatched.
 *
 * key   the trait that is set: which letter asks, from 0
 * name  that of the weights, a matrix of one row
 * most  how many letters there may be
 */
export function letters(fig, { key, name, most }) {
  const cells = Array.from({ length: most }, (_, j) => {
    const num = h("span.abh-num");
    const bar = h("i.abh-letter-bar", { "aria-hidden": "true" });
    const word = h("b.abh-letter");
    const el = h("div.abh-letter-cell", { "data-row": 0, "data-col": j }, num, h("span.abh-letter-well", bar), word);
    return { el, num, bar, word };
  });
  const line = h("div.abh-letters.abh-weight", { "data-matrix": name });
  /** The letter that is nearest to a place on the screen. */
  const nearest = ({ clientX, clientY }) => {
    const far = [...line.children].map((cell) => {
      const { left, right, top, bottom } = cell.getBoundingClientRect();
      return Math.hypot(clientX - clamp(clientX, left, right), clientY - clamp(clientY, top, bottom));
    });
    return far.indexOf(Math.min(...far));
  };
  const ask = (event) => {
    const chosen = nearest(event);
    if (chosen === fig.state()[key]) return;
    fig.markInteracted([key]);
    fig.set({ [key]: chosen });
  };
  dragState(fig, line, { start: ask, move: ask, scrolls: true });
  let shown = 0;
  fig.add((x) => {
    const [called, asks, [row]] = [[...x.text], x.at, x[name]];
    if (shown !== called.length) line.replaceChildren(...cells.slice(0, (shown = called.length)).map(({ el }) => el));
    called.forEach((letter, j) => {
      const { el, num, bar, word } = cells[j];
      put(el, "data-value", row[j]);
      el.classList.toggle("abh-letter-asks", j === asks);
      el.classList.toggle("abh-letter-later", j > asks);
      el.classList.toggle("abh-letter-least", row[j] < 0.01);
      write(word, letter === " " ? "_" : letter);
      write(num, weightText(row[j]));
      bar.style.transform = `scaleY(${clamp(row[j], 0, 1)})`;
    });
  });
  return line;
}
