#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/limits.hpp"

namespace vgsim::input {

/// What a path is that is read by nobody: "a pipe", which might be waited for without an end, "a
/// device", "a socket". Nothing for files, folders and what there is not.
[[nodiscard]] std::optional<std::string> special_file(const std::string& path);

/// The text of a file, whatever it holds. Errors: E111 if it is missing, a directory, a pipe, a
/// device or cannot be read; E107 beyond kMaxFileBytes, before more than that is in memory.
[[nodiscard]] tl::expected<SourcePtr, Diagnostics> load_source(const std::string& path);

/// What stands for standard input on the command line.
inline constexpr const char* kStandardInput = "-";
/// The same, where something follows it and it would be taken for an option.
inline constexpr const char* kStandardInputInFull = "<stdin>";

/// The same of a file that a user names, where "-" is standard input; messages call it <stdin>. It
/// can be read once.
[[nodiscard]] tl::expected<SourcePtr, Diagnostics> load_input(const std::string& path);

/// Whether there is something to read of that name: a file, a pipe, or standard input.
[[nodiscard]] bool is_input(const std::string& path);

}  // namespace vgsim::input
