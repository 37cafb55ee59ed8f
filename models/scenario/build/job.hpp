#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/collective.hpp"
#include "models/collectives/fidelity.hpp"
#include "models/collectives/pattern.hpp"
#include "models/scenario/read/scenario.hpp"
#include "models/training/training_job.hpp"
#include "sim/ratio.hpp"
#include "sim/units.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::scenario {

/// A collective of each of these sizes, one after the other, without training.
struct CollectiveJob {
  collectives::Collective collective = collectives::Collective::kAllReduce;
  std::vector<Bytes> sizes;
  bool nvls_sums = true;             ///< NVSwitches reduce data of its type
  std::int64_t gpus_per_thread = 1;  ///< GPUs per launching host thread
};

/// Differences between equal ranks.
struct Variability {
  double compute_sigma{};  ///< standard deviation of the logarithm of a rank's computing time,
                           ///< drawn each iteration
  /// Constant slowdown factors by GPU ("esx03/gpu1"), host or VM.
  std::map<std::string, double> stragglers;
  std::uint64_t seed{};
};

/// Links of a host with reduced or no capacity for some time.
struct Fault {
  std::size_t host = 0;                            ///< of the cluster
  std::vector<topology::LinkResourceIndex> links;  ///< in the host's kind
  SimTime at{};
  std::optional<SimTime> until;
  Ratio share;  ///< remaining share of the capacity, 0 to 1
};

/// A machine of a job, with its GPUs that are ranks.
struct JobMachine {
  std::size_t machine = 0;        ///< index into Cluster::machines
  std::vector<std::size_t> gpus;  ///< of the machine, ascending

  bool operator==(const JobMachine&) const = default;
};

/// A concurrent collective of other ranks.
struct ConcurrentCollective {
  collectives::Collective collective = collectives::Collective::kAllReduce;
  std::optional<Bytes> size;  ///< default: the size of the job's collective
  std::vector<JobMachine> machines;
};

/// The job and its machines.
struct Job {
  std::optional<CollectiveJob> collective;
  std::optional<training::TrainingJob> training;
  collectives::Fidelity fidelity = collectives::Fidelity::kFluid;
  Variability variability;
  std::vector<Fault> faults;
  std::vector<JobMachine> machines;  ///< in rank order
  std::vector<ConcurrentCollective> beside;
  NcclSpec nccl;
  collectives::Pattern pattern = collectives::Pattern::kNccl;
  std::vector<std::string> assumptions;
  input::Origin origin;  ///< place in the scenario

  /// Whether equivalent ranks can take different times.
  [[nodiscard]] bool is_uneven() const {
    return variability.compute_sigma != 0.0 || !variability.stragglers.empty() || !faults.empty();
  }
  /// Whether its ranks communicate; those of measured steps do not.
  [[nodiscard]] bool exchanges() const {
    return !training || training->network == nullptr || !training->network->measured;
  }
};

}  // namespace vgsim::scenario
