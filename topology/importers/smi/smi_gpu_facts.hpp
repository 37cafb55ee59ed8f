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

/// What nvidia-smi -q, -q -x and --query-gpu tell of a GPU, each under another key.
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

/// The facts of one GPU that are told: "N/A" and the like are not.
class SmiGpuFacts {
 public:
  explicit SmiGpuFacts(input::Location where) : where_(std::move(where)) {}

  /// Of a fact that is told twice, the first counts.
  void add(SmiFact fact, std::string_view text, const input::Location& where);
  [[nodiscard]] const SmiValue* find(SmiFact fact) const;
  /// Empty if not told.
  [[nodiscard]] std::string_view text(SmiFact fact) const;
  [[nodiscard]] const input::Location& where() const { return where_; }

 private:
  input::Location where_;
  std::map<SmiFact, SmiValue> values_;
};

/// For `skipped`, of GPUs with MIG instances.
inline constexpr const char* kMigInstancesAreNotRead =
    "MIG instances are not read, only that MIG mode is on";

/// A vGPU type as ESXi calls it, from nvidia-smi's name for it: "grid_a100d-80c" of "GRID
/// A100D-80C", "nvidia_h100xm-80c" of "NVIDIA H100XM-80C".
[[nodiscard]] std::string vgpu_profile_of(std::string_view vgpu_name);

/// Whether a UUID is all zeros, as masked dumps have them: "GPU-00000000-...".
[[nodiscard]] bool is_nil_uuid(std::string_view uuid);

/// A GPU of these facts. Warnings for values that cannot be read, a GPU that is lost, an NVLink
/// fabric that is not healthy.
[[nodiscard]] inventory::Device smi_gpu_of(const SmiGpuFacts& facts, FileNotes& notes);

/// Numbers GPUs in the order of a log that says it lists `attached` of them. If it does not say how
/// many, the order is an assumption; if they are not all there, the numbers are not known.
void number_smi_gpus(std::optional<std::int64_t> attached, FileNotes& notes,
                     std::vector<inventory::Device>& gpus);

/// Takes back what GPUs of one host cannot share: UUIDs that are all zeros or given twice, module
/// ids if they do not tell the GPUs apart, as those of PCIe cards.
void settle_smi_gpus(inventory::Inventory& host, FileNotes& notes);

/// The PCIe link above a GPU, from its facts: `link`, the best that both ends can do, and
/// `link_now`. The generation of `link` is the lowest of the told maxima, but a root port that is
/// told to be slower than the link runs is not believed, with a warning: some drivers ask a wrong
/// bridge. The maximum of the GPU alone does not make a link.
void add_smi_pcie_link(const SmiGpuFacts& facts, inventory::Device& device, FileNotes& notes);

}  // namespace vgsim::topology
