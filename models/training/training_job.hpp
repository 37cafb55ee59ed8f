#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/training/memory.hpp"
#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

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

/// The training of a network, all defaults filled in.
struct TrainingJob {
  Parallelism parallelism;
  bool data_alone = true;  ///< no other axis: its buckets and its input are followed one by one
  StateBytes state;
  std::shared_ptr<const NetworkModel> network;
  std::int64_t tokens = 0;
  std::string precision;                      ///< key of GpuModel::peak
  std::optional<double> achieved_share;       ///< measured by the user
  std::optional<double> matrix_share;         ///< the same of matrix products alone
  std::optional<bool> tuned;                  ///< software: layers are fused, where it is said
  double compute_factor = 1.0;                ///< times that passes take longer than predicted
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
  std::int64_t prefetched_batches{};
  std::int64_t epochs{};
  std::optional<std::int64_t> samples_per_epoch;
  std::optional<std::int64_t> all_tokens;  ///< that gave the samples
  std::optional<std::int64_t> iterations_per_epoch;

  /// Of an epoch: what is stated, or what all of its samples take.
  [[nodiscard]] std::int64_t iterations() const;
  /// Samples of all epochs: those of the data set, or of so many iterations.
  [[nodiscard]] double samples(std::int64_t iterations) const;
};

}  // namespace vgsim::training
