#pragma once

#include "tools/cli/commands/import_command.hpp"

namespace vgsim::cli {

/// Whether to import the trace of a training job, by --kind or by the file's content.
[[nodiscard]] bool is_trace_import(const ImportOptions& options);

/// Converts a trace to a network. Writes its result or messages and returns an ExitCode.
[[nodiscard]] int import_trace(const ImportOptions& options);

}  // namespace vgsim::cli
