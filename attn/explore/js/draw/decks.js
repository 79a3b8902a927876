// Decks of recall cards, and what is asked of chapters that the reader has met: for the cards and the page Practice.
import { cardSeen, daysUntil, isDue, isMet } from "./kept.js";

/** When something comes, in some days. */
export const soon = (days) => (days <= 1 ? "tomorrow" : `in ${days} days`);

/** As many things, in an order drawn by lot: a number from 0 up to 1, as Math.random. */
export const byLot = (things, lot = Math.random) =>
  things
    .map((thing) => [lot(), thing])
    .sort(([one], [other]) => one - other)
    .map(([, thing]) => thing);

/** The things of chapters that the reader has met, each { chapter, names }. */
export const metOf = (things) => {
  const names = (chapter) => things.filter((one) => one.chapter === chapter).flatMap((one) => one.names);
  const met = [...new Set(things.map(({ chapter }) => chapter))].filter((one) => isMet(one, names(one)));
  return things.filter(({ chapter }) => met.includes(chapter));
};

/** Of some cards' names those that are due and those not seen yet, and in how many days the next other one comes. */
export function deckOf(names, now = Date.now()) {
  const known = names.filter(cardSeen);
  const due = known.filter((name) => isDue(cardSeen(name), now));
  const rest = known.filter((name) => !due.includes(name)).map((name) => daysUntil(cardSeen(name).due, now));
  return { due, fresh: names.filter((name) => !cardSeen(name)), next: rest.length ? Math.min(...rest) : null };
}
