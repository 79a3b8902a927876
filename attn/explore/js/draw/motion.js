// What glides: a value on its way from one state to the next, for readers who want motion.
import { clamp } from "../core.js";

/** Whether the reader wants no motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Draw with numbers that glide after a jump (a preset, a switch, reset) and are there at once in a drag:
 * values(numbers, state) -> a flat list; draw(values, numbers, state) is called with those of the moment.
 */
export function tween(fig, values, draw, duration = 450) {
  let at = null;
  let frame = 0;
  fig.add((numbers, state) => {
    cancelAnimationFrame(frame);
    const to = values(numbers, state);
    const show = (now) => {
      at = now;
      draw(now, numbers, state);
    };
    if (!at || at.length !== to.length || !fig.root.classList.contains("abh-glide") || still()) return show(to);
    const [from, start] = [at, performance.now()];
    const step = (now) => {
      const t = clamp((now - start) / duration, 0, 1);
      show(from.map((value, i) => value + t * t * (3 - 2 * t) * (to[i] - value)));
      if (t < 1 && fig.root.isConnected) frame = requestAnimationFrame(step);
    };
    return step(start);
  });
}
