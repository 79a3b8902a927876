// Chapter 7. How often two words meet, their margins held: PMI, and the attention row that is p(j|i).
// Python twin: attn/explore/pmi.py.
import { clamp, mutualInformation, npmi, pmi, snap, softmax } from "./core.js";
import { radios, slider, stories } from "./draw/controls.js";
import { h, place, put, s, write } from "./draw/elements.js";
import { figure } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { linkTokens } from "./draw/tokens.js";
import { needed, number } from "./number.js";

const NONE = 1e-12; // what rounding can do

/** What p_11 can be when both margins are given: Fréchet's bounds. */
const bounds = ({ p_row, p_column }) => ({ min: Math.max(0, p_row + p_column - 1), max: Math.min(p_row, p_column) });

/** Pure: state in, everything that is drawn out. */
const compute = ({ p_11, p_row, p_column, unit }) => {
  const one = unit === "bits" ? Math.LN2 : 1; // nats in one unit
  const calm = (x) => (Math.abs(x - Math.round(x)) < NONE ? Math.round(x) + 0 : x); // 0 where it is 0, and −1 bare
  const joint = [
    [p_11, p_row - p_11],
    [p_column - p_11, 1 - p_row - p_column + p_11],
  ].map((row) => row.map(calm));
  const margin = [p_row, 1 - p_row];
  const prior = [p_column, 1 - p_column];
  const nats = pmi(joint).map((row) => row.map(calm));
  const table = nats.map((row) => row.map((x) => calm(x / one)));
  const scores = nats.map((row) => row.map((x, j) => x + Math.log(prior[j])));
  return {
    joint,
    margin: margin.map((p) => [p]),
    prior: [prior],
    chance: margin.map((a) => prior.map((b) => a * b)),
    pmi: table,
    ppmi: table.map((row) => row.map((x) => Math.max(0, x))),
    npmi: npmi(joint).map((row) => row.map(calm)),
    scores,
    weights: scores.map(softmax),
    mutual_information: calm(mutualInformation(joint) / one),
    never: joint.map((row) => row.map((p) => p === 0)),
  };
};

const share = (p) => needed(p, 2, 4);

/** The joint table as a unit square: a row is as high as its word is frequent, and split as its attention is. */
function mosaic(fig, rows, columns) {
  const [width, left, top, side] = [300, 62, 18, 148];
  const span = width - left - 4;
  const boxes = rows.map(() => columns.map(() => s("rect.abh-tile")));
  const names = rows.map((text) => s("text", { x: left - 6, "text-anchor": "end" }, text));
  const numbers = rows.map(() => columns.map(() => s("text.abh-tile-text", { "text-anchor": "middle" })));
  const heads = columns.map((text, j) =>
    s("text", { x: j ? width - 4 : left, y: 12, "text-anchor": j ? "end" : "start" }, text),
  );
  const line = s("line.abh-prior", { y1: top - 4, y2: top + side + 4 });
  const picture = s(
    "svg",
    {
      viewBox: `0 0 ${width} ${top + side + 6}`,
      class: "abh-mosaic",
      role: "img",
      "aria-label":
        "A square cut into rows as high as each first word is frequent. " +
        "Each row is split in the shares of the second word; a dashed line shows the shares over all rows.",
    },
    ...boxes.flat(),
    line,
    ...names,
    ...heads,
    ...numbers.flat(),
  );
  fig.add((x, state) => {
    let y = top;
    rows.forEach((_, i) => {
      const height = side * x.margin[i][0];
      const cut = span * x.weights[i][0];
      [
        [left, cut],
        [left + cut, span - cut],
      ].forEach(([start, wide], j) => {
        const box = boxes[i][j];
        place(box, { x: start, y: y + 1, width: Math.max(0, wide), height: Math.max(0, height - 2) });
        box.classList.toggle("abh-tile-first", j === 0);
        place(numbers[i][j], { x: start + wide / 2, y: y + height / 2 + 4 });
        write(numbers[i][j], wide > 34 && height > 13 ? share(x.joint[i][j]) : "");
      });
      place(names[i], { y: y + height / 2 + 4 });
      y += height;
    });
    const at = left + span * state.p_column;
    place(line, { x1: at, x2: at });
  });
  return h("div.abh-mosaic-box", picture);
}

