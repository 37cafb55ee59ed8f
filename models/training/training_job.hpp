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

/// The rule by which gradients form buckets.
struct BucketRule {
  bool single = false;
  Bytes first{};
  Bytes cap{};
  std::optional<SimTime> cycle;  ///< Horovod: gradients of one cycle form a bucket, up to `cap`
};

/// The input path from storage to the GPUs.
struct InputPipeline {
  SimTime core_time{};                  ///< CPU time to decode and augment one sample
  bool by_gpu = false;                  ///< the GPU decodes and augments, as with DALI
  std::optional<std::int64_t> workers;  ///< upper limit of cores for one GPU; none: all
  bool direct = false;                  ///< from storage straight to the GPU (GPUDirect Storage)
  bool cached = false;                  ///< the data is in the hosts' memory; storage is not read
};

/// A training job with all defaults filled in.
struct TrainingJob {
  Parallelism parallelism;
  /// data parallelism only: buckets and input are simulated one by one
  bool data_parallel_only = true;
  StateBytes state;
  std::shared_ptr<const NetworkModel> network;
  std::int64_t tokens = 0;
  std::string precision;                      ///< key of GpuModel::peak
  std::optional<double> achieved_share;       ///< measured by the user
  std::optional<double> matrix_share;         ///< the same for matrix products alone
  std::optional<bool> tuned;                  ///< whether the software fuses layers, if stated
  double compute_factor = 1.0;                ///< measured over predicted time of the passes
  std::optional<SimTime> launch_interval;     ///< of kernels, measured by the user
  double launch_factor = 1;                   ///< on that interval
  bool flash_attention = true;                ///< attention scores are not kept in memory
  std::optional<std::int64_t> flash_version;  ///< FlashAttention version
  bool fp8_attention = false;                 ///< scores in fp8 instead of 16 bits
  bool cuda_graphs = false;                   ///< kernels are launched together with one call
  Bytes stored_bytes{};                       ///< of one sample in storage
  Bytes gradient_bytes{};                     ///< of one gradient
  Bytes optimizer_bytes{};                    ///< memory traffic per parameter
  BucketRule buckets;
  bool overlap = true;
  InputPipeline input;
  std::int64_t prefetched_batches{};
  std::int64_t epochs{};
  std::optional<std::int64_t> samples_per_epoch;
  std::optional<std::int64_t> all_tokens;  ///< if stated instead of samples
  std::optional<std::int64_t> iterations_per_epoch;

  /// Iterations of an epoch: as stated, or all of its samples.
  [[nodiscard]] std::int64_t iterations() const;
  /// Samples of all epochs: from the data set, or from `iterations`.
  [[nodiscard]] double samples(std::int64_t iterations) const;
};

}  // namespace vgsim::training
