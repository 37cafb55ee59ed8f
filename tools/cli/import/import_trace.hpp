#pragma once

#include "tools/cli/commands/import_command.hpp"

namespace vgsim::cli {

/// Whether an import is of the trace of a training job, by --kind or by the file's content.
[[nodiscard]] bool is_trace_import(const ImportOptions& options);

/// Makes a network of a trace. Returns an ExitCode and has written its result or its messages.
[[nodiscard]] int import_trace(const ImportOptions& options);

}  // namespace vgsim::cli
