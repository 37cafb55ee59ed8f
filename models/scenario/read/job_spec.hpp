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
#include "models/training/lora.hpp"
#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::scenario {

/// The network to train: its name or a file's, or what a network described in place says.
struct NetworkSpec {
  std::string name;
  std::shared_ptr<const training::NetworkModel> described;  ///< or nullptr
};

/// How gradients are bundled; nothing for what the parameters say.
struct BucketsSpec {
  bool single = false;  ///< in one piece, after the backward pass
  std::optional<Bytes> first;
  std::optional<Bytes> cap;
  std::optional<SimTime> cycle;  ///< Horovod's
  std::optional<Bytes> threshold;
};

/// What decodes and augments samples.
enum class Decoding : std::uint8_t { kCpu, kGpu, kNone };

/// How batches get to the GPUs.
struct InputSpec {
  std::optional<Decoding> decode;
  std::optional<SimTime> core_time;  ///< of a sample
  std::optional<std::int64_t> workers;
  bool direct{};  ///< GPUDirect Storage: past the hosts' memory
  bool cached{};  ///< in the hosts' page cache
};

struct FlashAttention {
  bool on = false;
  std::optional<std::int64_t> release;
};

/// How the work is split over the ranks.
struct ParallelSpec {
  input::At<std::optional<std::int64_t>> data;  ///< nothing: all ranks that the others leave
  std::int64_t tensor{};
  std::int64_t pipeline{};
  std::int64_t context{};
  std::int64_t expert{};
  std::int64_t virtual_stages{};
  training::Schedule schedule{};
  bool sequence{};
  std::optional<training::TensorOverlap> tensor_overlap;
  training::ContextExchange context_exchange{};
  double expert_imbalance{};
  training::Sharding sharding{};
  input::At<std::optional<std::int64_t>> shard_size;  ///< nothing: one copy is shared out
  /// Nothing: as before the forward pass; 1: parameters stay gathered.
  input::At<std::optional<std::int64_t>> reshard_after_forward;
  input::At<training::GradientSync> gradient_sync;
};

/// How the job saves what it has learnt.
struct CheckpointsSpec {
  SimTime every{};
  SimTime save{};                              ///< until it is written
  bool overlap{};                              ///< training goes on meanwhile, from a copy
  std::optional<input::At<SimTime>> snapshot;  ///< that training stands still for the copy
  SimTime restore{};
};

struct TrainingSpec {
  std::optional<input::At<NetworkSpec>> network;
  input::At<std::int64_t> batch_per_gpu;
  std::optional<input::At<std::int64_t>> sequence_length;
  input::At<std::string> precision;  ///< "fp16"
  input::At<std::string> gradients;
  std::optional<input::At<training::Lora>> lora;
  std::optional<double> achieved_share;
  double compute_factor{};
  std::optional<bool> tuned;               ///< software
  std::optional<SimTime> launch_interval;  ///< of kernels
  bool cuda_graphs{};
  std::optional<double> matrix_share;
  input::At<std::string> optimizer;
  std::optional<input::At<BucketsSpec>> buckets;
  bool overlap{};
  std::optional<std::int64_t> prefetched_batches;
  input::At<InputSpec> input;

  input::At<ParallelSpec> parallel;
  std::optional<input::At<std::int64_t>> global_batch;
  std::optional<std::int64_t> micro_batch;
  std::int64_t accumulation{};
  input::At<training::Recompute> recompute;
  std::optional<FlashAttention> flash_attention;
  bool fused_norms{};
  bool fused_loss{};
  std::optional<bool> weights_of_16_bits;

  std::optional<input::At<std::string>> dataset;
  std::optional<std::int64_t> samples_per_epoch;
  std::optional<input::At<std::int64_t>> tokens;
  std::optional<std::int64_t> iterations_per_epoch;
  std::optional<CheckpointsSpec> checkpoints;
  /// Nothing for as many as the network's published target took.
  input::At<std::optional<std::int64_t>> epochs;
  std::int64_t copies{};  ///< jobs like this one that run at once, with it
};

/// GPUs that take part, as patterns such as "esx*/gpu[0-3]"; nothing for all.
using RankPatterns = std::optional<std::vector<input::At<std::string>>>;

/// A collective that other ranks run at the same time.
struct BesideSpec {
  collectives::Collective collective{};
  RankPatterns ranks;
  std::optional<Bytes> size;  ///< nothing: that of the job's collective
};

/// What a job says of NCCL: nothing for the newest release with its defaults.
struct NcclSpec {
  std::optional<input::At<std::string>> version;            ///< "2.18.6"
  std::map<std::string, input::At<std::string>> variables;  ///< by name: "NCCL_P2P_LEVEL"

  bool operator==(const NcclSpec&) const = default;
};

/// What runs: the training of a network, or a bare collective.
struct JobSpec {
  TrainingSpec training;
  std::optional<collectives::Collective> collective;
  std::vector<Bytes> sizes;                 ///< of its messages
  bool nvls_sums = true;                    ///< NVSwitches reduce data of its type
  input::At<std::int64_t> gpus_per_thread;  ///< that one thread of the host launches for
  collectives::Fidelity fidelity{};
  input::At<collectives::Pattern> pattern;
  std::vector<BesideSpec> beside;
  RankPatterns ranks;
  NcclSpec nccl;
  /// VMs, or hosts without VMs, that take part, as patterns; nothing for all.
  std::optional<std::vector<input::At<std::string>>> vms;

  [[nodiscard]] bool trains() const { return training.network.has_value(); }
};

}  // namespace vgsim::scenario
