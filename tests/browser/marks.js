// What a figure draws, as plain numbers and words: where each mark is and what stands beside it. Nothing here knows how
// it should be; tests/browser/test_marks.py does.
window.marks = (() => {
  const all = (node, selector) => [...node.querySelectorAll(selector)];
  const at = (node, ...names) => names.map((name) => Number(node.getAttribute(name)));
  const shown = (node) => Boolean(node) && node.style.display !== "none" && !node.closest("[hidden]");
  const pairs = (text) => [...text.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const style = (node, name) => getComputedStyle(node).getPropertyValue(name).trim();

  /** All numbers that are written: the value, the text, and where. */
  const numbers = (root) => [
    ...all(root, "[data-matrix] [data-value]:not(circle, rect)").map((cell) => ({
      name: cell.closest("[data-matrix]").dataset.matrix,
      value: Number(cell.dataset.value),
      text: (cell.querySelector(".abh-num") ?? cell).textContent,
      weight: Boolean(cell.closest(".abh-weight")),
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
      scalar: true,
    })),
  ];

  /** Rows with a sum at their end: their numbers and what is written there. */
  const sums = (root) =>
    all(root, "tr:has(> td.abh-sum)").map((row) => ({
      values: all(row, "td[data-row]").map((cell) => Number(cell.dataset.value)),
      text: row.querySelector("td.abh-sum").textContent,
      off: row.querySelector("td.abh-sum").matches(".abh-off"),
    }));

  /** Sliders with what is written beside them. */
  const sliders = (root) =>
    all(root, ".abh-slider").map((label) => ({
      name: label.querySelector("input").name,
      value: label.querySelector("input").valueAsNumber,
      text: label.querySelector(".abh-value").textContent,
    }));

  /** Charts: ticks as [place, word], and what is drawn, all in the picture's units. */
  const charts = (root) =>
    all(root, ".abh-curves").map((figure) => {
      const [axes, svg] = [figure.querySelector(".abh-axes"), figure.querySelector("svg")];
      const words = all(axes, "text[text-anchor=middle]").slice(0, -1); // the last one names the axis
      const bins = svg.querySelector("[data-matrix]:has(rect)");
      return {
        name: figure.dataset.curves ?? bins.dataset.matrix,
        x: words.map((word) => [at(word, "x")[0], word.textContent]),
        strokes: all(axes, "line:not(.abh-grid)").map((line) => at(line, "x1", "x2")),
        y: all(axes, "line.abh-grid").map((line) => [at(line, "y1")[0], line.nextElementSibling.textContent]),
        grid: all(axes, "line.abh-grid").map((line) => at(line, "x1", "x2", "y1", "y2")),
        lines: all(svg, "path.abh-curve").map((path) => {
          const [dot, tag] = [path.nextElementSibling, path.nextElementSibling?.nextElementSibling];
          return {
            points: pairs(path.getAttribute("d").replace(/[ML]/g, " ")),
            now: dot?.matches(".abh-now") && shown(dot) ? at(dot, "cx", "cy") : null,
            label: tag?.textContent ?? "",
            tag: tag?.matches?.(".abh-tag") ? at(tag, "x", "y") : null,
          };
        }),
        bins: all(svg, "rect.abh-bin").map((bin) => at(bin, "x", "width", "y", "height")),
        dots: all(svg, "circle.abh-bin-dot").map((dot) => at(dot, "cx", "cy")),
      };
    });

  /** A plane in its own units, 300 on a side: what is in it, by kind. */
  const plane = (root) => {
    const svg = root.querySelector(".abh-plane");
    const box = svg.getBoundingClientRect();
    const place = (group) => pairs(group.getAttribute("transform"))[0];
    const axes = all(svg, ".abh-axes line").map((line) => at(line, "x1", "x2", "y1", "y2"));
    return {
      size: svg.viewBox.baseVal.width,
      axes,
      hulls: all(svg, "polygon.abh-hull").map((node) => pairs(node.getAttribute("points"))),
      ropes: all(svg, ".abh-weight-line").map((node) => at(node, "x1", "y1", "x2", "y2", "stroke-width")),
      ties: all(svg, ".abh-segment").map((node) => at(node, "x1", "y1", "x2", "y2")),
      words: all(svg, ".abh-point").map((node) => ({
        at: place(node),
        word: node.querySelector(".abh-word").textContent,
        role: node.querySelector(".abh-ring > text")?.textContent ?? "",
        label: at(node.querySelector(".abh-word"), "x", "y"),
        hidden: node.matches(".abh-hidden-point"),
      })),
      veils: all(svg, ".abh-veil").map((node) => (shown(node) ? at(node, "cx", "cy") : null)),
      looks: all(svg, ".abh-look").map((node) =>
        shown(node) && shown(node.parentNode) ? at(node, "cx", "cy") : null,
      ),
      arrows: all(svg, "g:has(> .abh-arrow)").map((node) => ({
        path: pairs(node.querySelector(".abh-arrow").getAttribute("d").replace(/[ML]/g, " ")),
        halo: at(node.querySelector(".abh-halo"), "cx", "cy"),
        name: node.querySelector(".abh-arrow-name").textContent,
        shown: shown(node),
      })),
      dots: all(svg, ".abh-dot-v").map((node) => (shown(node) ? at(node, "cx", "cy") : null)),
      cuts: all(svg, "line.abh-cut").map((node) => (shown(node) ? at(node, "x1", "y1", "x2", "y2") : null)),
      sides: all(svg, ".abh-cut-side").map((node) => pairs(node.getAttribute("points"))),
      results: all(svg, ".abh-mark-point").map((node) => ({
        at: place(node),
        word: node.querySelector(".abh-word").textContent,
        full: node.matches(".abh-full-point"),
        out: shown(node.querySelector("path")) && !shown(node.querySelector("circle")),
        turn: parseFloat((node.querySelector("path").getAttribute("transform") ?? "rotate(0").slice(7)),
      })),
      grips: all(svg.parentNode, "[data-grip]").map((node) => {
        const { left, top, width, height } = node.getBoundingClientRect();
        const unit = svg.viewBox.baseVal.width / box.width;
        return {
          trait: node.dataset.grip,
          shown: !node.hidden,
          at: [(left + width / 2 - box.left) * unit, (top + height / 2 - box.top) * unit],
        };
      }),
      says: root.querySelector(".abh-plane-box p")?.textContent ?? "",
    };
  };

  /** Clock faces, in units of their rims. */
  const clocks = (root) =>
    all(root, ".abh-clock").map((clock) => {
      const rim = at(clock.querySelector("circle.abh-rim"), "r")[0];
      const small = (list) => list.map((value) => value / rim);
      return {
        hands: ["q", "k"].map((role) => small(at(clock.querySelector(`.abh-hand-${role}`), "x1", "y1", "x2", "y2"))),
        tips: ["q", "k"].map((role) => small(at(clock.querySelector(`.abh-tip-${role}`), "cx", "cy"))),
        between: pairs(clock.querySelector("polygon").getAttribute("points")).map(small),
        heads: all(clock, "tbody th").map((node) => node.textContent),
        says: clock.querySelector(".abh-turn").textContent,
        name: clock.querySelector("svg").getAttribute("aria-label"),
      };
    });

  /** A dial, in units of its picture: hours with their names, the hand, its grip, and how thick each line is. */
  const dial = (root) => {
    const picture = root.querySelector(".abh-dial");
    const grip = root.querySelector(".abh-dial-frame > [data-grip]");
    return {
      rim: at(picture.querySelector(".abh-rim"), "r")[0],
      words: all(picture, ".abh-dial-word").map((node) => [...at(node, "x", "y"), node.textContent]),
      own: all(picture, ".abh-dial-word").map((node) => node.matches(".abh-dial-own")),
      hand: at(picture.querySelector(".abh-dial-hand"), "x2", "y2"),
      tip: at(picture.querySelector(".abh-tip-q"), "cx", "cy"),
      grip: ["left", "top"].map((side) => 2 * parseFloat(grip.style[side]) - 100),
      lines: all(picture, ".abh-weight-line").map((node) => at(node, "x2", "y2", "stroke-width")),
    };
  };

  /** Arcs of two heads, each as it is drawn, in the picture's units; those that are not shown are left out. */
  const arcs = (root) => {
    const picture = root.querySelector(".abh-arcs");
    return {
      words: all(picture, ".abh-arc-word").map((node) => [at(node, "x")[0], node.textContent]),
      heads: all(picture, ".abh-arc-head").map((node) => [at(node, "y")[0], node.textContent]),
      middle: picture.viewBox.baseVal.height / 2,
      arcs: all(picture, "g")
        .filter((node) => node.getAttribute("display") !== "none")
        .map((node) => ({
          line: pairs(node.querySelector("path").getAttribute("d")),
          tip: pairs(node.querySelector("polygon").getAttribute("points")),
          thick: at(node.querySelector("path"), "stroke-width")[0],
          dashed: style(node.querySelector("path"), "stroke-dasharray") !== "none",
        })),
    };
  };

  /** The lanes of a stream: for each row its name and, for each word, the words of its chips and which cell is read. */
  const lanes = (root) =>
    all(root, ".abh-lanes tr").map((row) => ({
      name: row.querySelector("th").textContent,
      cells: all(row, "td")
        .filter(shown)
        .filter((cell) => !cell.hidden)
        .map((cell) => ({
          chips: all(cell, ".abh-lane-chip").map((chip) => [...chip.childNodes].map((node) => node.textContent)),
          place: cell.querySelector(".abh-lane-place")?.textContent,
          hand: cell.querySelector("svg line") && at(cell.querySelector("svg line"), "x2", "y2"),
          read: cell.matches(".abh-lane-read"),
          none: cell.matches(".abh-lane-none"),
        })),
    }));

  /** Where a box lies in another, from 0 to 1: left, right, top, bottom. */
  const within = (node, frame) => {
    const [a, b] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
    return [
      (a.left - b.left) / b.width,
      (a.right - b.left) / b.width,
      (a.top - b.top) / b.height,
      (a.bottom - b.top) / b.height,
    ];
  };

  /** The gauge of the inner product, and the marks beside its heat map. */
  const gauge = (root) => {
    const frame = root.querySelector(".abh-gauge");
    return {
      bar: within(frame.querySelector(".abh-gauge-bar"), frame),
      seen: within(frame.querySelector(".abh-gauge-seen"), frame),
      ends: all(root, ".abh-ends span").map((node) => node.textContent),
      says: root.querySelector(".abh-seen").textContent,
      what: root.querySelector(".abh-number > .abh-label").textContent,
      adds: root.querySelector(".abh-adds").textContent,
    };
  };
  const slots = (root) =>
    all(root, ".abh-mark").map((mark) => within(mark, root.querySelector(".abh-marked canvas")));

  /** The square of a joint table. */
  const mosaic = (root) => {
    const svg = root.querySelector(".abh-mosaic");
    return {
      tiles: all(svg, "rect").map((tile) => at(tile, "x", "y", "width", "height")),
      texts: all(svg, ".abh-tile-text").map((node) => [...at(node, "x", "y"), node.textContent]),
      line: at(svg.querySelector(".abh-prior"), "x1", "x2"),
    };
  };

  /** Cells that are colors: value and color; with the inks that they are mixed from. */
  const heat = (root) => ({
    inks: Object.fromEntries(
      ["ink", "raised", "low", "mid", "high", "hatch"].map((name) => [name, style(root, `--abh-${name}`)]),
    ),
    cells: all(root, ".abh-heat td[data-row]").map((cell) => ({
      name: cell.closest("[data-matrix]").dataset.matrix,
      value: Number(cell.dataset.value),
      hidden: cell.matches(".abh-hidden"),
      color: getComputedStyle(cell).backgroundColor,
    })),
  });

  /** A canvas: of each cell its values, the color in its middle and whether it has only that one; and the inks. */
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
        let plain = true;
        for (let y = i * high; y < (i + 1) * high; y += 1)
          for (let x = j * wide; x < (j + 1) * wide; x += 1) plain &&= String(pixel(x, y)) === String(color);
        cells.push({ row: i, col: j, value: el.values[i * m + j], color, plain });
      }
    return { ...heat(root), shape: [n, m], cells };
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

  /** What tables say beside their numbers: the heads of columns and rows, and cells that judge. */
  const heads = (root) =>
    all(root, "[data-matrix]:has(> table), [data-matrix]:has(> .abh-heads)").map((el) => ({
      name: el.dataset.matrix,
      cols: all(el.querySelector("thead"), "th:not(.abh-sum)").map((node) => node.textContent),
      rows: all(el.querySelector("tbody"), "th").map((node) => node.textContent),
    }));
  const verdicts = (root) =>
    all(root, ".abh-cases tbody tr").map((row) => ({
      value: Number(row.querySelector("[data-value]").dataset.value),
      says: all(row, ".abh-says").map((cell) => cell.textContent),
      wrong: row.querySelector(".abh-says").matches(".abh-wrong"),
    }));
  const loud = (root) =>
    all(root, ".abh-bars tbody td")
      .filter((cell) => !cell.closest(".abh-minimap"))
      .map((cell) => [Number(cell.dataset.value), cell.matches(".abh-noticed")]);

  // ---------------------------------------------------------------- parts that small figures alone have
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
  const planeOf = (piece) => ({
    marks: all(piece, "[data-matrix]").map((group) => ({
      name: group.dataset.matrix,
      arrows: all(group, ".abh-arrow").map((node) => pairs(node.getAttribute("d").replace(/[ML]/g, " "))),
      points: all(group, ".abh-spot").map((node) => at(node, "cx", "cy")),
      words: all(group, "text").map((node) => node.textContent),
    })),
    segments: all(piece, ".abh-segment").map((node) => at(node, "x1", "y1", "x2", "y2")),
  });
  const pieces = (root) =>
    all(root, ".abh-pieces > *").map((piece) => {
      if (piece.querySelector(".abh-upright")) return columns(piece);
      if (piece.querySelector(".abh-share-disk")) return line(piece);
      return piece.matches(".abh-piece-plane") ? planeOf(piece) : null;
    });

  return {
    pieces,
    numbers,
    sums,
    sliders,
    charts,
    plane,
    clocks,
    arcs,
    dial,
    lanes,
    gauge,
    slots,
    mosaic,
    heat,
    canvas,
    readouts,
    heads,
    verdicts,
    loud,
  };
})();
