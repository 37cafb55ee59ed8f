#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The PCIe port type of a PCI function.
enum class PciePort : std::uint8_t {
  kNone,        ///< not a bridge
  kUnknown,     ///< a bridge whose type follows from its place in the tree
  kRoot,        ///< of a root complex
  kUpstream,    ///< of a switch, towards the CPU; also a bridge to a conventional PCI bus
  kDownstream,  ///< of a switch, towards a device
};

/// A PCI function as the operating system lists it.
struct PciFunction {
  /// `link` is the capability of its end; `below` is not used. `acs_redirect` is that of the
  /// port.
  inventory::Device device;
  PciePort port = PciePort::kNone;
  bool is_virtual = false;         ///< an SR-IOV virtual function
  std::vector<PciFunction> below;  ///< on the buses below it
};

/// Removes virtual functions from a bus and counts them on their physical function: the only one of
/// the same kind and vendor there. Virtual functions without one, as in virtual machines, are kept.
void fold_virtual_functions(std::vector<PciFunction>& bus, FileNotes& notes);

/// Converts the functions of root buses to NumaNode::devices, where bridges are counted as in NCCL
/// and nvidia-smi: a root port is not a bridge, and a switch is one bridge, its upstream port.
///
/// A link has the capability of both ends. Only GPUs, NICs, NVSwitches, NVMe drives and the bridges
/// above them are kept; the notes contain the number of others, unreliable link capabilities, and
/// switches whose ports differ in the routing of peer-to-peer traffic. A bridge redirects (ACS) if
/// one of its used ports does. Virtual functions, by their names, are counted on the physical
/// function of the same bus.
class PcieTree {
 public:
  explicit PcieTree(FileNotes& notes) : notes_(notes) {}

  /// Adds the devices of one root bus. `root_complex` may be empty: unknown.
  void add(std::vector<PciFunction> root_bus, const inventory::Maybe<std::string>& root_complex,
           std::vector<inventory::Device>& devices);

  /// Records the number of omitted functions in the notes. Call it once, after the last root bus.
  void finish();

 private:
  /// Routing of peer-to-peer traffic by the ports of a switch.
  struct Redirects {
    inventory::Maybe<bool> on;
    inventory::Maybe<bool> off;
  };
  /// The port above a bus.
  struct Above {
    PciePort port = PciePort::kNone;            ///< kNone: a root bus
    const inventory::Device* bridge = nullptr;  ///< that port; null for a root bus
    Redirects* redirects = nullptr;             ///< of the switch, for an upstream port
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
