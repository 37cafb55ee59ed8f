#!/usr/bin/env python3
"""Flows on networks and their end times in exact fractions, as a reference for the engine.

  make_flows.py                     writes the files beside it
  make_flows.py --check small.json  reports whether a file is up to date

The solver shares no thought with the engine: it fills one bottleneck after the other by brute
force, from nothing at every event, with Python's fractions. A rate is the largest that is max-min
fair by weight; a flow takes coefficient x rate of each link that it crosses and never more than its
cap. Random numbers are SplitMix64's, so that they are the same everywhere.
"""
import json
import pathlib
import sys
from fractions import Fraction as F

HERE = pathlib.Path(__file__).resolve().parent
G = 1_000_000_000
PS = 1_000_000_000_000


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (z ^ (z >> 31)) % n

    def among(self, things):
        return things[self.below(len(things))]


def rates(capacities, flows):
    """Max-min fair rates of flows {path: [[link, coefficient]], weight, cap}."""
    rate = [F(0)] * len(flows)
    rising = set(range(len(flows)))
    level = F(0)
    while rising:
        free = [F(c) for c in capacities]
        demand = [F(0)] * len(capacities)
        for i, flow in enumerate(flows):
            for link, coefficient in flow["path"]:
                if i in rising:
                    demand[link] += coefficient * flow["weight"]
                else:
                    free[link] -= coefficient * rate[i]
        levels = [free[k] / demand[k] for k in range(len(free)) if demand[k] > 0]
        levels += [F(flows[i]["cap"]) / flows[i]["weight"] for i in rising
                   if flows[i].get("cap") is not None]
        level = min(levels)
        full = {k for k in range(len(free)) if demand[k] > 0 and free[k] / demand[k] == level}
        held = {i for i in rising
                if any(link in full for link, _ in flows[i]["path"])
                or (flows[i].get("cap") is not None
                    and F(flows[i]["cap"]) / flows[i]["weight"] == level)}
        assert held
        for i in held:
            rate[i] = level * flows[i]["weight"]
        rising -= held
    return rate


def ends(capacities, flows, changes=()):
    """When each flow ends, in picoseconds."""
    capacities = list(capacities)
    todo = sorted((F(ns) * 1000, link, capacity) for ns, link, capacity in changes)
    left = [F(flow["bytes"]) for flow in flows]
    done = [None] * len(flows)
    now = F(0)
    while None in done:
        while todo and todo[0][0] <= now:
            _, link, capacity = todo.pop(0)
            capacities[link] = capacity
        active = []
        nexts = [todo[0][0]] if todo else []
        for i, flow in enumerate(flows):
            start = F(flow["at_ns"]) * 1000
            if done[i] is not None:
                continue
            if start > now:
                nexts.append(start)
            elif left[i] == 0:
                done[i] = now
            else:
                active.append(i)
        rate = rates(capacities, [flows[i] for i in active])
        nexts += [now + left[i] / r * PS for i, r in zip(active, rate) if r > 0]
        if not nexts:
            assert None not in done, "a flow never ends"
            break
        then = min(nexts)
        for i, r in zip(active, rate):
            left[i] -= r * (then - now) / PS
        now = then
    return done


def flow(size, at_ns, path, cap=None, weight=1):
    return {"bytes": size, "at_ns": at_ns, "cap": cap, "weight": weight,
            "path": [each if isinstance(each, list) else [each, 1] for each in path]}


def by_hand():
    """Cases whose ends anyone can work out."""
    yield "alone", [50 * G, 25 * G], [flow(G, 1000, [0, 1])], []
    yield "two share a link", [10 * G], [flow(G, 0, [0]), flow(G, 0, [0])], []
    yield "three links in a chain", [12 * G, 9 * G, 7 * G], [
        flow(G, 0, [0, 1, 2]), flow(G, 0, [0]), flow(G, 0, [1]), flow(G, 0, [1]),
        flow(G, 0, [2])], []
    yield "nothing to send", [10 * G], [flow(0, 500, [0]), flow(G, 500, [0])], []
    yield "a cap leaves the rest to others", [10 * G], [
        flow(G, 0, [0], cap=2 * G), flow(G, 0, [0]), flow(G, 0, [0], cap=9 * G)], []
    yield "weights", [12 * G], [flow(G, 0, [0], weight=3), flow(G, 0, [0], weight=2),
                                flow(G, 0, [0])], []
    yield "a flow that crosses a link twice", [12 * G], [flow(G, 0, [[0, 2]]), flow(G, 0, [0])], []
    yield "arrivals one by one", [8 * G], [flow(4 * G, ns, [0]) for ns in (0, 10**8, 3 * 10**8)], []
    yield "a link slows down and recovers", [10 * G], [flow(4 * G, 0, [0]), flow(G, 0, [0])], [
        [10**8, 0, 2 * G], [5 * 10**8, 0, 10 * G]]
    yield "a link is down for a while", [10 * G, 10 * G], [flow(2 * G, 0, [0]), flow(G, 0, [1])], [
        [10**8, 0, 0], [4 * 10**8, 0, 10 * G]]
    yield "eleven days in", [25 * G], [flow(G, 10**15, [0]), flow(G, 10**15 + 7, [0])], []
    yield "slow beside fast", [1000, 10**12], [flow(500, 0, [0]), flow(10**12, 0, [1]),
                                              flow(500, 0, [0, 1])], []


