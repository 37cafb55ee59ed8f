#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim show`.
struct ShowOptions {
  std::vector<std::string> subjects;   ///< files of one host, scenarios, servers of the catalogue
  std::vector<std::string> layouts;    ///< of scenarios; empty: all
  std::vector<std::string> set;        ///< of scenarios: "POINTER=VALUE"
  std::optional<std::string> against;  ///< a server of the catalogue
  std::optional<std::string> kind;     ///< of files, if the content is ambiguous
  std::optional<std::string> out;      ///< file instead of stdout
};

CLI::App* add_show_command(CLI::App& app, ShowOptions& options);

[[nodiscard]] int show_command(const ShowOptions& options);

}  // namespace vgsim::cli
