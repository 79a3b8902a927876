// The screen under the hand stands still, whatever grows or shrinks above it.

const CONTROLS = "button, input, label, select, td, .abh-grip";
const MOVES = ".abh-grip, .abh-item"; // with the hand: what it moves on stands still

/** What scrolls when the figure is pushed down: the page, or a notebook's panel. */
const scrollerOf = (root) => {
  for (let node = root.parentElement; node; node = node.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight) return node;
  }
  return document.scrollingElement;
};

/**
 * Keep a figure's control where it is on the screen while a hand is at it: held by a pointer, or just clicked, or moved
 * by a key. What a redraw adds above it scrolls the page, and does not push it away from the hand.
 *
 * Returns `around`, which runs a redraw so, and `leave`.
 */
export function anchorScroll(root) {
  let control = null; // that the hand is at
  let turn = 0; // counts the hand's comings, so that only the last one's end counts
  let rest = 0; // of a pixel: how far off the last scroll left it, since some browsers scroll by whole ones
  let down = false;
  const soon = () => {
    const own = turn;
    const leave = () => {
      if (own === turn && !down) control = null;
    };
    requestAnimationFrame(() => requestAnimationFrame(leave)); // what it set last is drawn
  };
  const take = (event) => {
    const node = event.target.closest?.(CONTROLS);
    if (!node || (down && event.type !== "pointerdown")) return;
    const came = node.matches(MOVES) ? node.parentElement : node;
    if (came !== control) rest = 0;
    [control, turn] = [came, turn + 1];
    if (event.type === "pointerdown") down = true;
    else soon();
  };
  const release = () => {
    if (!down) return;
    down = false;
    soon();
  };
  for (const type of ["pointerdown", "keydown", "click", "input", "change"]) root.addEventListener(type, take, true);
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, release, true);
  const place = () => control.getBoundingClientRect().top;
  return {
    around(draw) {
      if (!control?.isConnected || !control.checkVisibility()) return draw();
      const own = control;
      const wanted = place() - rest;
      draw();
      if (control !== own || !own.isConnected || !own.checkVisibility()) return null;
      const shift = place() - wanted;
      if (Math.abs(shift) > 0.5) scrollerOf(root).scrollBy({ top: shift, behavior: "instant" });
      const left = place() - wanted;
      rest = Math.abs(left) < 1 ? left : 0; // more is a page at its end, and not to be made up for
      return null;
    },
    leave: () => {
      for (const type of ["pointerup", "pointercancel"]) removeEventListener(type, release, true);
    },
  };
}
