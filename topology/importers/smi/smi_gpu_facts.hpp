#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Facts about a GPU in nvidia-smi -q, -q -x and --query-gpu, which use different keys.
enum class SmiFact : unsigned char {
  kIndex,
  kBusId,
  kName,
  kUuid,
  kDeviceId,     ///< device and vendor in one number: 0x233010DE
  kSubsystemId,  ///< likewise
  kBaseClass,
  kSubClass,
  kComputeCapability,
  kMemory,  ///< MiB
  kMig,
  kMigInstance,  ///< number of one of the instances
  kVirtualization,
  kModuleId,
  kMaxGeneration,        ///< of PCIe: GPU and slot together
  kDeviceMaxGeneration,  ///< the GPU alone
  kHostMaxGeneration,    ///< the root port alone
  kGeneration,           ///< now
  kMaxWidth,
  kWidth,
  kFabricState,
  kFabricStatus,
  kFabricCluster,
  kFabricClique,
  kFabricHealth,
  kFabricBandwidth,
  kFabricRouteRecovery,
  kFabricRouteUnhealthy,
  kFabricAccessTimeout,
  kFabricConfiguration,
};

struct SmiValue {
  std::string text;
  input::Location where;
};

/// The known facts of one GPU, without "N/A" and similar values.
class SmiGpuFacts {
 public:
  explicit SmiGpuFacts(input::Location where) : where_(std::move(where)) {}

  /// Of a repeated fact the first is kept.
  void add(SmiFact fact, std::string_view text, const input::Location& where);
  [[nodiscard]] const SmiValue* find(SmiFact fact) const;
  /// Empty if unknown.
  [[nodiscard]] std::string_view text(SmiFact fact) const;
  [[nodiscard]] const input::Location& where() const { return where_; }

 private:
  input::Location where_;
  std::map<SmiFact, SmiValue> values_;
};

/// For `skipped`, of GPUs with MIG instances.
inline constexpr const char* kMigInstancesAreNotRead =
    "MIG instances are not read, only that MIG mode is on";

/// The ESXi name of a vGPU type for its name in nvidia-smi: "grid_a100d-80c" for "GRID
/// A100D-80C", "nvidia_h100xm-80c" for "NVIDIA H100XM-80C".
[[nodiscard]] std::string vgpu_profile_of(std::string_view vgpu_name);

/// Whether a UUID is all zeros, as in masked dumps: "GPU-00000000-...".
[[nodiscard]] bool is_nil_uuid(std::string_view uuid);

/// The GPU with these facts. Warnings for invalid values, a lost GPU and an unhealthy NVLink
/// fabric.
[[nodiscard]] inventory::Device smi_gpu_of(const SmiGpuFacts& facts, FileNotes& notes);

/// Numbers GPUs in the order of a log with `attached` GPUs. If the total is missing, the order is
/// an assumption; if the log is incomplete, the numbers are unknown.
void number_smi_gpus(std::optional<std::int64_t> attached, FileNotes& notes,
                     std::vector<inventory::Device>& gpus);

/// Removes values that GPUs of one host cannot share: zero or duplicate UUIDs, and module ids if
/// they do not distinguish the GPUs, as on PCIe cards.
void settle_smi_gpus(inventory::Inventory& host, FileNotes& notes);

/// The PCIe link above a GPU, from its facts: `link`, the capability of both ends, and `link_now`.
/// The generation of `link` is the lowest of the stated maxima. A stated root port slower than the
/// running link is ignored with a warning, because some drivers query a wrong bridge. The maximum
/// of the GPU alone does not define a link.
void add_smi_pcie_link(const SmiGpuFacts& facts, inventory::Device& device, FileNotes& notes);

}  // namespace vgsim::topology
