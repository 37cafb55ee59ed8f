#include "topology/importers/nccl/nccl_nics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "topology/inventory/bus_id.hpp"
#include "topology/inventory/device_names.hpp"
#include "topology/inventory/pci_class.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kMegabit = 125'000;  ///< 1 Mbit/s in bytes per second

std::int64_t megabits(BytesPerSecond rate) { return rate.count() / kMegabit; }

std::int64_t file_speed(const std::vector<NcclNet>& nets) {
  std::int64_t sum = 0;
  for (const NcclNet& net : nets) sum += net.usable_speed();
  return sum;
}

/// How drivers with RDMA name their ports: Mellanox, AWS EFA, Broadcom, Intel, and rdma-core's
/// persistent names.
bool is_rdma_name(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kPrefixes = {
      "mlx", "efa", "rdma", "bnxt_re", "irdma", "ib", "roce", "hsn", "cxi"};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// The catalogue's NIC of nearest rate, of those with or without RDMA. Of equally near ones that
/// with fewest ports, then least latency. A cloud's own, which need a plug-in, are known by name
/// only.
const NicModel* nearest_nic(const Catalog& catalog, std::int64_t speed, bool rdma) {
  const NicModel* best = nullptr;
  std::tuple<bool, std::int64_t, std::int64_t, SimTime> best_distance;
  for (const auto& [id, nic] : catalog.nics) {
    if (nic.net != NetKind::kIb && nic.net != NetKind::kSocket) continue;
    const std::tuple distance{nic.rdma != rdma, std::abs(megabits(nic.port_rate.value) - speed),
                              nic.ports, nic.latency.value};
    if (best != nullptr && distance >= best_distance) continue;
    best = &nic;
    best_distance = distance;
  }
  return best;
}

/// A port's rate is the file's where it has one, a catalogue model's where one is named or known by
/// its PCI id, else the largest usual rate that the PCIe link can carry. What a file never tells,
/// payload share and latency, comes from the model or from the catalogue's NIC of the nearest rate.
class NicPlanner {
 public:
  explicit NicPlanner(NcclImport& import) : import_(import) {}

  PlannedNic on_pcie(const PlannedDevice& device) {
    const NcclPci& pci = *device.pci;
    const NicModel* model = device.nic;
    const std::int64_t speed = file_speed(pci.nets);
    PlannedNic planned;
    planned.device = &device;
    if (model != nullptr) planned.model = model->id;
    const bool named = import_.completion.nics.contains(pci.busid);
    if (model != nullptr && (named || speed == 0)) {
      planned.nic = host_nic(*model, {});
      if (named && speed != 0 && speed != megabits(model->port_rate.value)) {
        assume(pci, fmt::format("NICs taken as {} as the scenario says, although the file gives "
                                "them {} Mbit/s",
                                model->id, speed));
      } else if (!named && pci.nets.empty()) {
        assume(pci, fmt::format("NICs inferred from their PCI class, taken as {}", model->id));
      }
      return planned;
    }
    if (speed != 0) {
      planned.nic = with_speed(pci.nets, speed, model);
    } else {
      planned.nic = of_pcie_link(device);
    }
    return planned;
  }

  PlannedNic without_pcie(const NicWithoutPcie& entry) {
    PlannedNic planned;
    planned.numa_node = entry.numa_node;
    const std::int64_t speed = file_speed(entry.nic->nets);
    if (speed != 0) {
      planned.nic = with_speed(entry.nic->nets, speed, nullptr);
    } else if (const NicModel* model = import_.completion.nic) {
      planned.nic = host_nic(*model, {});
      planned.model = model->id;
    } else {
      planned.nic = with_speed(entry.nic->nets, 10'000, nullptr);
      import_.assumptions.add(
          "NICs without a rate in the file are taken as 10 Gbit/s, as NCCL does");
    }
    import_.assumptions.add(
        "NICs listed without a PCI device are reached from their NUMA node, with no PCIe limit");
    return planned;
  }

 private:
  void assume(const NcclPci& pci, std::string what) {
    import_.assumptions.add(std::move(what), pci.busid);
  }

  /// What the file does not give, from `model` or the nearest of the catalogue.
  void fill_in(HostNic& nic, std::int64_t speed, const NicModel* model) {
    if (model == nullptr) model = nearest_nic(import_.catalog, speed, nic.rdma);
    if (model == nullptr) return;
    nic.payload_share = model->payload_share.value;
    nic.latency = model->latency.value;
    import_.assumptions.add(
        fmt::format("payload share and latency of NICs with {} Gbit/s taken from {}",
                    static_cast<double>(speed) / 1000.0, model->id));
  }

  HostNic with_speed(const std::vector<NcclNet>& nets, std::int64_t speed, const NicModel* model) {
    HostNic nic;
    nic.port_rate = BytesPerSecond{speed * kMegabit};
    nic.source = import_.source();
    nic.rdma = std::ranges::any_of(
        nets, [](const NcclNet& net) { return net.gdr || is_rdma_name(net.name); });
    nic.net = nic.rdma ? NetKind::kIb : NetKind::kSocket;
    nic.gdr = nic.rdma;
    if (model != nullptr) nic.nccl_protocols = model->nccl_protocols;
    fill_in(nic, speed, model);
    return nic;
  }

  HostNic of_pcie_link(const PlannedDevice& device) {
    const BytesPerSecond link =
        import_.catalog.pcie.at(device.width.generation).lane_rate.value * device.width.lanes;
    std::int64_t speed = 10'000;
    for (const std::int64_t usual : {25'000, 40'000, 50'000, 100'000, 200'000, 400'000, 800'000}) {
      if (BytesPerSecond{usual * kMegabit} <= link) speed = usual;
    }
    HostNic nic;
    nic.port_rate = BytesPerSecond{speed * kMegabit};
    nic.source = "assumed: the largest usual rate that fits the PCIe link";
    const NicModel* nearest = nearest_nic(import_.catalog, speed, true);
    nic.rdma = is_infiniband_class(device.pci->device_class) ||
               (nearest != nullptr && nearest->rdma && megabits(nearest->port_rate.value) == speed);
    assume(*device.pci,
           fmt::format("NICs without a rate in the file are taken as {} Gbit/s {} RDMA, the "
                       "largest usual rate that fits PCIe Gen{} x{}",
                       speed / 1000, nic.rdma ? "with" : "without", device.width.generation,
                       device.width.lanes));
    nic.net = nic.rdma ? NetKind::kIb : NetKind::kSocket;
    nic.gdr = nic.rdma;
    fill_in(nic, speed, nullptr);
    note_taken(nic.port_rate, device.pci->busid);
    return nic;
  }

  void note_taken(BytesPerSecond rate, const std::string& busid) {
    const auto same = std::ranges::find_if(import_.taken, [&](const TakenPart& each) {
      return each.kind == TakenPart::Kind::kNicRate && each.rate == rate;
    });
    if (same != import_.taken.end()) {
      same->devices.push_back(busid);
      return;
    }
    TakenPart part;
    part.text = fmt::format("NIC rate, taken as {} Gbit/s", megabits(rate) / 1000);
    part.rate = rate;
    part.devices = {busid};
    import_.taken.push_back(std::move(part));
  }

  NcclImport& import_;
};

/// What NICs are ordered by, and told apart by if they have no place on the bus.
struct Listed {
  PlannedNic planned;
  const std::vector<NcclNet>* nets = nullptr;
  std::size_t offset = 0;

  [[nodiscard]] std::int64_t dev() const {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const NcclNet& net : *nets) lowest = std::min(lowest, net.dev.value_or(lowest));
    return lowest;
  }

  static bool before(const Listed& a, const Listed& b) {
    if (a.dev() != b.dev()) return a.dev() < b.dev();
    const auto* device_a = a.planned.device;
    const auto* device_b = b.planned.device;
    if (device_a != nullptr && device_b != nullptr &&
        device_a->pci->busid != device_b->pci->busid) {
      return bus_id_less(device_a->pci->busid, device_b->pci->busid);
    }
    return std::pair(device_a == nullptr, a.offset) < std::pair(device_b == nullptr, b.offset);
  }
};

void give_names(std::vector<Listed>& list) {
  std::set<std::string> taken;
  std::size_t index = 0;
  for (Listed& listed : list) {
    const std::string wanted = listed.nets->empty() ? std::string() : listed.nets->front().name;
    const bool free =
        !wanted.empty() && inventory::is_free_nic_name(wanted) && taken.insert(wanted).second;
    listed.planned.nic.name = free ? wanted : fmt::format("nic{}", index);
    ++index;
  }
}

}  // namespace

std::vector<PlannedNic> plan_nics(const std::vector<const PlannedDevice*>& devices,
                                  const std::vector<NicWithoutPcie>& without_pcie,
                                  NcclImport& import) {
  NicPlanner planner(import);
  std::vector<Listed> list;
  for (const PlannedDevice* device : devices) {
    list.push_back({planner.on_pcie(*device), &device->pci->nets, device->pci->offset});
  }
  std::set<std::pair<std::string, std::int64_t>> seen;
  for (const NicWithoutPcie& entry : without_pcie) {
    if (entry.nic->nets.empty()) continue;
    const NcclNet& first = entry.nic->nets.front();
    if (!seen.emplace(first.name, first.dev.value_or(-1)).second) {
      import.assumptions.add(fmt::format(
          "the NIC {} is listed under several NUMA nodes; taken as one, on the first", first.name));
      continue;
    }
    list.push_back({planner.without_pcie(entry), &entry.nic->nets, entry.nic->offset});
  }
  std::ranges::stable_sort(list, Listed::before);
  give_names(list);
  std::vector<PlannedNic> nics;
  for (Listed& listed : list) nics.push_back(std::move(listed.planned));
  return nics;
}

}  // namespace vgsim::topology
