#pragma once

#include <string_view>

#include "models/calibration/logs/copies/nvbandwidth_output.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration::logs::nvbandwidth {

/// Whether a text holds what `nvbandwidth -j` prints.
[[nodiscard]] bool is_json(std::string_view text);

/// Reads what `nvbandwidth -j` prints. Lines of anything else may stand around each document,
/// which begins a line.
void read_json(const input::SourcePtr& file, Output& output);

}  // namespace vgsim::calibration::logs::nvbandwidth
