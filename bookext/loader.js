// Mounts the explorables of a static page from the traits that stand in their slots (the bundle around this file holds
// `views`), lays a long page out by and by, and lets a keyboard reach what scrolls.

/** What anywidget hands to render(), without a kernel: the traits and their listeners. */
const modelOf = (state) => {
  const listeners = new Map();
  return {
    get: (key) => state[key],
    set(key, value) {
      if (state[key] === value) return;
      state[key] = value;
      for (const call of Array.from(listeners.get(`change:${key}`) ?? [])) call();
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

// Practice asks of chapters whose page was opened: its own page, not its exercises.
const chapterHere = /\/chapters\/(\d\d)_\w+\.html$/.exec(location.pathname);
if (chapterHere) noteOpened(String(Number(chapterHere[1])));

// What no reader waits for is done when the browser is at leisure, each in a turn of its own: the other figures of a
// page, and the closed parts of all.
const idle = window.requestIdleCallback ?? ((call) => setTimeout(call, 50));
const SLICE = 8; // ms, after which a turn takes no further task
const tasks = [];
let working = false;
const work = () => {
  const end = performance.now() + SLICE;
  do {
    try {
      tasks.shift()();
    } catch (error) {
      reportError(error); // one figure's trouble is not the others'
    }
  } while (tasks.length && performance.now() < end);
  if (tasks.length) idle(work, { timeout: 200 });
  else working = false;
};
const start = () => {
  if (working || !tasks.length) return;
  working = true;
  idle(work, { timeout: 200 });
};
/** From the first frame on; in a page that nobody sees there is none. */
const afterPaint = (call) => {
  if (document.hidden) setTimeout(call);
  else requestAnimationFrame(() => setTimeout(call));
};
let whole = false; // the figure that is being mounted is built with its closed part
atLeisure = (call) => {
  if (whole) {
    call();
    return;
  }
  tasks.push(call);
  if (tasks.length === 1) afterPaint(start);
};

// The first paint lays out the parts of the page that are near it (book.css), the others follow when the browser is at
// leisure: a long chapter takes a laptop a tenth of a second, a phone much longer. A page that opens in its middle is
// laid out at once, since its place depends on all that stands above.
const layOut = () => {
  const end = performance.now() + SLICE;
  for (const part of document.querySelectorAll(".bd-article > section > section:not(.abh-laid)")) {
    part.classList.add("abh-laid");
    part.getBoundingClientRect();
    if (performance.now() > end) {
      idle(layOut, { timeout: 500 });
      return;
    }
  }
  delete page.dataset.near;
};
if (
  performance.getEntriesByType("navigation")[0]?.type === "navigate" &&
  !location.hash &&
  document.readyState !== "complete"
) {
  page.dataset.near = "";
  addEventListener("load", () => idle(layOut, { timeout: 500 }));
}

const mount = (place) => {
  if ("mounted" in place.dataset) return;
  place.dataset.mounted = "1";
  near.unobserve(place);
  const hold = place.firstElementChild;
  const still = [...hold.childNodes];
  try {
    views[place.dataset.view].render({
      model: modelOf(JSON.parse(place.querySelector("script[data-abh]").textContent)),
      el: hold,
    });
    for (const node of still) node.remove();
  } catch (error) {
    // One figure's trouble is not the others': its picture comes back, and all that comes after it is mounted.
    const says = document.createElement("p");
    says.className = "abh-trouble";
    says.textContent =
      "This figure does not work here. What you see is its picture; the other figures are not concerned.";
    hold.replaceChildren(...still, says);
    reportError(error);
  }
  tieSentences();
};
const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) mount(target);
  },
  { rootMargin: "50% 0px" },
);
const waiting = new Set();
let first = false;
const mountAll = () => {
  for (const place of document.querySelectorAll(".abh-slot:not([data-mounted])")) {
    if (waiting.has(place)) continue;
    if (!place.querySelector("script[data-abh]")?.nextSibling) continue; // not all of it has arrived
    if (!first || location.hash) {
      // The front page has one figure, whose closed part is small: it is complete before the first paint.
      whole = place.dataset.view === "first_touch";
      mount(place);
      whole = false;
      first ||= place.dataset.view !== "predict";
    } else {
      waiting.add(place);
      near.observe(place);
      tasks.push(() => mount(place));
    }
  }
};
const mountNow = () => {
  for (const place of document.querySelectorAll(".abh-slot:not([data-mounted])")) mount(place);
};

// The first figure comes alive at once, the others when they come near, or when the page stands. All at once if the
// page opens in its middle, since its place depends on all that stands above; for an address that names one; and for
// paper.
mountAll();
if (document.readyState === "loading") {
  document.addEventListener("readystatechange", mountAll, { once: true });
  addEventListener("DOMContentLoaded", tieSentences);
}
if (document.readyState === "complete") afterPaint(start);
else addEventListener("load", () => afterPaint(start));
addEventListener("hashchange", () => location.hash.startsWith("#state=") && mountNow());
addEventListener("beforeprint", mountNow);

// A keyboard reaches what scrolls.
const reach = new ResizeObserver((entries) => {
  const parts = entries.map(({ target }) => [
    target,
    target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight,
  ]);
  for (const [part, scrolls] of parts) {
    const marks = part.matches("figure")
      ? { role: "group", "aria-label": "A wide table, which scrolls sideways" }
      : {};
    for (const [name, value] of Object.entries({ tabindex: "0", ...marks })) {
      if (scrolls) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  }
});
const watch = () => {
  for (const part of document.querySelectorAll(
    ".abh-shown figure, pre, .cell_output > .output, .pst-scrollable-table-container",
  ))
    reach.observe(part);
};
if (document.readyState === "loading") addEventListener("DOMContentLoaded", watch);
else watch();
