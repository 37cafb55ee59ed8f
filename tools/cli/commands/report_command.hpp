#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim report`.
struct ReportOptions {
  std::string scenario;               ///< or a saved result, which holds its scenario
  std::optional<std::string> format;  ///< "html", "md" or "text"; else by the extension
  std::optional<std::string> out;
  std::vector<std::string> layouts;  ///< only these; empty: all
  std::vector<std::string> set;      ///< "POINTER=VALUE"
  std::optional<std::uint64_t> draws;
  bool with_simulator = false;  ///< the studio's page inside
  bool quiet = false;
};

CLI::App* add_report_command(CLI::App& app, ReportOptions& options);

[[nodiscard]] int report_command(const ReportOptions& options);

/// The command line of these options, quoted for a shell.
[[nodiscard]] std::string command_line(const ReportOptions& options);

}  // namespace vgsim::cli
