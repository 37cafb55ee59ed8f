// Runs flows through the fluid network; prints the run time and the largest difference of end times
// from those in the file.

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "tests/bench/flow_file.hpp"
#include "tests/bench/flow_set.hpp"
#include "tests/bench/ring.hpp"

namespace vgsim::bench {
namespace {

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

struct Options {
  std::string flows;
  std::optional<std::string> links;
  std::optional<std::string> finish;
  std::uint32_t generate = 0;
  std::int64_t window_ns = 1'000'000;
  std::uint64_t seed = 1;
  std::uint32_t ring = 0;
  bool rounds = false;
  std::int64_t bytes = 1 << 30;
};

void print(std::size_t flows, double user_s, SimTime makespan) {
  fmt::print("flows {}\nuser_s {:.6f}\nmakespan_s {:.17g}\n", flows, user_s, to_seconds(makespan));
}

void run_ring(const Options& options) {
  const Ring ring = ring_all_reduce(options.ring, options.bytes,
                                    options.rounds ? RingTasks::hosts : RingTasks::messages);
  const double before = user_seconds();
  const Timeline timeline = simulate(ring.graph, ring.network);
  const double spent = user_seconds() - before;
  print(ring.messages, spent, timeline.makespan);
  fmt::print("max_relative_difference {:.3g}\n",
             std::abs(to_seconds(timeline.makespan - ring.expected)) / to_seconds(ring.expected));
}

void write_finish(const std::string& name, const std::vector<SimTime>& ends) {
  std::ofstream file(name);
  file << "flow,finish_s\n";
  for (std::size_t i = 0; i < ends.size(); ++i) {
    file << fmt::format("{},{:.17g}\n", i, to_seconds(ends[i]));
  }
  if (!file.flush()) throw std::runtime_error(name + ": cannot be written");
}

void run_file(const Options& options) {
  const FlowSet set = read_flow_set(options.flows, options.links);
  const double before = user_seconds();
  const std::vector<SimTime> ends = run(set);
  const double spent = user_seconds() - before;
  print(ends.size(), spent, ends.empty() ? SimTime{} : *std::max_element(ends.begin(), ends.end()));
  std::optional<double> worst;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::optional<double>& want = set.flows[i].finish_s;
    if (want) worst = std::max(worst.value_or(0), std::abs(to_seconds(ends[i]) - *want) / *want);
  }
  if (worst) fmt::print("max_relative_difference {:.3g}\n", *worst);
  if (options.finish) write_finish(*options.finish, ends);
}

int main(int argc, char** argv) {
  CLI::App app("runs flows over shared links, or writes a list of random flows");
  Options options;
  CLI::Option* file = app.add_option("flows", options.flows, "list of flows (CSV)");
  app.add_option("--links", options.links, "capacities of links (CSV); 50 GB/s each by default")
      ->needs(file);
  app.add_option("--finish", options.finish, "write when each flow ends to this file")->needs(file);
  CLI::Option* generate =
      app.add_option("--generate", options.generate,
                     "write this many random flows on a fat tree of 1024 hosts to stdout")
          ->excludes(file);
  app.add_option("--window", options.window_ns, "flows start within this number of nanoseconds")
      ->check(CLI::PositiveNumber)
      ->needs(generate);
  app.add_option("--seed", options.seed, "another seed, another list")->needs(generate);
  CLI::Option* ring =
      app.add_option("--ring", options.ring,
                     "run a ring AllReduce of this number of hosts instead, flow by flow")
          ->check(CLI::Range(2, 4096))
          ->excludes(file)
          ->excludes(generate);
  app.add_option("--bytes", options.bytes, "what the ring reduces")->needs(ring);
  app.add_flag("--rounds", options.rounds, "a task for each host of the ring, not each message")
      ->needs(ring);
  CLI11_PARSE(app, argc, argv);
  try {
    if (*generate) {
      write_flows(std::cout, random_flows(options.generate, options.window_ns, options.seed));
    } else if (*ring) {
      run_ring(options);
    } else if (*file) {
      run_file(options);
    } else {
      std::cerr << app.help();
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "vgsim_flows: {}\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace vgsim::bench

int main(int argc, char** argv) { return vgsim::bench::main(argc, argv); }
