#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/training/compute.hpp"
#include "models/vsphere/vm.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// What makes a rank compute longer: virtualization, sharing, or one of those below.
struct ComputeLoss {
  std::string mechanism;  ///< "vGPU", "time slices of other vGPUs"
  SimTime time{};         ///< of the forward and backward pass of an iteration
  std::string source;
};

/// What else makes ranks compute longer, in results.
inline constexpr const char* kSlowestRank = "wait for the slowest rank";
inline constexpr const char* kLaunches = "wait for launches by the host";
inline constexpr const char* kTurns = "turns of other vGPUs on its GPU";

/// Lets a rank compute as long as it does in that VM instead of on bare metal, and says what each
/// mechanism adds to its forward and backward pass: the hypervisor's part of every kernel, by mode,
/// and calls to a GPU elsewhere. `overheads`: whether the hypervisor takes a part.
[[nodiscard]] std::vector<ComputeLoss> virtualize(ComputeTimes& times,
                                                  const vsphere::VirtualMachine& vm,
                                                  std::size_t gpu, bool overheads,
                                                  const calibration::Parameters& parameters);

}  // namespace vgsim::training
