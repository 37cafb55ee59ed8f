#pragma once

#include <string>

#include "tests/topology/importers/pci_dump_fixture.hpp"

/// Pieces of a small topology as lstopo writes it.
namespace vgsim::topology::pci_testing {

/// PCI class and ids of an A100 and of an InfiniBand NIC.
inline constexpr const char* kA100 = "0302 [10de:20b5] [10de:1533] a1";
inline constexpr const char* kNic = "0207 [15b3:101b] [15b3:0007] 00";

[[nodiscard]] Imported read_hwloc(const std::string& text);

/// Attributes of an object with the CPUs and the NUMA nodes of these masks.
[[nodiscard]] std::string sets(const std::string& cpus, const std::string& nodes);

/// A PCI device with what is inside.
[[nodiscard]] std::string pci(const std::string& bus_id, const std::string& type,
                              const std::string& speed, const std::string& inside = {},
                              int gp_index = 0);
[[nodiscard]] std::string bridge(const std::string& bus_id, const std::string& buses,
                                 const std::string& inside, const std::string& speed = "31.507692");
[[nodiscard]] std::string host_bridge(const std::string& buses, const std::string& inside);

/// A switch, 0000:3b:00.0 on root complex 0000:3a, with the GPUs 0000:3d:00.0 (nvml1, object 101)
/// and 0000:3e:00.0 (nvml0, object 100), and the NIC 0000:3f:00.0.
[[nodiscard]] std::string two_gpus();

/// Two packages with a NUMA node and two cores each; devices and further NUMA nodes of the first
/// one, and what follows the machine.
[[nodiscard]] std::string hwloc_host(const std::string& devices, const std::string& behind = {},
                                     const std::string& memory = {});

/// A matrix between two OS devices.
[[nodiscard]] std::string matrix(const std::string& name, const std::string& objects,
                                 const std::string& values);

}  // namespace vgsim::topology::pci_testing
