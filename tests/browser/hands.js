// What the gesture tests ask a page, beside probe.js. Figures are counted as on the page, from 0; answers are JSON.
window.hands = (() => {
  const root = (figure) => probe.roots()[figure];
  const SORTS = {
    grip: "[data-grip]",
    slider: 'input[type="range"][name]',
    cell: ".abh-editable td[data-row]",
    painter: "[data-painter]",
    plane: ".abh-plane",
    list: "[data-reorder]",
    switch: 'input[type="checkbox"][name], input[type="radio"][name]',
    reset: '[data-action="reset"]',
    button: "button[data-action]",
  };
  const KEYS = {
    grip: (node) => node.dataset.grip,
    slider: (node) => node.name,
    cell: (node) =>
      [
        node.closest("[data-matrix]").dataset.matrix,
        ...(node.dataset.head === undefined ? [] : [node.dataset.head]),
        node.dataset.row,
        node.dataset.col,
      ].join("."),
    painter: (node) => node.dataset.painter,
    plane: (node) => String([...document.querySelectorAll(SORTS.plane)].indexOf(node)),
    list: (node) => node.dataset.reorder,
    switch: (node) => (node.type === "radio" ? `${node.name}=${node.value}` : node.name),
    reset: () => "reset",
    button: (node) => node.dataset.action,
  };
  const all = (figure, sort) =>
    [...root(figure).querySelectorAll(SORTS[sort])].filter(
      (node) => probe.shown(node) && !(sort === "switch" && node.closest("[data-painter]")),
    );
  const find = (figure, sort, key) => all(figure, sort).find((node) => KEYS[sort](node) === key);
  /** The keys of all things of a sort that a figure shows. */
  const keys = (figure, sort) => all(figure, sort).map(KEYS[sort]);

  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return {
      x: left + width / 2,
      y: top + height / 2,
      left,
      top,
      width,
      height,
      scrolls: getComputedStyle(node).touchAction,
    };
  };
  const named = (node) =>
    node ? `<${node.tagName.toLowerCase()} class="${node.getAttribute("class") ?? ""}">` : "nothing";
  /** What lies over a point of a node, or null. */
  const over = (node, x, y) => {
    const top = document.elementFromPoint(x, y);
    return top === node || node.contains(top) ? null : named(top);
  };

  /** Where a thing is, where it stands on the screen while it is moved, and what is over the place to take hold of. */
  const look = (figure, sort, key) => {
    const node = find(figure, sort, key);
    if (!node) return null;
    const at = middle(node);
    if (sort === "switch") {
      const label = node.closest("label");
      return {
        ...middle(label),
        on: node.checked,
        over: over(label, middle(label).x, middle(label).y),
        stands: middle(label).top,
      };
    }
    if (sort === "slider") {
      const [min, max, value] = [Number(node.min), Number(node.max), node.valueAsNumber];
      at.room = [at.left + 13, at.left + at.width - 13]; // where the middle of the thumb can be
      at.x = at.room[0] + ((value - min) / (max - min || 1)) * (at.room[1] - at.room[0]);
      Object.assign(at, { min, max, value, step: Number(node.step) });
    }
    if (sort === "cell")
      Object.assign(at, { value: Number(node.dataset.value), selected: node.classList.contains("abh-selected") });
    if (sort === "painter") {
      at.cells = [...node.querySelectorAll("tr")]
        .map((row) =>
          [...row.querySelectorAll('input[type="checkbox"]')].map((input) => ({
            on: input.checked,
            over: over(input.closest("td"), middle(input).x, middle(input).y),
            ...middle(input.closest("td")),
          })),
        )
        .filter((row) => row.length);
    }
    if (sort === "list")
      at.items = [...node.children].map((item) => ({
        text: item.textContent,
        over: over(item, middle(item).x, middle(item).y),
        ...middle(item),
      }));
    if (sort === "grip") {
      const { left, top, width } = node
        .closest(".abh-plane-frame, .abh-plane-box, figure, div:has(> svg)")
        .querySelector("svg")
        .getBoundingClientRect();
      Object.assign(at, { frame: { left, top, width }, stands: top });
    }
    return { stands: at.top, ...at, over: over(node, at.x, at.y) };
  };

  /** The same, with the thing in the middle of the screen. */
  const aim = (figure, sort, key) => {
    find(figure, sort, key)?.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return look(figure, sort, key);
  };

  /** Where, at a distance from its middle, a grip is not found though no other is nearer and the frame goes on. */
  const reach = (figure, key, distance) => {
    const node = find(figure, "grip", key);
    const [at, frame] = [middle(node), node.parentElement.getBoundingClientRect()];
    return Array.from({ length: 8 }, (_, k) => [
      distance * Math.cos((k * Math.PI) / 4),
      distance * Math.sin((k * Math.PI) / 4),
    ]).flatMap(([dx, dy]) => {
      const [x, y] = [at.x + dx, at.y + dy];
      if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom || !over(node, x, y)) return [];
      const nearer = all(figure, "grip").some(
        (other) => other !== node && Math.hypot(middle(other).x - x, middle(other).y - y) < distance + 1,
      );
      return nearer ? [] : [`${over(node, x, y)} at ${Math.round(dx)}, ${Math.round(dy)} px from its middle`];
    });
  };

  /** A place in a plane that no grip is near. */
  const ground = (figure, key) => {
    const box = find(figure, "plane", key).getBoundingClientRect();
    for (const share of [0.75, 0.6, 0.9, 0.5, 0.3]) {
      for (const aside of [0.5, 0.3, 0.7, 0.15, 0.85]) {
        const [x, y] = [box.left + aside * box.width, box.top + share * box.height];
        if (!document.elementFromPoint(x, y)?.closest("[data-grip]")) return { x, y };
      }
    }
    return null;
  };

  /** What the inputs hold, and what is drawn. */
  const read = (figure) => ({ state: probe.state(root(figure)), drawn: probe.drawn(root(figure)) });
  const scroll = () => ({ now: scrollY, most: document.documentElement.scrollHeight - innerHeight });
  /** Where to click so that the figure opens, if it can be opened and is not. */
  const opener = (figure) => {
    const node = root(figure).querySelector('[data-action="open"][aria-expanded="false"]');
    if (!node || !probe.shown(node)) return null;
    node.scrollIntoView({ block: "center", behavior: "instant" });
    return middle(node);
  };
  const blur = () => dispatchEvent(new Event("blur"));
  const selected = () => String(getSelection());
  return {
    keys,
    look,
    aim,
    reach,
    ground,
    read,
    scroll,
    opener,
    blur,
    selected,
  };
})();
