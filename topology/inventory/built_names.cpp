#include "topology/inventory/built_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "topology/inventory/bus_id.hpp"

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

}  // namespace vgsim::topology::inventory
