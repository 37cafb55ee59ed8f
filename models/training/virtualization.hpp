#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/training/compute.hpp"
#include "models/vsphere/vm.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// A cause of longer compute times: virtualization, sharing, or one of the constants below.
struct ComputeLoss {
  std::string mechanism;  ///< "vGPU", "waiting for other vGPUs' time slices"
  SimTime time{};         ///< added to the forward and backward pass of an iteration
  std::string source;
};

/// Other causes of longer compute times in results.
inline constexpr const char* kSlowestRank = "wait for the slowest rank";
inline constexpr const char* kLaunches = "wait for launches by the host";
inline constexpr const char* kGradientCopies = "gradients into buckets and back";
inline constexpr const char* kOffload = "copies to the memory of the host";
inline constexpr const char* kTimeSlices = "waiting for other vGPUs' time slices";

/// Adds the virtualization overhead of the VM to a rank's compute times and returns the time that
/// each mechanism adds to the forward and backward pass: the hypervisor's share of every kernel, by
/// mode, and calls to a remote GPU. `overheads`: whether the hypervisor's share counts.
[[nodiscard]] std::vector<ComputeLoss> virtualize(ComputeTimes& times,
                                                  const vsphere::VirtualMachine& vm,
                                                  std::size_t gpu, bool overheads,
                                                  const calibration::Parameters& parameters);

}  // namespace vgsim::training
