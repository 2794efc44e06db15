"""Times PageRank by igraph (PRPACK), scipy and networkx on one graph; prints tab-separated lines."""

import gzip
import sys
import time

import igraph
import networkx
import numpy
import scipy.sparse

DAMPING, TOLERANCE = 0.85, 1e-10


def read(name):
    sources, targets = [], []
    with gzip.open(name, "rt") as lines:
        n = int(next(lines))
        for source, line in enumerate(lines):
            # Distinct targets without the page itself, as everywhere here.
            row = sorted(set(map(int, line.split())) - {source})
            sources.extend([source] * len(row))
            targets.extend(row)
    return n, numpy.array(sources), numpy.array(targets)


def best(times, work):
    """The shortest of several runs, and the last result."""
    shortest, result = float("inf"), None
    for _ in range(times):
        before = time.perf_counter()
        result = work()
        shortest = min(shortest, time.perf_counter() - before)
    return shortest * 1e3, result


def power_iteration(n, sources, targets):
    """The same stopping rule as ours, written with scipy's sparse product."""
    degrees = numpy.bincount(sources, minlength=n)
    weights = 1.0 / degrees[sources]
    matrix = scipy.sparse.csr_matrix((weights, (targets, sources)), shape=(n, n))
    dangling = degrees == 0
    ranks = numpy.full(n, 1.0 / n)
    while True:
        lost = ranks[dangling].sum()
        new = DAMPING * (matrix @ ranks) + (1.0 - DAMPING + DAMPING * lost) / n
        change = numpy.abs(new - ranks).sum()
        ranks = new
        if change < TOLERANCE:
            return ranks


def report(name, milliseconds, ranks, ours):
    print(f"timing\t{name}\t{milliseconds}")
    print(f"difference\t{name}\t{numpy.abs(numpy.asarray(ranks) - ours).sum()}", flush=True)


def main():
    n, sources, targets = read(sys.argv[1])
    ours = numpy.fromfile(sys.argv[2], dtype="<f8")
    graph = igraph.Graph(n=n, edges=numpy.column_stack((sources, targets)), directed=True)
    took, ranks = best(5, lambda: graph.pagerank(damping=DAMPING, implementation="prpack"))
    report("igraph PRPACK", took, ranks, ours)
    took, ranks = best(3, lambda: power_iteration(n, sources, targets))
    report("scipy power iteration", took, ranks, ours)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(zip(sources.tolist(), targets.tolist()))
    # networkx stops at n times its tolerance.
    took, ranks = best(1, lambda: networkx.pagerank(graph, alpha=DAMPING, tol=TOLERANCE / n, max_iter=1000))
    report("networkx", took, [ranks[page] for page in range(n)], ours)


main()
