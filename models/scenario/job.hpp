#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/ring.hpp"
#include "models/scenario/cluster.hpp"
#include "models/scenario/library.hpp"
#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// A bare collective: AllReduce of each of these sizes, one after the other.
struct CollectiveJob {
  std::vector<Bytes> sizes;
};

/// How gradients are bundled.
struct BucketRule {
  bool single = false;
  Bytes first{};
  Bytes cap{};
};

struct TrainingJob {
  const training::NetworkModel* network = nullptr;
  std::int64_t batch_per_gpu = 1;
  std::int64_t tokens = 0;
  std::string precision;                 ///< key of GpuModel::peak
  std::optional<double> achieved_share;  ///< measured by the user
  Bytes stored_bytes{};                  ///< of one sample in storage
  Bytes gradient_bytes{};                ///< of one gradient
  Bytes optimizer_bytes{};               ///< memory traffic per parameter
  BucketRule buckets;
  bool overlap = true;
  std::int64_t prefetched_batches = 2;
  std::int64_t epochs = 1;
  std::optional<std::int64_t> samples_per_epoch;
  std::optional<std::int64_t> iterations_per_epoch;
};

/// What makes equal ranks unequal.
struct Variability {
  double compute_sigma =
      0.0;  ///< of the logarithm of a rank's computing time, drawn each iteration
  /// By GPU ("esx03/gpu1"), host or VM: how many times longer it computes, always.
  std::map<std::string, double> stragglers;
  std::uint64_t seed = 1;
};

/// Links of a host that carry less, or nothing, from some time on.
struct Fault {
  std::size_t host = 0;                            ///< of the cluster
  std::vector<topology::LinkResourceIndex> links;  ///< in the host's kind
  SimTime at{};
  std::optional<SimTime> until;
  Exact share;  ///< of the capacity that remains, 0 to 1
};

/// What runs, and on which machines.
struct Job {
  std::optional<CollectiveJob> collective;
  std::optional<TrainingJob> training;
  collectives::Fidelity fidelity = collectives::Fidelity::kFluid;
  Variability variability;
  std::vector<Fault> faults;
  std::vector<std::size_t> machines;  ///< indices into Cluster::machines, in rank order
  std::vector<std::string> assumptions;
  input::Value value;  ///< where it was written
};

/// What sets machines with equal content apart: whether the job takes them, whether the scenario
/// slows one of their GPUs down or one of their links.
[[nodiscard]] Distinction distinction_of(const LayoutInput& layout);

/// Reads the job of a layout (checked). Reports unknown networks and data sets, patterns that fit
/// no machine, keys that do not go together.
[[nodiscard]] Job read_job(const LayoutInput& layout, const Cluster& cluster,
                           const Library& library, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
