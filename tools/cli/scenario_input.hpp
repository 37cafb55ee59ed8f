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

/// A scenario from a file, or from a saved result, which contains its scenario.
struct ScenarioInput {
  std::string path;
  std::string text;                   ///< of the file, if it was read from one
  scenario::Document document;        ///< with `--set` applied
  std::vector<std::string> settings;  ///< of `--set`
  input::FileLoader load;             ///< of files that the scenario names
  /// Files returned by `load` so far, by path.
  std::shared_ptr<std::map<std::string, std::string>> loaded;
  /// Places set by `--set`, if several: "/vms/*/memory: 4 places (...)".
  std::vector<std::string> matched;
};

/// Reads it with load_scenario_file(); files named on standard input are relative to the
/// working folder. Errors: an unreadable file, a result without its scenario, settings that
/// match nothing, unknown layouts.
[[nodiscard]] tl::expected<ScenarioInput, input::Diagnostics> read_scenario_input(
    const std::string& path, const std::vector<std::string>& settings,
    const std::vector<std::string>& layouts = {});

/// The same for a document that has been read from a file of that name.
[[nodiscard]] tl::expected<ScenarioInput, input::Diagnostics> as_scenario_input(
    const std::string& path, const scenario::Document& document,
    const std::vector<std::string>& settings);

/// The scenario of that file with only these layouts, in this order; with all if none is named.
/// A scenario without layouts is one layout with the scenario's name.
[[nodiscard]] scenario::Document with_layouts(const scenario::Document& document,
                                              const std::string& path,
                                              const std::vector<std::string>& names,
                                              input::Diagnostics& diagnostics);

/// The inputs needed to repeat the run.
[[nodiscard]] scenario::Manifest manifest_of(const ScenarioInput& input,
                                             std::optional<std::uint64_t> seed,
                                             std::optional<std::uint64_t> draws);

}  // namespace vgsim::cli
