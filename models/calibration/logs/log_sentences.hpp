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

/// Sentences about what logs hold.
namespace vgsim::calibration::logs {

using topology::few_of;

/// "1 point", "30 points"
[[nodiscard]] std::string count_text(std::size_t count, std::string_view word);

/// "479.2 GB/s", "12.3 MB/s"
[[nodiscard]] std::string rate_text(double bytes_per_second);

/// The names without repetitions, in their order, and without empty ones.
[[nodiscard]] std::vector<std::string> distinct(const std::vector<std::string>& names);

[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<LogTable>& tables);

/// What was measured, without what was left out.
[[nodiscard]] std::vector<std::string> sentences_of(const Measurement& measurement);

/// What was left out, alike things in one sentence.
[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<LeftOut>& left_out);

[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<PerftestRun>& runs);

[[nodiscard]] std::vector<std::string> sentences_of(const DcgmMetrics& metrics);

/// What NCCL's messages tell of the job, its communicators, connections, NICs and settings.
[[nodiscard]] std::vector<std::string> sentences_of(const NcclMessages& messages);

}  // namespace vgsim::calibration::logs
