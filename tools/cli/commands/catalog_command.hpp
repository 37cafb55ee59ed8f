#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim catalog`.
struct CatalogOptions {
  std::string kind;                ///< or words of a name of any kind; empty: a list of kinds
  std::vector<std::string> names;  ///< words of a name
  Format format = Format::kText;
  std::optional<std::string> out;
};

CLI::App* add_catalog_command(CLI::App& app, CatalogOptions& options);

[[nodiscard]] int catalog_command(const CatalogOptions& options);

}  // namespace vgsim::cli
