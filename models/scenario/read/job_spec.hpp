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

/// The network to train: its name, a file name, or a network defined in place.
struct NetworkSpec {
  std::string name;
  std::shared_ptr<const training::NetworkModel> described;  ///< or nullptr
};

/// Gradient buckets; unset members have the values of the parameters.
struct BucketsSpec {
  bool single = false;  ///< one reduction after the backward pass
  std::optional<Bytes> first;
  std::optional<Bytes> cap;
  std::optional<std::int64_t> parameters;  ///< instead of `cap`
  std::optional<SimTime> cycle;            ///< Horovod's
  std::optional<Bytes> threshold;
};

/// Where samples are decoded and augmented.
enum class Decoding : std::uint8_t { kCpu, kGpu, kNone };

/// The input pipeline.
struct InputSpec {
  std::optional<Decoding> decode;
  std::optional<SimTime> core_time;  ///< per sample
  std::optional<std::int64_t> workers;
  bool direct{};  ///< GPUDirect Storage: bypasses host memory
  bool cached{};  ///< data is in the hosts' page cache
};

/// What a fused loss leaves of the logits.
enum class FusedLoss : std::uint8_t {
  kNo,
  kInPlace,  ///< their gradients overwrite them
  kLinear,   ///< nothing: output and loss are computed in chunks of tokens
};

/// The type of the optimizer's moments.
enum class Moments : std::uint8_t { kFp32, k16Bit, k8Bit, k4Bit };

/// What lies in the memory of the host instead of the GPU's.
struct OffloadSpec {
  bool optimizer{};
  bool parameters{};
  double activations{};  ///< share
};

struct FlashAttention {
  bool on = false;
  std::optional<std::int64_t> release;
};

/// Parallelism of a job.
struct ParallelSpec {
  input::At<std::optional<std::int64_t>> data;  ///< nothing: all ranks not used by other axes
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
  input::At<std::optional<std::int64_t>> shard_size;  ///< nothing: one sharded copy
  /// Nothing: sharded as before the forward pass; 1: parameters stay gathered.
  input::At<std::optional<std::int64_t>> reshard_after_forward;
  input::At<training::GradientSync> gradient_sync;
  input::At<bool> overlap_gather;
};

/// Timing of checkpoints.
struct CheckpointsSpec {
  SimTime every{};
  SimTime save{};                              ///< time until it is written
  bool overlap{};                              ///< asynchronous, from a copy
  std::optional<input::At<SimTime>> snapshot;  ///< time that training stops for the copy
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
  double launch_factor = 1;                ///< on that interval, by a measured anchor
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
  bool fp8_attention{};
  bool fused_norms{};
  FusedLoss fused_loss{};
  std::optional<std::int64_t> weight_bits;  ///< 8, 16 or 32
  bool master_weights{};
  std::optional<Moments> moments;
  bool foreach_step{};  ///< the optimizer steps over lists of tensors
  bool optimizer_in_backward{};
  std::optional<bool> fp8_inputs;  ///< kept inputs of products
  std::optional<OffloadSpec> offload;

  std::optional<input::At<std::string>> dataset;
  std::optional<std::int64_t> samples_per_epoch;
  std::optional<input::At<std::int64_t>> tokens;
  std::optional<std::int64_t> iterations_per_epoch;
  std::optional<CheckpointsSpec> checkpoints;
  /// Nothing: as many as for the network's published target.
  input::At<std::optional<std::int64_t>> epochs;
  std::int64_t copies{};  ///< number of equal concurrent jobs, including this one
};

/// Patterns of GPUs such as "esx*/gpu[0-3]"; nothing: all.
using RankPatterns = std::optional<std::vector<input::At<std::string>>>;

/// A concurrent collective of other ranks.
struct ConcurrentCollectiveSpec {
  collectives::Collective collective{};
  RankPatterns ranks;
  std::optional<Bytes> size;  ///< default: the size of the job's collective
};

/// NCCL settings of a job; empty: the newest release with its defaults.
struct NcclSpec {
  std::optional<input::At<std::string>> version;            ///< "2.18.6"
  std::map<std::string, input::At<std::string>> variables;  ///< by name: "NCCL_P2P_LEVEL"

  bool operator==(const NcclSpec&) const = default;
};

/// The job: the training of a network, or a collective.
struct JobSpec {
  TrainingSpec training;
  std::optional<collectives::Collective> collective;
  std::vector<Bytes> sizes;                 ///< message sizes
  bool nvls_sums = true;                    ///< NVSwitches reduce data of its type
  input::At<std::int64_t> gpus_per_thread;  ///< GPUs per launching host thread
  collectives::Fidelity fidelity{};
  input::At<collectives::Pattern> pattern;
  std::vector<ConcurrentCollectiveSpec> beside;
  RankPatterns ranks;
  NcclSpec nccl;
  input::At<std::string> name;  ///< of the first of several jobs
  SimTime start{};              ///< of one of several jobs
  /// Patterns of VMs, or of hosts if there are no VMs; nothing: all.
  std::optional<std::vector<input::At<std::string>>> vms;

  [[nodiscard]] bool trains() const { return training.network.has_value(); }
};

}  // namespace vgsim::scenario
