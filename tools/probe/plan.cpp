#include "tools/probe/plan.hpp"

#include <set>

namespace vgsim::probe {
namespace {

using calibration::CollectiveCall;
using calibration::Copies;
using calibration::DeviceWork;
using calibration::Launch;
using calibration::MeasuredMachine;
using calibration::MemoryPass;
using calibration::Place;
using calibration::Product;
using calibration::Route;
using calibration::TrainingStep;

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr std::int64_t kGiB = 1024 * kMiB;

/// From `first` to `last`, each `factor` times the previous one.
std::vector<Bytes> sizes(std::int64_t first, std::int64_t last, std::int64_t factor) {
  std::vector<Bytes> all;
  for (std::int64_t size = first; size <= last; size *= factor) all.emplace_back(size);
  return all;
}

Place gpu(std::size_t index) { return {Place::Kind::kGpu, index, {}}; }
Place pinned() { return {Place::Kind::kPinned, 0, {}}; }
Place pageable() { return {Place::Kind::kPageable, 0, {}}; }

/// Copies to and from the host, between GPUs, then compute of each kind of GPU, then
/// collectives. Sizes rise by factors, since latency and rate are fitted to the two ends of a
/// curve; a quick run takes few sizes, and one of each group of equivalent pairs.
class Plan {
 public:
  Plan(const MeasuredMachine& machine, const ProbeJob& job, bool quick)
      : machine_(machine), job_(job), gpus_(machine.gpus.size()), quick_(quick) {}

  std::vector<DeviceWork> take() && {
    if (gpus_ == 0) return {};
    add_host_copies();
    add_numa_copies();
    add_peer_copies();
    for (const std::size_t g : measured_gpus()) add_compute(g);
    add_collectives();
    if (job_.machines > 1) add_sweeps(job_.ranks, job_.machines);
    return std::move(all_);
  }

 private:
  void copy(std::vector<Route> routes, Bytes size, bool peer_access = true) {
    all_.push_back(Copies{std::move(routes), size, false, peer_access});
  }

  /// Copies to each GPU, or from it.
  [[nodiscard]] std::vector<Route> all_routes(bool to_gpus) const {
    std::vector<Route> routes;
    for (std::size_t g = 0; g < gpus_; ++g) {
      routes.push_back(to_gpus ? Route{pinned(), gpu(g)} : Route{gpu(g), pinned()});
    }
    return routes;
  }

  void add_host_copies() {
    const auto wide = quick_ ? sizes(4 * kKiB, 64 * kMiB, 128) : sizes(4 * kKiB, kGiB, 4);
    for (std::size_t g = 0; g < gpus_; ++g) {
      for (const Bytes size : wide) {
        copy({{pinned(), gpu(g)}}, size);
        copy({{gpu(g), pinned()}}, size);
      }
      copy({{pinned(), gpu(g)}, {gpu(g), pinned()}}, wide.back());
      const auto few = quick_ ? sizes(16 * kMiB, 16 * kMiB, 2) : sizes(64 * kKiB, 256 * kMiB, 16);
      for (const Bytes size : few) {
        copy({{pageable(), gpu(g)}}, size);
        copy({{gpu(g), pageable()}}, size);
      }
    }
    if (gpus_ < 2) return;
    const auto together = quick_ ? sizes(64 * kMiB, 64 * kMiB, 2) : sizes(kMiB, 256 * kMiB, 16);
    for (const Bytes size : together) {
      copy(all_routes(true), size);
      copy(all_routes(false), size);
    }
  }

  /// On machines with GPUs on several NUMA nodes: from each node to each GPU.
  void add_numa_copies() {
    std::set<std::size_t> nodes;
    for (const auto& each : machine_.gpus) {
      if (each.numa_node) nodes.insert(*each.numa_node);
    }
    if (nodes.size() < 2 || quick_) return;
    for (std::size_t g = 0; g < gpus_; ++g) {
      for (const std::size_t node : nodes) {
        const Place memory{Place::Kind::kPinned, 0, node};
        copy({{memory, gpu(g)}}, Bytes{64 * kMiB});
        copy({{gpu(g), memory}}, Bytes{64 * kMiB});
      }
    }
  }

