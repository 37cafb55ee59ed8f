#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::training {

/// A program whose kernels are not known, by what a step of it took on a whole GPU of the same
/// model on bare metal: inference, HPL, any training of one's own.
struct MeasuredStep {
  struct Point {
    std::int64_t batch = 1;
    SimTime time{};
  };
  std::vector<Point> points;           ///< ascending batches
  std::optional<double> busy;          ///< share of that time that the GPU is at work, if known
  std::optional<double> memory_bound;  ///< share of that work that waits for memory
};

}  // namespace vgsim::training
