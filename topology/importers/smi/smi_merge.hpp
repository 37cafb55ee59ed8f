#pragma once

#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Merges the devices of another part of the same recording: missing facts of the device with the
/// same bus id, or without one the same GPU number, UUID or port name, are filled in; other devices
/// are appended. `link_now` is the faster of both, because idle links are slower.
///
/// Errors: kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 devices. Warnings: facts that
/// contradict each other; the first is kept.
void add_smi_devices(std::vector<inventory::Device> more, FileNotes& notes,
                     inventory::Inventory& host);

/// The same for all facts of a part.
void add_smi_part(inventory::Inventory part, FileNotes& notes, inventory::Inventory& host);

}  // namespace vgsim::topology
