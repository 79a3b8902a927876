// What a figure draws, as plain numbers and words: where each mark is and what stands beside it. Nothing here knows how
// it should be; tests/browser/test_marks.py does.
window.marks = (() => {
  const all = (node, selector) => [...node.querySelectorAll(selector)];
  const pairs = (text) => [...text.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const style = (node, name) => getComputedStyle(node).getPropertyValue(name).trim();

  /**
   * What a description asks of an element. {name: what} asks several things, [selector, what] asks each element inside,
   * "selector | what" the first, "what + what" makes a list. Of one element: "cx cy" are attributes as numbers, "=name"
   * one as text, "text" its words, "points", "d" and "transform" pairs of numbers, ".class" whether it matches, "$name"
   * a property of its style; "~what" asks what stands behind it, and "?what" only an element that is shown.
   */
  const read = (node, what) => {
    if (!node) return null;
    if (Array.isArray(what)) return all(node, what[0]).map((each) => read(each, what[1]));
    if (typeof what === "object")
      return Object.fromEntries(Object.entries(what).map(([name, one]) => [name, read(node, one)]));
    const [selector, inner] = what.split(" | ");
    if (inner) return read(node.querySelector(selector), inner);
    if (what.includes(" + ")) return what.split(" + ").map((one) => read(node, one));
    const rest = what.slice(1);
    if (what[0] === "~") return read(node.nextElementSibling, rest);
    if (what[0] === "?") return node.closest('[hidden], [style*="display: none"]') ? null : read(node, rest);
    if (what[0] === "=") return node.getAttribute(rest);
    if (what[0] === "$") return style(node, rest);
    if (what[0] === ".") return node.matches(what);
    if (what === "text") return node.textContent;
    if (["points", "d", "transform"].includes(what)) return pairs(node.getAttribute(what) ?? "");
    const numbers = what.split(" ").map((name) => Number(node.getAttribute(name)));
    return numbers.length > 1 ? numbers : numbers[0];
  };

  /** All numbers that are written: the value, the text, and where. */
  const numbers = (root) => [
    ...all(root, "[data-matrix] [data-value]:not(circle, rect)").map((cell) => ({
      name: cell.closest("[data-matrix]").dataset.matrix,
      value: Number(cell.dataset.value),
      text: (cell.querySelector(".abh-num") ?? cell).textContent,
      heat: Boolean(cell.closest(".abh-heat")),
    })),
    ...all(root, "[data-matrix] [data-masked]").map((cell) => ({
      name: cell.closest("[data-matrix]").dataset.matrix,
      value: -Infinity,
      text: cell.textContent,
      heat: Boolean(cell.closest(".abh-heat")),
    })),
    ...all(root, "[data-scalar]").map((node) => ({
      name: node.dataset.scalar,
      value: Number(node.dataset.value),
      text: node.textContent,
    })),
  ];

  /** Where what a selector finds lies in a frame, from 0 to 1: left, right, top, bottom. */
  const within = (root, frame, selector) => {
    const b = root.querySelector(frame).getBoundingClientRect();
    return all(root, selector)
      .map((node) => node.getBoundingClientRect())
      .map((a) => [
        (a.left - b.left) / b.width,
        (a.right - b.left) / b.width,
        (a.top - b.top) / b.height,
        (a.bottom - b.top) / b.height,
      ]);
  };

  /** Cells that are colors. */
  const heat = (root) =>
    all(root, ".abh-heat td[data-row]").map((cell) => ({
      name: cell.closest("[data-matrix]").dataset.matrix,
      row: Number(cell.dataset.row),
      col: Number(cell.dataset.col),
      value: Number(cell.dataset.value),
      hidden: cell.matches(".abh-hidden"),
      color: getComputedStyle(cell).backgroundColor,
    }));

  /** Cells of a canvas: the color in the middle; what has more than that one is hatched. */
  const canvas = (root) => {
    const [el, node] = [root.querySelector("[data-shape]"), root.querySelector("[data-shape] canvas")];
    const [n, m] = el.dataset.shape.split(",").map(Number);
    const { data, width } = node.getContext("2d").getImageData(0, 0, node.width, node.height);
    const [wide, high] = [node.width / m, node.height / n];
    const pixel = (x, y) => Array.from(data.slice(4 * (y * width + x), 4 * (y * width + x) + 3));
    const cells = [];
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < m; j += 1) {
        const color = pixel(Math.floor((j + 0.5) * wide), Math.floor((i + 0.5) * high));
        let hidden = false;
        for (let y = i * high; y < (i + 1) * high; y += 1)
          for (let x = j * wide; x < (j + 1) * wide; x += 1) hidden ||= String(pixel(x, y)) !== String(color);
        cells.push({ name: el.dataset.matrix, row: i, col: j, value: el.values[i * m + j], color, hidden });
      }
    return cells;
  };

  /** What a large matrix says under a pointer at the first and the last pixel of some cells. */
  const readouts = (root, spots) => {
    const el = root.querySelector("[data-shape]");
    const [node, [n, m]] = [el.querySelector("canvas"), el.dataset.shape.split(",").map(Number)];
    const inner = () => {
      const [box, edge] = [node.getBoundingClientRect(), parseFloat(style(node, "border-left-width"))];
      const [width, height] = [box.width - 2 * edge, box.height - 2 * edge];
      return { left: box.left + edge, top: box.top + edge, width, height };
    };
    const { left, top, width, height } = inner();
    return spots.flatMap(([i, j]) =>
      [
        [0.02, 0.02],
        [0.98, 0.02],
        [0.02, 0.98],
        [0.98, 0.98],
      ].map(([right, down]) => {
        const place = { clientX: left + ((j + right) * width) / m, clientY: top + ((i + down) * height) / n };
        node.dispatchEvent(new PointerEvent("pointermove", { ...place, bubbles: true }));
        return el.querySelector(".abh-readout").textContent;
      }),
    );
  };

  return { read, numbers, within, heat, canvas, readouts };
})();
