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

/// Lets a rank compute as long as it does on a GPU of that VM instead of one of its own on bare
/// metal, and says what each mechanism adds to its forward and backward pass:
///
/// the hypervisor's part of every kernel, by mode; what is not its own of a shared GPU; and once an
/// iteration the wait for its turn. `ranks` meet at the end of the backward pass, and the slowest
/// of so many uniform waits is expected to take ranks / (ranks + 1) of the longest.
///
/// `overheads`: whether the hypervisor takes a part.
[[nodiscard]] std::vector<ComputeLoss> virtualize(ComputeTimes& times,
                                                  const vsphere::VirtualMachine& vm,
                                                  std::size_t gpu, std::size_t ranks,
                                                  bool overheads,
                                                  const calibration::Parameters& parameters);

}  // namespace vgsim::training
