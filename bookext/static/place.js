// Where the reader is, kept on her own device alone: the front page offers to go on from there, and to forget it.
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
})();
