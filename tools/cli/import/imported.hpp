#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// What workbooks of Excel before 2007 begin with, and those with a password.
inline constexpr std::string_view kOldExcel = "\xD0\xCF\x11\xE0";

/// What one file tells, whatever its format.
struct Imported {
  std::vector<topology::inventory::Inventory> hosts;
  std::vector<vsphere::import::VmFacts> vms;
  std::vector<vsphere::import::PlannedHosts> planned;
  std::vector<std::string> found;  ///< sentences, of measurements: nothing else comes of them
  std::vector<std::string> assumed;
  std::vector<std::string> skipped;
  std::string next;  ///< what to do with the file, where it is a measurement; else empty
  input::Diagnostics warnings;
};

/// A format that `vgsim import` reads.
struct ImportFormat {
  const char* word;   ///< for --kind: "nccl-xml"
  const char* about;  ///< "NCCL topology (NCCL_TOPO_DUMP_FILE), also RCCL's"
  bool (*fits)(std::string_view text);
  tl::expected<Imported, input::Diagnostics> (*read)(const input::SourcePtr& source);
};

/// All formats but traces of training jobs; the first whose `fits` holds reads a file, so that
/// recordings of several commands stand before those of one.
[[nodiscard]] std::span<const ImportFormat> import_formats();

/// The first format that a text fits, or nullptr.
[[nodiscard]] const ImportFormat* format_of(std::string_view text);

}  // namespace vgsim::cli
