#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/doctor/check.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/style.hpp"

namespace vgsim::cli {

/// Options of `vgsim doctor`.
struct DoctorOptions {
  Format format = Format::kText;
  std::optional<std::string> out;  ///< file instead of stdout
  std::string program;             ///< "vgsim 0.9.0 (305e434)"
};

CLI::App* add_doctor_command(CLI::App& app, DoctorOptions& options);

/// Returns kBadInput if simulations cannot run.
[[nodiscard]] int doctor_command(const DoctorOptions& options);

[[nodiscard]] std::string doctor_text(const std::vector<doctor::Check>& checks,
                                      const text::Style& style);
/// vgsim.doctor/1.
[[nodiscard]] std::string doctor_json(const std::vector<doctor::Check>& checks);

}  // namespace vgsim::cli
