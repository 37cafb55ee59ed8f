#pragma once

#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Adds devices that another part of the same recording tells of: each fills what is not yet told
/// of the device with the same bus id, or without one the same GPU number, UUID or port name; the
/// others are appended. `link_now` is the faster of both, as links slow down when idle.
///
/// Errors: kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 devices. Warnings: facts that
/// contradict each other; the first stays.
void add_smi_devices(std::vector<inventory::Device> more, FileNotes& notes,
                     inventory::Inventory& host);

/// The same for all that a part tells.
void add_smi_part(inventory::Inventory part, FileNotes& notes, inventory::Inventory& host);

}  // namespace vgsim::topology
