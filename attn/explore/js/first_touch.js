// The front door: words as points (key = value), a query arrow, and the weighted average inside their hull.
// Python twin: attn/explore/first_touch.py.
import { degreesOf, maskScores, matmul, scaledScores, softmax, vectorOf } from "./core.js";
import { button, DEGREES, slider, toggle } from "./draw/controls.js";
import { matrixEditor } from "./draw/matrix_editor.js";
import { h, put, rich, s, write } from "./draw/elements.js";
import { figure, minimap } from "./draw/figure.js";
import { goals } from "./draw/goals.js";
import { matrix } from "./draw/matrix.js";
import { still, tween } from "./draw/motion.js";
import { plane } from "./draw/plane.js";
import { reserved } from "./draw/question.js";
import { reorder } from "./draw/reorder.js";

const LOOKS = 100;
// Where in [0, 1) the looks fall: as even as can be after each of them (multiples of the golden ratio).
const FALLS = Array.from({ length: LOOKS }, (_, i) => (0.5 + i * 0.6180339887498949) % 1);
const permute = (list, order) => order.map((index) => list[index]);

/** Which word each of a hundred looks falls on, if they are shared out as the weights say; −1 where all are hidden. */
const looksAt = (weights) => {
  let total = 0;
  const ends = weights.map((p) => (total += p));
  const last = weights.reduce((found, p, j) => (p > 0 ? j : found), -1); // rounding may leave the total below 1
  return FALLS.map((fall) => {
    const at = ends.findIndex((end) => fall < end);
    return at < 0 ? last : at;
  });
};

/** Pure: state in, everything that is drawn out. Rows of k, and all weights, stand in the order of the sentence. */
const compute = (state) => {
  const k = permute(state.k, state.order);
  const see = permute(state.hidden, state.order).map((hide) => !hide);
  const head = (angle, length) => {
    const q = [vectorOf(angle, length)];
    const scores = scaledScores(q, k);
    const weights = maskScores(scores, [see]).map(softmax);
    return { q, scores, weights, output: matmul(weights, k) };
  };
  const first = head(state.angle, state.length);
  const falls = looksAt(first.weights[0]);
  const looks = k.map((_, j) => falls.filter((at) => at === j).length);
  const second = head(state.angle_2, state.length_2);
  return { keys: k, see, ...first, falls, looks: [looks], second, weights_2: second.weights };
};

/** The next permutation in dictionary order: the same shuffle for every reader. */
const shuffled = (order) => {
  const next = order.slice();
  let i = next.length - 2;
  while (i >= 0 && next[i] > next[i + 1]) i -= 1;
  if (i < 0) return next.reverse();
  let j = next.length - 1;
  while (next[j] < next[i]) j -= 1;
  [next[i], next[j]] = [next[j], next[i]];
  return [...next.slice(0, i + 1), ...next.slice(i + 1).reverse()];
};

/**
 * The words, their hull, one or two queries and their outputs, and a hundred looks as dots around the words that they
 * fall on. After a jump all glides; a drag has it at once.
 */
function picture(fig, tokens) {
  const view = plane(fig, { of: "k" });
  const region = view.hull();
  const trail = view.trail();
  const lines = tokens.map(() => view.weightLine());
  const swarm = view.swarm(LOOKS);
  const veils = tokens.map(() => view.veil());
  const words = tokens.map((token, i) =>
    view.word(token, {
      grip: `k.${i}`,
      drag: (x, y) => fig.set({ k: fig.state().k.map((row, index) => (index === i ? [x, y] : row)) }),
    }),
  );
  const names = [...view.el.querySelectorAll(".abh-point > .abh-word")].map((node, i) => {
    const place = s("tspan.abh-place", { dx: 2, dy: 3 });
    node.replaceChildren(tokens[i], place);
    return place;
  });
  const arrows = ["", "_2"].map((suffix) =>
    view.arrow(suffix ? "query 2" : "query", { grip: `angle${suffix}`, also: `length${suffix}` }),
  );
  const dots = arrows.map(() => view.dot());
  // What glides, by word and not by place in the sentence: a shuffle moves none of it.
  const moving = (x, state) =>
    [x, x.second].flatMap(({ q, output, weights }) => [
      ...q[0],
      ...output[0],
      ...state.order.map((_, token) => weights[0][state.order.indexOf(token)]),
    ]);
  tween(fig, moving, (values, x, state) => {
    const seen = x.keys.filter((_, j) => x.see[j]);
    const half = values.length / 2;
    region(seen);
    state.order.forEach((token, j) => {
      words[token](state.k[token], state.hidden[token]);
      veils[token](state.k[token], state.hidden[token]);
      names[token].textContent = j + 1;
      lines[token](state.k[token], values.slice(2, 4), values[4 + token]);
    });
    [0, 1].forEach((index) => {
      const shown = index === 0 || state.second;
      const [qx, qy, ox, oy] = values.slice(index * half);
      arrows[index]([qx, qy], { shown, avoid: [[ox, oy], ...x.keys] });
      dots[index]([ox, oy], shown && seen.length > 0);
    });
    swarm(state.looks ? x.falls.map((j) => (j < 0 ? null : x.keys[j])) : []);
  });
  // Where the output comes to while a query of this length turns once.
  fig.add((_, state) => {
    const turns = fig.roams?.(state) ? Array.from({ length: 121 }, (_unused, i) => 3 * i - 180) : [];
    trail(turns.map((angle) => compute({ ...state, angle }).output[0]));
  });
  return view;
}

