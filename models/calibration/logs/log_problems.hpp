#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

/// Errors and warnings common to the readers of bandwidth tools.
namespace vgsim::calibration::logs {

inline constexpr const char* kMixedRuns = "E622";

/// E621. Names the first skipped item, which is often the cause.
void tell_nothing_read(input::Diagnostics& errors, const input::SourcePtr& file,
                       std::string_view tool, const std::vector<LeftOut>& left_out,
                       std::string expected);

/// E622. `offset`: the beginning of a different list of devices.
void tell_other_devices(input::Diagnostics& errors, const input::SourcePtr& file,
                        std::size_t offset, std::string_view tool);

/// W621. `gpus`: number of columns in the `tables`, in the words of the tool's output.
void tell_no_devices(input::Diagnostics& warnings, const input::SourcePtr& file,
                     std::string_view tool, std::size_t gpus, std::string_view tables);

}  // namespace vgsim::calibration::logs
