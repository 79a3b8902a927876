// What a reader has practised, kept on this device alone: which exercises were tried, how often, and whether solved;
// which recall cards were known, and when they come again; and which chapters' pages were opened. Where nothing can
// be kept, it lasts as long as the page, and nothing is said on the console. What was kept, and what a file brings,
// may be nonsense: that is left out.
import { isObject, readStored, writeStored } from "./stored.js";

const KEPT = "attention-by-hand:practice";
const KEPT_FORMAT = "attn-practice-1";
/** The format of the file to hand in, which attn.check.results writes and reads too. */
const RESULTS_FORMAT = "attn-results-1";
/** After how many days a card comes again: known once more, it moves on by one; not known, it starts anew. */
export const INTERVALS = [1, 3, 7, 21, 60];
const MOST = 5000; // entries of a kind: a store has room for some megabytes, and the book for some hundred names
const LONGEST = 1_000_000; // characters of a file

/** A name that an exercise or a card can have; whatever else stands in a store is not ours. */
const isName = (name) => typeof name === "string" && /^[a-z0-9][a-z0-9_.-]{0,79}$/.test(name);
const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 1e6;
const isTime = (value) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));

const isTry = (found) =>
  isObject(found) && typeof found.passed === "boolean" && isCount(found.tries) && isTime(found.checked);
const isCard = (found) =>
  isObject(found) && isCount(found.step) && found.step < INTERVALS.length && isTime(found.rated) && isTime(found.due);
const isOpened = (found) => isObject(found) && isTime(found.opened);

/** The entries of an object that have a name and are sound, each with the fields that are ours. */
const soundOf = (found, test, fields) =>
  Object.fromEntries(
    Object.entries(isObject(found) ? found : {})
      .filter(([name, entry]) => isName(name) && test(entry))
      .slice(0, MOST)
      .map(([name, entry]) => [name, Object.fromEntries(fields.map((field) => [field, entry[field]]))]),
  );

/** What is sound of what was kept or imported: nonsense is left out, whatever it is. */
export function soundly(read) {
  const ours = isObject(read) && read.format === KEPT_FORMAT ? read : {};
  return {
    format: KEPT_FORMAT,
    exercises: soundOf(ours.exercises, isTry, ["passed", "tries", "checked"]),
    cards: soundOf(ours.cards, isCard, ["step", "rated", "due"]),
    chapters: soundOf(ours.chapters, isOpened, ["opened"]),
  };
}

let held = null; // what could not be stored: a browser keeps nothing, or its store is full

const load = () => held ?? soundly(readStored("localStorage", KEPT));

const changed = () => document.dispatchEvent(new CustomEvent("abh-practised"));

function keep(all) {
  held = writeStored("localStorage", KEPT, all) ? null : all;
  changed();
}

const own = (entries, name) => (Object.hasOwn(entries, name) ? entries[name] : undefined);

/** Whether what is practised outlasts the page. */
export function lasts() {
  try {
    const probe = `${KEPT}:probe`;
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    // A page of the book has a store in any case (bookext/templates/layout.html), which may be no real one.
    return typeof Storage === "undefined" || localStorage instanceof Storage;
  } catch {
    return false;
  }
}

/** What is known of an exercise: { passed, tries, checked }, or undefined where it was never tried. */
export const seen = (name) => own(load().exercises, name);

/** Note a try of an exercise. What has passed once stays passed. */
export function record(name, passed) {
  const all = load();
  const before = own(all.exercises, name) ?? { passed: false, tries: 0 };
  all.exercises[name] = {
    passed: before.passed || Boolean(passed),
    tries: before.tries + 1,
    checked: new Date().toISOString(),
  };
  keep(all);
}

/** Note that the page of a chapter, "3", was opened. */
export function noteOpened(chapter) {
  const all = load();
  if (Object.hasOwn(all.chapters, chapter)) return;
  all.chapters[chapter] = { opened: new Date().toISOString() };
  keep(all);
}

/** Whether a chapter was met: its page was opened, or one of its exercises or cards was tried. */
export function isMet(chapter, names) {
  const all = load();
  const known = (name) => Object.hasOwn(all.exercises, name) || Object.hasOwn(all.cards, name);
  return Object.hasOwn(all.chapters, chapter) || names.some(known);
}

