#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vgsim::scenario {

/// A device of a host, to be drawn.
struct DrawnNode {
  std::string name;   ///< without its host: "gpu0"
  std::string kind;   ///< "socket", "memory", "root complex", "PCIe switch", "GPU", "NVSwitch",
                      ///< "NIC" or "storage"
  std::string model;  ///< catalogue name of the part, or empty
  std::int64_t parts = 1;  ///< number of represented devices; 0: unknown
};

/// A link between two devices (both directions), or a NIC's port to the network.
struct DrawnLink {
  std::size_t from = 0;  ///< index into DrawnHost::nodes
  std::size_t to = 0;    ///< the same; `from` again for a port
  std::string kind;      ///< "nvlink", "pcie", "socket-link", "memory", "storage", "nic"; "on-die"
  double rate = 0;       ///< line rate per direction, bytes/s; 0: never a limit
  double bytes = 0;      ///< of the busier direction, in an iteration or the largest collective
  double utilization = 0;  ///< of the busier direction, 0 to 1
  /// Utilization in equal intervals of an iteration; empty for idle links and for collectives.
  std::vector<double> over_time{};
};

/// A vGPU or MIG instance, and its location.
struct DrawnVgpu {
  std::string gpu;      ///< without its host: "gpu0"
  std::string machine;  ///< VM that it belongs to
  std::string profile;
};

/// The devices of a VM.
struct DrawnHolding {
  std::string machine;
  std::vector<std::string> devices;  ///< GPUs and NICs, without the host: "gpu0"
};

/// One host, or the first of several equivalent ones.
struct DrawnHost {
  std::string name;
  std::size_t count = 1;
  std::vector<std::string> machines;   ///< VMs on it; empty on bare metal
  std::vector<DrawnVgpu> vgpus;        ///< by VM, in the order of its GPUs
  std::vector<DrawnHolding> holdings;  ///< by VM
  std::vector<DrawnNode> nodes;
  std::vector<DrawnLink> links;
};

/// Leaf-spine links with equal load.
struct DrawnFabricLinks {
  std::string name;  ///< of the first: "leaf1 -> spine1"
  std::size_t count = 1;
  double rate = 0;  ///< bytes/s per direction
  double bytes = 0;
  double utilization = 0;
};

/// The machines of a layout, with the load of their links.
struct TopologyPicture {
  std::vector<DrawnHost> hosts;
  std::string fabric;      ///< "single-switch", "leaf-spine", "rails" or "none"
  std::size_t leaves = 0;  ///< 1 for a single switch
  std::size_t spines = 0;
  std::vector<DrawnFabricLinks> fabric_links;
};

}  // namespace vgsim::scenario
