#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// A cell of a table, or nothing.
struct TableCell {
  std::string text;
  input::Location at;
};

/// Equal hosts from a line of a table: planned purchases or existing hosts.
struct PlannedHosts {
  std::string names;          ///< "esx[01-16]"
  std::size_t count = 1;      ///< how many these are
  TableCell server;           ///< as it is written: "PowerEdge XE9680"
  std::size_t gpu_count = 0;  ///< 0: as the server comes
  TableCell gpu;              ///< empty: the server's own
  std::size_t nic_count = 0;
  TableCell nic;
  TableCell version;  ///< of vSphere
  std::string cluster;
};

struct HostTable {
  std::vector<PlannedHosts> hosts;
  std::vector<std::string> assumed;  ///< sentences
  std::vector<std::string> skipped;
  input::Diagnostics warnings;
};

/// Whether a text is CSV whose first line has the headings "host" and "server", and no more than
/// those of a host table beside them matter. Never throws.
[[nodiscard]] bool is_host_table(std::string_view text);

/// Reads a table with a line for each host, or for several equal hosts. Its columns, in any order
/// and case: host (a name, or a range such as "esx[01-16]"), server; optionally count (number of
/// hosts; "host" is then their common prefix), gpus ("8 x h100-sxm", "8"), nics ("4 x
/// connectx-7-400g"), vsphere ("8.0U3"), cluster. Other columns are reported as skipped.
///
/// Errors: E532 for a table without hosts, E533 beyond 10000 lines or 100000 hosts, E534 for cells
/// that are empty or cannot be read, with line and column.
[[nodiscard]] tl::expected<HostTable, input::Diagnostics> read_host_table(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
