// Times PageRank by graphology on one graph; prints tab-separated lines.
const fs = require("fs");
const zlib = require("zlib");
const { DirectedGraph } = require("graphology");
const pagerank = require("graphology-metrics/centrality/pagerank");

const [, , file, ours] = process.argv;
const lines = zlib.gunzipSync(fs.readFileSync(file)).toString().split("\n");
const n = Number(lines[0]);
const graph = new DirectedGraph();
for (let page = 0; page < n; page++) graph.addNode(page);
for (let page = 0; page < n; page++) {
  for (const target of new Set(lines[page + 1].split(/\s+/).filter(Boolean))) {
    if (Number(target) !== page) graph.addDirectedEdge(page, target);
  }
}
const before = performance.now();
// graphology stops at n times its tolerance.
const ranks = pagerank(graph, { alpha: 0.85, tolerance: 1e-10 / n, maxIterations: 1000, getEdgeWeight: null });
console.log(`timing\tgraphology\t${performance.now() - before}`);
const bytes = fs.readFileSync(ours);
let difference = 0;
for (let page = 0; page < n; page++) difference += Math.abs(ranks[page] - bytes.readDoubleLE(page * 8));
console.log(`difference\tgraphology\t${difference}`);
