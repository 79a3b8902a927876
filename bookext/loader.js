// Mounts the explorables of a static page from the traits that stand in their slots (the bundle around this file holds `views`), lays a long page out by and by, and lets a keyboard reach what scrolls.

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

// A figure's own page has no theme: it follows the reader's system.
const page = document.documentElement;
if (!page.dataset.theme && location.pathname.includes("/explore/")) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    page.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", follow);
  follow();
}

// The first paint lays out the parts of the page that are near it (book.css), the others follow when the browser is at
// leisure: a long chapter takes a laptop a tenth of a second, a phone much longer. A page that opens in its middle is
// laid out at once, since its place depends on all that stands above.
const later = window.requestIdleCallback ?? ((call) => setTimeout(call, 50, { timeRemaining: () => 0 }));
const layOut = (deadline) => {
  for (const part of document.querySelectorAll(".bd-article > section > section:not(.abh-laid)")) {
    part.classList.add("abh-laid");
    part.getBoundingClientRect();
    if (deadline.timeRemaining() < 8) {
      later(layOut, { timeout: 500 });
      return;
    }
  }
  delete page.dataset.near;
};
if (performance.getEntriesByType("navigation")[0]?.type === "navigate" && !location.hash && document.readyState !== "complete") {
  page.dataset.near = "";
  addEventListener("load", () => later(layOut, { timeout: 500 }));
}

const mountAll = () => {
  // All that are there in one go: were they mounted one after the other, the browser would lay the page out after each.
  for (const place of document.querySelectorAll(".abh-slot:not([data-mounted])")) {
    const traits = place.querySelector("script[data-abh]");
    if (!traits?.nextSibling) continue; // not all of it has arrived
    place.dataset.mounted = "1";
    const hold = place.firstElementChild;
    const still = [...hold.childNodes];
    views[place.dataset.view].render({ model: modelOf(JSON.parse(traits.textContent)), el: hold });
    for (const node of still) node.remove();
  }
};

// The figures whose slots have arrived come alive at once, the others when the page's text is complete ("interactive"
// comes before the page's deferred scripts run).
mountAll();
if (document.readyState === "loading") document.addEventListener("readystatechange", mountAll, { once: true });

// A keyboard reaches what scrolls.
const reach = new ResizeObserver((entries) => {
  const parts = entries.map(({ target }) => [target, target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight]);
  for (const [part, scrolls] of parts) {
    const marks = part.matches(".abh-panorama") ? { role: "group", "aria-label": "A wide picture, which scrolls sideways" } : {};
    for (const [name, value] of Object.entries({ tabindex: "0", ...marks })) {
      if (scrolls) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  }
});
const watch = () => {
  for (const part of document.querySelectorAll(".abh-panorama, pre, .cell_output > .output, .pst-scrollable-table-container")) reach.observe(part);
};
if (document.readyState === "loading") addEventListener("DOMContentLoaded", watch);
else watch();
