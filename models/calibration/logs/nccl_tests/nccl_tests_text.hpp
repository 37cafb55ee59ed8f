#pragma once

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"

namespace vgsim::calibration::logs::nccl_tests {

/// Whether a text holds the header of a table.
[[nodiscard]] bool is_text(std::string_view text);

/// Reads the text output of nccl-tests with the result of read_nccl_tests_log().
[[nodiscard]] tl::expected<std::vector<LogTable>, input::Diagnostics> read_text(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration::logs::nccl_tests
