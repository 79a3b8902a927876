// The lanes of a stream: under each word what stands in each lane, as chips with a word and how much of it.
import { number, weightText } from "../number.js";
import { h, place, s, write } from "./elements.js";

const SHOWN = { least: 0.15, most: 2 }; // from how much on a word is shown, and how many at most

/** The words that a row of a lane holds most of, with how much, in the order of the vocabulary. */
const mostOf = (values, vocabulary) => {
  const rounded = values.map((value) => Math.round(value * 1e6)); // so that equal ones keep their order
  const order = values.map((_, i) => i).filter((i) => values[i] >= SHOWN.least);
  const chosen = order.toSorted((i, j) => rounded[j] - rounded[i]).slice(0, SHOWN.most);
  return order.filter((i) => chosen.includes(i)).map((i) => [values[i], vocabulary[i]]);
};

const chipText = (value) => (value <= 1 ? weightText(value).replace(/^0\./, ".") : number(value));

/**
 * A column for each word, a row for each lane: its token, its place as the hand of a clock, and what is written.
 *
 * It draws the numbers `words`, and says by the traits `places` and `lane` whether words know their places, and which
 * lane is read at the last word.
 *
 * most, hours   how many columns there may be; how many hours the clock has
 * rows          names of the other lanes: matrices with a row for each word, an entry for each of `vocabulary`
 */
export function lanes(fig, { most, hours, rows, vocabulary }) {
  const columns = [...Array(most).keys()];
  const line = (name, cells) => h("tr", h("th", { scope: "row" }, name), ...cells);
  const tokens = columns.map(() => h("td", h("span.abh-lane-chip.abh-lane-token")));
  const places = columns.map((j) => {
    const angle = (2 * Math.PI * j) / hours;
    const hand = s("line.abh-lane-hand", { x1: 0, y1: 0 });
    place(hand, { x2: 9 * Math.sin(angle), y2: -9 * Math.cos(angle) });
    const face = s(
      "svg.abh-lane-clock",
      { viewBox: "-12 -12 24 24", "aria-hidden": "true" },
      s("circle.abh-rim", { r: 10 }),
      hand,
    );
    return h("td", face, h("span.abh-lane-place", String(j)));
  });
  const written = rows.map(() => columns.map(() => h("td.abh-lane-cell")));
  const table = h(
    "table.abh-lanes",
    h("caption.abh-label", "the stream: what is written at each word"),
    h("tbody", line("token", tokens), line("place", places), ...rows.map((name, r) => line(name, written[r]))),
  );
  const told = rows.map(() => columns.map(() => ""));
  fig.add((x, state) => {
    const called = x.words;
    const isRead = (name, j) => state.lane === name && j === called.length - 1;
    columns.forEach((j) => {
      const gone = j >= called.length;
      for (const cell of [tokens[j], places[j], ...written.map((cells) => cells[j])]) cell.hidden = gone;
      write(tokens[j].firstChild, called[j] ?? "");
      places[j].classList.toggle("abh-lane-none", !state.places);
      rows.forEach((name, r) => {
        const cell = written[r][j];
        cell.classList.toggle("abh-lane-read", isRead(name, j));
        if (gone) return;
        const top = mostOf(x[name][j], vocabulary).map(([value, word]) => [word, chipText(value)]);
        const text = top.join(" ");
        if (told[r][j] === text && cell.childNodes.length) return;
        told[r][j] = text;
        cell.replaceChildren(
          ...(top.length
            ? top.map(([word, much]) => h("span.abh-lane-chip", h("b", word), h("i", much)))
            : [h("span.abh-lane-empty", "–")]),
        );
      });
    });
    tokens.forEach((cell, j) => cell.classList.toggle("abh-lane-read", isRead("token", j)));
  });
  return table;
}
