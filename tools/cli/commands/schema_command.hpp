#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim schema`.
struct SchemaOptions {
  std::string kind = "scenario";   ///< of file
  std::string format = "json";     ///< or "md"
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_schema_command(CLI::App& app, SchemaOptions& options);

[[nodiscard]] int schema_command(const SchemaOptions& options);

}  // namespace vgsim::cli
