// The one way in which anything is dragged, by mouse, pen or finger.

export const SLACK = 3; // px that a tap may slip
const LONG_PRESS = 250; // ms for which a finger rests on something before it takes hold of it

/** How far the middle of a grip is from where the pointer took hold of it. */
export const offMiddle = (grip, event) => {
  const box = grip.getBoundingClientRect();
  return { x: box.left + box.width / 2 - event.clientX, y: box.top + box.height / 2 - event.clientY };
};

/**
 * Let a mouse, a pen or a finger drag: the one way in which anything is dragged here, from the first move to the last.
 * One pointer holds it; further fingers and buttons change nothing until that one has let go.
 *
 * start(event)   may refuse by returning false
 * move(event)    for each move of that pointer, wherever it is
 * end()          it let go, or it was lost on the way: what it set stays
 * cancel()       Escape, or the browser took it (to scroll, say): put back what start() found
 * scrolls        a finger that goes up or down from here scrolls the page; the style sheet's `touch-action` says so too
 * longPress      so does one that goes up or down at once; after a short rest, or sideways, it drags. A mouse drags at
 *                once. The style sheet says `touch-action: pan-y`
 */
export function pointerDrag(node, { start, move, end, cancel, scrolls = false, longPress = false }) {
  let held = null; // the pointer that holds it, and where it was last
  let waiting = null; // a finger that is down and has not taken hold yet: where it came down, and its timer
  const leave = (finish) => {
    if (!held) return;
    const { id } = held;
    held = null;
    node.classList.remove("abh-held");
    removeEventListener("blur", stop);
    removeEventListener("keydown", escape, true);
    if (node.hasPointerCapture(id)) node.releasePointerCapture(id);
    finish?.();
  };
  const stop = () => leave(end);
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation(); // else it would end a lecture too
    leave(cancel);
  };
  const follow = (event) => {
    if (event.clientX === held.x && event.clientY === held.y) return;
    [held.x, held.y] = [event.clientX, event.clientY];
    move(event);
  };
  const take = (event) => {
    if (start(event) === false) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY };
    node.setPointerCapture(event.pointerId);
    node.classList.add("abh-held");
    addEventListener("blur", stop);
    addEventListener("keydown", escape, true);
  };
  const forget = () => {
    clearTimeout(waiting?.timer);
    waiting = null;
  };
  /** The finger that was waited for takes hold, from where it came down. */
  const takeNow = () => {
    const { down } = waiting;
    forget();
    take(down);
  };
  node.addEventListener("pointerdown", (event) => {
    if (held || waiting || !event.isPrimary || event.button !== 0) return;
    if (longPress && event.pointerType !== "mouse") {
      waiting = { down: event, timer: setTimeout(takeNow, LONG_PRESS) };
      return;
    }
    take(event);
    if (held) event.preventDefault(); // selects neither text nor a notebook's cell
  });
  if (longPress) {
    const before = (type, call) =>
      node.addEventListener(type, (event) => waiting?.down.pointerId === event.pointerId && call(event));
    before("pointermove", (event) => {
      const [dx, dy] = [event.clientX - waiting.down.clientX, event.clientY - waiting.down.clientY].map(Math.abs);
      if (Math.max(dx, dy) <= SLACK) return;
      if (dx > dy) takeNow();
      else forget();
    });
    before("pointerup", takeNow); // a tap: the listener below lets go at once
    before("pointercancel", forget);
    // What a long rest brings up would take the finger away.
    node.addEventListener("contextmenu", (event) => (held || waiting) && event.preventDefault());
  }
  const when = (type, call) => node.addEventListener(type, (event) => held?.id === event.pointerId && call(event));
  // A mouse without a button was let go where nobody saw it.
  when("pointermove", (event) => (event.pointerType === "mouse" && !event.buttons ? stop() : follow(event)));
  when("pointerup", (event) => {
    follow(event);
    stop();
  });
  when("pointercancel", () => leave(cancel));
  when("lostpointercapture", stop);
  // For a browser that does not know `touch-action` here.
  for (const type of ["touchstart", "touchmove"]) {
    if (!scrolls)
      node.addEventListener(type, (event) => held && event.cancelable && event.preventDefault(), { passive: false });
  }
}

/**
 * Let a pointer drag a state: Python is told of it at the end, and what was there at the start is put back where the
 * drag is called off. `end` is called in place of the first, where there is one.
 */
export function dragState(fig, node, { start, end = () => fig.set({}, { final: true }), ...more }) {
  let before = null;
  pointerDrag(node, {
    start(event) {
      before = fig.state();
      return start(event);
    },
    end,
    cancel: () => fig.set(before, { final: true }),
    ...more,
  });
}
