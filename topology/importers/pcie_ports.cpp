#include "topology/importers/pcie_ports.hpp"

#include <string>
#include <utility>

#include "topology/graph/pcie_speed.hpp"

namespace vgsim::topology {
namespace {

/// The port type of a bridge: as stated, else from the port above it; switch ports alternate.
PciePort port_below(PciePort stated, PciePort above) {
  switch (stated) {
    case PciePort::kNone:
    case PciePort::kUpstream:
      return stated;
    case PciePort::kRoot:
      return above == PciePort::kNone ? PciePort::kRoot : PciePort::kUpstream;
    case PciePort::kUnknown:
    case PciePort::kDownstream:
      if (above == PciePort::kNone) return PciePort::kRoot;
      return above == PciePort::kUpstream ? PciePort::kDownstream : PciePort::kUpstream;
  }
  return stated;
}

bool is_kept(DeviceKind kind) {
  return kind == DeviceKind::kGpu || kind == DeviceKind::kNic || kind == DeviceKind::kNvSwitch ||
         kind == DeviceKind::kStorage;
}

}  // namespace

void PcieTree::bound_link(Device& device, const Above& above) {
  // The bus below an upstream port is inside a switch and not a link.
  const bool link = above.port == PciePort::kRoot || above.port == PciePort::kDownstream;
  if (!link || !device.link || !above.bridge->link) return;
  const PcieWidth port = above.bridge->link->value;
  if (device.link_now && pcie_transfer_rate(device.link_now->value) > pcie_transfer_rate(port)) {
    notes_.assume(
        "the ports above are emulated, since the links are faster than these ports; their limits "
        "are ignored",
        device.bus_id);
    return;
  }
  device.link->value = device.link->value.meet(port);
}

void PcieTree::set_redirect(Device& bridge, const Redirects& redirects) {
  bridge.acs_redirect = redirects.on ? redirects.on : redirects.off;
  if (redirects.on && redirects.off) {
    notes_.assume(
        "the ports of a switch differ in ACS redirection of peer-to-peer traffic; all of it is "
        "assumed to cross the root complex",
        bridge.bus_id);
  }
}

void PcieTree::place_switch(PciFunction function, const Above& above,
                            std::vector<Device>& devices) {
  Device bridge = std::move(function.device);
  bound_link(bridge, above);
  Redirects redirects;
  place_bus(std::move(function.below), {PciePort::kUpstream, &bridge, &redirects}, bridge.below);
  set_redirect(bridge, redirects);
  if (!bridge.below.empty()) devices.push_back(std::move(bridge));
}

void PcieTree::place_behind(PciFunction port_function, PciePort port, const Above& above,
                            std::vector<Device>& devices) {
  const Device& bridge = port_function.device;
  const std::size_t before = devices.size();
  place_bus(std::move(port_function.below), {port, &bridge, nullptr}, devices);
  for (std::size_t i = before; i < devices.size(); ++i) {
    // Slots are numbered at the port; some systems number the card as well.
    if (!devices[i].slot) devices[i].slot = bridge.slot;
  }
  if (above.redirects != nullptr && devices.size() > before && bridge.acs_redirect) {
    (bridge.acs_redirect->value ? above.redirects->on : above.redirects->off) = bridge.acs_redirect;
  }
}

/// Dumps list every port of a PCIe switch as a bridge; in an inventory a switch is one device. The
/// upstream port becomes the switch, with the devices below its downstream ports. Root ports are
/// omitted, except for their slot and link limit. If a dump does not state the type of a port, its
/// depth does: root ports below the root complex, then upstream and downstream ports alternately.
void PcieTree::place(PciFunction function, const Above& above, std::vector<Device>& devices) {
  const PciePort port = port_below(function.port, above.port);
  if (port == PciePort::kUpstream) return place_switch(std::move(function), above, devices);
  if (port != PciePort::kNone) return place_behind(std::move(function), port, above, devices);
  if (!is_kept(function.device.kind)) {
    ++left_out_;
    return;
  }
  bound_link(function.device, above);
  devices.push_back(std::move(function.device));
}

void PcieTree::place_bus(std::vector<PciFunction> bus, const Above& above,
                         std::vector<Device>& devices) {
  if (above.port != PciePort::kNone) fold_virtual_functions(bus, notes_);
  for (PciFunction& function : bus) place(std::move(function), above, devices);
}

void PcieTree::add(std::vector<PciFunction> root_bus, const Maybe<std::string>& root_complex,
                   std::vector<Device>& devices) {
  const std::size_t before = devices.size();
  place_bus(std::move(root_bus), {}, devices);
  for (std::size_t i = before; i < devices.size(); ++i) devices[i].root_complex = root_complex;
}

void PcieTree::finish() {
  if (left_out_ == 0) return;
  notes_.skip(
      "PCI functions other than GPUs, NICs, NVSwitches, NVMe drives and the bridges above them",
      std::to_string(left_out_));
}

}  // namespace vgsim::topology
