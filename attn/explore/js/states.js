// A figure's state, to take along: as a link, as a program in NumPy. No DOM.

const leavesOf = (value) => (Array.isArray(value) ? value.flatMap(leavesOf) : [value]);
const sameLeaves = (a, b) => JSON.stringify(leavesOf(a)) === JSON.stringify(leavesOf(b));
/** The shape of `like`, filled with the entries of an iterator. */
const refill = (like, entries) =>
  Array.isArray(like) ? like.map((inner) => refill(inner, entries)) : entries.next().value;

const NUMBER = /^-?\d{1,25}(\.\d{1,25})?(e[+-]?\d{1,3})?$/;
const LONGEST_LINK = 20000;

/** Whether a text of the reader's own keeps the rule of its trait: made of these letters, from fewest to most. */
export const fitsText = (text, [letters, fewest, most]) =>
  text.length >= fewest && text.length <= most && [...text].every((letter) => letters.includes(letter));

/** One entry of a trait from its text in a link; undefined if it breaks the trait's rule (attn/explore/_share.py). */
const entryFrom = ([kind, ...limits], text) => {
  if (kind === "of") {
    const number = NUMBER.test(text) ? Number(text) : null;
    return limits.find((option) => option === number || String(option) === text);
  }
  if (kind === "bool") return { 0: false, 1: true }[text];
  if (kind === "text") return fitsText(text, limits) ? text : undefined;
  if (!["int", "order", "number"].includes(kind) || !NUMBER.test(text)) return undefined;
  const value = Number(text) + 0;
  return value >= limits[0] && value <= limits[1] && (kind === "number" || Number.isInteger(value))
    ? value
    : undefined;
};

/** What a state changes from the first one, as the text of a link: `nudge=2&faders=1,-1`. */
export const linkFrom = (state, first, rules) =>
  Object.keys(rules)
    .filter((key) => key in state && rules[key][0] !== "fixed" && !sameLeaves(state[key], first[key]))
    .map(
      (key) =>
        `${key}=${leavesOf(state[key])
          .map((entry) => (typeof entry === "boolean" ? Number(entry) : encodeURIComponent(entry)))
          .join(",")}`,
    )
    .join("&");

/**
 * The changes that the text of a link asks for; null if any of it is not as it should be. Whoever made the link may
 * have written anything: only traits of the figure are taken, in the shape that they have, each entry by its rule.
 */
export const stateFrom = (text, first, rules) => {
  if (text.length > LONGEST_LINK) return null;
  const changes = {};
  for (const pair of text ? text.split("&") : []) {
    const cut = pair.indexOf("=");
    const key = pair.slice(0, cut);
    if (cut < 1 || !Object.hasOwn(rules, key) || !Object.hasOwn(first, key) || Object.hasOwn(changes, key))
      return null;
    let texts;
    try {
      texts = pair
        .slice(cut + 1)
        .split(",")
        .map(decodeURIComponent);
    } catch {
      return null;
    }
    const before = leavesOf(first[key]);
    if (texts.length !== before.length) return null;
    const entries = texts.map((entry) => entryFrom(rules[key], entry));
    if (entries.includes(undefined)) return null;
    if (rules[key][0] === "order" && new Set(entries).size !== new Set(before).size) return null;
    changes[key] = refill(first[key], entries.values());
  }
  return changes;
};

/** A value as Python writes it; the rows of a matrix stand below each other. */
const python = (value, indent) => {
  if (Array.isArray(value)) {
    const apart = Array.isArray(value[0]) ? `,\n${" ".repeat(indent + 1)}` : ", ";
    return `[${value.map((inner) => python(inner, indent + 1)).join(apart)}]`;
  }
  if (ArrayBuffer.isView(value)) return python(Array.from(value), indent);
  if (typeof value === "string") return JSON.stringify(value);
  if (Math.abs(value) === Infinity) return value > 0 ? "np.inf" : "-np.inf";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
};

const SOFTMAX = `def softmax(x):  # a row of -inf gets zeros
    e = np.exp(x - np.maximum(x.max(axis=-1, keepdims=True), -1e300))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1)

`;

/**
 * A program in NumPy alone from a figure's own, in which {name} stands for one of its values; lists become arrays, and
 * `about` says above it which state of which figure this is.
 */
export const numpyFrom = (about, program, values) => {
  const filled = program.replace(/\{(\w+)\}/g, (_, name, place) => {
    const value = values[name];
    const indent = place - program.lastIndexOf("\n", place) - 1 + "np.array(".length;
    return Array.isArray(value) || ArrayBuffer.isView(value)
      ? `np.array(${python(value, indent)})`
      : python(value, 0);
  });
  const needs = /\bsoftmax\(/.test(program) ? `\n${SOFTMAX}` : "";
  return `# ${about}\nimport numpy as np\n${needs}\n${filled}\n`;
};
