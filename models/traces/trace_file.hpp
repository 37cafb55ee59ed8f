#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

#include "models/traces/operation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::traces {

/// Limits of a trace. Profilers write several GB; only one element is in memory at a time, besides
/// the operations that are kept.
inline constexpr std::size_t kMaxTraceBytes = std::size_t{16} << 30;  ///< after unpacking
inline constexpr std::size_t kMaxOperations = 4'000'000;

/// Reads a trace of a training job, uncompressed or compressed with gzip, and recognises its format
/// by the content:
/// - JSON of PyTorch's profiler (Kineto: https://github.com/pytorch/kineto),
/// - JSON of PyTorch's ExecutionTraceObserver, with or without Chakra's fields,
/// - MLCommons Chakra execution traces (protobuf, https://github.com/mlcommons/chakra).
///
/// `name`: of the file in messages, where its path would not help. Errors: E111 if the file cannot
/// be read, E601 if the format is unknown or the file is broken, E602 beyond the limits above.
[[nodiscard]] tl::expected<Trace, input::Diagnostics> read_trace_file(const std::string& path,
                                                                      const std::string& name = {});

}  // namespace vgsim::traces
