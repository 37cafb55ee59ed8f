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

namespace vgsim::cli {

/// Something that scenarios name.
struct CatalogEntry {
  input::KnownName names;  ///< its title is the first of the others
  input::Value value;      ///< an object
  input::Value sources;    ///< what its "source" keys mean; null where it has them itself
};

/// All entries of one kind: "gpus", "networks", "rules".
struct CatalogKind {
  std::string name;
  std::string about;
  input::Value document;  ///< all of it
  std::vector<CatalogEntry> entries;
};

/// Everything that scenarios name: parts, data sets, vGPU profiles, rules, networks, calibrations
/// and parameters.
[[nodiscard]] tl::expected<std::vector<CatalogKind>, input::Diagnostics> catalog_kinds(
    const scenario::Library& library, const std::string& config_dir);

/// Those that a text may mean (see input::meant_names).
[[nodiscard]] std::vector<const CatalogEntry*> meant_entries(const CatalogKind& kind,
                                                             const std::string& text);

}  // namespace vgsim::cli
