#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/config_files.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::test {

/// The library that ships with the program, read once.
inline const scenario::Library& library() {
  static const auto loaded = cli::load_library(std::string(VGSIM_SOURCE_DIR) + "/configs");
  if (!loaded) throw std::runtime_error(input::render(loaded.error()));
  return *loaded;
}

inline tl::expected<scenario::ScenarioResult, input::Diagnostics> try_run(
    const std::string& text, const std::string& path = "scenario.json",
    const scenario::RunSettings& settings = {}) {
  return scenario::run_scenario(input::make_source(path, text), library(),
                                cli::loader_relative_to(path), settings);
}

/// Runs a scenario that must be valid.
inline scenario::ScenarioResult run(const std::string& text,
                                    const std::string& path = "scenario.json",
                                    const scenario::RunSettings& settings = {}) {
  auto result = try_run(text, path, settings);
  if (!result) throw std::runtime_error(input::render(result.error()));
  return *result;
}

/// The only layout of a scenario that must be valid.
inline scenario::LayoutResult run_one(const std::string& text,
                                      const scenario::RunSettings& settings = {}) {
  return run(text, "scenario.json", settings).layouts.at(0);
}

}  // namespace vgsim::test
