#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::training {

/// A program whose kernels are unknown, described by measured times of a step on a whole GPU of the
/// same model on bare metal: inference, HPL, or a training program of the user.
struct MeasuredStep {
  struct Point {
    std::int64_t batch = 1;
    SimTime time{};
    /// Share of that time with a kernel on the GPU; of all points or of none.
    std::optional<double> busy = std::nullopt;
  };
  std::vector<Point> points;           ///< ascending batches
  std::optional<double> memory_bound;  ///< share of the busy time limited by memory bandwidth
  /// Each step begins with the result of the last one, as in a single stream: host and GPU
  /// alternate, and none of their time overlaps.
  bool in_turn = false;
  /// Weights that the GPU reads in a step of any batch, those of a recurrent layer once for each of
  /// its time steps.
  Bytes weights_read{};
};

}  // namespace vgsim::training
