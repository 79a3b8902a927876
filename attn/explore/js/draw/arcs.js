// Words on a line, and what two heads give them: the first head's arcs above the line, the second's below.
import { number } from "../number.js";
import { place, put, s, write } from "./elements.js";

const ARCS = { width: 420, height: 172, gap: 17, thick: 10, aside: 12, least: 42, most: 84 };

/**
 * The way from a word that looks (x in the picture) to one that it looks at, on one side of the line: up at a right
 * angle, over, and straight down to an arrow's tip. `up` is −1 above the line and 1 below. What leads from a word to
 * itself goes `outward`, −1 to the left and 1 to the right, where no other word is.
 */
const wayOf = ({ from, to, outward, high, thick, up }) => {
  const base = ARCS.height / 2 + up * ARCS.gap;
  const side = Math.sign(to - from);
  const [start, end] = side
    ? [from + side * ARCS.aside, to - side * ARCS.aside]
    : [from + outward * 4, from + outward * 24];
  const [far, tip] = [base + up * high, base + up * 1.1 * thick];
  const at = (...point) => point.map((value) => value.toFixed(2)).join(" ");
  return {
    line: `M${at(start, base)} C${at(start, far)} ${at(end, far)} ${at(end, tip)}`,
    tip: [at(end, base), at(end - 0.95 * thick, tip), at(end + 0.95 * thick, tip)].join(" "),
  };
};

/**
 * An arc leads from each word to each word that it looks at. It is as thick as the head's weight times its fader, and
 * dashed if the head is taken away. All numbers stand in the figure's tables, so this is a picture for the eye alone.
 *
 * It draws the numbers `words`, `count` of them at most, and `weights`, a matrix for each of two heads, by the trait
 * `faders`, by which each head is multiplied.
 */
export function arcs(fig, count) {
  const { width, height } = ARCS;
  const middle = height / 2;
  const places = [...Array(count).keys()];
  const words = places.map(() => s("text.abh-arc-word", { y: middle + 6 }));
  const sides = [-1, 1].map((up) => ({
    up,
    name: s("text.abh-arc-head", { x: width, y: middle + up * 66 + 4 }),
    ways: places.flatMap((i) =>
      places.map((j) => {
        const [line, tip] = [s("path.abh-arc"), s("polygon.abh-arc-tip")];
        return { i, j, line, tip, node: s("g", line, tip) };
      }),
    ),
  }));
  const picture = s(
    "svg.abh-arcs",
    { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...sides.flatMap(({ ways }) => ways.map(({ node }) => node)),
    ...words,
    ...sides.map(({ name }) => name),
  );
  fig.add(({ words: called, weights: given }, { faders: by }) => {
    const at = (i) => (width * (i + 0.5)) / called.length;
    words.forEach((word, i) => {
      write(word, called[i] ?? "");
      place(word, { x: at(i) });
    });
    sides.forEach(({ up, name, ways }, head) => {
      write(name, `${by[head] > 0 ? "+" : ""}${number(by[head], 1)} · head ${head + 1}`);
      for (const { i, j, line, tip, node } of ways) {
        const there = i < called.length && j < called.length;
        const thick = there ? ARCS.thick * Math.abs(by[head]) * given[head][i][j] : 0;
        put(node, "display", thick ? "inline" : "none");
        if (!thick) continue;
        // What looks ahead stays lower than what looks back, so that the two don't lie on each other.
        const span = Math.abs(i - j) / Math.max(1, called.length - 1);
        const high = (ARCS.least + (ARCS.most - ARCS.least) * span) * (j > i ? 0.7 : 1);
        const way = wayOf({ from: at(i), to: at(j), outward: 2 * i < called.length ? -1 : 1, high, thick, up });
        put(line, "d", way.line);
        place(line, { "stroke-width": thick });
        put(line, "stroke-dasharray", by[head] < 0 ? "7 5" : "none");
        put(tip, "points", way.tip);
      }
    });
  });
  return picture;
}
