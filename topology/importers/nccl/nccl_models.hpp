#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/importers/nccl/nccl_import.hpp"

namespace vgsim::topology {

/// "10de:20b0" as the catalogue writes it; empty if the file does not say, or says 0000 or ffff as
/// hand-made files do.
[[nodiscard]] std::string pci_id(const NcclPci& pci);

/// The model of a GPU: of the completion, else by device id, else the only one with that compute
/// capability. Null, with an assumption that lists the candidates, if that is not enough.
[[nodiscard]] const GpuModel* find_gpu_model(const NcclPci& pci, NcclImport& import);

/// The model of a NIC: of the completion for its bus id, else by device id, else, for a NIC whose
/// rate the file does not give, the completion's common one. Where several models share a device
/// id, the one whose rate is nearest to the file's, else the fastest. Null if unknown.
[[nodiscard]] const NicModel* find_nic_model(const NcclPci& pci, NcclImport& import);

}  // namespace vgsim::topology
