#pragma once

#include <string_view>

namespace vgsim::topology {

/// PCI classes as hex digits without "0x", so that a prefix names a class with all its subclasses
/// (PCI code and ID assignment specification).

[[nodiscard]] inline bool is_nic_class(std::string_view c) { return c.starts_with("02"); }
[[nodiscard]] inline bool is_infiniband_class(std::string_view c) { return c.starts_with("0207"); }
[[nodiscard]] inline bool is_gpu_class(std::string_view c) {
  return c.starts_with("0302") || c.starts_with("0300");
}
/// A port of a switch or a root port.
[[nodiscard]] inline bool is_bridge_class(std::string_view c) { return c.starts_with("0604"); }
/// NVSwitch; NCCL uses 068001 for a CPU with NVLink (Power).
[[nodiscard]] inline bool is_nvlink_cpu_class(std::string_view c) {
  return c.starts_with("068001");
}
[[nodiscard]] inline bool is_nvswitch_class(std::string_view c) {
  return c.starts_with("0680") && !is_nvlink_cpu_class(c);
}

}  // namespace vgsim::topology
