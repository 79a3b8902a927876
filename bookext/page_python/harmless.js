// Elements of the page: those that its script makes, and markup that came out of a cell, made safe to stand in it.

/** An element with attributes and children. */
export const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const TAGS = new Set(
  (
    "div span p b i em strong code pre br ul ol li sub sup figure figcaption table thead tbody tr th td svg g path " +
    "text tspan rect circle ellipse line polyline polygon defs pattern clippath image use title"
  ).split(" "),
);
const NAMES = new RegExp(
  "^(class|scope|colspan|rowspan|style|width|height|viewbox|preserveaspectratio|d|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|" +
    "dx|dy|fill|stroke|transform|points|id|opacity|role|aria-[a-z]+|(fill|stroke|font|text|clip|stop|dominant)-[a-z-]+|" +
    "pattern[a-z]+|clippathunits|letter-spacing|href|xlink:href)$",
);

/** What a part of a picture is called on the page, so that it meets no name of the page's. */
const named = (id) => (id.startsWith("r") ? id : `r-${id}`);

/** Markup that a cell made, as nodes: what could run, lead away, or reach out of its place is left out. */
export const harmless = (markup) => {
  const quiet = markup.replace(/\son\w+\s*=/gi, " data-no="); // else a browser complains of what is left out below
  const parsed = new DOMParser().parseFromString(`<body>${quiet}</body>`, "text/html");
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.has(node.localName.toLowerCase())) return "";
    const element = document.createElementNS(node.namespaceURI, node.localName);
    for (const { name, value } of node.attributes) {
      const key = name.toLowerCase();
      if (!NAMES.test(key)) continue;
      if (key === "class" && !/^[\s\w-]*$/.test(value)) continue;
      if (key.endsWith("href") && !/^(#|data:image\/png;base64,)/.test(value)) continue;
      if (/url\((?!["']?#)|position|z-index|expression/i.test(value) && key !== "class" && !key.endsWith("href"))
        continue;
      const ours = value.replace(/^#(.*)$|url\(["']?#([^)"']*)["']?\)/g, (_, link, place) =>
        link === undefined ? `url(#${named(place)})` : `#${named(link)}`,
      );
      element.setAttribute(name, key === "id" ? named(value) : ours);
    }
    for (const child of node.childNodes) element.append(copy(child));
    return element;
  };
  return [...parsed.body.childNodes].map(copy);
};
