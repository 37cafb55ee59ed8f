#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// What a log of a benchmark or of NCCL tells, in sentences for people.
struct LogFacts {
  /// "nccl-tests", "nvbandwidth", "p2pBandwidthLatencyTest", "bandwidthTest", "gpu_copy",
  /// "perftest", "NCCL messages" or "DCGM". Of a file that holds several, the first of these.
  std::string kind;
  std::vector<std::string> found;
  std::vector<std::string> skipped;  ///< with the reasons
  std::string next;                  ///< what to do with the file, one sentence
  input::Diagnostics warnings;
};

/// Whether a text is any of these logs. Looks at content alone and never throws.
[[nodiscard]] bool is_benchmark_log(std::string_view text);

/// Recognises the logs that the readers of this folder know, by content alone, and describes what
/// is in the file. Empty for anything else. Errors are those of the reader, where the file is of
/// one kind; where it is of several, of which some can be read, the others' errors are skipped.
[[nodiscard]] std::optional<tl::expected<LogFacts, input::Diagnostics>> describe_log(
    const input::SourcePtr& file);

}  // namespace vgsim::calibration
