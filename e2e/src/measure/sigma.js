// Draws one graph while its nodes change colour in every frame: by a bare WebGL2 loop, and by
// sigma.js. The graph, the crawl and the bare loop are those of crates/crawl-stage/tests/bench_stage.rs.

const N_PAGES = 50_000, N_LINKS = 200_000, N_HOSTS = 400, STEPS_A_FRAME = 50;
const N_FRAMES = 10, N_WARM = 2, N_ROUNDS = 2;
const [WIDTH, HEIGHT] = [1440, 900];

let state = 7n;
const next = () => {
  state = (state * 6364136223846793005n + 1n) & 0xffffffffffffffffn;
  return Number(state >> 33n);
};
const below = (n) => next() % n;
const unit = () => next() / 2147483648;

function world() {
  const centres = Array.from({ length: N_HOSTS }, () => [unit() * 1.8 - 0.9, unit() * 1.2 - 0.6]);
  const positions = new Float32Array(2 * N_PAGES), sizes = new Float32Array(N_PAGES);
  for (let page = 0; page < N_PAGES; page++) {
    const [x, y] = centres[page % N_HOSTS];
    const angle = unit() * 2 * Math.PI, radius = 0.04 * Math.sqrt(unit());
    positions.set([x + radius * Math.cos(angle), y + radius * Math.sin(angle)], 2 * page);
    sizes[page] = unit() ** 8;
  }
  const edges = new Uint32Array(2 * N_LINKS);
  for (let link = 0; link < N_LINKS; link++) {
    const from = below(N_PAGES);
    const to = below(100) < 97
      ? ((from % N_HOSTS) + N_HOSTS * below(N_PAGES / N_HOSTS)) % N_PAGES
      : below(N_PAGES);
    edges.set([from, to], 2 * link);
  }
  return { positions, sizes, edges };
}

/** Breadth first: the pages in the order found, and how many were found by each step. */
function crawl({ edges }) {
  const links = Array.from({ length: N_PAGES }, () => []);
  for (let i = 0; i < edges.length; i += 2) links[edges[i]].push(edges[i + 1]);
  const found = Array.from({ length: 20 }, (_, page) => page);
  const known = new Set(found), nFound = [found.length];
  for (let step = 0; step < found.length; step++) {
    for (const to of links[found[step]]) {
      if (!known.has(to)) {
        known.add(to);
        found.push(to);
      }
    }
    nFound.push(found.length);
  }
  return { found, nFound };
}

/** Pages found, and pages fetched, from one step to another: breadth first fetches as it finds. */
const changes = ({ found, nFound }, before, step) => ({
  waiting: found.slice(nFound[before], nFound[step]),
  fetched: found.slice(before, step),
});

const VERTEX = `#version 300 es
layout(location = 0) in vec2 position; layout(location = 1) in float size;
layout(location = 2) in float state; out vec3 tint;
void main() {
    gl_Position = vec4(position.x * 0.972, -position.y * 1.556, 0.0, 1.0);
    gl_PointSize = 3.0 + 4.0 * size;
    tint = state < 0.5 ? vec3(0.8) : state < 1.5 ? vec3(0.6, 0.8, 0.9) : vec3(0.0, 0.45, 0.7);
}`;
const POINT = `#version 300 es
precision mediump float; in vec3 tint; out vec4 colour;
void main() {
    if (length(gl_PointCoord - 0.5) > 0.5) discard;
    colour = vec4(tint, 1.0);
}`;
const LINE = `#version 300 es
precision mediump float; out vec4 colour;
void main() { colour = vec4(0.06, 0.06, 0.06, 0.1); }`;

