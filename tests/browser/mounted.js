// One page on which any figure is mounted, put into any state, and then measured. Loaded after probe.js.
window.mounted = (() => {
  let [leave, model, slots, heard, saved] = [null, null, [], 0, 0];

  /** What anywidget hands to render(): the traits, and who listens to them. */
  const modelOf = (state) => {
    const listeners = new Map();
    const of = (name) => listeners.get(name) ?? [];
    return {
      state,
      get: (key) => state[key],
      set: (key, value) => {
        state[key] = value;
      },
      on(name, call) {
        listeners.set(name, [...of(name), call]);
        heard += 1;
      },
      off(name, call) {
        heard -= of(name).filter((other) => other === call).length;
        listeners.set(
          name,
          of(name).filter((other) => other !== call),
        );
      },
      save_changes() {
        saved += 1;
      },
      /** As when Python sets traits. */
      tell(changes) {
        Object.assign(state, structuredClone(changes));
        for (const key of Object.keys(changes)) for (const call of of(`change:${key}`)) call();
      },
    };
  };

  const modules = new Map();
  const renderer = async (text) => {
    if (!modules.has(text)) {
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      modules.set(text, (await import(address)).default.render);
    }
    return modules.get(text);
  };

  const root = (index = slots.length - 1) => slots[index].querySelector("[data-explorable]");

  /** Mount figures of one kind, one for each state; the last of them is the one that is moved. */
  const put = async (text, view, ...states) => {
    leave?.();
    [heard, saved] = [0, 0];
    history.replaceState(null, "", location.pathname);
    const render = await renderer(text);
    slots = states.map(() => document.createElement("div"));
    for (const slot of slots) {
      Object.assign(slot, { className: "abh-slot" });
      Object.assign(slot.dataset, { view, explore: "explore/figure.html", mounted: "1" });
      slot.append(document.createElement("div"));
      slot.firstChild.className = "abh-placeholder";
    }
    document.querySelector("main").replaceChildren(...slots);
    const models = states.map((state) => modelOf(structuredClone(state)));
    const leaving = slots.map((slot, i) => render({ model: models[i], el: slot.firstChild }));
    model = models.at(-1);
    leave = () => leaving.forEach((call) => call());
    await new Promise(requestAnimationFrame); // canvases are painted with the first frame
    await probe.settled();
  };

  /** Take the figures away, as JupyterLab does when a cell runs again: who still listens, and what is left of them. */
  const remove = () => {
    const before = heard;
    leave();
    leave = null;
    return [before, heard, slots.reduce((count, slot) => count + slot.firstChild.childElementCount, 0)];
  };

  /** Set traits as Python does; the figure has drawn them when this is done. */
  const tell = async (changes) => {
    model.tell(changes);
    await Promise.resolve(); // the figure redraws in a microtask of its own, which comes first
  };

  /** A hand that moves nothing: it lets go of a slider where that stands. */
  const touch = () =>
    (root().querySelector("input[type=range]") ?? root().querySelector(".abh-small select, input")).dispatchEvent(
      new Event("input"),
    );
  const reset = () => root().querySelector('[data-action="reset"]').click();

  /** In each of some states, what `measure(root)` says. */
  const tour = async (states, measure) => {
    const seen = [];
    for (const state of states) {
      await tell(state);
      seen.push(await measure(root()));
    }
    return probe.text(seen);
  };

  // ---------------------------------------------------------------- lamps
  const lamps = () => [...root().querySelectorAll("[data-goal]")].map((goal) => goal.dataset.state);

  /** Which lamps burn in each of some states, after a hand has been there. Put out after each state that lights one. */
  const lit = async (states) => {
    const seen = [];
    for (const state of states) {
      if (!root().matches(".abh-touched")) touch();
      await tell(state);
      const burning = lamps().map((lamp) => Number(lamp === "right"));
      seen.push(burning);
      if (burning.some(Boolean)) reset();
    }
    return seen;
  };

  // ---------------------------------------------------------------- round trips
  /** What a button of the Share menu offers. */
  const copied = (action) => {
    if (!root().querySelector(".abh-share:not([hidden])")) root().querySelector('[data-action="share"]').click();
    root().querySelector(`[data-action="${action}"]`).click();
    return root().querySelector(".abh-copied").textContent;
  };
  const traits = (names) => Object.fromEntries(names.map((name) => [name, structuredClone(model.get(name))]));

  /** For each state: the link, the frame's address and the traits after the link was followed. */
  const trips = async (states, names) => {
    const seen = [];
    for (const state of states) {
      await tell(state);
      const [link, line] = ["copy-link", "copy-iframe"].map(copied);
      const frame = new DOMParser().parseFromString(line, "text/html").querySelector("iframe");
      const drawn = probe.drawn(root());
      reset();
      await probe.follow(link.slice(link.indexOf("#")));
      const [back, again] = [traits(names), probe.drawn(root())];
      reset();
      await probe.follow("#");
      seen.push({
        link: link.slice(link.indexOf("#")),
        frame: frame.getAttribute("src"),
        attributes: frame.getAttributeNames(),
        back,
        same: probe.text(drawn) === probe.text(again),
      });
    }
    return seen;
  };

  return { saves: () => saved, put, remove, tell, touch, reset, tour, lit, lamps, trips, copied, traits, root };
})();
