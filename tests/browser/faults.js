// What may be wrong with a page as it stands, by name: each function returns what it finds, as sentences. test_pages.py
// asks them of each page on each screen. Loaded after probe.js.
window.faults = (() => {
  const LEAST_LETTER = { figure: 10.5, copy: 11, still: 11 }; // px
  const LEAST_GAP = 4; // px between two controls
  const { shown, roots } = probe;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const box = (node) => node.getBoundingClientRect();
  const style = (node, part) => getComputedStyle(node, part);
  const named = (node) => node.closest("[data-explorable]")?.dataset.explorable ?? node.closest("svg, section")?.id;
  const range = (node, start, end) => {
    const found = document.createRange();
    found.setStart(node, start);
    found.setEnd(node, end);
    return found;
  };
  const inSight = (selector, root) => all(selector, root).filter(shown);
  /** Text nodes of an element. */
  function* texts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) yield walker.currentNode;
  }

  // ------------------------------------------------------------------------------------------ room
  /** Code, outputs, tables, equations that are wider than their frame. */
  const cutOff = (
    kinds = "pre, .abh-shown figure, .cell_output > .output, .pst-scrollable-table-container, div.math",
  ) =>
    all(`main :is(${kinds})`)
      .filter((node) => node.scrollWidth > node.clientWidth + 1)
      .map((node) => `${node.scrollWidth} of ${node.clientWidth}: ${node.innerText.slice(0, 80)}`);

  /** Parts of figures that stick out of them. */
  const figuresCut = () => roots().flatMap(probe.cut);

  /** Lists to choose from that cut their longest answer. */
  const narrowChoices = () =>
    inSight(".abh select").flatMap((select) => {
      const free = select.parentElement.appendChild(select.cloneNode(true));
      free.style.cssText = "position: absolute; width: max-content; max-width: none";
      const wide = free.offsetWidth;
      free.remove();
      return wide > select.offsetWidth + 1 ? [`${select.name} has ${select.offsetWidth} of ${wide} px`] : [];
    });

  /** Pairs of controls of a figure that nearly meet. The words below a figure have no edge: padding parts them. */
  const nearControls = () => {
    const kinds = "button, select, input, .abh-slider, .abh-toggle, .abh-choice, .abh-radios";
    const besides = "[data-painter], [data-reorder], .abh-matrix, svg, .abh-quiet-button, [data-action=reset]";
    const label = (node) =>
      `${node.className || node.tagName} ${node.dataset.action || node.textContent || node.name}`;
    return roots().flatMap((root) => {
      const nodes = inSight(kinds, root).filter(
        (node) => !node.parentElement.closest(kinds) && !node.closest(besides),
      );
      const boxes = nodes.map(box);
      return nodes.flatMap((node, i) =>
        nodes.slice(i + 1).flatMap((other, j) => {
          const [a, b] = [boxes[i], boxes[i + 1 + j]];
          const away = Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
          return away < LEAST_GAP ? [`${named(node)}: ${label(node)} | ${label(other)} | ${away.toFixed(1)} px`] : [];
        }),
      );
    });
  };

  // ------------------------------------------------------------------------------------------ text
  /** Lines of code that go on in the next one at the left edge, not under an indent. */
  const unhungCode = () =>
    all(".bd-article .highlight pre").flatMap((pre) => {
      const edge = box(pre).left + parseFloat(style(pre).paddingLeft);
      return [...texts(pre)].flatMap((text) => {
        let place = 0;
        return text.data.split("\n").filter((line) => {
          const rows = [...range(text, place, place + line.length).getClientRects()].filter(({ width }) => width > 0);
          place += line.length + 1;
          const tops = [...new Set(rows.map(({ top }) => Math.round(top)))];
          return tops.length > 1 && rows.find(({ top }) => Math.round(top) === tops[1]).left <= edge + 4;
        });
      });
    });

  /** Formulas whose comma, full stop or bracket stands on another line than the part of the formula beside it. */
  const tornFormulas = () => [
    ...all(".bd-article .math:not(div)")
      .map((node) => (node.parentElement.matches(".abh-short") ? "" : (node.nextSibling?.data ?? "")))
      .filter((text) => /^[.,;:!?)]/.test(text))
      .map((text) => `free: ${text.slice(0, 20)}`),
    ...inSight(".abh-short:has(> math)").flatMap((node) => {
      const formula = box(node.querySelector("math"));
      return [...node.childNodes]
        .filter((part) => part.data)
        .filter((part) => {
          const rects = [...range(part, 0, part.length).getClientRects()];
          return rects.length !== 1 || rects[0].top >= formula.bottom || rects[0].bottom <= formula.top;
        })
        .map((part) => `${part.data} of ${node.textContent}`);
    }),
  ];

  /** Words that open whose full stop, comma or bracket stands on another line. */
  const tornTerms = () => {
    const edges = (node, at) => box(range(node, at, at + 1));
    const found = [];
    let [last, word] = [null, null];
    for (const node of texts(document.querySelector(".bd-article") ?? document.body)) {
      const button = node.parentElement.closest("button.abh-term");
      if (node.parentElement.closest("[popover]") || !node.parentElement.checkVisibility() || !node.data) continue;
      if (button && button !== word && last && /[([“"]$/.test(last.data)) {
        if (edges(last, last.length - 1).bottom < box(button).top + 2) found.push(button.innerText);
      }
      if (word && !button && /^[^\s\w]/.test(node.data)) {
        if (edges(node, 0).top > box(word).bottom - 2) found.push(word.innerText + node.data[0]);
      }
      [last, word] = [node, button];
    }
    return found;
  };

  /** Text of pictures that is drawn too small; in the copies that figures have of their planes, too. */
  const smallText = () => {
    const drawn = all(".bd-article svg :is(text, tspan)")
      .filter((node) => node.textContent.trim() && !node.closest(".abh-emblem, .abh-index"))
      .filter((node) => node.checkVisibility() && box(node).width > 0)
      .map((node) => {
        const { b, d } = node.getScreenCTM();
        return [named(node), node.textContent.trim(), parseFloat(style(node).fontSize) * Math.hypot(b, d), "figure"];
      });
    const copies = inSight(".abh-mirror").flatMap((copy) => {
      const plane = document.querySelector(copy.querySelector("use").getAttribute("href"));
      return all("text", plane)
        .filter((node) => node.textContent)
        .map((node) => {
          const kind = node.matches(".abh-word") ? "word" : node.matches(".abh-arrow-name") ? "name" : "text";
          const size = (box(copy).width / 300) * parseFloat(style(copy).getPropertyValue(`--abh-${kind}-size`));
          return [`copy in ${named(copy)}`, node.textContent, size, "copy"];
        });
    });
    return [...drawn, ...copies]
      .filter(([, , px, kind]) => px < LEAST_LETTER[kind] - 0.05)
      .map(([where, text, px]) => `${where}: ${text} has ${px.toFixed(1)} px`);
  };

  /** Letters of a font of icons: the book sends none, so they would be empty boxes. */
  const iconLetters = () =>
    all("body :not(math *)")
      .filter((node) => ["::before", "::after"].some((part) => /[\uE000-\uF8FF]/.test(style(node, part).content)))
      .map((node) => `${node.tagName}.${node.className}`);

  /** Code of pictures that does not stand below them, under one small word. */
  const foldsAbove = () =>
    all("div.cell details.hide")
      .map((fold) => [fold, fold.querySelector("summary")])
      .filter(([fold, word]) => {
        const text = word.textContent.trim();
        const room = text === "code" ? 90 : 120; // "code and table"
        const below = fold.parentElement.lastElementChild === fold;
        return !(text.startsWith("code") && word.ariaLabel === null && below && word.offsetWidth < room);
      })
      .map(([, word]) => `${word.textContent.trim()}, ${word.offsetWidth} px wide`);

  /** Code that waits behind a word on a phone, and nowhere else: where it does not, or its word lies on something. */
  const wrongFolds = () => {
    const folds = all("details.abh-fold").filter((fold) => shown(fold.closest(".cell")));
    const waits = matchMedia("screen and (max-width: 36rem)").matches;
    return folds.flatMap((fold) => {
      const [word, code] = [fold.querySelector("summary"), fold.querySelector("pre")];
      const said = shown(word) === waits && shown(code) !== waits ? [] : [`shown: ${code.innerText.slice(0, 80)}`];
      const own = box(word);
      const covered = inSight("td, th, figcaption > *, pre", word.closest(".cell")).filter((node) => {
        const other = box(node);
        const across = Math.min(own.right, other.right) - Math.max(own.left, other.left);
        const down = Math.min(own.bottom, other.bottom) - Math.max(own.top, other.top);
        return !fold.contains(node) && across > 1 && down > 1;
      });
      return [...said, ...covered.map((node) => `covered: ${node.textContent.slice(0, 80)}`)];
    });
  };

  /** Figures that do not stand on paper, or stand there with what only a hand can use. */
  const controlsOnPaper = () =>
    roots()
      .filter((root) => !shown(root) || inSight("[data-action=reset]", root).length)
      .map((root) => root.dataset.explorable);

  /** Words that open nothing, or no meaning. */
  const emptyTerms = () =>
    all("button.abh-term")
      .filter((word) => {
        const meaning = document.getElementById(word.getAttribute("popovertarget"));
        return !(meaning?.matches("[popover]") && meaning.querySelector("strong") && meaning.textContent.length > 25);
      })
      .map((word) => word.innerText);

  // ------------------------------------------------------------------------------------------ marks and colors
  /** Shapes without a color of the book's: they are filled black, as an ink that no figure has. */
  const blackMarks = () =>
    all(".abh svg :is(circle, rect, path, polygon, ellipse)")
      .filter((node) => !node.closest("defs, clipPath, mask, pattern") && style(node).fill === "rgb(0, 0, 0)")
      .map((node) => `${named(node)}: ${node.outerHTML}`);

  /** Grounds that are bright on a dark page; icons and marks are ink. */
  const brightGrounds = () => {
    const linear = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    return all("body, body *")
      .filter((node) => !node.matches("i, .abh *, .skip-link") && node.getClientRects().length)
      .filter((node) => {
        const rgb = style(node).backgroundColor.match(/^rgb\((\d+), (\d+), (\d+)\)/);
        if (!rgb) return false;
        const [r, g, b] = rgb.slice(1).map((byte) => linear(Number(byte)));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.4; // what the theme puts behind a table has 0.66
      })
      .map((node) => `${node.tagName}.${node.className} ${style(node).backgroundColor}`);
  };

  /** Numbers with a bar, a track or a center line through their digits. */
  const struckNumbers = () =>
    inSight(".abh td[data-row]").flatMap((cell) => {
      const text = cell.querySelector(".abh-num");
      const mark = cell.querySelector(".abh-fill, .abh-signed-bar, .abh-length");
      if (!text?.textContent || !mark || !shown(mark)) return [];
      const [words, bar] = [range(text, 0, text.childNodes.length), mark].map(box);
      const ink = words.bottom - 0.24 * words.height; // digits have no descenders
      const clear = bar.top >= ink - 0.5 || bar.bottom <= words.top || bar.width < 0.5 || bar.height < 0.5;
      return clear ? [] : [`${named(cell)}: ${text.textContent}, ${ink - bar.top} px`];
    });

  const TOPS = { "ln 2": Math.LN2, "ln 8": Math.log(8), "½": 0.5 }; // what isn't written as a decimal number
  /** Bars that are not as long as their numbers say, on one scale for a matrix, or lie on the wrong side. */
  const wrongBars = () => {
    const domains = new Map();
    const bars = ".abh-meter > .abh-length, .abh-letter-bar, td[data-row] > :is(.abh-fill, .abh-signed-bar)";
    return all(`.abh :is(${bars})`)
      .filter((bar) => shown(bar.parentElement) && !bar.closest(".abh-hidden, .abh-heat"))
      .filter((bar) => {
        const [drawn, cell, line] = [box(bar), bar.parentElement, bar.closest("li")];
        const holder = line ? line.querySelector("[data-value]") : (bar.closest("[data-row]") ?? cell);
        const value = Number(holder.dataset.value);
        const part = (length, whole) => (Math.abs(length - whole) < 0.6 ? 1 : length / whole); // sizes are rounded
        const share = Math.min(part(drawn.width, bar.offsetWidth), part(drawn.height, bar.offsetHeight));
        const slack = 2 / Math.min(bar.offsetWidth, 60);
        if (!bar.matches(".abh-signed-bar")) {
          const top = line?.querySelector(".abh-meter-top").textContent || "1";
          return Math.abs(share - Math.min(Math.max(value / (TOPS[top] ?? Number(top)), 0), 1)) > slack;
        }
        if (cell.matches(".abh-over, .abh-under")) return share < 0.99;
        if (Math.abs(value) <= 0.3) return false; // a pixel or two
        const around = box(cell);
        const side = Math.sign(Math.round(drawn.left + drawn.right - around.left - around.right));
        const matrix = bar.closest("[data-matrix]");
        // One scale for all cells of a matrix: its first long bar tells it.
        if (!domains.has(matrix) && share > 0.1) domains.set(matrix, Math.abs(value) / share);
        const scale = domains.get(matrix);
        return side !== Math.sign(value) || (scale && Math.abs(share - Math.abs(value) / scale) > slack);
      })
      .map((bar) => `${named(bar)}, ${bar.closest("[data-matrix]")?.dataset.matrix}: ${bar.parentElement.outerHTML}`);
  };

  /** Planes that do not fill their card: on a phone from edge to edge, elsewhere by half. */
  const smallPlanes = () =>
    inSight(".abh-plane")
      .filter((plane) => {
        const card = plane.closest(".abh");
        const { paddingLeft, paddingRight } = style(card);
        const room = card.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        return box(plane).width < (innerWidth < 480 ? 0.99 : 0.5) * room - 0.5 && !plane.closest(".abh-small");
      })
      .map(named);

  /** Still pictures that leave their column, cut a word, scroll, or have letters that are too small or of two fonts. */
  const wrongStills = () =>
    all(".abh-still")
      .filter((still) => still.checkVisibility()) // not those that a live figure has taken the place of
      .flatMap((still) => {
        const column = box(still);
        const panels = all("svg", still).filter((node) => node.checkVisibility());
        const words = panels.flatMap((panel) => all("text", panel).map((text) => [text, panel]));
        const small = ([text, panel]) =>
          (Number(text.getAttribute("font-size")) * box(panel).width) / panel.viewBox.baseVal.width <
          LEAST_LETTER.still - 0.05;
        const cut = ([text, panel]) => box(text).left < box(panel).left - 1 || box(text).right > box(panel).right + 1;
        const out = (panel) => box(panel).right > column.right + 0.5 || box(panel).left < column.left - 0.5;
        const said = [
          ...(panels.length ? [] : ["no picture"]),
          ...(panels.some(out) ? ["out of its column"] : []),
          ...(still.scrollWidth > still.clientWidth ? ["it scrolls"] : []),
          ...(new Set(words.map(([text]) => style(text).fontFamily)).size > 1 ? ["two fonts"] : []),
          ...words.filter(cut).map(([text]) => `cut: ${text.textContent}`),
          ...words.filter(small).map(([text]) => `small: ${text.textContent}`),
        ];
        return said.map((one) => `${still.ariaLabel}: ${one}`);
      });

  return {
    sideways: probe.wide,
    cutOff,
    figuresCut,
    narrowChoices,
    smallTargets: probe.small,
    nearControls,
    unhungCode,
    tornFormulas,
    tornTerms,
    smallText,
    iconLetters,
    foldsAbove,
    wrongFolds,
    emptyTerms,
    controlsOnPaper,
    blackMarks,
    brightGrounds,
    struckNumbers,
    wrongBars,
    smallPlanes,
    wrongStills,
  };
})();
