// What a hand takes hold of in a picture.
import { h } from "./elements.js";
import { dragState, offMiddle } from "./pointer_drag.js";

/**
 * A grip above a picture, with its halo in it: `data-grip` names the trait that it sets, `data-grip-also` a second one.
 * move(x, y) gets the place that a drag leads to, in shares of the picture's width and height.
 *
 * Returns the grip, and what puts it at such a place.
 */
export function gripOf(fig, picture, halo, { trait, also = null }, move) {
  const node = h("div.abh-grip", { "data-grip": trait, "data-grip-also": also });
  let off = null; // how far the pointer took hold from the middle
  dragState(fig, node, {
    start(event) {
      off = offMiddle(node, event);
    },
    move(event) {
      const box = picture.getBoundingClientRect();
      fig.markInteracted([node.dataset.grip.split(".")[0]]);
      move((event.clientX + off.x - box.left) / box.width, (event.clientY + off.y - box.top) / box.height);
    },
  });
  for (const type of ["pointerenter", "pointerleave"])
    node.addEventListener(type, () => halo.classList.toggle("abh-near", type === "pointerenter"));
  const putAt = (x, y) => {
    node.style.left = `${(100 * x).toFixed(3)}%`;
    node.style.top = `${(100 * y).toFixed(3)}%`;
  };
  return { node, putAt };
}