function render({ model, el }) {
  const tokens = model.get("tokens");
  const links = model.get("links");
  const fig = figure({
    el,
    model,
    compute,
    invite: "Drag the tip of the arrow, or a word.",
    question: "Turn the arrow. Where does the dot go, and can it ever leave the words?",
    answer:
      "The dot is a weighted average of the words. It leans toward the words that the arrow points at, " +
      "and it never leaves the shape that they span.",
  });
  const angle = slider(fig, { key: "angle", role: "q", ...DEGREES });
  const slots = tokens.map((_, j) => String(j + 1));
  const shares = { kind: "weight", cols: slots, sum: true, hidden: (x) => [x.see.map((see) => !see)] };
  const weights = matrix(fig, { ...shares, name: "weights", rows: ["query"] });
  const second = matrix(fig, { ...shares, name: "weights_2", label: "weights of query 2", rows: ["query 2"] });
  const looks = matrix(fig, { name: "looks", label: "a hundred looks", rows: ["looks"], cols: slots, domain: LOOKS });
  const rows = [weights, second, looks];
  for (const row of rows.slice(1)) row.classList.add("abh-bare-row");
  looks.classList.add("abh-no-bars"); // the dots in the plane are what they count
  fig.add((_, state) => {
    second.hidden = !state.second;
    looks.hidden = !state.looks;
  });
  const sentence = inOrder(fig, tokens, rows);
  const view = picture(fig, tokens);
  const own = links.length ? map(fig, links, tokens) : null;
  fig.stage.append(angle, h("div.abh-beside.abh-front", sentence, view.el, own, h("div.abh-rows", ...rows)));
  const shuffle = () => fig.setState({ order: shuffled(fig.state().order) });
  if (!own) fig.next.append(button("Shuffle the words", "shuffle", shuffle));

  fig.later(() => {
    const length = slider(fig, { key: "length", role: "q" });
    const angle_2 = slider(fig, { key: "angle_2", role: "q", ...DEGREES });
    const extra = h("div.abh-row", angle_2, slider(fig, { key: "length_2", role: "q" }));
    fig.add((_, state) => {
      extra.hidden = !state.second;
    });
    const points = matrixEditor(fig, {
      matrices: [{ key: "k", role: "k", rows: tokens, cols: ["x", "y"] }],
      values: (_, key) => fig.state()[key],
      minimaps: [minimap(fig, view)],
    });
    const table = (name, role, cols) => matrix(fig, { name, role, rows: ["query"], cols });
    const most = (x) => Math.max(...x.weights[0]);
    return [
      h("div.abh-row", length),
      h(
        "div.abh-row",
        h("span.abh-label", fig.control("hidden").label),
        ...tokens.map((_, j) => toggle(fig, { key: "hidden", path: [j] })),
        toggle(fig, { key: "second" }),
        toggle(fig, { key: "looks" }),
      ),
      minimap(fig, view),
      extra,
      h("div.abh-flow", table("q", "q", ["x", "y"]), table("scores", "ink", slots), table("output", "v", ["x", "y"])),
      points,
      goals(fig, [
        {
          text: `Give \`${tokens[1]}\` more than 0.9 of the weight.`,
          test: (x, state) => x.weights[0][state.order.indexOf(1)] > 0.9,
        },
        {
          text: "Make all the weights equal. There are two ways.",
          test: (x) => x.see.every(Boolean) && most(x) - Math.min(...x.weights[0]) < 0.005,
        },
        {
          text: "Put the dot exactly on a word with every word in sight. How close do you get?",
          test: (x) => x.see.every(Boolean) && most(x) > 0.99,
        },
      ]),
    ];
  });
  return fig.mount();
}

/**
 * The words, which a hand puts in another order, and the columns of the rows below them, in the order of the sentence.
 * After a jump the columns glide from where they were.
 */
