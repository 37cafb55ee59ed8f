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
  };
  std::vector<Point> points;           ///< ascending batches
  std::optional<double> busy;          ///< share of that time that the GPU is busy, if known
  std::optional<double> memory_bound;  ///< share of the busy time limited by memory bandwidth
};

}  // namespace vgsim::training
