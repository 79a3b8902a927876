// Where the reader is, kept on her own device alone: the front page offers to go on from there, and to forget it.
// Below, the way through ten minutes of practice.
(() => {
  const root = new URL(document.documentElement.dataset.content_root, location.href).href;
  const keep = () => {
    const title = document.querySelector(".bd-article h1")?.firstChild?.textContent.trim();
    if (!title || !location.href.startsWith(root)) return;
    const parts = [...document.querySelectorAll(".bd-article section[id] > h2")];
    const last = parts.findLast((node) => node.getBoundingClientRect().top < innerHeight / 2);
    const page = location.href.slice(root.length).split(/[?#]/)[0];
    const place = {
      href: last ? `${page}#${last.parentElement.id}` : page,
      name: last ? `${title}: ${last.firstChild.textContent.trim()}` : title,
    };
    try {
      localStorage.setItem("attention-by-hand:place", JSON.stringify(place));
    } catch {
      // a browser that keeps nothing: then nothing is kept
    }
  };
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());

  // Ten minutes that were drawn on the page Practice (attn/explore/js/draw/practice.js): which one this is, and the
  // next.
  const LOT = "attention-by-hand:ten";
  const bar = document.createElement("nav");
  bar.className = "abh-session-bar";
  bar.ariaLabel = "Ten minutes of practice";
  const link = (href, text, at) => {
    const node = document.createElement("a");
    [node.href, node.textContent] = [href, text];
    node.addEventListener("click", () => {
      const lot = read();
      if (!lot) return;
      sessionStorage.setItem(LOT, JSON.stringify({ ...lot, at })); // at once: another page may come before any timer
      setTimeout(show); // another figure of this page: the bar goes on
    });
    return node;
  };
  const read = () => {
    try {
      const lot = JSON.parse(sessionStorage.getItem(LOT));
      const sound = ([, , href, text]) => href.startsWith(root) && typeof text === "string";
      return lot.list.startsWith(root) && lot.steps.every(sound) ? lot : null;
    } catch {
      return null; // none was drawn, or nonsense
    }
  };
  const show = () => {
    const lot = read();
    const here = (step) => step && step[2].split("#")[0] === location.href.split("#")[0];
    bar.remove();
    if (!lot) return;
    const exact = (step) => step?.[2] === location.href; // what comes twice is told by where one was
    const places = [exact, here].map((is) => (is(lot.steps[lot.at]) ? lot.at : lot.steps.findIndex(is)));
    const at = places.find((place) => place >= 0) ?? -1;
    if (at < 0) return;
    const end = document.createElement("button");
    Object.assign(end, { type: "button", textContent: "End" });
    end.addEventListener("click", () => {
      sessionStorage.removeItem(LOT);
      bar.remove();
    });
    const next = lot.steps[at + 1];
    bar.replaceChildren(
      `${at + 1} of ${lot.steps.length}`,
      next ? link(next[2], `Next: ${next[3]}`, at + 1) : link(lot.list, "The last one: back to Practice", at),
      end,
    );
    document.body.append(bar);
  };
  show();
  addEventListener("hashchange", show);
})();
