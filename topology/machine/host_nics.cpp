#include "topology/machine/host_nics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "topology/machine/bus_id.hpp"
#include "topology/machine/device_facts.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/pci_class.hpp"

namespace vgsim::topology::inventory {
namespace {

constexpr BytesPerSecond kUnstated{};

BytesPerSecond gigabits(std::int64_t count) { return 1000 * count * kMegabitPerSecond; }

std::string to_gigabits(BytesPerSecond rate) {
  return fmt::format("{} Gbit/s", static_cast<double>(rate.count()) / 125e6);
}

/// Port names of RDMA drivers: Mellanox, AWS EFA, Broadcom, Intel, and persistent names of
/// rdma-core.
bool is_rdma_name(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kPrefixes = {
      "mlx", "efa", "rdma", "bnxt_re", "irdma", "ib", "roce", "hsn", "cxi"};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// The catalogue NIC with the nearest rate and the same RDMA support. Ties: fewest ports, then
/// lowest latency. NICs of clouds, which need a plug-in, are matched only by name.
const NicModel* nearest_nic(const Catalog& catalog, BytesPerSecond rate, bool rdma) {
  const NicModel* best = nullptr;
  std::tuple<bool, std::int64_t, std::int64_t, SimTime> best_distance;
  for (const auto& [id, nic] : catalog.nics) {
    if (nic.net != NetKind::kIb && nic.net != NetKind::kSocket) continue;
    const std::tuple distance{nic.rdma != rdma, std::abs((nic.port_rate.value - rate).count()),
                              nic.ports, nic.latency.value};
    if (best != nullptr && distance >= best_distance) continue;
    best = &nic;
    best_distance = distance;
  }
  return best;
}

/// The rate of a port is the stated one, else that of a catalogue model (by name or PCI id), else
/// the largest usual rate that fits the PCIe link. Payload share and latency, which no dump
/// contains, come from the model or from the catalogue NIC with the nearest rate.
class NicPlanner {
 public:
  explicit NicPlanner(HostBuild& build) : build_(build) {}

  PlannedNic on_pcie(const PlannedDevice& device) {
    const Device& from = *device.from;
    const NicModel* model = device.nic;
    const BytesPerSecond rate = stated_rate(from.ports);
    PlannedNic planned;
    planned.device = &device;
    if (model != nullptr) planned.model = model->id;
    const bool named = build_.completion.nics.contains(from.bus_id);
    if (model != nullptr && (named || rate == kUnstated)) {
      planned.nic = host_nic(*model, {});
      if (named && rate != kUnstated && rate != model->port_rate.value) {
        assume(from, fmt::format("NICs taken as {} by the scenario, although the file gives "
                                 "them {}",
                                 model->id, to_gigabits(rate)));
      } else if (!named && from.ports.empty()) {
        assume(from, fmt::format("NICs inferred from their PCI class, taken as {}", model->id));
      }
    } else if (rate != kUnstated) {
      planned.nic = with_rate(from.ports, rate, model);
    } else {
      planned.nic = of_pcie_link(device);
    }
    return planned;
  }

  PlannedNic without_pcie(const NicWithoutPcie& entry) {
    PlannedNic planned;
    planned.numa_node = entry.numa_node;
    const BytesPerSecond rate = stated_rate(entry.nic->ports);
    if (rate != kUnstated) {
      planned.nic = with_rate(entry.nic->ports, rate, nullptr);
    } else if (const NicModel* model = build_.completion.nic) {
      planned.nic = host_nic(*model, {});
      planned.model = model->id;
    } else {
      planned.nic = with_rate(entry.nic->ports, gigabits(10), nullptr);
      build_.assumptions.add(
          "NICs without a rate in the file are taken as 10 Gbit/s, as NCCL does");
    }
    build_.assumptions.add(
        "NICs listed without a PCI device are reached from their NUMA node, with no PCIe limit");
    return planned;
  }

 private:
  void assume(const Device& device, std::string what) {
    build_.assumptions.add(std::move(what), device.bus_id);
  }

  /// Sets properties that no dump contains, from `model` or the nearest catalogue NIC.
  void fill_in(HostNic& nic, const NicModel* model) {
    if (model == nullptr) model = nearest_nic(build_.catalog, nic.port_rate, nic.rdma);
    if (model == nullptr) return;
    nic.payload_share = model->payload_share.value;
    nic.latency = model->latency.value;
    build_.assumptions.add(fmt::format("payload share and latency of NICs with {} taken from {}",
                                       to_gigabits(nic.port_rate), model->id));
  }

  HostNic with_rate(const std::vector<Port>& ports, BytesPerSecond rate, const NicModel* model) {
    HostNic nic;
    nic.port_rate = rate;
    nic.source = build_.source();
    nic.rdma = std::ranges::any_of(ports, [](const Port& port) {
      return (port.gdr && port.gdr->value) || (port.name && is_rdma_name(port.name->value));
    });
    nic.net = nic.rdma ? NetKind::kIb : NetKind::kSocket;
    nic.gdr = nic.rdma;
    if (model != nullptr) {
      nic.nccl_protocols = model->nccl_protocols;
      nic.nccl_algorithms = model->nccl_algorithms;
      nic.plugin_since = model->plugin_since;
    }
    fill_in(nic, model);
    return nic;
  }

  HostNic of_pcie_link(const PlannedDevice& device) {
    const BytesPerSecond link =
        build_.catalog.pcie.at(device.width.generation).lane_rate.value * device.width.lanes;
    BytesPerSecond rate = gigabits(10);
    for (const std::int64_t usual : {25, 40, 50, 100, 200, 400, 800}) {
      if (gigabits(usual) <= link) rate = gigabits(usual);
    }
    HostNic nic;
    nic.port_rate = rate;
    nic.source = "assumed: the largest usual rate that fits the PCIe link";
    const NicModel* nearest = nearest_nic(build_.catalog, rate, true);
    nic.rdma = is_infiniband_class(pci_class_of(*device.from)) ||
               (nearest != nullptr && nearest->rdma && nearest->port_rate.value == rate);
    assume(*device.from,
           fmt::format("NICs without a rate in the file are taken as {} {} RDMA, the largest usual "
                       "rate that fits PCIe Gen{} x{}",
                       to_gigabits(rate), nic.rdma ? "with" : "without", device.width.generation,
                       device.width.lanes));
    nic.net = nic.rdma ? NetKind::kIb : NetKind::kSocket;
    nic.gdr = nic.rdma;
    fill_in(nic, nullptr);
    note_taken(rate, device.from->bus_id);
    return nic;
  }

  void note_taken(BytesPerSecond rate, const std::string& bus_id) {
    const auto same = std::ranges::find_if(build_.taken, [&](const TakenPart& each) {
      return each.kind == TakenPart::Kind::kNicRate && each.rate == rate;
    });
    if (same != build_.taken.end()) {
      same->devices.push_back(bus_id);
      return;
    }
    TakenPart part;
    part.text = fmt::format("NIC rate, taken as {}", to_gigabits(rate));
    part.rate = rate;
    part.devices = {bus_id};
    build_.taken.push_back(std::move(part));
  }

  HostBuild& build_;
};

/// A NIC with its sort key and name.
struct Listed {
  PlannedNic planned;
  const Device* from = nullptr;

  /// The lowest of NCCL's numbers.
  [[nodiscard]] std::int64_t dev() const {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const Port& port : from->ports) {
      if (port.dev) lowest = std::min(lowest, port.dev->value);
    }
    return lowest;
  }

  static bool before(const Listed& a, const Listed& b) {
    if (a.dev() != b.dev()) return a.dev() < b.dev();
    const bool a_on_pcie = a.planned.device != nullptr;
    const bool b_on_pcie = b.planned.device != nullptr;
    if (a_on_pcie && b_on_pcie && a.from->bus_id != b.from->bus_id) {
      return bus_id_less(a.from->bus_id, b.from->bus_id);
    }
    return std::pair(!a_on_pcie, a.from->place.offset) <
           std::pair(!b_on_pcie, b.from->place.offset);
  }
};

std::string name_of(const Port& port) { return port.name ? port.name->value : std::string(); }

void give_names(std::vector<Listed>& list) {
  std::set<std::string> taken;
  std::size_t index = 0;
  for (Listed& listed : list) {
    const auto& ports = listed.from->ports;
    const std::string wanted = ports.empty() ? std::string() : name_of(ports.front());
    const bool free = !wanted.empty() && is_free_nic_name(wanted) && taken.insert(wanted).second;
    listed.planned.nic.name = free ? wanted : fmt::format("nic{}", index);
    ++index;
  }
}

}  // namespace

std::vector<PlannedNic> plan_nics(const std::vector<const PlannedDevice*>& devices,
                                  const std::vector<NicWithoutPcie>& without_pcie,
                                  HostBuild& build) {
  NicPlanner planner(build);
  std::vector<Listed> list;
  for (const PlannedDevice* device : devices) {
    list.push_back({planner.on_pcie(*device), device->from});
  }
  std::set<std::pair<std::string, std::int64_t>> seen;
  for (const NicWithoutPcie& entry : without_pcie) {
    if (entry.nic->ports.empty()) continue;
    const Port& first = entry.nic->ports.front();
    if (!seen.emplace(name_of(first), first.dev ? first.dev->value : -1).second) {
      build.assumptions.add(
          fmt::format("the NIC {} is listed under several NUMA nodes; taken as one, on the first",
                      name_of(first)));
      continue;
    }
    list.push_back({planner.without_pcie(entry), entry.nic});
  }
  std::ranges::stable_sort(list, Listed::before);
  give_names(list);
  std::vector<PlannedNic> nics;
  for (Listed& listed : list) nics.push_back(std::move(listed.planned));
  return nics;
}

}  // namespace vgsim::topology::inventory
