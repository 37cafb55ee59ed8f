#pragma once

#include <optional>
#include <string>

#include "models/scenario/run_settings.hpp"
#include "sim/units.hpp"

namespace vgsim::cli {

enum class Format { kText, kJson };

/// What the user asked for; each command reads the part that concerns it.
struct Options {
  Format format = Format::kText;
  std::optional<std::string> out;     ///< file instead of stdout
  std::string scenario;               ///< run, validate
  scenario::RunSettings settings;     ///< run
  std::optional<SimTime> time_limit;  ///< run: of real time
  std::string kind;                   ///< catalog; schema
  std::string name;                   ///< catalog
};

/// Each returns an ExitCode and has written its result or its messages.
[[nodiscard]] int run_command(const Options& options);
[[nodiscard]] int validate_command(const Options& options);
[[nodiscard]] int catalog_command(const Options& options);
[[nodiscard]] int schema_command(const Options& options);

}  // namespace vgsim::cli
