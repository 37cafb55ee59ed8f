#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// What a PCI function is to those on the bus behind it.
enum class PciePort : std::uint8_t {
  kNone,        ///< no bridge
  kNotTold,     ///< a bridge; its place in the tree decides
  kRoot,        ///< of a root complex
  kUpstream,    ///< of a switch towards the CPU; also a bridge to a conventional PCI bus
  kDownstream,  ///< of a switch towards a device
};

/// A PCI function as the operating system lists it.
struct PciFunction {
  /// `link` is what its own end can do, and `below` is not read. `acs_redirect` is of the port.
  inventory::Device device;
  PciePort port = PciePort::kNone;
  bool is_virtual = false;         ///< an SR-IOV virtual function
  std::vector<PciFunction> below;  ///< on the buses behind it
};

/// Takes the virtual functions off a bus and counts them on the physical function that they belong
/// to: the only one of their kind and maker there. Those without one, as virtual machines see them,
/// stay.
void fold_virtual_functions(std::vector<PciFunction>& bus, FileNotes& notes);

/// The devices of a root bus as NumaNode::devices holds them, which is how NCCL and nvidia-smi
/// count bridges: those behind a root port stand for it, and a switch is one bridge, its upstream
/// port, without the downstream ports.
///
/// A link is what both of its ends can do. Only GPUs, NICs, NVSwitches, NVMe drives and the bridges
/// above such are handed on; the notes tell how many others there were, where link capabilities are
/// not believed, and that the ports of a switch differ in where they send peer-to-peer traffic. A
/// bridge redirects (ACS) if one of its ports in use does. Virtual functions, by their names, are
/// counted on the physical function beside them.
class PcieTree {
 public:
  explicit PcieTree(FileNotes& notes) : notes_(notes) {}

  /// Adds the devices of one root bus. `root_complex` may be empty: not told.
  void add(std::vector<PciFunction> root_bus, const inventory::Maybe<std::string>& root_complex,
           std::vector<inventory::Device>& devices);

  /// Tells the notes how much was left out. Call it once, after the last root bus.
  void finish();

 private:
  /// Where the ports of a switch send peer-to-peer traffic.
  struct Redirects {
    inventory::Maybe<bool> on;
    inventory::Maybe<bool> off;
  };
  /// The port that a bus hangs on.
  struct Above {
    PciePort port = PciePort::kNone;            ///< kNone: a root bus
    const inventory::Device* bridge = nullptr;  ///< that port; none of a root bus
    Redirects* redirects = nullptr;             ///< of the switch, where it is an upstream port
  };

  void place(PciFunction function, const Above& above, std::vector<inventory::Device>& devices);
  void place_switch(PciFunction function, const Above& above,
                    std::vector<inventory::Device>& devices);
  void place_behind(PciFunction port_function, PciePort port, const Above& above,
                    std::vector<inventory::Device>& devices);
  void place_bus(std::vector<PciFunction> bus, const Above& above,
                 std::vector<inventory::Device>& devices);
  void set_redirect(inventory::Device& bridge, const Redirects& redirects);
  void bound_link(inventory::Device& device, const Above& above);

  FileNotes& notes_;
  std::size_t left_out_ = 0;
};

}  // namespace vgsim::topology
