#include "topology/machine/unknown_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace vgsim::topology::inventory {

std::vector<std::string> unknown_keys(const NamedDevice& named) {
  const Device& device = *named.device;
  std::vector<std::string> missing;
  const bool is_known = device.name || device.model || (device.vendor && device.device);
  if (named.under.empty()) missing.emplace_back("under");
  switch (device.kind) {
    case DeviceKind::kGpu:
      if (!is_known) missing.emplace_back("product");
      if (!device.link) missing.emplace_back("link");
      if (!device.gpu || !device.gpu->memory) missing.emplace_back("memory");
      break;
    case DeviceKind::kNic:
      if (!is_known && !named.without_pcie) missing.emplace_back("product");
      if (!device.link) missing.emplace_back("link");
      if (std::ranges::none_of(device.ports,
                               [](const Port& port) { return port.rate.has_value(); })) {
        missing.emplace_back("speed");
      }
      break;
    case DeviceKind::kBridge:
      if (!device.link) missing.emplace_back("link");
      break;
    default:
      break;
  }
  return missing;
}

std::vector<std::string> unknown_keys(const NumaNode& node) {
  std::vector<std::string> missing;
  if (!node.package) missing.emplace_back("socket");
  if (!node.cpu_name && !node.model) missing.emplace_back("cpu");
  if (!node.memory) missing.emplace_back("memory");
  return missing;
}

std::vector<std::string> unknown_facts(const Inventory& host) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::pair<std::string, std::vector<std::string>>> by_key;
  const auto note = [&](const std::string& key, const std::string& name) {
    auto found =
        std::ranges::find_if(by_key, [&](const auto& entry) { return entry.first == key; });
    if (found == by_key.end()) found = by_key.insert(found, {key, {}});
    found->second.push_back(name);
  };
  for (const NamedDevice& named : name_devices(host)) {
    for (const std::string& key : unknown_keys(named)) note(key, named.name);
  }
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    for (const std::string& key : unknown_keys(host.numa_nodes[n])) note(key, numa_node_name(n));
  }
  std::vector<std::string> sentences;
  for (const auto& [key, names] : by_key) {
    const std::size_t shown = names.size() <= kNamed + 1 ? names.size() : kNamed;
    const std::string list =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
    const std::string more =
        shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : std::string();
    sentences.push_back(fmt::format("{} of {}{}", key, list, more));
  }
  return sentences;
}

}  // namespace vgsim::topology::inventory
