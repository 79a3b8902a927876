// The hand: the one way in which anything is dragged, by mouse, pen or finger.

export const SLACK = 3; // px that a tap may slip

/**
 * Let a mouse, a pen or a finger drag: the one way in which anything is dragged here, from the first move to the last.
 * One pointer holds it; further fingers and buttons change nothing until that one has let go.
 *
 * start(event)   may refuse by returning false
 * move(event)    for each move of that pointer, wherever it is
 * end()          it let go, or it was lost on the way: what it set stays
 * cancel()       Escape, or the browser took it (to scroll, say): put back what start() found
 * scrolls        a finger that goes up or down from here scrolls the page; the style sheet's `touch-action` says so too
 */
export function grab(node, { start, move, end = () => {}, cancel = () => {}, scrolls = false }) {
  let held = null; // the pointer that holds it, and where it was last
  const leave = (finish) => {
    if (!held) return;
    const { id } = held;
    held = null;
    node.classList.remove("abh-held");
    removeEventListener("blur", stop);
    removeEventListener("keydown", escape, true);
    if (node.hasPointerCapture(id)) node.releasePointerCapture(id);
    finish();
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
  node.addEventListener("pointerdown", (event) => {
    if (held || !event.isPrimary || event.button !== 0 || start(event) === false) return;
    event.preventDefault(); // selects neither text nor a notebook's cell
    held = { id: event.pointerId, x: event.clientX, y: event.clientY };
    node.setPointerCapture(event.pointerId);
    node.classList.add("abh-held");
    addEventListener("blur", stop);
    addEventListener("keydown", escape, true);
  });
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
