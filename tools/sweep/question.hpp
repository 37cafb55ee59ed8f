#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/sweep.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::sweep {

/// A sweep with all inputs of its points.
struct Question {
  scenario::Sweep sweep;
  scenario::Document base;  ///< from scenario::base_of()
  input::FileLoader load;   ///< files that points name; each is read once; thread-safe
  std::string digest;       ///< of sweep, scenario and the files that they name
};

/// Reads a sweep and its base scenario, and applies `settings` ("POINTER=VALUE") to the latter
/// before anything is varied. Collects the errors of all of them.
[[nodiscard]] tl::expected<Question, input::Diagnostics> read_question(
    const std::string& file, const std::vector<std::string>& settings);

/// Digest of a configuration folder: names and contents of all .json files of a library. Throws
/// StoreError if one cannot be read.
[[nodiscard]] std::string digest_of_configs(const std::string& folder);

}  // namespace vgsim::sweep
