#pragma once

#include <cstddef>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/scenario/result.hpp"
#include "models/training/compute.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::scenario {

/// Lets a rank compute as long as it does on a GPU of that VM instead of one of its own on bare
/// metal, and says what each mechanism adds to its forward and backward pass:
///
/// the hypervisor's part of every kernel, by mode; what is not its own of a shared GPU; and once an
/// iteration the wait for its turn. `ranks` meet at the end of the backward pass, and the slowest
/// of so many uniform waits is expected to take ranks / (ranks + 1) of the longest.
///
/// `overheads`: whether the hypervisor takes a part.
std::vector<ComputeLoss> virtualize(training::ComputeTimes& times,
                                    const vsphere::VirtualMachine& vm, std::size_t gpu,
                                    std::size_t ranks, bool overheads,
                                    const calibration::Parameters& parameters);

}  // namespace vgsim::scenario