def at_random(seed):
    """A few links and flows of round numbers, so that ties are frequent."""
    random = Random(seed)
    links = [random.among([1, 2, 3, 4, 6, 10, 25]) * G for _ in range(1 + random.below(6))]
    flows = []
    for _ in range(2 + random.below(11)):
        path = sorted({random.below(len(links)) for _ in range(1 + random.below(3))})
        cap = random.among([None, None, None, G, 2 * G])
        flows.append(flow(random.below(9) * G // 4, random.among([0, 0, 10**8, 25 * 10**7]),
                          [[link, random.among([1, 1, 1, 2])] for link in path], cap,
                          random.among([1, 1, 2, 3])))
    changes = []
    if random.below(3) == 0:
        changes = [[(1 + random.below(5)) * 10**8, random.below(len(links)),
                    random.among([1, 2, 5]) * G]]
    return f"random {seed}", links, flows, changes


def fat_tree(seed, flow_count, link_rate, cap_of, uplinks=4):
    """Random flows between 64 hosts of a fat tree of three levels, up and down by destination:
    leaves of four hosts, pods of four leaves; `uplinks` of a leaf and of a pod's switches."""
    random = Random(seed)
    names, links, flows = {}, [], []

    def link(*name):
        if name not in names:
            names[name] = len(links)
            links.append(link_rate(random))
        return names[name]

    for _ in range(flow_count):
        a, b = random.below(64), random.below(63)
        b += b >= a
        up, core = b % uplinks, (b // 4) % uplinks
        path = [link("host up", a)]
        if a // 4 != b // 4:
            path.append(link("leaf up", a // 4, up))
            if a // 16 != b // 16:
                path += [link("pod up", a // 16, up, core), link("pod down", b // 16, up, core)]
            path.append(link("leaf down", b // 4, up))
        path.append(link("host down", b))
        size = 4096 << random.below(14)
        flows.append(flow(size + 512 * random.below(size // 512), 500 * random.below(2000), path,
                          cap_of(random)))
    return links, flows


def sets():
    even = lambda _: 50 * G
    mixed = lambda random: random.among([25, 37, 50, 62, 100]) * G
    free = lambda _: None
    capped = lambda random: random.among([None, 5 * G, 17 * G, 25 * G])
    yield "fat tree", *fat_tree(1, 240, even, free), []
    yield "fat tree of unequal links", *fat_tree(11, 240, mixed, free), []
    yield "fat tree with one uplink in four", *fat_tree(13, 240, even, free, uplinks=1), []
    yield "fat tree with caps", *fat_tree(12, 240, mixed, capped), []


def row(name, links, flows, changes):
    """The case with its ends, rounded up to whole picoseconds."""
    exact = ends(links, flows, changes)
    rows = []
    for each, end in zip(flows, exact):
        path = [link if coefficient == 1 else [link, coefficient]
                for link, coefficient in each["path"]]
        cells = [each["bytes"], each["at_ns"], path, -(-end.numerator // end.denominator)]
        if each["weight"] != 1 or each["cap"] is not None:
            cells.append(each["cap"])
        if each["weight"] != 1:
            cells.append(each["weight"])
        rows.append(cells)
    case = {"name": name, "links": links, "flows": rows}
    if changes:
        case["changes"] = changes
    return case


def text_of(cases):
    lines = ",\n".join("  " + json.dumps(case, separators=(",", ":")) for case in cases)
    return ('{"format": "vgsim.flow-oracle/1",\n'
            ' "links": "bytes/s", "flows": "bytes, start in ns, links (or [link, coefficient]),'
            ' end in ps rounded up, cap in bytes/s, weight", "changes": "ns, link, bytes/s",\n'
            ' "cases": [\n' + lines + "\n]}\n")


FILES = {
    "small.json": lambda: text_of([row(*case) for case in by_hand()]
                                  + [row(*at_random(seed)) for seed in range(60)]),
    "fat_trees.json": lambda: text_of([row(*case) for case in sets()]),
}


def main():
    if sys.argv[1:2] != ["--check"]:
        for name, text in FILES.items():
            (HERE / name).write_text(text())
        return
    for name in sys.argv[2:]:
        if (HERE / name).read_text() != FILES[name]():
            sys.exit(f"{name} is not what make_flows.py writes")


if __name__ == "__main__":
    main()
