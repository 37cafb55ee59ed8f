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
#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/scenario.hpp"
#include "models/training/memory.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// A bare collective of each of these sizes, one after the other.
struct CollectiveJob {
  collectives::Collective collective = collectives::Collective::kAllReduce;
  std::vector<Bytes> sizes;
};

/// How gradients are bundled.
struct BucketRule {
  bool single = false;
  Bytes first{};
  Bytes cap{};
  std::optional<SimTime> cycle;  ///< Horovod: gradients of a cycle go together, up to `cap`
};

/// How batches get from storage to the GPUs.
struct InputPipeline {
  SimTime core_time{};  ///< that decoding and augmenting one sample takes on the CPU
  bool by_gpu = false;  ///< the GPU decodes and augments, as with DALI
  std::optional<std::int64_t> workers;  ///< cores that work for one GPU at most; none: all
  bool direct = false;                  ///< from storage straight to the GPU (GPUDirect Storage)
  bool cached = false;                  ///< the data lies in the hosts' memory: storage is not read
};

struct TrainingJob {
  training::Parallelism parallelism;
  bool data_alone = true;  ///< no other axis: its buckets and its input are followed one by one
  training::StateBytes state;
  std::shared_ptr<const training::NetworkModel> network;
  std::int64_t tokens = 0;
  std::string precision;                      ///< key of GpuModel::peak
  std::optional<double> achieved_share;       ///< measured by the user
  std::optional<double> matrix_share;         ///< the same of matrix products alone
  std::optional<SimTime> launch_interval;     ///< of kernels, measured by the user
  bool flash_attention = true;                ///< scores are not kept in memory
  std::optional<std::int64_t> flash_version;  ///< of FlashAttention
  bool cuda_graphs = false;                   ///< kernels are launched together, by one call
  Bytes stored_bytes{};                       ///< of one sample in storage
  Bytes gradient_bytes{};                     ///< of one gradient
  Bytes optimizer_bytes{};                    ///< memory traffic per parameter
  BucketRule buckets;
  bool overlap = true;
  InputPipeline input;
  std::int64_t prefetched_batches = 2;
  std::int64_t epochs = 1;
  std::optional<std::int64_t> samples_per_epoch;
  std::optional<std::int64_t> iterations_per_epoch;
};

/// Samples of all epochs: those of the data set, or of a stated number of iterations.
[[nodiscard]] double samples_of(const TrainingJob& training, std::int64_t global_batch,
                                std::int64_t iterations_per_epoch);

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
  Ratio share;  ///< of the capacity that remains, 0 to 1
};

/// A machine of a job and those of its GPUs that are ranks.
struct JobMachine {
  std::size_t machine = 0;        ///< index into Cluster::machines
  std::vector<std::size_t> gpus;  ///< of the machine, ascending
};

/// A collective that other ranks run at the same time.
struct BesideJob {
  collectives::Collective collective = collectives::Collective::kAllReduce;
  std::optional<Bytes> size;  ///< nothing: that of the job's collective
  std::vector<JobMachine> machines;
};

/// What runs, and on which machines.
struct Job {
  std::optional<CollectiveJob> collective;
  std::optional<TrainingJob> training;
  collectives::Fidelity fidelity = collectives::Fidelity::kFluid;
  Variability variability;
  std::vector<Fault> faults;
  std::vector<JobMachine> machines;  ///< in rank order
  std::vector<BesideJob> beside;
  NcclSpec nccl;
  collectives::Pattern pattern = collectives::Pattern::kNccl;
  std::vector<std::string> assumptions;
  input::Origin origin;  ///< where it was written
};

}  // namespace vgsim::scenario