  void add_peer_copies() {
    const auto wide = quick_ ? sizes(64 * kKiB, 64 * kMiB, 1024) : sizes(4 * kKiB, 256 * kMiB, 16);
    for (std::size_t a = 0; a < gpus_; ++a) {
      for (std::size_t b = 0; b < gpus_; ++b) {
        if (a == b) continue;
        if (a < b) copy({{gpu(a), gpu(b)}, {gpu(b), gpu(a)}}, wide.back());
        if (!quick_) {
          for (const Bytes size : wide) add_peer_copy(a, b, size);
        } else if (a < b) {
          if (a == 0) add_peer_copy(a, b, wide.front());
          add_peer_copy(a, b, wide.back());
        }
      }
    }
  }

  void add_peer_copy(std::size_t a, std::size_t b, Bytes size) {
    copy({{gpu(a), gpu(b)}}, size);
    if (!quick_) copy({{gpu(a), gpu(b)}}, size, false);
  }

  /// Equal GPUs compute equally: one of each kind; in a full run all of them.
  [[nodiscard]] std::vector<std::size_t> measured_gpus() const {
    std::set<std::string> kinds;
    std::vector<std::size_t> indices;
    for (std::size_t g = 0; g < gpus_; ++g) {
      const auto& each = machine_.gpus[g];
      if (kinds.insert(each.name + each.mig).second || !quick_) indices.push_back(g);
    }
    return indices;
  }

  void add_compute(std::size_t g) {
    all_.push_back(Launch{g, false});
    all_.push_back(Launch{g, true});
    for (const Bytes size : quick_ ? sizes(kGiB, kGiB, 2) : sizes(16 * kMiB, kGiB, 4)) {
      all_.push_back(MemoryPass{g, size});
    }
    for (const char* precision : {"fp32", "tf32", "fp16", "bf16", "fp8"}) {
      for (std::int64_t n = quick_ ? 4096 : 1024; n <= (quick_ ? 4096 : 16384); n *= 2) {
        if (n > 8192 && std::string(precision) == "fp32") continue;
        all_.push_back(Product{g, precision, n, n, n});
      }
    }
    for (const char* precision : {"fp32", "tf32", "bf16"}) {
      if (quick_ && std::string(precision) != "bf16") continue;
      all_.push_back(TrainingStep{g, "transformer", precision, 4});
      all_.push_back(TrainingStep{g, "cnn", precision, 64});
    }
  }

  void add_collectives() {
    if (gpus_ < 2) return;
    for (const std::size_t count : group_sizes()) add_sweeps(count, 1);
  }

  /// Pairs, quads and all.
  [[nodiscard]] std::set<std::size_t> group_sizes() const {
    if (quick_) return {gpus_};
    std::set<std::size_t> counts{gpus_};
    for (const std::size_t count : {std::size_t{2}, std::size_t{4}}) {
      if (count < gpus_) counts.insert(count);
    }
    return counts;
  }

  void add_sweeps(std::size_t ranks, std::size_t machines) {
    CollectiveCall call;
    call.machines = machines;
    for (std::size_t rank = 0; rank < ranks; ++rank) call.gpus.push_back(rank);
    const auto wide = quick_ ? sizes(64 * kKiB, 256 * kMiB, 64) : sizes(kKiB, kGiB, 4);
    for (const char* collective :
         {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv"}) {
      if (quick_ && std::string(collective) != "all_reduce") continue;
      call.collective = collective;
      add_sizes(call, wide);
    }
    if (quick_) return;
    call.collective = "all_reduce";
    for (const char* algorithm : {"Ring", "Tree"}) {
      for (const char* protocol : {"LL", "LL128", "Simple"}) {
        call.algorithm = algorithm;
        call.protocol = protocol;
        add_sizes(call, sizes(16 * kKiB, 256 * kMiB, 16));
      }
    }
  }

  void add_sizes(CollectiveCall call, const std::vector<Bytes>& sizes) {
    for (const Bytes size : sizes) {
      call.size = size;
      all_.push_back(call);
    }
  }

  const MeasuredMachine& machine_;
  const ProbeJob& job_;
  std::size_t gpus_;
  bool quick_;
  std::vector<DeviceWork> all_;
};

}  // namespace

std::vector<DeviceWork> plan(const MeasuredMachine& machine, const ProbeJob& job, bool quick) {
  return Plan(machine, job, quick).take();
}

}  // namespace vgsim::probe
