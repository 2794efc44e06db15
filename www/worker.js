// A worker's entry: messages that come before the program is ready wait for it.

import start from "./crawl-worker.js";

const early = [];
let begin;
const program = new Promise((resolve) => {
  begin = resolve;
});
const keep = (event) => {
  if (event.data && "program" in event.data) begin(event.data.program ?? undefined);
  else early.push(event);
};
self.addEventListener("message", keep);

// What reads files is a program of its own: most visits need none.
self.crawlscopeReader = async () => {
  const reader = await import("./crawl-reader.js");
  await reader.default();
  return reader.work;
};

program.then((module_or_path) => start({ module_or_path })).then(
  () => {
    self.removeEventListener("message", keep);
    for (const { data, ports } of early) {
      self.dispatchEvent(new MessageEvent("message", { data, ports }));
    }
  },
  (error) => {
    // Thrown outside the promise, so that it reaches the app as the worker's error event.
    setTimeout(() => {
      throw error;
    });
  },
);
