#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/traces/traced_network.hpp"
#include "tools/cli/commands/import_command.hpp"
#include "tools/cli/import/import_notes.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Whether to import the trace of a training job, by --kind or by the file's content.
[[nodiscard]] bool is_trace_import(const ImportOptions& options);

/// Whether a file that begins like this is a trace: compressed, binary, or JSON with the keys of
/// trace tools, and nothing that another importer reads.
[[nodiscard]] bool begins_like_trace(const std::string& head);

/// The network of the job in one trace, or in an execution trace and the profile of the same run.
/// `names`: of the files in messages; `notes`: gets what was found, assumed and skipped, also with
/// errors.
[[nodiscard]] tl::expected<traces::TracedNetwork, input::Diagnostics> traced_network(
    const ImportOptions& options, const std::vector<std::string>& names,
    const scenario::Library& library, ImportNotes& notes);

/// The name of a network by the name of its trace: "resnet" of "runs/resnet.pt.trace.json.gz",
/// reduced to letters, digits and "-".
[[nodiscard]] std::string traced_name(const std::string& file);

/// Converts a trace to a network. Writes its result or messages and returns an ExitCode.
[[nodiscard]] int import_trace(const ImportOptions& options);

}  // namespace vgsim::cli
