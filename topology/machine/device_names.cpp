#include "topology/machine/device_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "topology/machine/bus_id.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::inventory {
namespace {

bool before(const Device& a, const Device& b, bool by_index) {
  if (by_index && a.gpu->index->value != b.gpu->index->value) {
    return a.gpu->index->value < b.gpu->index->value;
  }
  return bus_id_less(a.bus_id, b.bus_id);
}

template <class Each, class Host>
std::vector<Each*> ordered_gpus(Host& host) {
  std::vector<Each*> gpus;
  for_each_device(host, [&](Each& device) {
    if (device.kind == DeviceKind::kGpu) gpus.push_back(&device);
  });
  const bool by_index =
      std::ranges::all_of(gpus, [](const Device* gpu) { return gpu->gpu && gpu->gpu->index; });
  std::ranges::stable_sort(
      gpus, [&](const Device* a, const Device* b) { return before(*a, *b, by_index); });
  return gpus;
}

std::int64_t lowest_dev(const Device& nic) {
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  for (const Port& port : nic.ports) {
    if (port.dev) lowest = std::min(lowest, port.dev->value);
  }
  return lowest;
}

bool nic_before(const Device* a, const Device* b) {
  const std::tuple in_a{lowest_dev(*a), a->bus_id.empty()};
  const std::tuple in_b{lowest_dev(*b), b->bus_id.empty()};
  return in_a != in_b ? in_a < in_b : bus_id_less(a->bus_id, b->bus_id);
}

/// GPUs and NICs get their names in the built host, so that paths in results can be found in the
/// file. Other devices are numbered by kind, skipping used names.
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
    const char* word = name_word(device.kind);
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

std::vector<const Device*> gpus_in_order(const Inventory& host) {
  return ordered_gpus<const Device>(host);
}

std::vector<Device*> gpus_in_order(Inventory& host) { return ordered_gpus<Device>(host); }

std::vector<const Device*> nics_in_order(const Inventory& host) {
  std::vector<const Device*> nics;
  for_each_device(host, [&](const Device& device) {
    if (device.kind == DeviceKind::kNic) nics.push_back(&device);
  });
  std::ranges::stable_sort(nics, nic_before);
  return nics;
}

bool is_free_nic_name(const std::string& name) {
  static const std::set<std::string, std::less<>> kTaken = {
      "gpu", "socket", "memory", "rc", "pcie-switch", "nvswitch", "storage", "nic"};
  const bool plain = name.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_.:+-") == name.npos;
  const std::size_t end = name.find_last_not_of("0123456789");
  return plain && end != name.npos && name.size() <= 64 &&
         !kTaken.contains(name.substr(0, end + 1));
}

std::map<const Device*, std::string> built_names(const Inventory& host) {
  std::map<const Device*, std::string> names;
  std::size_t index = 0;
  for (const Device* gpu : gpus_in_order(host)) names[gpu] = fmt::format("gpu{}", index++);
  const std::vector<const Device*> nics = nics_in_order(host);
  std::set<std::string> taken;
  for (std::size_t n = 0; n < nics.size(); ++n) {
    const auto& ports = nics[n]->ports;
    const std::string wanted =
        !ports.empty() && ports.front().name ? ports.front().name->value : std::string();
    const bool free = is_free_nic_name(wanted) && taken.insert(wanted).second;
    names[nics[n]] = free ? wanted : fmt::format("nic{}", n);
  }
  return names;
}

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
