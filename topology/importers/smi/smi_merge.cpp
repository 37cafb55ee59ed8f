#include "topology/importers/smi/smi_merge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "topology/graph/pcie_speed.hpp"
#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostMergedDevices = 4096;

/// Whether the number of a GPU is stated, not assumed.
bool is_told(const Maybe<std::int64_t>& index) {
  return index && index->source != inventory::kAssumed;
}

/// Names of a device that a text can contain, the most specific first.
std::vector<std::string> words_for(const Device& device) {
  std::vector<std::string> words;
  if (device.gpu && device.gpu->uuid) words.push_back(device.gpu->uuid->value);
  if (!device.bus_id.empty()) {
    const std::string place = device.bus_id.substr(device.bus_id.find(':'));
    std::string upper = place;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
      return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    words.insert(words.end(), {upper, place});
  }
  if (device.gpu && device.gpu->index) {
    words.push_back(fmt::format("GPU {}:", device.gpu->index->value));
    words.push_back(fmt::format("GPU{}", device.gpu->index->value));
  }
  return words;
}

/// Merges two records of one device.
class DeviceMerger {
 public:
  DeviceMerger(Device& into, FileNotes& notes)
      : into_(into), name_(name_in_messages(into)), notes_(notes) {}

  void merge(Device& from);

 private:
  template <class T>
  void take(Maybe<T>& into, Maybe<T>& from, const char* what);
  void merge_links(const Device& from);
  void merge_gpu(Gpu& into, Gpu& from);

  Device& into_;
  std::string name_;
  FileNotes& notes_;
};

template <class T>
void DeviceMerger::take(Maybe<T>& into, Maybe<T>& from, const char* what) {
  if (!from) return;
  if (!into) {
    into = std::move(from);
  } else if (!(into->value == from->value)) {
    notes_.warn_last(
        import_codes::kContradiction, words_for(into_),
        fmt::format("Two places state different values of the {}; the first is used", what), name_);
  }
}

void DeviceMerger::merge_links(const Device& from) {
  const auto rate = [](const Maybe<PcieWidth>& link) {
    return link ? pcie_transfer_rate(link->value) : 0;
  };
  if (!into_.link) {
    into_.link = from.link;
  } else if (from.link && rate(from.link) != rate(into_.link)) {
    notes_.warn_last(import_codes::kContradiction, words_for(into_),
                     "Two places state different PCIe links; the first is used", name_);
  }
  if (rate(into_.link_now) < rate(from.link_now)) into_.link_now = from.link_now;
}

void DeviceMerger::merge_gpu(Gpu& into, Gpu& from) {
  if (into.index && from.index && !is_told(into.index)) into.index.reset();
  take(into.index, from.index, "GPU number");
  take(into.uuid, from.uuid, "UUID");
  take(into.sm, from.sm, "compute capability");
  take(into.memory, from.memory, "memory size");
  take(into.module_id, from.module_id, "module id");
  take(into.virtualization, from.virtualization, "virtualization mode");
  take(into.mig, from.mig, "MIG mode");
  take(into.numa_node, from.numa_node, "NUMA node of the GPU's memory");
  take(into.nvlinks_up, from.nvlinks_up, "number of NVLinks that are up");
  if (into.nvlinks.empty()) into.nvlinks = std::move(from.nvlinks);
  if (into.vgpus.empty()) into.vgpus = std::move(from.vgpus);
}

void DeviceMerger::merge(Device& from) {
  if (into_.bus_id.empty()) into_.bus_id = from.bus_id;
  take(into_.pci_class, from.pci_class, "PCI class");
  take(into_.vendor, from.vendor, "PCI vendor");
  take(into_.device, from.device, "PCI device id");
  take(into_.subsystem_vendor, from.subsystem_vendor, "PCI subsystem vendor");
  take(into_.subsystem_device, from.subsystem_device, "PCI subsystem id");
  take(into_.name, from.name, "product name");
  take(into_.cpu_list, from.cpu_list, "CPU affinity");
  take(into_.numa_node, from.numa_node, "NUMA node");
  merge_links(from);
  if (into_.gpu && from.gpu) merge_gpu(*into_.gpu, *from.gpu);
}

