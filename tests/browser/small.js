// What a small figure draws, as plain numbers: where each mark is. tests/browser/test_small.py knows how it should be.
window.small = (() => {
  const all = (node, selector) => [...node.querySelectorAll(selector)];
  const at = (node, ...names) => names.map((name) => Number(node.getAttribute(name)));
  const pairs = (text) => [...text.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

  const columns = (piece) => ({
    bars: all(piece, "[data-row]").map((cell) => ({
      place: at(cell.querySelector("rect"), "x", "width", "y", "height"),
      text: at(cell.querySelector(".abh-num"), "x", "y"),
      beyond: cell.matches(".abh-beyond"),
    })),
    words: all(piece, ".abh-under-bar").map((node) => [at(node, "x")[0], node.textContent]),
    lines: all(piece, ".abh-axes line").map((node) => at(node, "y1", "y2")),
    ends: all(piece, ".abh-end").map((node) => node.textContent),
  });
  const line = (piece) => ({
    ticks: all(piece, ".abh-tick").map((node) => [at(node, "x")[0], node.textContent]),
    disks: all(piece, ".abh-share-disk").map((node) => at(node, "cx", "cy", "r")),
    words: all(piece, ".abh-over-disk").map((node) => [at(node, "x")[0], node.textContent]),
    mark: pairs(piece.querySelector(".abh-result-mark").getAttribute("transform"))[0],
  });
  const plane = (piece) => ({
    marks: all(piece, "[data-matrix]").map((group) => ({
      name: group.dataset.matrix,
      arrows: all(group, ".abh-arrow").map((node) => pairs(node.getAttribute("d").replace(/[ML]/g, " "))),
      points: all(group, ".abh-spot").map((node) => at(node, "cx", "cy")),
      words: all(group, "text").map((node) => node.textContent),
    })),
    segments: all(piece, ".abh-segment").map((node) => at(node, "x1", "y1", "x2", "y2")),
  });
  return {
    pieces: (root) =>
      all(root, ".abh-pieces > *").map((piece) => {
        if (piece.querySelector(".abh-upright")) return columns(piece);
        if (piece.querySelector(".abh-share-disk")) return line(piece);
        if (piece.matches(".abh-piece-plane")) return plane(piece);
        return null; // marks.js reads the parts that large figures have too
      }),
  };
})();
