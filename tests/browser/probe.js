// What the tests do inside a page: read what a reader sees, and move what a reader moves. Loaded before the page's own
// scripts.
window.probe = (() => {
  const roots = () => [...document.querySelectorAll("[data-explorable]")];
  const named = (root) => [...root.querySelectorAll("input[name], select[name]")];
  const shown = (node) =>
    node.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && node.getClientRects().length > 0;

  const fire = (node, dragging) => {
    node.dispatchEvent(new Event("input", { bubbles: true }));
    if (!dragging) node.dispatchEvent(new Event("change", { bubbles: true }));
  };

  /** Put a value into the input of that name, as a reader would; `dragging` leaves out the change at a drag's end. */
  const set = (root, name, value, dragging = false) => {
    const nodes = named(root).filter((node) => node.name === name);
    if (!nodes.length) throw new Error(`no input is named ${name}`);
    const node = nodes[0].type === "radio" ? nodes.find((other) => other.value === String(value)) : nodes[0];
    if (!node) throw new Error(`${name} has no option ${value}`);
    if (node.type === "radio" || node.type === "checkbox") {
      const wanted = node.type === "radio" ? true : Boolean(value);
      if (node.checked === wanted) return;
      node.checked = wanted;
    } else node.value = value;
    fire(node, dragging && node.type === "range");
  };

  /** The inputs of a figure; radio buttons of one name are one switch. */
  const inputs = (root) => {
    const found = new Map();
    for (const node of named(root)) {
      if (!found.has(node.name)) {
        found.set(node.name, {
          name: node.name,
          type: node.type,
          options: [],
          visible: false,
          ...(node.type === "range" ? { min: Number(node.min), max: Number(node.max), step: Number(node.step) } : {}),
        });
      }
      const entry = found.get(node.name);
      entry.visible ||= shown(node);
      if (node.type === "radio") entry.options.push(node.value);
      if (node.type === "select-one") entry.options = [...node.options].map((option) => option.value);
    }
    return [...found.values()];
  };

  /** The state as the reader sees it: name -> value. */
  const state = (root) => {
    const values = {};
    for (const node of named(root)) {
      if (node.type === "radio") {
        values[node.name] ??= null;
        if (node.checked) values[node.name] = node.value;
      } else if (node.type === "checkbox") values[node.name] = node.checked;
      else if (node.type === "range" || node.type === "number") values[node.name] = node.valueAsNumber;
      else values[node.name] = node.value;
    }
    return values;
  };

  /** Every number that a figure shows. A masked cell is −∞. */
  const drawn = (root) => ({
    matrices: [...root.querySelectorAll("[data-matrix]")].map((el) => {
      const name = el.dataset.matrix;
      if (el.dataset.shape) return { name, shape: el.dataset.shape.split(",").map(Number), values: [...el.values] };
      const cells = [...el.querySelectorAll("[data-row]")];
      const size = (key) => 1 + Math.max(-1, ...cells.map((cell) => Number(cell.dataset[key])));
      const [rows, cols] = [size("row"), size("col")];
      const heads = cells.some((cell) => cell.dataset.head !== undefined) ? size("head") : 0;
      const values = new Array(rows * cols * Math.max(1, heads)).fill(NaN);
      for (const { dataset } of cells) {
        const index = (Number(dataset.head ?? 0) * rows + Number(dataset.row)) * cols + Number(dataset.col);
        values[index] = dataset.masked ? -Infinity : dataset.value === undefined ? NaN : Number(dataset.value);
      }
      return { name, shape: heads ? [heads, rows, cols] : [rows, cols], values };
    }),
    scalars: [...root.querySelectorAll("[data-scalar]")].map((el) => ({
      name: el.dataset.scalar,
      value: Number(el.dataset.value),
    })),
  });

  /** What breaks DESIGN.md's DOM contract in a figure, as sentences. */
  const breaches = (root) => {
    const said = [];
    for (const el of root.querySelectorAll("[data-matrix]")) {
      const name = el.dataset.matrix;
      const cells = [...el.querySelectorAll("[data-row]")];
      if (el.querySelector("canvas")) {
        const shape = (el.dataset.shape ?? "").split(",").map(Number);
        if (!(el.values instanceof Float64Array) || el.values.length !== shape.reduce((a, b) => a * b, 1))
          said.push(`${name}: values is not a Float64Array of ${el.dataset.shape}`);
        if (Math.max(...shape, Number(el.dataset.most)) <= 16) said.push(`${name}: a canvas for ${el.dataset.shape}`);
        continue;
      }
      if (!cells.length) said.push(`${name}: no cells`);
      for (const cell of cells) {
        const { row, col, value, masked } = cell.dataset;
        const where = `${name} ${row},${col}`;
        if (col === undefined) said.push(`${where}: no data-col`);
        if (masked === "1" && value !== undefined) said.push(`${where}: masked, and a data-value`);
        if (masked === undefined && !(value !== "" && Number.isFinite(Number(value))))
          said.push(`${where}: data-value is ${value}`);
        if (masked !== undefined && masked !== "1") said.push(`${where}: data-masked is ${masked}`);
      }
    }
    for (const el of root.querySelectorAll("[data-scalar]")) {
      if (!Number.isFinite(Number(el.dataset.value)))
        said.push(`${el.dataset.scalar}: data-value is ${el.dataset.value}`);
    }
    for (const node of root.querySelectorAll("input, select, textarea")) {
      const what = `${node.type} ${node.name || node.getAttribute("aria-label")}`;
      if (node.dataset.lmSuppressShortcuts !== "true") said.push(`${what}: no data-lm-suppress-shortcuts`);
      // The dock's field stands for the selected entry, and a prediction is no part of the state.
      if (!node.name && !node.dataset.answer && !node.closest(".abh-matrix-editor, .abh-ask"))
        said.push(`${what}: no name`);
      if (node.id) said.push(`${what}: a fixed id`);
    }
    return said;
  };

  /** NaN and its kin anywhere in a figure: in numbers, in attributes of the picture, in words. */
  const nonsense = (root) => {
    const said = [...root.outerHTML.matchAll(/[^"<>]{0,40}\b(?:NaN|undefined|Infinity)\b/g)].map(([text]) => text);
    for (const el of root.querySelectorAll("[data-shape]"))
      if (el.values.some(Number.isNaN)) said.push(`${el.dataset.matrix}: NaN on the canvas`);
    return said;
  };

  const open = () => {
    for (const root of roots()) root.querySelector('[data-action="open"][aria-expanded="false"]')?.click();
  };

  /** By how much the page is wider than the screen, and what sticks out (not inside a frame that scrolls by itself). */
  const wide = () => {
    const scrolls = (node) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(node).overflowX);
    const framed = (node) => node !== document.body && (scrolls(node) || framed(node.parentElement));
    const most = document.documentElement.clientWidth;
    const over = document.documentElement.scrollWidth - most;
    if (over <= 0) return [];
    const out = [...document.querySelectorAll("body *")].filter(
      (node) => node.getBoundingClientRect().right > most + 1 && !framed(node),
    );
    return [`${over} px too wide`, ...out.slice(0, 5).map((node) => node.outerHTML.slice(0, 120))];
  };

  /** Live and reserved height of each figure. */
  const heights = () =>
    roots().map((root) => {
      const hold = root.closest(".abh-placeholder");
      return { live: root.offsetHeight, kept: parseFloat(getComputedStyle(hold).minHeight), width: hold.offsetWidth };
    });

  /** Height of what stays at the top of the screen while the page scrolls. */
  const header = () =>
    Math.max(
      0,
      ...[...document.querySelectorAll("header, .bd-header, .bd-header-article")]
        .filter((node) => ["sticky", "fixed"].includes(getComputedStyle(node).position))
        .map((node) => node.getBoundingClientRect().height),
    );

  /** What is too small for a thumb: targets under 24 px, cells with numbers under 44 px. */
  const small = () =>
    roots().flatMap((root) => {
      const said = [];
      for (const node of root.querySelectorAll("button, input, select, a")) {
        if (!shown(node)) continue;
        const box = (
          node.matches("[type=checkbox], [type=radio]") ? node.closest("label") : node
        ).getBoundingClientRect();
        if (box.width < 24 || box.height < 24)
          said.push(`${root.dataset.explorable}: ${node.outerHTML.slice(0, 90)} is ${box.width} × ${box.height}`);
      }
      for (const cell of root.querySelectorAll("td[data-row]")) {
        if (cell.closest(".abh-heat, .abh-hand") || !shown(cell)) continue; // there fields are touched, above
        const { height } = cell.getBoundingClientRect();
        if (height < 43.9)
          said.push(
            `${root.dataset.explorable}: a cell of ` +
              `${cell.closest("[data-matrix]").dataset.matrix} is ${height} px high`,
          );
      }
      return said;
    });

  /** Parts of a figure that stick out of it. */
  const cut = (root) => {
    const { right } = root.getBoundingClientRect();
    return [...root.querySelectorAll("[data-matrix], svg, p")]
      .filter(shown)
      .filter((node) => node.getBoundingClientRect().right > right + 1)
      .map((node) => node.outerHTML.slice(0, 80));
  };

  const round = (root, changes) => {
    for (const [name, value] of changes) set(root, name, value, true);
    return { state: state(root), drawn: drawn(root) };
  };

  /** A value as text that Python's json reads: the browser's driver takes numbers one by one, slowly for thousands. */
  const text = (value) =>
    JSON.stringify(value, (_, entry) =>
      typeof entry === "number" && !Number.isFinite(entry) ? `@${entry}@` : entry,
    ).replace(/"@(-?Infinity|NaN)@"/g, "$1");

  const frame = () => new Promise(requestAnimationFrame);

  /** After all that is on its way: timers of 0 ms (nested ones wait 4), then a frame, and what it started. */
  const settled = async () => {
    await new Promise((done) => setTimeout(done, 5)); // timers come in the order of their times
    await frame();
    await frame();
  };

  /** Once the page has stopped to scroll. */
  const still = async () => {
    for (let [last, calm] = [scrollY, 0]; calm < 6; last = scrollY) {
      await frame();
      calm = scrollY === last ? calm + 1 : 0;
    }
  };

  /** Follow a link within the page; done when all have heard of it. */
  const follow = async (hash) => {
    const before = location.href;
    // Listeners are called in their order: this one, the newest, last.
    const heard = new Promise((done) => {
      addEventListener("hashchange", done, { once: true });
    });
    location.hash = hash;
    if (location.href !== before) await heard;
  };

  return {
    settled,
    still,
    follow,
    text,
    roots,
    inputs,
    set,
    state,
    drawn,
    breaches,
    nonsense,
    round,
    shown,
    open,
    wide,
    heights,
    header,
    small,
    cut,
  };
})();

// How many elements the page has at its first paint.
requestAnimationFrame(() => {
  window.first = document.getElementsByTagName("*").length;
});

// Layout shifts of the page up to the last frame, for the test that nothing jumps.
window.shifts = [];
const note = (entries) => {
  for (const entry of entries) {
    if (!entry.hadRecentInput)
      window.shifts.push({
        value: entry.value,
        what: entry.sources.map(({ node }) => (node?.className ?? node?.nodeName ?? "")?.toString()),
      });
  }
};
const watcher = new PerformanceObserver((list) => note(list.getEntries()));
watcher.observe({ type: "layout-shift", buffered: true });
probe.shifts = async () => {
  await probe.settled();
  note(watcher.takeRecords()); // those that the observer has not been told of
  return window.shifts;
};

// What the page's Content-Security-Policy refused.
window.violations = [];
addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`),
);
