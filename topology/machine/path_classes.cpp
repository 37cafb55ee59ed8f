#include "topology/machine/path_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "topology/machine/bus_id.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/pci_class.hpp"

namespace vgsim::topology::inventory {
namespace {

/// A device and its ancestors, topmost first.
struct Placed {
  const Device* device = nullptr;
  std::vector<const Device*> above;
  std::size_t numa_node = 0;
  std::string root_complex;  ///< stated, or "node/number" as guessed from buses
};

/// "0000:3b:00.0" as domain and bus.
std::pair<std::uint64_t, std::uint64_t> domain_and_bus(const std::string& bus_id) {
  std::uint64_t domain = 0;
  std::uint64_t bus = 0;
  const std::size_t colon = std::min(bus_id.find(':'), bus_id.size());
  std::from_chars(bus_id.data(), bus_id.data() + colon, domain, 16);
  if (colon < bus_id.size()) {
    std::from_chars(bus_id.data() + colon + 1, bus_id.data() + bus_id.size(), bus, 16);
  }
  return {domain, bus};
}

/// The root complex of each top-level device of a NUMA node.
std::map<const Device*, std::string> root_complexes(const NumaNode& node, std::size_t index) {
  constexpr std::uint64_t kApart = 8;
  constexpr std::uint64_t kInvented = 0xffff;  // of bridges in the files of clouds
  std::map<const Device*, std::string> complexes;
  std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, const Device*>> untold;
  for (const Device& device : node.devices) {
    if (device.root_complex) {
      complexes[&device] = device.root_complex->value;
    } else {
      untold.emplace_back(domain_and_bus(device.bus_id), &device);
    }
  }
  std::ranges::stable_sort(untold, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t number = 0;
  for (std::size_t i = 0; i < untold.size(); ++i) {
    const auto [domain, bus] = untold[i].first;
    const bool is_near = i > 0 && domain != kInvented && untold[i - 1].first.first == domain &&
                         bus - untold[i - 1].first.second < kApart;
    if (!is_near) ++number;
    complexes[untold[i].second] = fmt::format("numa{}/{}", index, number);
  }
  return complexes;
}

void collect(const std::vector<Device>& devices, std::size_t node, const std::string& complex,
             std::vector<const Device*>& above, std::vector<Placed>& placed) {
  for (const Device& device : devices) {
    if (device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNic) {
      placed.push_back({&device, above, node, complex});
    }
    above.push_back(&device);
    collect(device.below, node, complex, above, placed);
    above.pop_back();
  }
}

std::vector<Placed> placed_devices(const Inventory& host) {
  std::vector<Placed> placed;
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    const NumaNode& node = host.numa_nodes[n];
    const auto complexes = root_complexes(node, n);
    for (const Device& top : node.devices) {
      std::vector<const Device*> above;
      const std::string& complex = complexes.at(&top);
      if (top.kind == DeviceKind::kGpu || top.kind == DeviceKind::kNic) {
        placed.push_back({&top, {}, n, complex});
      }
      above.push_back(&top);
      collect(top.below, n, complex, above, placed);
    }
  }
  return placed;
}

/// Number of bridges between two devices, or nothing if they are in different trees.
std::optional<std::size_t> bridges_between(const Placed& a, const Placed& b) {
  const auto [in_a, in_b] =
      std::mismatch(a.above.begin(), a.above.end(), b.above.begin(), b.above.end());
  const auto shared = in_a - a.above.begin();
  if (a.device == (in_b == b.above.end() ? nullptr : *in_b)) return 0;  // b is below a
  if (b.device == (in_a == a.above.end() ? nullptr : *in_a)) return 0;
  if (shared == 0) return std::nullopt;
  const auto bridges = (a.above.end() - in_a) + (b.above.end() - in_b) + 1;
  return static_cast<std::size_t>(bridges);
}

/// Whether two functions are on one card: their addresses differ only in the function.
bool on_one_card(const Device& a, const Device& b) {
  const auto card = [](const Device& device) {
    return std::string_view(device.bus_id).substr(0, device.bus_id.rfind('.'));
  };
  return !a.bus_id.empty() && !b.bus_id.empty() && card(a) == card(b);
}

std::string pcie_class(const Placed& a, const Placed& b) {
  if (a.numa_node != b.numa_node) return "SYS";
  if (const auto bridges = bridges_between(a, b)) return *bridges <= 1 ? "PIX" : "PXB";
  if (on_one_card(*a.device, *b.device)) return "PIX";
  return a.root_complex == b.root_complex ? "PHB" : "NODE";
}

std::string cell(const Placed& a, const Placed& b) {
  if (a.device == b.device) return "X";
  const std::int64_t links = nvlinks_between(*a.device, *b.device);
  if (links > 0) return a.device->gpu->xgmi ? "XGMI" : fmt::format("NV{}", links);
  return pcie_class(a, b);
}

/// GPUs, then NICs, each in the order of a built host.
std::vector<Placed> in_rows(const std::vector<Placed>& placed, const Inventory& host) {
  std::map<const Device*, std::size_t> order;
  for (const Device* gpu : gpus_in_order(host)) order.emplace(gpu, order.size());
  for (const Device* nic : nics_in_order(host)) order.emplace(nic, order.size());
  std::vector<Placed> rows = placed;
  std::ranges::stable_sort(rows, [&](const Placed& a, const Placed& b) {
    return order.at(a.device) < order.at(b.device);
  });
  return rows;
}

/// "NV12" as its class and count.
bool is_nvlink(const std::string& cell) { return cell.starts_with("NV"); }

}  // namespace

std::int64_t nvlinks_between(const Device& a, const Device& b) {
  if (!a.gpu || !b.gpu) return 0;
  const auto direct = [](const Device& from, const Device& to) {
    std::int64_t links = 0;
    for (const NvLinks& nvlinks : from.gpu->nvlinks) {
      if (nvlinks.target.value == to.bus_id) links += nvlinks.count.value;
    }
    return links;
  };
  const auto to_switches = [](const Device& gpu) {
    std::int64_t links = 0;
    for (const NvLinks& nvlinks : gpu.gpu->nvlinks) {
      const bool is_switch =
          nvlinks.target.value == kHiddenNvSwitch ||
          (nvlinks.target_class && is_nvswitch_class(nvlinks.target_class->value));
      if (is_switch) links += nvlinks.count.value;
    }
    return links;
  };
  const std::int64_t links = std::max(direct(a, b), direct(b, a));
  return links > 0 ? links : std::min(to_switches(a), to_switches(b));
}

/// For each pair: the NVLinks, else the class from the bridges between the two in the tree, the
/// root complex and the NUMA node. Root complexes that are not stated are guessed from gaps in bus
/// numbers.
PathMatrix path_classes(const Inventory& host) {
  const std::vector<Placed> rows = in_rows(placed_devices(host), host);
  PathMatrix matrix;
  std::size_t gpus = 0;
  std::size_t nics = 0;
  for (const Placed& row : rows) {
    const bool is_gpu = row.device->kind == DeviceKind::kGpu;
    matrix.names.push_back(is_gpu ? fmt::format("GPU{}", gpus++) : fmt::format("NIC{}", nics++));
    const auto& ports = row.device->ports;
    if (!ports.empty() && ports.front().name) {
      matrix.nic_legend[matrix.names.back()] = ports.front().name->value;
    }
    std::vector<std::string> cells;
    for (const Placed& column : rows) cells.push_back(cell(row, column));
    matrix.cells.push_back(std::move(cells));
    const NumaNode& node = host.numa_nodes[row.numa_node];
    matrix.cpu_list.push_back(node.cpu_list ? node.cpu_list->value : std::string());
    matrix.numa.push_back(node.id ? std::to_string(node.id->value) : std::string());
  }
  return matrix;
}

std::vector<std::string> differences(const PathMatrix& stated, const PathMatrix& tree,
                                     std::size_t most) {
  // Rows are matched by a GPU's number, or by the device name of a NIC.
  const auto key = [](const PathMatrix& matrix, std::size_t row) {
    const auto legend = matrix.nic_legend.find(matrix.names[row]);
    return legend == matrix.nic_legend.end() ? matrix.names[row] : legend->second;
  };
  std::map<std::string, std::size_t> rows;
  for (std::size_t r = 0; r < tree.names.size(); ++r) rows[key(tree, r)] = r;
  std::vector<std::string> found;
  std::size_t more = 0;
  for (std::size_t a = 0; a < stated.names.size(); ++a) {
    for (std::size_t b = a + 1; b < stated.names.size(); ++b) {
      const auto in_a = rows.find(key(stated, a));
      const auto in_b = rows.find(key(stated, b));
      if (in_a == rows.end() || in_b == rows.end()) continue;
      const std::string& said = stated.cells[a][b];
      const std::string& follows = tree.cells[in_a->second][in_b->second];
      if (said.empty() || follows.empty() || said == follows) continue;
      if (is_nvlink(said) && !is_nvlink(follows)) continue;  // the tree's file may not show NVLinks
      if (found.size() == most) {
        ++more;
        continue;
      }
      found.push_back(fmt::format("{} and {}: the file states {}, the tree gives {}",
                                  key(stated, a), key(stated, b), said, follows));
    }
  }
  if (more > 0) found.push_back(fmt::format("and {} more pairs", more));
  return found;
}

}  // namespace vgsim::topology::inventory
