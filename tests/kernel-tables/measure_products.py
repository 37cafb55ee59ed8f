#!/usr/bin/env python3
"""Times matrix products in bf16 on this machine's first GPU: measure_products.py GPU >products.csv

GPU: the value of the column of that name, such as h100_sxm. Shapes: five squares, and every fourth or
so of those that matrix_products.csv has of an H100. A time is the median of 15 replays of a graph
of 5 to 50 products, random numbers in up to eight sets of operands in turn, after a warm-up; so the
GPU is at the clock that its power leaves it. Takes PyTorch and half a minute."""

import csv
import pathlib
import statistics
import sys

import torch

TABLE = pathlib.Path(__file__).with_name("matrix_products.csv")
SETS_BYTES = 200e6  # enough to exceed the cache
GRAPH_US = 5e3


def elapsed_us(run):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3


def random(rows, columns):
    return torch.randn(rows, columns, device="cuda").bfloat16()


def product_us(m, n, k):
    count = max(1, min(8, int(SETS_BYTES // (2 * (m * k + n * k + m * n))) + 1))
    sets = [(random(m, k), random(n, k)) for _ in range(count)]

    def products(times):
        for i in range(times):
            a, b = sets[i % count]
            torch.mm(a, b.t())
    products(5)
    repeats = max(5, min(50, int(GRAPH_US / max(1, elapsed_us(lambda: products(5)) / 5))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        products(repeats)
    graph.replay()
    return statistics.median(elapsed_us(graph.replay) / repeats for _ in range(15))


def main(gpu):
    with TABLE.open() as table:
        rows = [row for row in csv.DictReader(table)
                if row["gpu"] == "h100_sxm" and row["dtype"] == "bfloat16"]
    shapes = [(n, n, n) for n in (1024, 2048, 4096, 8192, 16384)]
    shapes += [tuple(int(row[key]) for key in "mnk") for row in rows[::max(1, len(rows) // 60)]]
    print("gpu,dtype,m,n,k,time_us")
    for m, n, k in shapes:
        print(f"{gpu},bfloat16,{m},{n},{k},{product_us(m, n, k):.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
