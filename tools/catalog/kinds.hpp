#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/meant_names.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::catalog {

/// Something that scenarios name.
struct Entry {
  input::KnownName names;  ///< its title is the first of the others
  input::Value value;      ///< an object
  input::Value sources;    ///< what its "source" keys mean; null where it has them itself
};

/// All entries of one kind: "gpus", "networks", "rules".
struct Kind {
  std::string name;
  std::string about;
  input::Value document;  ///< all of it
  std::vector<Entry> entries;
};

/// Everything that scenarios name: parts, data sets, vGPU profiles, rules, networks, calibrations
/// and parameters.
[[nodiscard]] tl::expected<std::vector<Kind>, input::Diagnostics> all_kinds(
    const scenario::Library& library, const std::string& config_dir);

/// Those that a text may mean (see input::meant_names).
[[nodiscard]] std::vector<const Entry*> meant_entries(const Kind& kind, const std::string& text);

}  // namespace vgsim::catalog
