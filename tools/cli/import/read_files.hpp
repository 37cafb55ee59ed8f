#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/cli/import/imported.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::cli {

/// A file and its detected format.
struct ReadFile {
  std::string path;
  std::string format;  ///< word of its ImportFormat
};

/// The content of all files, with those of one host merged.
struct Inventories {
  std::vector<ReadFile> files;
  std::vector<topology::inventory::Inventory> hosts;  ///< merged and completed
  std::vector<vsphere::import::VmFacts> vms;
  std::vector<vsphere::import::PlannedHosts> planned;
  std::vector<std::string> found;
  std::vector<std::string> assumed;
  std::vector<std::string> skipped;
  std::vector<std::string> next;
  input::Diagnostics warnings;
};

/// Reads files, and all files of folders; `kind` overrides the detected format.
///
/// Files with the same host name, or without one, belong to one host; of several hosts every
/// file must name its host. Topology files of vgsim are read as well. Collects all errors:
/// files that cannot be read or have an unknown format (skipped in a folder), files of several
/// machines under one name.
[[nodiscard]] tl::expected<Inventories, input::Diagnostics> read_inventories(
    const std::vector<std::string>& paths, const std::optional<std::string>& kind);

/// The same of contents that were read already, none of them in a folder; each is named by its
/// path.
[[nodiscard]] tl::expected<Inventories, input::Diagnostics> inventories_of(
    const std::vector<input::SourcePtr>& sources);

}  // namespace vgsim::cli
