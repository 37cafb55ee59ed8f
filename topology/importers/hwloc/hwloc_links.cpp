#include "topology/importers/hwloc/hwloc_links.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "topology/importers/hwloc/hwloc_clean.hpp"
#include "topology/importers/hwloc/hwloc_devices.hpp"
#include "topology/importers/hwloc/hwloc_library.hpp"
#include "topology/importers/hwloc/hwloc_link_counts.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

/// Bandwidths or hops of pairs of PCI devices, by their bus ids.
using Pairs = std::map<std::pair<std::string, std::string>, std::int64_t>;

constexpr std::int64_t kXgmiConstant = 100000;  // MB/s
constexpr std::int64_t kXgmiLink = 50000;

/// hwloc stores GPU links as matrices of bandwidths between PCI devices, in MB/s, not as numbers of
/// links. NVLinks: the bandwidth of a pair divided by that of one link, which depends on the GPU
/// generation and the hwloc release. xGMI: old releases write one constant for any number of links;
/// then only the connections are known, and hops distinguish direct links from others.
class HwlocLinkReader {
 public:
  HwlocLinkReader(hwloc_topology_t topology, Inventory& host, FileNotes& notes);

  void read_nvlinks();
  void read_xgmi();

 private:
  Pairs pairs_of(const char* matrix);
  void add(Device& gpu, const std::string& target, std::int64_t count);
  [[nodiscard]] Device* gpu_at(const std::string& bus_id) const;
  std::int64_t xgmi_count(std::int64_t megabytes, bool constant);

  hwloc_topology_t topology_;
  FileNotes& notes_;
  std::map<std::string, Device*> devices_;
};

HwlocLinkReader::HwlocLinkReader(hwloc_topology_t topology, Inventory& host, FileNotes& notes)
    : topology_(topology), notes_(notes) {
  inventory::for_each_device(host,
                             [&](Device& device) { devices_.emplace(device.bus_id, &device); });
}

Device* HwlocLinkReader::gpu_at(const std::string& bus_id) const {
  const auto known = devices_.find(bus_id);
  return known != devices_.end() && known->second->gpu ? known->second : nullptr;
}

/// Values above zero, those of several partitions of a GPU added up.
Pairs HwlocLinkReader::pairs_of(const char* matrix) {
  unsigned count = 1;
  hwloc_distances_s* raw = nullptr;
  if (hwloc_distances_get_by_name(topology_, matrix, &count, &raw, 0) != 0 || count == 0) return {};
  const auto release = [this](hwloc_distances_s* distances) {
    hwloc_distances_release(topology_, distances);
  };
  const std::unique_ptr<hwloc_distances_s, decltype(release)> owner(raw, release);
  Pairs pairs;
  for (unsigned i = 0; i < raw->nbobjs; ++i) {
    const std::string from = hwloc_bus_id_of(raw->objs[i]);
    for (unsigned j = 0; j < raw->nbobjs; ++j) {
      const std::string to = hwloc_bus_id_of(raw->objs[j]);
      const auto value = static_cast<std::int64_t>(raw->values[i * raw->nbobjs + j]);
      if (i == j || value <= 0) continue;
      if (!from.empty() && !to.empty() && from != to) pairs[{from, to}] += value;
      if (to.empty() && gpu_at(from) != nullptr) {
        notes_.skip("links of GPUs to devices that are not on PCI, such as a CPU (POWER)", from);
      }
    }
  }
  return pairs;
}

void HwlocLinkReader::add(Device& gpu, const std::string& target, std::int64_t count) {
  NvLinks links;
  links.target = notes_.stated(target);
  links.count = {count, inventory::kAssumed};
  const auto peer = devices_.find(target);
  if (peer != devices_.end()) {
    links.target_class = peer->second->pci_class;
    if (!links.target_class && peer->second->kind == DeviceKind::kNvSwitch) {
      links.target_class = notes_.stated<std::string>("0680");
    }
  }
  gpu.gpu->nvlinks.push_back(std::move(links));
}

void HwlocLinkReader::read_nvlinks() {
  const Pairs pairs = pairs_of(kHwlocNvLinks);
  std::map<std::string, std::int64_t> totals;
  for (const auto& [ends, megabytes] : pairs) totals[ends.first] += megabytes;
  const std::string_view version = hwloc_info_of(hwloc_get_root_obj(topology_), "hwlocVersion");
  for (const auto& [ends, megabytes] : pairs) {
    Device* gpu = gpu_at(ends.first);
    if (gpu == nullptr) continue;
    const std::int64_t link =
        hwloc_nvlink_megabytes(gpu->device ? gpu->device->value : "", totals[ends.first], version);
    if (megabytes % link != 0 || !devices_.contains(ends.second)) {
      notes_.skip("NVLinks to an omitted device, or with a fractional bandwidth", ends.first);
      continue;
    }
    add(*gpu, ends.second, megabytes / link);
    notes_.assume(
        "hwloc reports the bandwidth of all NVLinks between two devices; their number is this "
        "divided by the bandwidth of one link of the GPU's generation");
  }
}

std::int64_t HwlocLinkReader::xgmi_count(std::int64_t megabytes, bool constant) {
  if (!constant && megabytes % kXgmiLink == 0) return megabytes / kXgmiLink;
  notes_.assume(
      "GPUs that hwloc shows as linked by xGMI have one link: it reports the same bandwidth for "
      "any "
      "number of links");
  return 1;
}

void HwlocLinkReader::read_xgmi() {
  const Pairs hops = pairs_of(kHwlocXgmiHops);
  const Pairs pairs = pairs_of(kHwlocXgmi);
  bool constant = true;
  for (const auto& [ends, megabytes] : pairs) {
    constant = constant && megabytes % kXgmiConstant == 0;
  }
  for (const auto& [ends, megabytes] : pairs) {
    Device* gpu = gpu_at(ends.first);
    const auto distance = hops.find(ends);
    const bool direct = distance == hops.end() || distance->second == 1;
    if (gpu == nullptr || !direct || !devices_.contains(ends.second)) continue;
    gpu->gpu->xgmi = true;
    add(*gpu, ends.second, xgmi_count(megabytes, constant));
  }
}

}  // namespace

void read_hwloc_links(hwloc_topology_t topology, Inventory& host, FileNotes& notes) {
  HwlocLinkReader reader(topology, host, notes);
  reader.read_nvlinks();
  reader.read_xgmi();
}

}  // namespace vgsim::topology
