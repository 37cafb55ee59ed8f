#pragma once

#include <string>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"

namespace vgsim::scenario {

struct Library;

/// Predicted seconds of a work item on an idle GPU:
/// - a copy between pinned host memory and a GPU: the payload of the GPU's PCIe link, in a VM times
///   iommu_copy_share; a copy between GPUs: that of the NVLinks which `nvidia-smi topo -m` shows
///   for them, or of PCIe below one switch; one within a GPU: its memory, read and written;
/// - a matrix product in 16 bits: models/kernels;
/// - an empty kernel after another: kernel_gap.
/// Or the reason why the model has no prediction for it.
[[nodiscard]] tl::expected<double, std::string> predicted_seconds(
    const calibration::DeviceWork& work, const calibration::MeasuredMachine& machine,
    const Library& library);

}  // namespace vgsim::scenario
