#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

/// A setting of a VM by its name: a line of a .vmx file, an entry of extraConfig in the API or of
/// vmw:ExtraConfig in OVF. Names mean the same in any case.
struct VmOption {
  std::string key;    ///< as the file spells it
  std::string value;  ///< without quotes and escapes
  Place place;        ///< of the value
};

/// The part behind "pciPassthruN." and N itself, in lower case: "cfg.enable_uvm" and 0. Nothing for
/// other keys.
struct PciKey {
  std::int64_t index = 0;
  std::string part;
};
[[nodiscard]] std::optional<PciKey> pci_key(std::string_view key);

/// Reads settings of the VM as a whole: its size, memory reservation, NUMA, and pciPassthru.*.
/// Options of its devices without a member go to `advanced`; all others are
/// skipped. A value that cannot be read is an error; one that contradicts an earlier value
/// is a warning, and the earlier one is kept.
void read_vm_options(const std::vector<VmOption>& options, FileNotes& notes, VmFacts& vm);

/// Sets whether all memory of a VM is reserved, from the reservation in MiB, once its size is
/// known.
void read_memory_reservation(std::int64_t mebibytes, const FileNotes& notes, VmFacts& vm);

}  // namespace vgsim::vsphere::import
