#include "models/scenario/build/gpu_generation.hpp"

#include <array>
#include <cstddef>

#include "models/collectives/step_costs.hpp"

namespace vgsim::scenario {

const char* generation_of(const topology::GpuModel& gpu) {
  static constexpr std::array kNames{"volta", "ampere", "hopper", "blackwell"};
  return kNames[static_cast<std::size_t>(
      collectives::generation_of(static_cast<int>(gpu.compute_capability)))];
}

}  // namespace vgsim::scenario
