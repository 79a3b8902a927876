// Mounts the explorables of a static page from the state that the build embedded. The bundle around this file holds `views`.

/** What anywidget hands to render(), without a kernel: the traits and their listeners. */
const modelOf = (state) => {
  const listeners = new Map();
  return {
    get: (key) => state[key],
    set(key, value) {
      if (state[key] === value) return;
      state[key] = value;
      for (const call of [...(listeners.get(`change:${key}`) ?? [])]) call();
    },
    on(name, call) {
      if (!listeners.has(name)) listeners.set(name, new Set());
      listeners.get(name).add(call);
    },
    off(name, call) {
      listeners.get(name)?.delete(call);
    },
    save_changes() {},
  };
};

const mountAll = () => {
  const embedded = document.querySelector("script[data-abh]");
  if (!embedded) return;
  const models = JSON.parse(embedded.textContent);
  // All in one go: were they mounted one after the other, the browser would lay the whole page out after each.
  for (const place of document.querySelectorAll(".abh-slot[data-model]")) {
    const { view, state } = models[place.dataset.model];
    const hold = place.firstElementChild;
    const still = [...hold.childNodes];
    // The same state may stand in two places of a page: each figure gets its own copy.
    views[view].render({ model: modelOf(structuredClone(state)), el: hold });
    for (const node of still) node.remove();
  }
};

// "interactive" comes before the page's deferred scripts run: a figure does not wait for the search index.
if (document.readyState === "loading") document.addEventListener("readystatechange", mountAll, { once: true });
else mountAll();
