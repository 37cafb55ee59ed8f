#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/sweep.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::sweep {

/// A sweep with everything that its points are made of.
struct Question {
  scenario::Sweep sweep;
  scenario::Document base;  ///< as scenario::base_of() has it
  input::FileLoader load;   ///< files that points name; each is read once, for threads too
  std::string digest;       ///< of sweep, scenario and the files that they name
};

/// Reads a sweep and the scenario that it names, in which `settings` ("POINTER=VALUE") set other
/// values before anything is varied. Errors of all of them.
[[nodiscard]] tl::expected<Question, input::Diagnostics> read_question(
    const std::string& file, const std::vector<std::string>& settings);

/// Digest of a configuration folder: the names and contents of all .json files that a library is
/// read from. Throws StoreError where one cannot be read.
[[nodiscard]] std::string digest_of_configs(const std::string& folder);

}  // namespace vgsim::sweep
