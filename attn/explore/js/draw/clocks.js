// Clock faces with two hands each, a query's and a key's, and their numbers below.
import { h, place, put, s, write } from "./elements.js";
import { cellMatrix } from "./matrix.js";

const RIM = 44;

/**
 * Clocks: the first number of a pair goes right, the second up.
 *
 * name     of the hands' numbers: two rows, the pairs that are drawn side by side
 * cols     what the two numbers of a pair are called
 * pairs    numbers => which pair each clock shows
 * heads    state => what the two hands are called
 * told     (pair, state) => what the picture says to who does not see it
 * caption  (pair, numbers, state) => a line below the clock
 * reach    the length of a hand that ends at the rim
 * tips     how large the tips are: where the key's is larger, its hand is hollow, and shows where two hands are one
 */
export function clockFaces(fig, { name, cols, pairs, reach = 1, tips: radii = [4, 4], ...texts }) {
  const { heads: called, told, caption: below } = texts;
  const el = h("div.abh-clocks.abh-signed", { "data-matrix": name });
  el.classList.toggle("abh-hollow", radii[1] > radii[0]);
  let drawn = [];
  const build = (count) => {
    drawn = Array.from({ length: count }, (_, c) => {
      const hands = ["q", "k"].map((role) => s(`line.abh-hand.abh-hand-${role}`, { x1: 0, y1: 0 }));
      const tips = ["q", "k"].map((role, k) => s(`circle.abh-tip-${role}`, { r: radii[k] }));
      const inside = s("line.abh-hand-inside", { x1: 0, y1: 0 });
      const between = s("polygon.abh-hull");
      const face = s(
        "svg.abh-face",
        { viewBox: "-60 -60 120 120", role: "img" },
        s("circle.abh-rim", { r: RIM }),
        ...[0, 1, 2, 3].map((k) =>
          s("line.abh-rim", { x1: 0, x2: 0, y1: -RIM, y2: 5 - RIM, transform: `rotate(${90 * k})` }),
        ),
        between,
        hands[1],
        inside,
        tips[1],
        hands[0],
        tips[0],
      );
      const table = cellMatrix({ rows: ["", ""], cols, domain: reach, firstCol: 2 * c });
      const rows = [...table.el.querySelectorAll("tbody tr")];
      rows.forEach((row, k) => row.classList.add(`abh-role-${"qk"[k]}`));
      const caption = h("p.abh-turn");
      return {
        hands,
        inside,
        tips,
        between,
        face,
        table,
        heads: rows.map((row) => row.querySelector("th")),
        caption,
      };
    });
    el.replaceChildren(...drawn.map(({ face, table, caption }) => h("div.abh-clock", face, table.el, caption)));
  };
  fig.add((x, state) => {
    const [which, both] = [pairs(x), x[name]];
    if (drawn.length !== which.length) build(which.length);
    el.parentElement?.classList.toggle("abh-many", which.length > 2);
    which.forEach((i, c) => {
      const { hands, inside, tips, between, face, table, heads, caption } = drawn[c];
      const unit = RIM / reach;
      const points = both.map((row) => [unit * row[2 * c], -unit * row[2 * c + 1]]);
      points.forEach(([a, b], k) => {
        place(hands[k], { x2: a, y2: b });
        place(tips[k], { cx: a, cy: b });
        write(heads[k], String(called(state)[k]));
      });
      place(inside, { x2: points[1][0], y2: points[1][1] });
      put(between, "points", ["0,0", ...points.map((point) => point.map((v) => v.toFixed(2)).join())].join(" "));
      put(face, "aria-label", told(i, state));
      const shown = both.map((row) => row.slice(2 * c, 2 * c + 2));
      table.update(shown, null);
      write(caption, below(i, x, state));
    });
  });
  return el;
}