/// Devices of a host by their identifiers.
///
/// A recording describes a GPU in several places. Records belong to one device if bus ids match,
/// else numbers, else UUIDs, else port names, in this order of reliability; numbers that were only
/// counted from a list match nothing. A number with two bus ids means two hosts in one file: an
/// error.
class Known {
 public:
  explicit Known(const std::vector<Device>& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) add(devices[i], i);
  }

  void add(const Device& device, std::size_t i) {
    if (!device.bus_id.empty()) by_bus_.emplace(device.bus_id, i);
    if (device.gpu && is_told(device.gpu->index)) by_index_.emplace(device.gpu->index->value, i);
    if (device.gpu && device.gpu->uuid && !is_nil_uuid(device.gpu->uuid->value)) {
      by_uuid_.emplace(device.gpu->uuid->value, i);
    }
    if (!device.ports.empty() && device.ports.front().name) {
      by_port_.emplace(device.ports.front().name->value, i);
    }
  }

  std::optional<std::size_t> find(const Device& device) const {
    if (const auto same = in(by_bus_, device.bus_id)) return same;
    if (device.gpu && is_told(device.gpu->index)) {
      if (const auto same = in(by_index_, device.gpu->index->value)) return same;
    }
    if (device.gpu && device.gpu->uuid) {
      if (const auto same = in(by_uuid_, device.gpu->uuid->value)) return same;
    }
    if (device.ports.empty() || !device.ports.front().name) return std::nullopt;
    return in(by_port_, device.ports.front().name->value);
  }

 private:
  template <class Key>
  static std::optional<std::size_t> in(const std::map<Key, std::size_t>& map, const Key& key) {
    const auto known = map.find(key);
    return known == map.end() ? std::nullopt : std::optional(known->second);
  }

  std::map<std::string, std::size_t> by_bus_;
  std::map<std::int64_t, std::size_t> by_index_;
  std::map<std::string, std::size_t> by_uuid_;
  std::map<std::string, std::size_t> by_port_;
};

/// Whether two records with the same number belong to different GPUs.
bool are_two(const Device& a, const Device& b) {
  if (!a.bus_id.empty() && !b.bus_id.empty() && a.bus_id != b.bus_id) return true;
  return a.gpu && b.gpu && a.gpu->uuid && b.gpu->uuid && a.gpu->uuid != b.gpu->uuid;
}

}  // namespace

void add_smi_devices(std::vector<Device> more, FileNotes& notes, Inventory& host) {
  Known known(host.unplaced);
  for (Device& device : more) {
    const auto same = known.find(device);
    if (same && are_two(host.unplaced[*same], device)) {
      notes.error(import_codes::kDoNotFit, notes.last(words_for(device)),
                  fmt::format("{} and {} are two GPUs with the same number or bus id",
                              name_in_messages(host.unplaced[*same]), name_in_messages(device)),
                  "one host in one file");
      return;
    }
    if (same) {
      DeviceMerger(host.unplaced[*same], notes).merge(device);
      known.add(host.unplaced[*same], *same);
      continue;
    }
    if (host.unplaced.size() == kMostMergedDevices) {
      notes.error(import_codes::kTooMuch, notes.last(words_for(device)),
                  fmt::format("more than {} devices", kMostMergedDevices), "one host");
      return;
    }
    host.unplaced.push_back(std::move(device));
    known.add(host.unplaced.back(), host.unplaced.size() - 1);
  }
}

void add_smi_part(Inventory part, FileNotes& notes, Inventory& host) {
  if (!host.driver) {
    host.driver = std::move(part.driver);
  } else if (part.driver && !(*part.driver == *host.driver)) {
    notes.warn_last(import_codes::kContradiction, {part.driver->value},
                    fmt::format("Two places state different drivers: {} and {}", host.driver->value,
                                part.driver->value),
                    {});
  }
  if (!host.name) host.name = std::move(part.name);
  if (!host.matrix) host.matrix = std::move(part.matrix);
  add_smi_devices(std::move(part.unplaced), notes, host);
}

}  // namespace vgsim::topology
