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

/// The magic number of workbooks of Excel before 2007, and of those with a password.
inline constexpr std::string_view kOldExcel = "\xD0\xCF\x11\xE0";

/// The content of one file of any format.
struct Imported {
  std::vector<topology::inventory::Inventory> hosts;
  std::vector<vsphere::import::VmFacts> vms;
  std::vector<vsphere::import::PlannedHosts> planned;
  std::vector<std::string>
      found;  ///< sentences on measurements, from which nothing else is imported
  std::vector<std::string> assumed;
  std::vector<std::string> skipped;
  std::string next;  ///< how to use a file that is a measurement; else empty
  input::Diagnostics warnings;
};

/// A format that `vgsim import` reads.
struct ImportFormat {
  const char* word;   ///< for --kind: "nccl-xml"
  const char* about;  ///< "NCCL topology (NCCL_TOPO_DUMP_FILE), also RCCL's"
  bool (*fits)(std::string_view text);
  tl::expected<Imported, input::Diagnostics> (*read)(const input::SourcePtr& source);
};

/// All formats except traces of training jobs. The first whose `fits` holds reads a file, so
/// recordings of several commands come before those of one.
[[nodiscard]] std::span<const ImportFormat> import_formats();

/// The first format that a text fits, or nullptr.
[[nodiscard]] const ImportFormat* format_of(std::string_view text);

}  // namespace vgsim::cli