function render({ model, el }) {
  const [rows, columns] = [model.get("rows"), model.get("columns")];
  const even = (p) =>
    "All four PMI are 0: each pair meets as often as chance would have it. The first word tells nothing, " +
    `and attention returns the prior, ${share(p)} and ${share(1 - p)}, in both rows.`;
  const tell = (x, state) => {
    const [gone] = x.never.flatMap((row, i) => row.flatMap((never, j) => (never ? [[rows[i], columns[j]]] : [])));
    if (gone)
      return (
        `\`${gone[0]}\` and \`${gone[1]}\` never meet. Their PMI is −∞, their weight exactly 0: ` +
        "that is chapter 3's mask, and it wears its hatch."
      );
    if (x.mutual_information < 1e-9) return even(state.p_column);
    return (
      "PMI above 0: the pair meets more often than by chance. Below 0: less often. " +
      "Find the place where all four are 0, then go to both ends."
    );
  };
  const fig = figure({
    el,
    model,
    compute,
    tell,
    possible(state) {
      const { min, max } = bounds(state);
      return state.p_11 >= min - 1e-9 && state.p_11 <= max + 1e-9;
    },
    invite: "Both tables and the square follow.",
    question:
      `Drag how often \`${rows[0]}\` and \`${columns[0]}\` meet. ` +
      "Where does the first word tell nothing about the second?",
    answer: even(model.get("p_column")),
  });
  const meet = slider(fig, { key: "p_11", within: bounds, format: share });
  const hidden = (x) => x.never;
  const bare = { rows, cols: columns, most: 3 }; // 0.125 and 0.875 sum to one
  const association = matrix(fig, { ...bare, name: "pmi", label: "PMI", domain: 2, hidden, bare: true });
  const weights = matrix(fig, {
    ...bare,
    name: "weights",
    label: "attention = p(j|i)",
    kind: "weight",
    sum: true,
    rowHeads: false,
    hidden,
    bare: true,
  });
  const information = h("b", { "data-scalar": "mutual_information" });
  fig.add((x, state) => {
    const much = x.mutual_information;
    const text = much > 0 && much < 0.0005 ? "<.001" : number(much, 3);
    put(information, "data-value", much);
    write(information, `${text} ${much === 1 ? state.unit.slice(0, -1) : state.unit}`);
    write(association.querySelector(".abh-chip b"), `PMI, ${state.unit}`);
  });
  const tables = h(
    "div.abh-side",
    h("div.abh-pair", association, weights),
    h("p.abh-stat", h("span.abh-label", "mutual information "), information),
  );
  fig.stage.append(meet, h("div.abh-beside", mosaic(fig, rows, columns), tables));

  fig.later(() => {
    const { step } = fig.control("p_11");
    /** A margin takes p_11 along, to stay inside its bounds. */
    const marginal = (key) =>
      slider(fig, {
        key,
        format: share,
        also(value, state) {
          const { min, max } = bounds({ ...state, [key]: value });
          return { p_11: clamp(state.p_11, snap(min, step), snap(max, step)) };
        },
      });
    const table = (name, label, options = {}) => matrix(fig, { ...bare, name, label, ...options });
    const same = (a, b) => Math.abs(a - b) < 1e-9;
    const [{ changes: first }] = model.get("stories"); // the notebook's table
    return [
      h("div.abh-row", marginal("p_row"), marginal("p_column")),
      h("div.abh-row", radios(fig, { key: "unit" })),
      h(
        "div.abh-flow",
        table("joint", "p(i, j)", { kind: "weight", hidden }),
        table("margin", "p(i)", { kind: "weight", cols: ["all"] }),
        table("prior", "p(j)", { kind: "weight", rows: ["all"] }),
        table("chance", "p(i) p(j)", { kind: "weight" }),
      ),
      h(
        "div.abh-flow",
        table("ppmi", "PPMI", { domain: 2 }),
        table("npmi", "NPMI", { domain: 1 }),
        table("scores", "scores: PMI in nats + ln p(j)", { hidden }),
      ),
      h("div.abh-row", h("span.abh-label", "Stories"), ...stories(fig)),
      goals(fig, [
        {
          text: "Move the margins, then make the two words independent again.",
          test: (x, state) =>
            x.mutual_information < 1e-9 && !(same(state.p_row, first.p_row) && same(state.p_column, first.p_column)),
        },
        {
          text: `Bring the NPMI of \`${rows[0]}\` and \`${columns[0]}\` to 1: two words that occur only together.`,
          test: (x) => same(x.npmi[0][0], 1),
        },
        {
          text: "Find a table that carries one whole bit.",
          test: (x, state) => same(x.mutual_information, state.unit === "bits" ? 1 : Math.LN2),
        },
      ]),
    ];
  });
  linkTokens(fig);
  return fig.mount();
}
export default { render, compute };
