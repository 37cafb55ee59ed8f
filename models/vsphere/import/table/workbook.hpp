#pragma once

#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Reads hosts and VMs of a workbook (.xlsx): RVTools' sheets vHost, vInfo, vNetwork and
/// vNIC, each as read_rvtools() reads it as CSV, and tables as read_host_table() reads. Sheets of
/// other contents are skipped.
///
/// Errors: those of read_xlsx() and of the readers of its sheets; E532 if no sheet is known.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_workbook(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
