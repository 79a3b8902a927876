// What a reader has practised, kept on this device alone: which exercises were tried, how often, and whether solved.
// Where nothing can be kept, it lasts as long as the page, and nothing is said on the console.

const KEPT = "attention-by-hand:practice";
export const KEPT_FORMAT = "attn-practice-1";

/** A name that an exercise or a card can have; whatever else stands in a store is not ours. */
const isName = (name) => typeof name === "string" && /^[a-z0-9][a-z0-9_.-]{0,79}$/.test(name);
const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 1e6;
const isTime = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));

const isTry = (found) =>
  typeof found === "object" &&
  found !== null &&
  typeof found.passed === "boolean" &&
  isCount(found.tries) &&
  isTime(found.checked);

/** What is sound of a text that was kept or imported: nonsense is left out, whatever it is. */
export function soundly(text) {
  let read = null;
  try {
    read = JSON.parse(text);
  } catch {
    // not JSON: then there is nothing in it
  }
  const tried = new Map();
  if (read?.format === KEPT_FORMAT && typeof read.exercises === "object" && read.exercises !== null)
    for (const [name, found] of Object.entries(read.exercises))
      if (isName(name) && isTry(found))
        tried.set(name, { passed: found.passed, tries: found.tries, checked: found.checked });
  return { format: KEPT_FORMAT, exercises: Object.fromEntries(tried) };
}

let held = null; // where nothing can be kept

function load() {
  try {
    return soundly(localStorage.getItem(KEPT));
  } catch {
    return held ?? soundly("");
  }
}

function keep(all) {
  held = all;
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // a browser that keeps nothing, or a full store
  }
  document.dispatchEvent(new CustomEvent("abh-practised"));
}

/** What is known of an exercise: { passed, tries, checked }, or undefined where it was never tried. */
export const seen = (name) => new Map(Object.entries(load().exercises)).get(name);

/** Note a try of an exercise. What has passed once stays passed. */
export function record(name, passed) {
  if (!isName(name)) throw new Error(`an exercise's name has small letters, digits, - _ and ., got ${name}`);
  const all = load();
  const before = Object.hasOwn(all.exercises, name) ? all.exercises[name] : { passed: false, tries: 0 };
  all.exercises[name] = {
    passed: before.passed || passed,
    tries: before.tries + 1,
    checked: new Date().toISOString(),
  };
  keep(all);
}