function inOrder(fig, tokens, rows) {
  const { el, nodes: words, said } = reorder(fig, { key: "order", items: tokens });
  for (const word of words) word.classList.add("abh-token");
  const heads = rows.map((row) => [...row.querySelectorAll("thead th:not(.abh-sum)")]);
  const cells = rows.map((row) => [...row.querySelectorAll("td[data-row]")]);
  let before = null;
  fig.add((_, state) => {
    const { order } = state;
    words.forEach((word, token) => word.classList.toggle("abh-veiled", state.hidden[token]));
    if (String(order) === String(before)) return;
    const glides = before && fig.root.classList.contains("abh-glide") && !still();
    for (const line of heads) order.forEach((token, j) => write(line[j], tokens[token]));
    if (glides) {
      const pace = { duration: 700, easing: "ease-in-out" };
      const slide = (node, dx) =>
        dx && node.animate([{ transform: `translateX(${dx}px)` }, { transform: "none" }], pace);
      [...heads, ...cells].forEach((line) =>
        order.forEach((token, j) => slide(line[j], line[before.indexOf(token)].offsetLeft - line[j].offsetLeft)),
      );
    }
    before = order.slice();
  });
  return h("div.abh-sentence", h("span.abh-label", "the sentence "), el, said);
}

/**
 * The picture as a map of the book: each button changes it, says right below what was seen, and names a chapter that
 * follows. A button stays pressed as long as the picture stands as it left it. Pressed again, it undoes what it did;
 * another one starts from what the reader had.
 */
function map(fig, links, tokens) {
  const longest = fig.control("length").max;
  const own = ["angle", "length", "order", "hidden", "second", "looks"];
  const of = (state) => structuredClone(Object.fromEntries(own.map((key) => [key, state[key]])));
  const plain = { second: false, looks: false, hidden: tokens.map(() => false) };
  const acts = {
    shuffle: ({ order }) => ({ order: shuffled(order) }),
    /** The longest query, straight at the word that leads; at the next one if it is there already. */
    length(state) {
      const { k, angle, length, order } = state;
      const towards = (word) => Math.round(degreesOf(k[word]));
      const [shares] = compute(state).weights;
      const leader = order[shares.indexOf(Math.max(...shares))];
      const there = length === longest && angle === towards(leader);
      return { length: longest, angle: towards(there ? (leader + 1) % tokens.length : leader) };
    },
    hide: () => ({ hidden: tokens.map((_, j) => j === 1) }),
    second: () => ({ second: true }),
    triangle: ({ angle }) => ({ length: longest, angle: Math.round(angle + 60 > 180 ? angle - 300 : angle + 60) }),
    frequencies: () => ({ looks: true }),
  };
  let pressed = null; // which button, what the reader had before, and what it made of that
  const stands = (state, known) => known.keys.every((key) => String(state[key]) === String(known.after[key]));
  /** A switch in the closed part that stands as a button would leave it shows on that button too. */
  const on = {
    hide: (state) => state.hidden.some(Boolean),
    second: (state) => state.second,
    frequencies: (state) => state.looks,
  };
  fig.roams = (state) => isOn("triangle", state);
  const isOn = (act, state) => on[act]?.(state) ?? (pressed?.act === act && stands(state, pressed));
  const press = (act) => {
    const state = fig.state();
    const undo = isOn(act, state);
    const before = { ...(pressed && stands(state, pressed) ? pressed.before : of(state)), ...plain };
    const change = undo ? {} : acts[act]({ ...state, ...before });
    const keys = Object.keys(change).filter((key) => act !== "triangle" || key === "length"); // turn it as you like
    pressed = undo ? null : { act, before, after: { ...before, ...change }, keys };
    fig.setState({ ...before, ...change });
    return !undo;
  };
  const says = (link) => {
    const chapter = h("a", { href: link.href }, link.title);
    if (link.act === "frequencies") counts = h("span", told(compute(fig.state()), fig.state()));
    return [...rich(link.says), ...(link.act === "frequencies" ? [" ", counts] : []), " → ", chapter];
  };
  let counts = null; // in the sentence of the looks: they follow the arrow
  const told = ({ looks }, { order }) =>
    `Here: ${looks[0].map((count, j) => `${tokens[order[j]]} ${count}`).join(", ")}.`;
  const invite = () => rich("Six things to try. Each changes the picture, and leads to a chapter.");
  const said = h("p", { role: "status" }, ...invite());
  const box = h("div.abh-map-said", said, ...links.map((link) => reserved(says(link))));
  const silent = () => {
    counts = null;
    said.replaceChildren(...invite());
  };
  fig.onReset.push(() => {
    pressed = null;
    silent();
  });
  const buttons = links.map((link) =>
    button(link.label, `map-${link.act}`, () => {
      if (press(link.act)) said.replaceChildren(...says(link));
      else silent();
    }),
  );
  fig.add((x, state) => {
    if (counts) write(counts, told(x, state));
    links.forEach(({ act }, i) => put(buttons[i], "aria-pressed", isOn(act, state)));
  });
  const group = { role: "group", "aria-label": "The same picture is the map of this book" };
  return h("div.abh-map", group, h("div.abh-map-list", ...buttons), box);
}

export default { render, compute };
