#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/matching_names.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::catalog {

/// A named entry that scenarios refer to.
struct Entry {
  input::KnownName names;  ///< its title is the first of the others
  input::Value value;      ///< an object
  input::Value sources;    ///< definitions of its "source" keys; null if it contains them itself
};

/// All entries of one kind: "gpus", "networks", "rules".
struct Kind {
  std::string name;
  std::string about;
  input::Value document;  ///< the whole document
  std::vector<Entry> entries;
};

/// All kinds of named entries: parts, data sets, vGPU profiles, rules, networks, calibrations
/// and parameters.
[[nodiscard]] tl::expected<std::vector<Kind>, input::Diagnostics> all_kinds(
    const scenario::Library& library, const std::string& config_dir);

/// Those that a text may mean (see input::matching_names).
[[nodiscard]] std::vector<const Entry*> meant_entries(const Kind& kind, const std::string& text);

}  // namespace vgsim::catalog
