#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/logs/dcgm/dcgm_metrics.hpp"
#include "models/calibration/logs/nccl/nccl_messages.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/calibration/logs/perftest/perftest_log.hpp"
#include "models/calibration/measurement.hpp"
#include "topology/machine/text.hpp"

/// Sentences about the contents of logs.
namespace vgsim::calibration::logs {

using topology::few_of;

/// "1 point", "30 points"
[[nodiscard]] std::string count_text(std::size_t count, std::string_view word);

/// "479.2 GB/s", "12.3 MB/s"
[[nodiscard]] std::string rate_text(double bytes_per_second);

/// The names without repetitions and empty ones, in their order.
[[nodiscard]] std::vector<std::string> distinct(const std::vector<std::string>& names);

[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<LogTable>& tables);

/// The measured work, without skipped items.
[[nodiscard]] std::vector<std::string> sentences_of(const Measurement& measurement);

/// Skipped items, similar ones in one sentence.
[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<LeftOut>& left_out);

[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<PerftestRun>& runs);

[[nodiscard]] std::vector<std::string> sentences_of(const DcgmMetrics& metrics);

/// The job, communicators, connections, NICs and settings in NCCL's messages.
[[nodiscard]] std::vector<std::string> sentences_of(const NcclMessages& messages);

}  // namespace vgsim::calibration::logs
