// How the book writes a number, in the page. The rule, and its twin for pictures, worksheets and checkers, are in
// attn/_numbers.py.

const LARGE = 1e6; // from here on as a power of ten

/** A number of a million or more as a head with so many decimals and a power of ten; a tie goes away from zero. */
const powerOfTen = (size, decimals) => {
  const [head, power] = size.toExponential(decimals).split("e+");
  return `${Number(head)}e${power}`;
};

/** Two decimals, whole numbers bare, U+2212 for minus; rounded by the exact value, a tie away from zero. */
export const number = (value, decimals = 2) => {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  let text = "∞";
  if (size < LARGE) text = Number.isInteger(value) ? String(size) : size.toFixed(decimals);
  else if (size < Infinity) text = powerOfTen(size, decimals);
  return value < 0 ? `−${text}` : text;
};

const endsAfter = (value, decimals) => Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) < 1e-9;

/** A weight, or a sum of weights: never 0 or 1 unless it is. One that ends after `most` decimals has them all. */
export const weightText = (value, most = 2) => {
  if (Math.abs(value - 1) < 1e-12) return "1";
  if (value > 0 && value < 0.01) return "<.01";
  if (value > 0.99 && value < 1) return ">.99";
  return number(value, value > 0 && value < 1 && endsAfter(value, most) && !endsAfter(value, 2) ? most : 2);
};

/** As many decimals as a number needs, from `least` to `most`: a probability, an answer that a reader typed. */
export const needed = (value, least, most) => {
  const far = Math.abs(value);
  const short = String(Number(far.toFixed(most)));
  const text = (short.split(".")[1] ?? "").length < least ? far.toFixed(least) : short;
  return value < 0 ? `−${text}` : text;
};

/** A count, its thousands parted by commas. */
export const grouped = (value) => value.toLocaleString("en-US");

/** Three digits of a number above zero, whatever its size. */
export const digits = (value) =>
  value >= 99.95 ? String(Math.round(value)) : value >= 0.01 ? number(value) : value.toPrecision(2);

const MINUS = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const TYPED = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?)(?:\/(\d{1,9})|(%))?$/i;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:[,\s]\d{3})+(?![\d,])/;

/**
 * A number as a reader types it; NaN for what is none, or could be two. 0.33, .33 and 0,33; 1/3; 33 %; 1e-3; any sign
 * that looks like a minus. A comma before three digits parts thousands, as the book writes them.
 */
export const readNumber = (text) => {
  const plain = text
    .replace(MINUS, "-")
    .replace(/[⁄∕÷:]/, "/")
    .trim()
    .replace(/^([+-])\s+/, "$1")
    .replace(/\s*([/%])\s*/, "$1")
    .replace(THOUSANDS, (whole) => whole.replace(/[,\s]/g, ""))
    .replace(",", ".");
  const [, top, bottom, percent] = TYPED.exec(plain) ?? [];
  const value = Number(top) / (percent ? 100 : Number(bottom ?? 1));
  return Number.isFinite(value) ? value + 0 : NaN; // + 0: "−0" is 0
};
