#!/usr/bin/env python3
"""What processes reach that share this machine's first GPU by time: measure_shares.py >shares.jsonl

First how long slices and switches are: a kernel of one thread in each of two to four processes
notes when the GPU's clock jumps, which is when others had the GPU. Then what one to four processes
do per second, each and together: matrix products that fill the GPU, passes over its memory, copies
from the host, small kernels that wait for launches, and products with idle time between them.
Settings of the card stay as they are. Takes PyTorch and CuPy, and four minutes."""

import json
import statistics
import time

import torch
import torch.multiprocessing as mp

WINDOW_S = 3.0
SPIN_NS = 1_500_000_000
GAP_NS = 20_000  # longer than a thread is ever held up alone
MOST_GAPS = 4000
SPIN = r"""
extern "C" __global__ void spin(long long* out, int most, long long length, long long least) {
  long long begin, last, now;
  int n = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  last = begin;
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (now - last > least && n < most) {
      out[2 * n] = last;
      out[2 * n + 1] = now;
      ++n;
    }
    last = now;
  } while (now - begin < length);
  out[2 * most] = n;
}
"""


def products(count):
    a, b = (torch.randn(8192, 8192, device="cuda").bfloat16() for _ in range(2))
    return lambda: [torch.mm(a, b) for _ in range(count)]


def work(kind):
    """What a process does between two waits for the GPU, and how many units that is."""
    if kind == "products":
        return products(4), 4
    if kind == "half":
        run = products(2)

        def with_idle_time():
            run()
            torch.cuda.synchronize()
            end = time.perf_counter() + 2.8e-3
            while time.perf_counter() < end:
                pass
        return with_idle_time, 2
    if kind == "memory":
        a, b = (torch.empty(1 << 28, device="cuda") for _ in range(2))
        return lambda: [b.copy_(a) for _ in range(4)], 4
    if kind == "copies":
        a = torch.empty(64 << 20, dtype=torch.uint8, pin_memory=True)
        b = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
        return lambda: [b.copy_(a, non_blocking=True) for _ in range(4)], 4
    layers = torch.nn.Sequential(*[layer for _ in range(50) for layer in
                                   (torch.nn.Linear(256, 256), torch.nn.ReLU())]).cuda()
    x = torch.randn(8, 256, device="cuda")
    return lambda: layers(x).sum().backward(), 1


def worker(kind, barrier, results):
    step, units = work(kind)
    for _ in range(10):
        step()
    torch.cuda.synchronize()
    barrier.wait()
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < WINDOW_S:
        step()
        torch.cuda.synchronize()
        done += units
    results.put(done / (time.perf_counter() - begin))
    barrier.wait()


def spinner(_, barrier, results):
    import cupy
    kernel = cupy.RawKernel(SPIN, "spin")
    out = cupy.zeros(2 * MOST_GAPS + 1, dtype=cupy.int64)
    kernel((1,), (1,), (out, MOST_GAPS, 1_000_000, GAP_NS))
    cupy.cuda.Device().synchronize()
    barrier.wait()
    kernel((1,), (1,), (out, MOST_GAPS, SPIN_NS, GAP_NS))
    cupy.cuda.Device().synchronize()
    noted = out.get().tolist()
    results.put([(noted[2 * i], noted[2 * i + 1]) for i in range(noted[2 * MOST_GAPS])])
    barrier.wait()


def together(target, kinds):
    barrier, results = mp.Barrier(len(kinds)), mp.SimpleQueue()
    processes = [mp.Process(target=target, args=(kind, barrier, results)) for kind in kinds]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return found


def slices(gaps_of_all):
    """Microseconds that a process has the GPU, and from the end of a slice to the next one's."""
    first = max(gaps[1][0] for gaps in gaps_of_all)
    last = min(gaps[-2][1] for gaps in gaps_of_all)
    has, marks = [], []
    for number, gaps in enumerate(gaps_of_all):
        inside = [(a, b) for a, b in gaps if a > first and b < last]
        has += [(b[0] - a[1]) / 1e3 for a, b in zip(inside, inside[1:])]
        marks += [(a, 0, number) for a, _ in inside] + [(b, 1, number) for _, b in inside]
    marks.sort()
    switches = [(b[0] - a[0]) / 1e3 for a, b in zip(marks, marks[1:])
                if (a[1], b[1]) == (0, 1) and a[2] != b[2]]
    return {"slice_us": statistics.median(has), "switch_us": statistics.median(switches)}


def main():
    mp.set_start_method("spawn")
    for count in (2, 3, 4):
        row = {"processes": count, **slices(together(spinner, [""] * count))}
        print(json.dumps(row), flush=True)
    for kind in ("products", "memory", "launches", "half", "copies"):
        for count in (1, 2, 3, 4):
            rates = together(worker, [kind] * count)
            print(json.dumps({"works": [kind] * count, "per_s": rates, "sum": sum(rates)}),
                  flush=True)


if __name__ == "__main__":
    main()
