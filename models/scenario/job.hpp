#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// What runs, and on which machines.
struct Job {
  std::optional<CollectiveJob> collective;
  std::optional<TrainingJob> training;
  std::vector<std::size_t> machines;  ///< indices into Cluster::machines, in rank order
  std::vector<std::string> assumptions;
  input::Value value;  ///< where it was written
};

/// Reads the job of a layout (checked). Reports unknown networks and data sets, patterns that fit
/// no machine, keys that do not go together.
[[nodiscard]] Job read_job(const LayoutInput& layout, const Cluster& cluster,
                           const Library& library, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
