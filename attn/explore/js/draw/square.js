// A square piece of the plane, −reach … reach both ways: what the planes have in common.
import { s } from "./elements.js";

const SIZE = 300;

export function square(reach) {
  const px = (x) => (SIZE / 2) * (1 + x / reach);
  const py = (y) => (SIZE / 2) * (1 - y / reach);
  const pair = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  return {
    size: SIZE,
    px,
    py,
    /** The ends of a line between two points. */
    ends: ([x1, y1], [x2, y2]) => ({ x1: px(x1), y1: py(y1), x2: px(x2), y2: py(y2) }),
    /** The path of an arrow from the origin to a point. */
    arrowTo([x, y]) {
      const [tx, ty] = [px(x), py(y)];
      const turn = Math.atan2(ty - py(0), tx - px(0));
      const barb = (side) =>
        `M${pair(tx, ty)}L${pair(tx - 12 * Math.cos(turn + side), ty - 12 * Math.sin(turn + side))}`;
      return `M${pair(px(0), py(0))}L${pair(tx, ty)}${barb(0.45)}${barb(-0.45)}`;
    },
    /** The picture with the cross of its axes; what is drawn comes after it. */
    picture: (className, label, ...drawn) =>
      s(
        `svg.abh-plane${className}`,
        { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label },
        s(
          "g.abh-axes",
          s("line.abh-grid", { x1: 0, x2: SIZE, y1: py(0), y2: py(0) }),
          s("line.abh-grid", { y1: 0, y2: SIZE, x1: px(0), x2: px(0) }),
        ),
        ...drawn,
      ),
  };
}
