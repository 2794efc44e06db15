// Starts the app: checks what it needs, says what is missing, then keeps it for offline use.

const page = document.documentElement;

/** Shows one of the problems written in index.html, in place of the app. */
function show(problem) {
  const box = document.getElementById("boot-problem");
  for (const text of box.querySelectorAll("[data-problem]")) {
    text.hidden = text.dataset.problem !== problem;
  }
  box.hidden = false;
  page.dataset.boot = problem;
}

/** Whether workers can be modules: a browser that knows the option reads it, and is stopped there. */
function hasModuleWorkers() {
  let read = false;
  const options = {
    get type() {
      read = true;
      throw new Error("asked");
    },
  };
  try {
    new Worker("", options).terminate();
  } catch {
    // Expected: nothing was started.
  }
  return read;
}

function missing() {
  if (typeof WebAssembly !== "object") return "wasm";
  if (typeof Worker !== "function" || !hasModuleWorkers()) return "workers";
  if (typeof WebGL2RenderingContext !== "function") return "webgl";
  return null;
}

/** Keeps this build for offline use, after all else; only a finished build has a number. */
function keepOffline() {
  const build = document.querySelector('meta[name="crawlscope-build"]');
  const framed = window.top !== window;
  if (!build || framed || !navigator.serviceWorker) return;
  // Refused where storage is blocked: the app works as well without.
  navigator.serviceWorker.register("service-worker.js", { scope: "./" }).catch(() => {});
}

/**
 * The stage's canvas with its graphics. They keep this thread waiting for a while, which it can spare
 * as long as the app is on its way: later the workers would need it. The app asks for the same
 * context again (crates/crawl-stage/src/stage.rs), and copes where there is none.
 */
function prepareStage() {
  const canvas = document.createElement("canvas");
  // Its size first: each change of it afterwards waits for the graphics as well.
  const room = document.querySelector(".boot-stage").getBoundingClientRect();
  canvas.width = Math.max(1, Math.round(room.width * devicePixelRatio));
  canvas.height = Math.max(1, Math.round(room.height * devicePixelRatio));
  canvas.getContext("webgl2", {
    alpha: false,
    antialias: false,
    depth: false,
    powerPreference: "high-performance",
  });
  return canvas;
}

/** The timeline is a program of its own, with a style sheet of its own: most visits show none. */
let timeline;
async function loadTimeline() {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = "styles/timeline.css";
  const styled = new Promise((resolve, reject) => {
    style.onload = resolve;
    style.onerror = () => reject(new Error(style.href));
  });
  document.head.append(style);
  const [program] = await Promise.all([import("./crawl-timeline.js"), styled]);
  await program.default();
  return program;
}

async function start() {
  const problem = missing();
  if (problem) {
    show(problem);
    return;
  }
  // Each program is fetched and compiled once for all workers, the first while the app is on its
  // way. A worker that is sent nothing tries for itself, and says what is wrong.
  const files = { "crawl-first": "crawl-first_bg.wasm", "crawl-worker": "crawl-worker_bg.wasm" };
  const compiled = {};
  const compile = (name) =>
    (compiled[name] ??= WebAssembly.compileStreaming(fetch(files[name])).catch(() => null));
  // Without a link it is a first visit, for which a part of the whole program does.
  const first = location.hash.length < 2 ? "crawl-first" : "crawl-worker";
  compile(first);
  const startProgram = (worker, name) =>
    compile(name).then((module) => worker.postMessage({ program: module }));
  // The workers of a first visit, the world's and one for each of its four lanes, start while the
  // app is on its way. One that fails is not handed out, and the one in its place says why.
  const early = Array.from({ length: first === "crawl-first" ? 5 : 0 }, () => {
    const worker = new Worker("worker.js", { type: "module", name: first });
    worker.onerror = (event) => {
      event.preventDefault();
      early.splice(early.indexOf(worker), 1);
    };
    startProgram(worker, first);
    return worker;
  });
  const program = WebAssembly.compileStreaming(fetch("crawl-app_bg.wasm"));
  const script = import("./crawl-app.js");
  let stage = prepareStage();
  window.crawlscope = {
    // Once only: a canvas that was taken away has lost what was drawn.
    takeStage() {
      const taken = stage;
      stage = null;
      return taken;
    },
    firstProgram: () => first,
    takeWorker: (name) => (name === first ? early.shift() : undefined),
    startProgram,
    /** Shows the timeline in an element; `hear` gets the function that tells it things. */
    async showTimeline(element, hear) {
      timeline ??= loadTimeline();
      try {
        const program = await timeline;
        program.mount(element, hear);
        hear(program.tell);
      } catch (error) {
        // Tried again when it is shown again.
        timeline = null;
        hear(error);
      }
    },
  };
  try {
    const app = await script;
    await app.default({ module_or_path: await program });
    page.dataset.boot = "started";
  } catch (error) {
    show("load");
    throw error;
  }
  const idle = window.requestIdleCallback ?? ((task) => setTimeout(task, 1000));
  idle(keepOffline, { timeout: 5000 });
  setTimeout(() => window.dispatchEvent(new Event("crawlscope-later")), 2000);
}

start();
