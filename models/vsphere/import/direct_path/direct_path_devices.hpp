#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text is what GET /vcenter/host/{host}/hardware/direct-path-devices answers (vSphere
/// API 9.1). Never throws.
[[nodiscard]] bool is_direct_path_devices(std::string_view text);

/// Reads that answer, one host's: names, drivers, memory and modes of its devices. It names neither
/// the host nor where devices are, but by ids that are PCI addresses. Devices with memory, or with
/// modes of vGPU, are GPUs; those that offer Enhanced DirectPath are NICs.
///
/// Errors: E531, E532, E533 as read_vim_json(); E532 without devices; E534 for memory that cannot
/// be. Source of the shape: "Vcenter Host Hardware DirectPathDevices ListResult" and Info,
/// developer.broadcom.com, vSphere Automation API 9.1.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_direct_path_devices(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
