#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace vgsim::probe::cuda {

// What the operating system tells of the machine; empty where it does not.

/// Model of the CPU.
[[nodiscard]] std::string processor();

/// "VMware, Inc. VMware7,1", for a guest alone.
[[nodiscard]] std::string hypervisor();

/// Node of the memory that a PCI device is nearest to.
[[nodiscard]] std::optional<std::size_t> numa_node_of(const std::string& pci_address);

/// What `nvidia-smi topo -m` shows, as plain text.
[[nodiscard]] std::string topology_matrix();

}  // namespace vgsim::probe::cuda
