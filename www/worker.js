// A worker's entry. Messages that arrive before its program is ready are kept.

const glue = import("./crawl-worker.js");
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

// Reading files and writing reports are programs of their own: most visits need neither. Each is
// loaded once; one that could not be loaded is tried again when it is needed again.
const loadOnce = (load) => {
  let loading;
  return () =>
    (loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    }));
};
self.crawlscopeReader = loadOnce(async () => {
  const reader = await import("./crawl-reader.js");
  await reader.default();
  return reader.work;
});
self.crawlscopeReports = loadOnce(async () => {
  const reports = await import("./crawl-reports.js");
  await reports.default();
  return reports.command;
});

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