// ---------------------------------------------------------------- cards

/** The start of the day that lies some days after a time, where the reader is. */
const dayAfter = (time, days) => {
  const day = new Date(time);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day.toISOString();
};

/** The number of a time's day in the calendar where the reader is; so a day of 23 or 25 hours is one day. */
const dayOf = (time) => {
  const day = new Date(time);
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / 86_400_000;
};

/** How many days it is from today to the day of a time, where the reader is. */
export const daysUntil = (time, now = Date.now()) => dayOf(Date.parse(time)) - dayOf(now);

/** What is known of a card: { step, rated, due }, or undefined where it was never answered. */
export const cardSeen = (name) => own(load().cards, name);

/** Whether a card that was answered before comes again now. One that a wrong clock put too far ahead comes, too. */
export function isDue(card, now = Date.now()) {
  const [due, latest] = [Date.parse(card.due), Date.parse(dayAfter(now, INTERVALS.at(-1) + 1))];
  return due <= now || due > latest;
}

/**
 * Note that a card was known, or not yet. Returns after how many days it comes again. What is known before its day
 * keeps its day: to look twice in a day is not to remember for longer.
 */
export function rate(name, knew, now = Date.now()) {
  const all = load();
  const before = own(all.cards, name);
  const rated = new Date(now).toISOString();
  if (knew && before && !isDue(before, now)) {
    all.cards[name] = { ...before, rated };
  } else {
    const step = knew && before ? Math.min(before.step + 1, INTERVALS.length - 1) : 0;
    all.cards[name] = { step, rated, due: dayAfter(now, INTERVALS[step]) };
  }
  keep(all);
  return daysUntil(all.cards[name].due, now);
}

// ---------------------------------------------------------------- out, in, away

/** All that is kept, as the text of a file. */
export const exported = () => `${JSON.stringify(load(), null, 1)}\n`;

/** Which of two entries counts: the later one; of tries, passed once is passed, and the larger count. */
const later = (field) => (one, other) => (one[field] < other[field] ? other : one);
const both = (one, other) => ({
  ...later("checked")(one, other),
  passed: one.passed || other.passed,
  tries: Math.max(one.tries, other.tries),
});

/** Whether a name is an exercise's, and not that of a part of one, which is there too. */
const notLevel = (exercise) => !/\.level-\d+$/.test(exercise);

/**
 * Add what a file holds to what is kept. Returns how many exercises and cards it held: { exercises, cards }; null where
 * the text is no such file, and then nothing changes.
 */
export function imported(text) {
  if (text.length > LONGEST) return null;
  let read = null;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const found = soundly(read);
  const counts = {
    exercises: Object.keys(found.exercises).filter(notLevel).length,
    cards: Object.keys(found.cards).length,
  };
  if (!counts.exercises && !counts.cards) return null;
  const all = load();
  const merge = (mine, theirs, choose) => {
    for (const [name, entry] of Object.entries(theirs))
      mine[name] = Object.hasOwn(mine, name) ? choose(mine[name], entry) : entry;
  };
  merge(all.exercises, found.exercises, both);
  merge(all.cards, found.cards, later("rated"));
  merge(all.chapters, found.chapters, (mine) => mine);
  keep(all);
  return counts;
}

/** Forget all of it. */
export function erase() {
  held = null;
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // nothing was kept
  }
  changed();
}

/** A name on one line, as `read` of attn.check.results takes it; what joins letters stays, as Persian needs. */
const lineOf = (name) =>
  name
    .replace(/\s+/gu, " ")
    .replace(/(?![\u200c-\u200f])\p{C}/gu, "")
    .trim();

/**
 * The file to hand in, as attn.check.results writes it: the exercises that were tried, and no cards, which nobody but
 * the reader judges. `version` is the package's.
 */
export const handedIn = (who, version) => ({
  format: RESULTS_FORMAT,
  name: lineOf(who) || null,
  attn: version,
  python: null,
  written: new Date().toISOString(),
  exercises: Object.entries(load().exercises)
    .filter(([exercise]) => notLevel(exercise))
    .map(([exercise, { passed, tries, checked }]) => ({ exercise, passed, tries, checked })),
});
