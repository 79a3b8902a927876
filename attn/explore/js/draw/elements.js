// Elements of a figure: made, and written to only where something changed.

const SVG = "http://www.w3.org/2000/svg";

/** What all figures in sight share. In a notebook each figure is a module of its own, and so would a variable be. */
export const shared = (globalThis.attentionByHand ??= {
  figures: 0, // numbers the figures, so that no two have the same ids
  lecturer: null, // ends the lecture of the figure that the keys move: one at a time
  claimed: ["", null], // a step's name in the address is for the first figure that has such a step
});

/**
 * An element from its name with its classes, "p.abh-label"; its attributes, and listeners as "onclick", where there are
 * any; and its children. Text goes in as text, never as HTML.
 */
const element = (create, name, given) => {
  const [tag, ...classes] = name.split(".");
  const [props, children] = given[0]?.constructor === Object ? [given[0], given.slice(1)] : [{}, given];
  const node = create(tag);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
};

/** An HTML element. */
export const h = (name, ...given) => element((tag) => document.createElement(tag), name, given);

const LEAST = 11; // px: no text in a picture is drawn smaller, however small the picture is

/** Say to each picture how large its text has to be, in its own units (explore.css). */
const sizes =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        for (const { target, contentRect } of entries) {
          const { width, height } = target.viewBox.baseVal;
          const scale = Math.min(contentRect.width / width, contentRect.height / height);
          if (scale > 0) target.style.setProperty("--abh-least", `${(LEAST / scale).toFixed(2)}px`);
        }
      });

/** An SVG element. */
export const s = (name, ...given) => {
  const node = element((tag) => document.createElementNS(SVG, tag), name, given);
  if (node.localName === "svg") sizes?.observe(node);
  return node;
};

/** A link to a page of the book, where one is such a page; in a notebook its text. */
export const linkTo = (address, text) => {
  const base = document.documentElement.dataset.content_root; // a page of the book has it
  return base === undefined ? text : h("a", { href: `${base}${address}` }, text);
};

/** Set an attribute only where it changed: the cheapest update is none. */
export const put = (node, name, value) => {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
};

/** Set where a part of a picture is, as numbers: { cx: 12.3456 }. */
export const place = (node, values) => {
  for (const [name, value] of Object.entries(values)) put(node, name, value.toFixed(2));
};

/** Set a text only where it changed. */
export const write = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

/** A number of a figure with its name, numbers[name], as `format` writes it. */
export const scalar = (fig, name, format, tag = "b") => {
  const node = h(tag, { "data-scalar": name });
  fig.add((numbers) => {
    const [value] = [numbers[name]].flat(2); // a table has it as a matrix
    put(node, "data-value", value);
    write(node, format(value));
  });
  return node;
};

/** A name in italics, with its index below the line where it has one: d_k. */
const named = (name) => {
  const [letter, ...index] = name.split("_");
  return h("em", letter, index.length ? h("sub", index.join("_")) : null);
};

/**
 * `code` and *emphasis* in a plain string become elements, and so do d_k, W_O and σ_q, which get their index, and ●
 * and ○, which wear the color of their dots; all else stays text, with quotation marks and apostrophes as in print.
 */
export const rich = (text) => {
  let count = 0;
  const quote = () => {
    count += 1;
    return count % 2 ? "“" : "”";
  };
  const typeset = (piece) => piece.replace(/"/g, quote).replace(/'/g, "’");
  return text.split(/(`[^`]+`|\*[^*]+\*|[●○]|(?<!\w)[dWσμ]_(?:model|[a-zA-Z])(?!\w))/).map((piece) => {
    if (piece === "●" || piece === "○") return h("span.abh-glyph", piece);
    if (/^`.+`$/.test(piece)) return h("code", piece.slice(1, -1));
    if (/^\*.+\*$/.test(piece)) return named(typeset(piece.slice(1, -1)));
    return /^[dWσμ]_/.test(piece) ? named(piece) : typeset(piece);
  });
};

/** A text without its marks, as it is spoken. */
export const plainly = (text) => text.replace(/[`*]/g, "").replace(/(?<!\w)([dWσμ])_(?=\w)/g, "$1 ");

/** A text in a picture, in which d_k, σ_q and μ_q get their index; what comes after it is back on the line. */
export const indexed = (text) =>
  text.split(/((?<!\w)[dσμ]_[a-z])(?!\w)/).flatMap((piece, i) => {
    if (i % 2) return [s("tspan.abh-letter", piece[0]), s("tspan.abh-index", { dy: ".3em" }, piece.slice(2))];
    return i && piece ? s("tspan", { dy: "-.225em" }, piece) : piece || [];
  });
