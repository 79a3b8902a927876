// The plane: words and arrows that a hand moves.
import { clamp, clipPolygon, convexHull, degreesOf, snap } from "../core.js";
import { h, place, put, s, write } from "./elements.js";
import { gripOf } from "./grip.js";
import { still } from "./motion.js";
import { square } from "./square.js";

const GRIP = 44; // px on the screen, however small the plane is drawn

const corners = (left, up, right, down) => [
  [left, up],
  [right, up],
  [right, down],
  [left, down],
];

/**
 * A square piece of the plane, −reach … reach both ways, with the cross of its axes. What is added is drawn in that
 * order; each part is a function that puts it somewhere.
 *
 * What can be dragged has a grip: an element above the picture, in which nothing else takes a pointer. Its attribute
 * `data-grip` names the trait that it sets as inputs do: `angle`, or `k.0` for a row of k, whose inputs are `k.0.0` and
 * `k.0.1`; `data-grip-also` names a second one. For the keyboard each of these has its slider. `drag` is called with a
 * point of the plane, as far and in such steps as the entries of the trait `of`.
 */
export function plane(fig, { of, reach = 3.4 }) {
  const { max: limit, step: grid } = fig.control(of);
  const { size, px, py, ends, arrowTo, picture: drawn } = square(reach);
  const path = (list) => list.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" ");
  const picture = drawn("", fig.model.get("picture"));
  const frame = h("div.abh-plane-frame", picture);
  const grips = [];
  let unit = 0; // px on the screen for one of the picture
  let queued = false;

  /** Where grips meet, the nearest takes the pointer: each keeps what is nearest to it in the frame. */
  const share = () => {
    queued = false;
    const [half, edge] = [GRIP / 2, size * unit];
    for (const own of grips) {
      const [x, y] = [own.x * unit, own.y * unit];
      const [left, up] = [Math.max(-half, -x), Math.max(-half, -y)];
      const [right, down] = [Math.min(half, edge - x), Math.min(half, edge - y)];
      let region = corners(left, up, right, down);
      for (const other of grips) {
        const [dx, dy] = [other.x * unit - x, other.y * unit - y];
        const apart = dx * dx + dy * dy;
        if (other === own || other.node.hidden || apart < 1 || apart > 2 * GRIP * GRIP) continue;
        region = clipPolygon(region, ([a, b]) => apart / 2 - a * dx - b * dy).kept;
      }
      const rim = region.map((corner) => corner.map((value) => `${(value + half).toFixed(1)}px`).join(" "));
      own.node.style.clipPath = `polygon(${rim.join(", ")})`;
    }
  };
  const shareSoon = () => {
    if (queued || !unit) return;
    queued = true;
    queueMicrotask(share);
  };
  new ResizeObserver(() => {
    unit = frame.clientWidth / size;
    shareSoon();
  }).observe(frame);

  /** A grip, with its halo in the picture; returns what puts it at a point of the picture. */
  const grip = (halo, { trait, also, drag }) => {
    const value = (part) => clamp(snap((2 * part - 1) * reach, grid), -limit, limit);
    const { node, putAt } = gripOf(fig, picture, halo, { trait, also }, (x, y) => drag(value(x), value(1 - y)));
    const own = { node, x: 0, y: 0 };
    grips.push(own);
    frame.append(node);
    return (x, y, { shown = true, trait: now = trait } = {}) => {
      put(node, "data-grip", now);
      node.hidden = !shown;
      [own.x, own.y] = [x, y];
      putAt(x / size, y / size);
      shareSoon();
    };
  };
  const polar = (angle, length) => (x, y) => {
    const { min, max, step } = fig.control(length);
    fig.set({ [angle]: Math.round(degreesOf([x, y])), [length]: clamp(snap(Math.hypot(x, y), step), min, max) });
  };
  const add = (node) => {
    picture.append(node);
    return node;
  };
  const hatch = () => {
    const id = `abh-hatch-${fig.id}`;
    if (!picture.querySelector("pattern")) {
      picture.prepend(
        s(
          "pattern",
          { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
          s("rect.abh-veil-ground", { width: 6, height: 6 }),
          s("line.abh-veil-line", { x1: 0, x2: 0, y1: 0, y2: 6 }),
        ),
      );
    }
    return id;
  };

  return {
    el: h("div.abh-plane-box", frame),
    /** The convex hull of points. */
    hull() {
      const region = add(s("polygon.abh-hull"));
      return (list) => put(region, "points", path(convexHull(list)));
    },
    /** A path through points: where something can go. */
    trail() {
      const line = add(s("polyline.abh-trail"));
      return (list) => put(line, "points", path(list));
    },
    /** A line between two points, as thick as a weight. */
    weightLine() {
      const line = add(s("line.abh-weight-line"));
      return (from, to, weight) => place(line, { ...ends(from, to), "stroke-width": 14 * weight });
    },
    /** A dotted line that ties together what belongs to one word. */
    tie() {
      const line = add(s("line.abh-segment"));
      return (from, to) => place(line, ends(from, to));
    },
    /** A word as a point: a dot, or with a role ("k", "v") a ring with that letter in it. */
    word(text, { role = "", grip: trait, drag }) {
      const name = s("text.abh-word", text);
      const mark = role
        ? s(
            `g.abh-ring.abh-ring-${role}`,
            s("circle", { r: 10.5 }),
            role === "v" ? s("circle", { r: 7.5 }) : null,
            s("text", role),
          )
        : s("circle.abh-dot-k", { r: 5 });
      const halo = s(`circle.abh-halo.abh-role-${role || "k"}`, { r: role ? 16 : 14 });
      const group = add(s("g.abh-point", halo, mark, name));
      const hold = grip(halo, { trait, drag });
      return ([x, y], hidden = false) => {
        hold(px(x), py(y));
        put(group, "transform", `translate(${px(x).toFixed(2)} ${py(y).toFixed(2)})`);
        const over = y >= 0 && py(y) > 32; // a label stays in the picture
        put(name, "y", over || py(y) > size - 28 ? -14 : 24);
        put(name, "x", (clamp(px(x), 26, size - 26) - px(x)).toFixed(2));
        group.classList.toggle("abh-hidden-point", hidden);
      };
    },
    /** Hatching over a place that may not be looked at. */
    veil() {
      const disk = add(s("circle.abh-veil", { r: 17, fill: "url(#" + hatch() + ")" }));
      return ([x, y], shown) => {
        disk.style.display = shown ? "" : "none";
        place(disk, { cx: px(x), cy: py(y) });
      };
    },
    /** Small dots around points: one for each point of a list, null for none. They come one after the other. */
    swarm(count) {
      const dots = Array.from({ length: count }, () => s("circle.abh-look", { r: 2.6 }));
      const group = add(s("g.abh-swarm", ...dots));
      let shown = false;
      return (points) => {
        const seen = new Map();
        const arrive = points.length > 0 && !shown && !still();
        shown = points.length > 0;
        group.style.display = shown ? "" : "none";
        points.forEach((point, i) => {
          dots[i].style.display = point ? "" : "none";
          if (!point) return;
          const nth = seen.get(point) ?? 0;
          seen.set(point, nth + 1);
          const [far, turn] = [11 + 3.1 * Math.sqrt(nth + 1), 2.39996 * nth];
          const [x, y] = [px(point[0]) + far * Math.cos(turn), py(point[1]) + far * Math.sin(turn)];
          place(dots[i], { cx: x, cy: y });
          if (arrive)
            dots[i].animate(
              [
                { transform: `translate(${(px(0) - x).toFixed(1)}px, ${(py(0) - y).toFixed(1)}px)`, opacity: 0 },
                { opacity: 1, offset: 0.2 },
                { transform: "none" },
              ],
              { duration: 500, delay: 9 * i, fill: "backwards", easing: "ease-out" },
            );
        });
      };
    },
    /** The line where a · p + b = 0, and beyond it the side where that is positive. */
    cut() {
      const side = add(s("polygon.abh-cut-side"));
      const line = add(s("line.abh-cut"));
      const whole = corners(-reach, -reach, reach, reach);
      return (a, b) => {
        const { kept, rim } = clipPolygon(whole, ([x, y]) => a[0] * x + a[1] * y + b);
        put(side, "points", path(kept));
        line.style.display = rim.length ? "" : "none";
        if (rim.length) place(line, ends(...rim));
      };
    },
    /**
     * A result as a point: full or hollow. What is out of the picture waits at its rim, as a triangle. Its name keeps
     * clear of the tip of an arrow.
     */
    mark(full) {
      const name = s("text.abh-word");
      const disk = s("circle", { r: 7.5 });
      const wedge = s("path", { d: "M8 0L-5 6.5L-5 -6.5Z" });
      const group = add(s(`g.abh-mark-point${full ? ".abh-full-point" : ""}`, disk, wedge, name));
      return ([x, y], text, tip) => {
        const over = Math.max(1, Math.max(Math.abs(x), Math.abs(y)) / (reach * 0.94));
        const [tx, ty] = [px(x / over), py(y / over)];
        put(group, "transform", `translate(${tx.toFixed(2)} ${ty.toFixed(2)})`);
        disk.style.display = over > 1 ? "none" : "";
        wedge.style.display = over > 1 ? "" : "none";
        put(wedge, "transform", `rotate(${(-degreesOf([x, y])).toFixed(1)})`);
        put(name, "x", clamp(tx, 40, size - 40) - tx);
        const below = full ? ty <= size - 30 : ty < 30; // so that neighbors on a line keep apart
        const covers = Math.abs(px(tip[0]) - tx) < 30 && Math.abs(py(tip[1]) - ty - (below ? 20 : -20)) < 16;
        put(name, "y", below !== covers ? 25 : -15);
        write(name, text);
      };
    },
    /**
     * An arrow from the origin, to be dragged by its tip; without `drag` that sets its direction and its length. Its
     * name keeps clear of the points in `avoid`.
     */
    arrow(text, { grip: trait, also, drag = polar(trait, also), role = "q" }) {
      const shaft = s("path.abh-arrow");
      const halo = s("circle.abh-halo", { r: 16 });
      const name = s("text.abh-arrow-name", text);
      const group = add(s(`g.abh-role-${role}`, halo, shaft, name));
      const hold = grip(halo, { trait, also, drag });
      return ([x, y], { shown = true, text: now = text, grip: sets = trait, avoid = [] } = {}) => {
        group.style.display = shown ? "" : "none";
        hold(px(x), py(y), { shown, trait: sets });
        const [tx, ty] = [px(x), py(y)];
        put(shaft, "d", arrowTo([x, y]));
        place(halo, { cx: tx, cy: ty });
        write(name, now);
        const [up, down] = [-13, 24];
        const places = [y < 0 ? down : up, y < 0 ? up : down].flatMap((dy) =>
          [0, -30, 30].map((dx) => [clamp(tx + dx, 30, size - 30), clamp(ty + dy, 14, size - 6)]),
        );
        // 1 where the name's box touches a disk, in half widths of the name and half heights.
        const room = ([left, low]) =>
          Math.min(
            ...avoid.map(([ax, ay]) => Math.max(Math.abs(left - px(ax)) / 34, Math.abs(low - 4 - py(ay)) / 16)),
          );
        const [left, low] = places.find((spot) => room(spot) >= 1) ?? places[0];
        place(name, { x: left, y: low });
      };
    },
    /** The output. */
    dot() {
      const dot = add(s("circle.abh-dot-v", { r: 8 }));
      return ([x, y], shown = true) => {
        dot.style.display = shown ? "" : "none";
        place(dot, { cx: px(x), cy: py(y) });
      };
    },
  };
}
