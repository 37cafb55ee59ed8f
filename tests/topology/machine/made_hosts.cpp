#include "tests/topology/machine/made_hosts.hpp"

#include <fmt/core.h>

namespace vgsim::topology::inventory::testing {

using namespace vgsim::literals;

Device bridge(const std::string& bus_id, PcieWidth link) {
  Device device;
  device.kind = DeviceKind::kBridge;
  device.bus_id = bus_id;
  device.link = stated(link);
  return device;
}

Device gpu(std::int64_t index, const std::string& bus_id, PcieWidth link) {
  Device device = bridge(bus_id, link);
  device.kind = DeviceKind::kGpu;
  device.name = stated<std::string>("Made-up GPU 80GB");
  device.gpu.emplace();
  device.gpu->index = stated(index);
  return device;
}

Device nic(const std::string& name, const std::string& bus_id, PcieWidth link) {
  Device device = bridge(bus_id, link);
  device.kind = DeviceKind::kNic;
  device.name = stated<std::string>("Made-up NIC 400G");
  Port port;
  port.name = stated(name);
  port.rate = stated(400_Gbitps);
  device.ports.push_back(std::move(port));
  return device;
}

void add_nvlinks(Device& gpu, const std::string& target, std::int64_t count) {
  NvLinks links;
  links.target = stated(target);
  links.count = stated(count);
  links.rate = stated(25_GBps);
  gpu.gpu->nvlinks.push_back(std::move(links));
}

Inventory eight_gpu_host() {
  constexpr PcieWidth kGen5{5, 16};
  Inventory host;
  host.name = stated<std::string>("gpu01.example.com");
  host.vendor = stated<std::string>("Example Inc.");
  host.model = stated<std::string>("Eight-GPU Server");
  for (std::int64_t socket = 0; socket < 2; ++socket) {
    NumaNode node;
    node.id = stated(socket);
    node.package = stated(socket);
    node.cpu_name = stated<std::string>("Made-up CPU 8000");
    for (std::int64_t s = 0; s < 2; ++s) {
      const std::int64_t number = 2 * socket + s;
      const std::int64_t bus = 0x10 + 0x20 * number;
      Device pcie_switch = bridge(fmt::format("0000:{:02x}:00.0", bus), kGen5);
      for (std::int64_t i = 0; i < 2; ++i) {
        const std::int64_t index = 2 * number + i;
        Device made = gpu(index, fmt::format("0000:{:02x}:00.0", bus + 2 + i), kGen5);
        add_nvlinks(made, kHiddenNvSwitch, 18);
        pcie_switch.below.push_back(std::move(made));
        pcie_switch.below.push_back(nic(fmt::format("mlx5_{}", index),
                                        fmt::format("0000:{:02x}:00.0", bus + 8 + i), kGen5));
      }
      node.devices.push_back(std::move(pcie_switch));
    }
    host.numa_nodes.push_back(std::move(node));
  }
  return host;
}

}  // namespace vgsim::topology::inventory::testing
