#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// The contents of a benchmark log or NCCL log, in sentences.
struct LogFacts {
  /// "nccl-tests", "nvbandwidth", "p2pBandwidthLatencyTest", "bandwidthTest", "gpu_copy",
  /// "perftest", "NCCL messages" or "DCGM"; the first of these if a file contains several.
  std::string kind;
  std::vector<std::string> found;
  std::vector<std::string> skipped;  ///< with reasons
  std::string next;                  ///< suggested use of the file, one sentence
  input::Diagnostics warnings;
};

/// Whether a text is one of these logs. Checks only the content and never throws.
[[nodiscard]] bool is_benchmark_log(std::string_view text);

/// Recognises a log by its content and describes it. Empty for other files. Returns the reader's
/// errors if the file is of one kind. If it is of several kinds and some can be read, the errors of
/// the others are dropped.
[[nodiscard]] std::optional<tl::expected<LogFacts, input::Diagnostics>> describe_log(
    const input::SourcePtr& file);

}  // namespace vgsim::calibration
