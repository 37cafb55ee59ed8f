#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/traces/operation.hpp"

namespace vgsim::traces {

/// An operation on the host; times in microseconds.
struct HostSpan {
  double start = 0;
  double end = 0;
  std::int64_t thread = 0;
  std::optional<std::size_t> parent;
};

/// Finds the operations that launched the kernels of a profile: a kernel and its launch have the
/// same correlation number, and a launch is inside an operation of its thread, or after it.
class KernelLaunches {
 public:
  /// Events of the categories "cuda_runtime" and "cuda_driver".
  void take_call(const nlohmann::json& event);
  void take_kernel(const nlohmann::json& event);
  /// `operations`: sorted by start, as is the result.
  [[nodiscard]] std::vector<TracedKernel> join(const std::vector<HostSpan>& operations);

 private:
  struct Launch {
    double time = 0;
    std::int64_t thread = 0;
  };
  struct Kernel {
    TracedKernel traced;
    std::int64_t correlation = 0;
  };

  std::unordered_map<std::int64_t, Launch> launches_;  ///< by correlation
  std::vector<Kernel> kernels_;
};

}  // namespace vgsim::traces
