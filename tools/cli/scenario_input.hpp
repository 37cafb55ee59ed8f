#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::cli {

/// A scenario as a user hands it over: a file of one, or a saved result, which holds the scenario
/// that it is of.
struct ScenarioInput {
  std::string path;
  std::string text;                   ///< of the file, where it was read from one
  scenario::Document document;        ///< with what `--set` says
  std::vector<std::string> settings;  ///< what `--set` said
  input::FileLoader load;             ///< of files that the scenario names
  /// By path, what `load` has handed over so far.
  std::shared_ptr<std::map<std::string, std::string>> loaded;
  /// What `--set` stood for, where that was many: "/vms/*/memory: 4 places (...)".
  std::vector<std::string> matched;
};

/// Reads it as load_scenario_file() does; what standard input names lies in the working folder.
/// Errors: a file that cannot be read, a result without its scenario, settings that set nothing,
/// layouts that there are not.
[[nodiscard]] tl::expected<ScenarioInput, input::Diagnostics> read_scenario_input(
    const std::string& path, const std::vector<std::string>& settings,
    const std::vector<std::string>& layouts = {});

/// The same of a scenario, or a result, that stands in a file of that name.
[[nodiscard]] tl::expected<ScenarioInput, input::Diagnostics> as_scenario_input(
    const std::string& path, const scenario::Document& document,
    const std::vector<std::string>& settings);

/// The scenario of that file with these of its layouts alone, in this order; with all of them where
/// none is named. A scenario without layouts is one of its own name.
[[nodiscard]] scenario::Document with_layouts(const scenario::Document& document,
                                              const std::string& path,
                                              const std::vector<std::string>& names,
                                              input::Diagnostics& diagnostics);

/// What it takes to run it once more.
[[nodiscard]] scenario::Manifest manifest_of(const ScenarioInput& input,
                                             std::optional<std::uint64_t> seed,
                                             std::optional<std::uint64_t> draws);

}  // namespace vgsim::cli
