#pragma once

#include <map>
#include <optional>
#include <string>

#include "topology/catalog/parts.hpp"
#include "topology/device_builder.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {

/// What a person adds to a dump that does not say everything. Bus ids in any notation.
struct NcclCompletion {
  const GpuModel* gpu = nullptr;                ///< of all GPUs; null: as the file says
  std::map<std::string, const GpuModel*> gpus;  ///< by bus id
  std::map<std::string, const NicModel*> nics;  ///< by bus id; go before what the file says
  const NicModel* nic = nullptr;                ///< of all NICs without a speed in the file
  std::optional<NvLinkLayout> nvlink;           ///< instead of the file's NVLinks
  const CpuModel* cpu = nullptr;                ///< of all sockets; null: as the file says
};

/// Builds the host that the file describes: sockets, root complexes, PCIe switches, GPUs, NICs and
/// NVLinks. GPUs and NICs are in the order of their `dev` numbers, those without one after them by
/// bus id, as NVML numbers them.
///
/// Whatever the file leaves open is filled in and listed with DeviceBuilder::assume, in words. What
/// cannot be filled in is an error (error_codes: nccl_error_codes.hpp), and then the builder is
/// left as it was. The warnings of `system` are passed on to `diagnostics`.
void build_nccl_host(const NcclSystem& system, const NcclCompletion& completion,
                     DeviceBuilder& devices, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
