#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/limits.hpp"

namespace vgsim::input {

/// The kind of a path that is not read: "a pipe", which could block forever, "a device", "a
/// socket". Nothing for files, directories and missing paths.
[[nodiscard]] std::optional<std::string> special_file(const std::string& path);

/// The content of a file. Errors: E111 if it is missing, a directory, a pipe, a device or
/// unreadable; E107 beyond kMaxFileBytes, before more than that is in memory.
[[nodiscard]] tl::expected<SourcePtr, Diagnostics> load_source(const std::string& path);

/// Standard input on the command line.
inline constexpr const char* kStandardInput = "-";
/// The same where "-" would be parsed as an option.
inline constexpr const char* kStandardInputInFull = "<stdin>";

/// The same for a path from the user, where "-" is standard input, shown as <stdin> in messages.
/// Standard input can be read once.
[[nodiscard]] tl::expected<SourcePtr, Diagnostics> load_input(const std::string& path);

/// Whether the path is readable input: a file, a pipe, or standard input.
[[nodiscard]] bool is_input(const std::string& path);

}  // namespace vgsim::input
