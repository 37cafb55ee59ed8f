#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/pcie_ports.hpp"
#include "topology/machine/pci_names.hpp"

namespace vgsim::topology {
namespace {

std::string maker_of(const Device& device) {
  if (device.vendor) return device.vendor->value;
  return device.name ? vendor_by_name(device.name->value) : std::string();
}

/// Physical functions on the bus that the virtual function can belong to.
std::vector<std::size_t> owners_of(const PciFunction& function,
                                   const std::vector<PciFunction>& bus) {
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < bus.size(); ++i) {
    const Device& physical = bus[i].device;
    if (physical.kind == function.device.kind && maker_of(physical) == maker_of(function.device)) {
      owners.push_back(i);
    }
  }
  return owners;
}

}  // namespace

/// A virtual function is counted on the physical function of its kind and vendor on the same bus.
/// If a card has several of these, the dump does not state the owner, unless they state their own
/// number. If there is none, a guest sees only the virtual function, which is kept as a device.
void fold_virtual_functions(std::vector<PciFunction>& bus, FileNotes& notes) {
  const auto first = std::stable_partition(bus.begin(), bus.end(),
                                           [](const PciFunction& f) { return !f.is_virtual; });
  std::vector<PciFunction> virtuals(std::make_move_iterator(first),
                                    std::make_move_iterator(bus.end()));
  bus.erase(first, bus.end());
  std::vector<PciFunction> ownerless;
  std::vector<std::int64_t> counts(bus.size(), 0);
  for (PciFunction& function : virtuals) {
    const std::vector<std::size_t> owners = owners_of(function, bus);
    const auto counts_its_own = [&](std::size_t i) {
      return bool(bus[i].device.virtual_functions);
    };
    if (owners.empty()) {
      ownerless.push_back(std::move(function));
    } else if (owners.size() == 1) {
      ++counts[owners.front()];
    } else if (std::ranges::none_of(owners, counts_its_own)) {
      notes.skip("virtual functions of a card with several ports: the port is unknown",
                 function.device.bus_id);
    }
  }
  for (std::size_t i = 0; i < bus.size(); ++i) {
    auto& stated = bus[i].device.virtual_functions;
    if (counts[i] > 0 && !stated) stated = notes.stated(counts[i]);
  }
  std::move(ownerless.begin(), ownerless.end(), std::back_inserter(bus));
}

}  // namespace vgsim::topology
