#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

enum class VimKind : std::uint8_t { kHost, kVm, kConfigTarget };

/// A HostSystem, a VirtualMachine or a ConfigTarget.
struct VimObject {
  VimKind kind = VimKind::kHost;
  std::string id;  ///< of the managed object: "host-25"; empty: unknown
  VimValue root;   ///< its properties: "hardware", "config", "runtime"
};

/// Names of managed objects by their ids.
using VimNames = std::map<std::string, std::string>;

/// Finds the objects in a document, inside any envelope of a tool:
///   {"hostSystems": [..]}, {"virtualMachines": [..]}    govc host.info, vm.info
///   {"devices": [..]}                                   govc device.info
///   [{"name": "config.product", "val": ..}]             govc object.collect of one object
///   {"obj": .., "changeSet": [..]}                      govc object.collect of several
///   <ObjectContent><obj/><propSet/></ObjectContent>     govc object.save, SOAP answers
///   ConfigTarget, HostHardwareInfo, VirtualMachineConfigInfo and some of their members alone
/// Anything else is skipped.
void find_vim_objects(VimValue document, FileNotes& notes, std::vector<VimObject>& objects);

[[nodiscard]] VimNames names_of(const std::vector<VimObject>& objects);

/// The name of a host or VM, or its id if it has no name; empty if it has neither.
[[nodiscard]] std::string name_of(const VimObject& object);

}  // namespace vgsim::vsphere::import