function bareLoop({ positions, sizes, edges }, run) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.style.cssText = "position:fixed;inset:0";
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false });
  const program = (fragment) => {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    return made;
  };
  const [lines, points] = [program(LINE), program(POINT)];
  const states = new Float32Array(N_PAGES);
  [[positions, 2], [sizes, 1], [states, 1]].forEach(([values, n], i) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, n, gl.FLOAT, false, 0, 0);
  });
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, edges, gl.STATIC_DRAW);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.clearColor(1, 1, 1, 1);
  const draw = (before, step) => {
    const { waiting, fetched } = changes(run, before, step);
    for (const page of waiting) states[page] = 1;
    for (const page of fetched) states[page] = 2;
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, states);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(lines);
    gl.drawElements(gl.LINES, 2 * N_LINKS, gl.UNSIGNED_INT, 0);
    gl.useProgram(points);
    gl.drawArrays(gl.POINTS, 0, N_PAGES);
  };
  return { element: canvas, draw };
}

/** As fast as sigma.js goes: its cheapest programs, no labels, only what changed is told. */
function sigmaLoop({ positions, sizes, edges }, run) {
  const graph = new graphology.Graph({ type: "directed", multi: true });
  for (let page = 0; page < N_PAGES; page++) {
    const [x, y] = positions.subarray(2 * page, 2 * page + 2);
    graph.addNode(page, { x, y: -y, size: 1.5 + 2 * sizes[page], color: "#ccc" });
  }
  for (let i = 0; i < edges.length; i += 2) {
    graph.addEdge(edges[i], edges[i + 1], { color: "rgba(15,15,15,0.1)" });
  }
  const element = document.createElement("div");
  element.style.cssText = `position:fixed;inset:0;width:${WIDTH}px;height:${HEIGHT}px`;
  document.body.append(element);
  const { EdgeLineProgram, NodePointProgram } = Sigma.rendering;
  const sigma = new Sigma(graph, element, {
    renderLabels: false,
    defaultNodeType: "point",
    nodeProgramClasses: { point: NodePointProgram },
    defaultEdgeType: "plain",
    edgeProgramClasses: { plain: EdgeLineProgram },
  });
  const draw = (before, step) => {
    const { waiting, fetched } = changes(run, before, step);
    for (const page of waiting) graph.setNodeAttribute(page, "color", "#9ce");
    for (const page of fetched) graph.setNodeAttribute(page, "color", "#0072b2");
    const nodes = [...waiting, ...fetched].map(String);
    sigma.refresh({ partialGraph: { nodes }, schedule: false, skipIndexation: true });
  };
  // Changes of the graph would each ask for a drawing of everything.
  graph.removeAllListeners("nodeAttributesUpdated");
  return { element, draw };
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

class Cost {
  busy = [];
  perSecond = 0;

  async measure({ element, draw }, from) {
    document.body.append(element);
    const at = (i) => from + i * STEPS_A_FRAME;
    for (let i = 0; i < N_WARM; i++) {
      draw(at(i), at(i + 1));
      await frame();
    }
    const start = performance.now();
    for (let i = N_WARM; i < N_WARM + N_FRAMES; i++) {
      const before = performance.now();
      draw(at(i), at(i + 1));
      this.busy.push(performance.now() - before);
      await frame();
    }
    this.perSecond = Math.max(this.perSecond, (N_FRAMES / (performance.now() - start)) * 1000);
    element.remove();
  }

  /** The middle one, because others use the machine too. */
  lines(name) {
    const middle = this.busy.sort((a, b) => a - b)[this.busy.length >> 1];
    return [`frame\t${name}\t${middle}`, `frames a second\t${name}\t${this.perSecond}`];
  }
}

async function measured() {
  const graph = world(), run = crawl(graph);
  const middle = run.found.length >> 1, aRound = (N_WARM + N_FRAMES) * STEPS_A_FRAME;
  const bare = bareLoop(graph, run), sigma = sigmaLoop(graph, run);
  const [ofBare, ofSigma] = [new Cost(), new Cost()];
  for (const loop of [bare, sigma]) loop.draw(0, middle);
  for (let round = 0; round < N_ROUNDS; round++) {
    await ofBare.measure(bare, middle + round * aRound);
    await ofSigma.measure(sigma, middle + round * aRound);
  }
  return [...ofBare.lines("bare loop beside sigma.js"), ...ofSigma.lines("sigma.js 3")];
}
