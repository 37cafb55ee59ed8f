#include "topology/inventory/device_names.hpp"

#include <fmt/core.h>

#include <map>
#include <set>

#include "topology/inventory/built_names.hpp"

namespace vgsim::topology::inventory {
namespace {

const char* word_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kBridge:
      return "switch";
    case DeviceKind::kGpu:
      return "gpu";
    case DeviceKind::kNic:
      return "nic";
    case DeviceKind::kNvSwitch:
      return "nvswitch";
    case DeviceKind::kStorage:
      return "storage";
    case DeviceKind::kOther:
      return "device";
  }
  return "device";
}

class Namer {
 public:
  explicit Namer(const Inventory& host) : built_(built_names(host)) {
    for (const auto& [device, name] : built_) taken_.insert(name);
    for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) taken_.insert(numa_node_name(n));
  }

  void walk(const std::vector<Device>& devices, const std::string& under,
            std::optional<std::size_t> numa_node, bool without_pcie) {
    for (const Device& device : devices) {
      const std::string name = name_of(device);
      named.push_back({name, under, &device, numa_node, without_pcie});
      walk(device.below, name, numa_node, false);
    }
  }

  std::vector<NamedDevice> named;

 private:
  std::string name_of(const Device& device) {
    const auto built = built_.find(&device);
    if (built != built_.end()) return built->second;
    const char* word = word_of(device.kind);
    std::string name;
    do {
      name = fmt::format("{}{}", word, counts_[word]++);
    } while (!taken_.insert(name).second);
    return name;
  }

  std::map<const Device*, std::string> built_;
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace

std::string numa_node_name(std::size_t index) { return fmt::format("numa{}", index); }

std::vector<NamedDevice> name_devices(const Inventory& host) {
  Namer namer(host);
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    namer.walk(host.numa_nodes[n].devices, numa_node_name(n), n, false);
    namer.walk(host.numa_nodes[n].without_pcie, numa_node_name(n), n, true);
  }
  namer.walk(host.unplaced, {}, std::nullopt, false);
  return std::move(namer.named);
}

}  // namespace vgsim::topology::inventory
