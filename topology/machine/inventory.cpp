#include "topology/machine/inventory.hpp"

#include <fmt/core.h>

namespace vgsim::topology::inventory {

std::string placeholder_bus_id(DeviceKind kind, std::size_t index) {
  const std::size_t domain = kind == DeviceKind::kGpu   ? 0xfff0
                             : kind == DeviceKind::kNic ? 0xfff1
                                                        : 0xfff2;
  return fmt::format("{:04x}:{:02x}:{:02x}.0", domain, (index >> 5) & 0xff, index & 0x1f);
}

bool is_placeholder_bus_id(const std::string& bus_id) {
  return bus_id.starts_with("fff0:") || bus_id.starts_with("fff1:") || bus_id.starts_with("fff2:");
}

}  // namespace vgsim::topology::inventory
