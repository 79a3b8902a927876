// Brings a static page to life: mounts its figures from the traits that stand in their slots, lays a long page out by
// and by, and lets a keyboard reach what scrolls. The script of a page (bookext/explorables.py) calls mountPage().

const page = document.documentElement;
const SLICE = 8; // ms, after which a turn takes no further task

/** Call back when the browser is idle. */
const idle = window.requestIdleCallback ?? ((call) => setTimeout(call, 50));

/** Call back once the page stands. */
const whenStanding = (call) => {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", call);
  else call();
};

/** From the first frame on; in a page that nobody sees there is none. */
const afterPaint = (call) => {
  if (document.hidden) setTimeout(call);
  else requestAnimationFrame(() => setTimeout(call));
};

/** What anywidget hands to render(), without a kernel: the traits and their listeners. `onIdle` runs what can wait. */
const modelOf = (state, onIdle) => {
  const listeners = new Map();
  return {
    onIdle,
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

/** A figure's own page has no theme: it follows the reader's system. */
const followSystem = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    page.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", follow);
  follow();
};

/** Tasks that no reader waits for, each in a turn of its own: the other figures of a page, the closed parts of all. */
const idleTasks = () => {
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
    working = tasks.length > 0;
    if (working) idle(work, { timeout: 200 });
  };
  const start = () => {
    if (working || !tasks.length) return;
    working = true;
    idle(work, { timeout: 200 });
  };
  return {
    start,
    add: (task) => tasks.push(task),
    onIdle(call) {
      tasks.push(call);
      if (tasks.length === 1) afterPaint(start);
    },
  };
};

/**
 * The first paint lays out the parts of the page that are near it (book.css), the others follow when the browser is
 * idle: a long chapter takes a laptop a tenth of a second, a phone much longer. A page that opens in its middle is
 * laid out at once, since its place depends on all that stands above.
 */
const layOutByAndBy = () => {
  const opened = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  if (!opened || location.hash || document.readyState === "complete") return;
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
  page.dataset.near = "";
  addEventListener("load", () => idle(layOut, { timeout: 500 }));
};

/** Mount the figure of a slot. If it can't be, its picture comes back, and all that comes after it is mounted. */
const mountFigure = (slot, view, onIdle) => {
  const hold = slot.firstElementChild;
  const picture = [...hold.childNodes];
  try {
    const traits = JSON.parse(slot.querySelector("script[data-abh]").textContent);
    slot.abhModel = modelOf(traits, onIdle); // Python in the page ties its figure to it
    view.render({ model: slot.abhModel, el: hold });
    for (const node of picture) node.remove();
  } catch (error) {
    const says = document.createElement("p");
    says.className = "abh-trouble";
    says.textContent =
      "This figure does not work here. What you see is its picture; the other figures are not concerned.";
    hold.replaceChildren(...picture, says);
    reportError(error);
  }
};

/**
 * The first figure comes alive at once, the others when they come near, or when the page stands. All at once if the
 * page opens in its middle, since its place depends on all that stands above; for an address that names one; and for
 * paper.
 */
const mountFigures = (views, mounted) => {
  const tasks = idleTasks();
  const waiting = new Set();
  let first = false;
  const mount = (slot, onIdle = tasks.onIdle) => {
    if ("mounted" in slot.dataset) return;
    slot.dataset.mounted = "1";
    near.unobserve(slot);
    mountFigure(slot, views[slot.dataset.view], onIdle);
    mounted();
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) mount(target);
    },
    { rootMargin: "50% 0px" },
  );
  const unmounted = () => [...document.querySelectorAll(".abh-slot:not([data-mounted])")];
  const mountAll = () => {
    for (const slot of unmounted().filter((one) => !waiting.has(one))) {
      if (!slot.querySelector("script[data-abh]")?.nextSibling) continue; // not all of it has arrived
      const { view } = slot.dataset;
      if (!first || location.hash) {
        // The front page has one figure, whose closed part is small: it is complete before the first paint.
        mount(slot, view === "first_touch" ? (call) => call() : tasks.onIdle);
        first ||= view !== "predict";
      } else {
        waiting.add(slot);
        near.observe(slot);
        tasks.add(() => mount(slot));
      }
    }
  };
  const mountNow = () => unmounted().forEach((slot) => mount(slot));
  mountAll();
  if (document.readyState === "loading") document.addEventListener("readystatechange", mountAll, { once: true });
  if (document.readyState === "complete") afterPaint(tasks.start);
  else addEventListener("load", () => afterPaint(tasks.start));
  addEventListener("hashchange", () => location.hash.startsWith("#state=") && mountNow());
  addEventListener("beforeprint", mountNow);
  return mount;
};

const SCROLLS = ".abh-shown figure, pre, .cell_output > .output, .pst-scrollable-table-container";

/** A keyboard reaches what scrolls. */
const reachScrolling = () => {
  const sizes = new ResizeObserver((entries) => {
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
  for (const part of document.querySelectorAll(SCROLLS)) sizes.observe(part);
};

/**
 * Bring the page to life with what its script holds: the `views` of its figures by name, `tieSentences` of
 * draw/sentences.js, `noteOpened` of draw/kept.js, and on the page Practice `practicePage` of draw/practice.js.
 */
export function mountPage({ views, tieSentences, noteOpened, practicePage }) {
  if (!page.dataset.theme && location.pathname.includes("/explore/")) followSystem();
  // Practice asks of chapters whose page was opened: its own page, not its exercises.
  const chapter = /\/chapters\/(\d\d)_\w+\.html$/.exec(location.pathname);
  if (chapter) noteOpened(String(Number(chapter[1])));
  layOutByAndBy();
  page.abhMount = { views, mountFigure, mount: mountFigures(views, tieSentences) }; // for Python in the page
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", tieSentences);
  whenStanding(reachScrolling);
  if (practicePage) whenStanding(practicePage);
}
