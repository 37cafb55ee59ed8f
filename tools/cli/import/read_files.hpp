#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/cli/import/imported.hpp"

namespace vgsim::cli {

/// A file as it was recognised.
struct ReadFile {
  std::string path;
  std::string format;  ///< word of its ImportFormat
};

/// What all files together tell, those of one host merged.
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

/// Reads files, and all files of folders; `kind` goes before what their content says.
///
/// Files that name the same host, or none, are of one host; several hosts must each be named by
/// all of their files. Topology files of vgsim are read as well. All errors at once: files that
/// cannot be read or that no format fits (in a folder those are skipped), files of several machines
/// that claim to be of one.
[[nodiscard]] tl::expected<Inventories, input::Diagnostics> read_inventories(
    const std::vector<std::string>& paths, const std::optional<std::string>& kind);

}  // namespace vgsim::cli
