// A worker's entry; its name says which program. Messages that come before that is ready wait.

const glue = self.name === "crawl-first" ? import("./crawl-first.js") : import("./crawl-worker.js");
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

Promise.all([glue, program]).then(([glue, module_or_path]) => glue.default({ module_or_path })).then(
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
