#pragma once

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"

namespace vgsim::calibration::logs::nccl_tests {

/// Whether a text is a file written by `all_reduce_perf -J FILE`.
[[nodiscard]] bool is_json(std::string_view text);

/// Reads such a file with the result of read_nccl_tests_log(). Its list of devices has the first
/// GPU of each process; the number of ranks follows from that and the numbers of threads and GPUs.
[[nodiscard]] tl::expected<std::vector<LogTable>, input::Diagnostics> read_json(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration::logs::nccl_tests
