// Runs Python for a page, in a worker: no document, no store, and once it has started no network but for the book's
// own archives, of which one comes when a cell imports from it. The page sends { start: the manifest }, then
// { run, code, name }, and { figure, set, run } when a reader moves a figure that Python made. Answers are
// { progress }, { ready }, { loads }, { run, out }, { run, done }, { figure, set } and { failed }. *Stop* is the end of
// the worker.

const base = new URL("./", self.location.href);
let python = null;
let harness = null;
let current = null; // the number of the run that output belongs to
let got = 0;

/** The bytes of a file, counted while they come; a .pack is of gzip, unpacked here: no host need know that. */
const load = async (name) => {
  const answer = await fetch(new URL(name, base));
  if (!answer.ok) throw new Error(`${name}: the server answered ${answer.status}`);
  const counted = answer.body.pipeThrough(
    new TransformStream({
      transform(chunk, to) {
        got += chunk.byteLength;
        postMessage({ progress: got });
        to.enqueue(chunk);
      },
    }),
  );
  const stream = name.endsWith(".pack") ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  return new Response(stream).arrayBuffer();
};

const CLOSED =
  "fetch XMLHttpRequest WebSocket WebSocketStream WebTransport EventSource RTCPeerConnection FontFace FontFaceSet " +
  "indexedDB caches cookieStore BroadcastChannel Worker SharedWorker importScripts Notification";

/** Take from the code in here what could reach a network or a store. */
const shut = () => {
  const close = (name, owner) => {
    for (; owner; owner = Object.getPrototypeOf(owner))
      if (Object.hasOwn(owner, name)) Object.defineProperty(owner, name, { value: undefined, writable: false });
  };
  for (const name of CLOSED.split(" ")) close(name, self);
  for (const name of ["storage", "serviceWorker", "locks"]) close(name, self.navigator);
};

const plain = (value) => value.toJs({ dict_converter: Object.fromEntries });

const start = async ({ runtime, archives, first }) => {
  const [wasm, library, script, ...packs] = [
    ...["pyodide.asm.wasm", "python_stdlib.zip", "pyodide.asm.js"].map((name) => runtime[name].file),
    ...first.map((name) => archives[name].file),
  ].map(load);
  self.importScripts(new URL("pyodide.js", base));
  self.importScripts(URL.createObjectURL(new Blob([await script], { type: "text/javascript" })));
  const own = self.fetch;
  const given = async (data, type) => new Response(await data, { headers: { "Content-Type": type } });
  self.fetch = (request, options) => {
    const name = String(request.url ?? request);
    if (name.endsWith("pyodide.asm.wasm")) return given(wasm, "application/wasm");
    if (name.endsWith("python_stdlib.zip")) return given(library, "application/zip");
    return own(request, options);
  };
  python = await self.loadPyodide({ indexURL: base.href, env: { HOME: "/home/pyodide", MPLBACKEND: "agg" } });
  const site = python.runPython("import site; site.getsitepackages()[0]");
  for (const data of packs) python.unpackArchive(await data, "tar", { extractDir: site });
  const Ask = self.XMLHttpRequest;
  /** Get one more archive while a cell waits for it; the folder where it is. */
  const more = (name) => {
    const { file, bytes } = archives[name];
    postMessage({ loads: name, bytes });
    const ask = new Ask();
    ask.open("GET", new URL(file, base), false);
    ask.responseType = "arraybuffer";
    ask.send();
    if (ask.status !== 200) throw new Error(`${file}: the server answered ${ask.status}`);
    const place = name === "library" ? site.slice(0, site.lastIndexOf("/")) : site; // both are on Python's path
    python.unpackArchive(ask.response, "gztar", { extractDir: place });
    postMessage({ loads: null });
    return place;
  };
  shut();
  harness = python.pyimport("page_runtime");
  const send = (said) => {
    const out = plain(said);
    postMessage("set" in out ? out : { run: current, out });
  };
  const left = Object.entries(archives).filter(([name]) => !first.includes(name));
  harness.start(send, more, python.toPy(Object.fromEntries(left.map(([name, { modules }]) => [name, modules]))));
};

const run = ({ run: number, code, name }) => {
  current = number;
  postMessage({ run: number, done: plain(harness.run(code, name)) });
};

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      await start(data.start);
      postMessage({ ready: true });
    } else if (data.figure) {
      current = data.run;
      harness.moved(data.figure, python.toPy(data.set));
    } else {
      run(data);
    }
  } catch (error) {
    postMessage({ failed: String(error?.message ?? error).slice(-600) });
  }
};
