#pragma once

#include <nccl.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

/// The ranks of an NCCL communicator in this process: all of them, or one.
class Communicator {
 public:
  /// A rank on each of the GPUs. Throws DeviceError.
  explicit Communicator(std::vector<GpuPtr> gpus);
  /// One rank of several processes, which all create theirs at the same time. `id`: see
  /// new_call_id(). Throws DeviceError.
  Communicator(const GpuPtr& gpu, const std::string& id, std::size_t rank, std::size_t ranks);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  /// Ranks in this process. The functions below use indices of these, from 0.
  [[nodiscard]] std::size_t size() const { return gpus_.size(); }
  [[nodiscard]] const GpuPtr& gpu(std::size_t own) const { return gpus_[own]; }
  [[nodiscard]] ncclComm_t handle(std::size_t own) const { return handles_[own]; }
  /// Its rank in the communicator.
  [[nodiscard]] std::size_t rank(std::size_t own) const { return first_rank_ + own; }
  /// Of the communicator, in all processes.
  [[nodiscard]] std::size_t ranks() const { return ranks_; }

  /// Calls `enqueue(own)` for all ranks of this process in one group of NCCL calls, with the
  /// context of the rank's GPU current. Throws DeviceError, after which the communicator is
  /// unusable.
  void group(const std::function<void(std::size_t)>& enqueue);

  /// Aborts the communicator without waiting for its ranks; it is unusable afterwards.
  void give_up() noexcept;
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  std::vector<GpuPtr> gpus_;
  std::vector<ncclComm_t> handles_;
  std::size_t first_rank_ = 0;
  std::size_t ranks_;
  bool broken_ = false;
};

}  // namespace vgsim::probe::cuda
