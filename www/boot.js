// Starts the app: checks what it needs, says what is missing, then keeps it for offline use.

const page = document.documentElement;

/** Shows one of the problems written in index.html, in place of the app. */
function show(problem) {
  const box = document.getElementById("boot-problem");
  for (const text of box.querySelectorAll("[data-problem]")) {
    text.hidden = !text.dataset.problem.split(" ").includes(problem);
  }
  box.hidden = false;
  page.dataset.boot = problem;
}

/** Every worker, to be ended with the app. */
const workers = [];

/**
 * Shows the end page if an error says that the app's program has trapped: it panicked, overflowed its
 * stack or ran out of memory. Nothing of it can be called any more, and the page would stand still.
 */
function stopAfter(error) {
  const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  if (!isTrap || page.dataset.boot === "stopped") return isTrap;
  for (const worker of workers) worker.terminate();
  // Gone, and not only hidden: an open dialog would keep the buttons from being pressed.
  document.getElementById("app").remove();
  document.getElementById("boot-error").textContent = error.message;
  show("stopped");
  const [again, without, copy] = document.querySelectorAll("#boot-problem button");
  again.onclick = () => location.reload();
  without.onclick = () => location.assign(location.pathname + location.search);
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copy.textContent = "Copied";
    } catch {
      copy.replaceWith(location.href);
    }
  };
  again.focus();
  return true;
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
  // The workers' program is fetched and compiled once for all of them, while the app is on its way.
  // A worker that is sent `null` fetches it itself, and reports what is wrong.
  const compiled = WebAssembly.compileStreaming(fetch("crawl-worker_bg.wasm")).catch(() => null);
  // A worker takes its policy from its script's response, where a static host sends none; one made
  // from a blob inherits the page's. The import is static, so that no message comes before it.
  const script = new URL("worker.js", import.meta.url).href;
  const type = "text/javascript";
  const entry = URL.createObjectURL(new Blob([`import${JSON.stringify(script)}`], { type }));
  const startWorker = () => {
    const worker = new Worker(entry, { type: "module", name: "crawl-worker" });
    workers.push(worker);
    compiled.then((module) => worker.postMessage({ program: module }));
    return worker;
  };
  // The workers of a first visit, the world's and one for each of its four lanes, start while the
  // app is on its way; with a link, the app knows how many it needs. One that fails is not handed
  // out, and the one in its place reports why.
  const early = Array.from({ length: location.hash.length < 2 ? 5 : 0 }, () => {
    const worker = startWorker();
    worker.onerror = (event) => {
      event.preventDefault();
      early.splice(early.indexOf(worker), 1);
    };
    return worker;
  });
  const program = WebAssembly.compileStreaming(fetch("crawl-app_bg.wasm"));
  const glue = import("./crawl-app.js");
  let stage = prepareStage();
  window.crawlscope = {
    // Once only: a canvas that was taken away has lost what was drawn.
    takeStage() {
      const taken = stage;
      stage = null;
      return taken;
    },
    /** A worker: one of those that started early, as long as there are any. */
    takeWorker: () => early.shift() ?? startWorker(),
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
    const app = await glue;
    await app.default({ module_or_path: await program });
    page.dataset.boot ??= "started";
  } catch (error) {
    if (!stopAfter(error)) show("load");
    throw error;
  }
  // Only once nothing that the first step needs is on its way.
  await compiled;
  const idle = window.requestIdleCallback ?? ((task) => setTimeout(task, 1000));
  idle(keepOffline, { timeout: 5000 });
}

addEventListener("error", (event) => stopAfter(event.error));
addEventListener("unhandledrejection", (event) => stopAfter(event.reason));
start();
