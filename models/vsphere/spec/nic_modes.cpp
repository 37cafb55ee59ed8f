#include "models/vsphere/spec/nic_modes.hpp"

#include <array>

namespace vgsim::vsphere {
namespace {

constexpr Operations kAllButHa{Operation::kVmotion, Operation::kDrs, Operation::kSuspend,
                               Operation::kSnapshot};

/// Sources: the rules of configs/vsphere/rules.json that name the modes.
constexpr std::array kModes{
    NicModeFacts{
        .mode = NicMode::kBareMetal, .key = nullptr, .title = "bare metal", .reaches_gpus = true},
    NicModeFacts{.mode = NicMode::kPassthrough,
                 .key = "passthrough",
                 .title = "passthrough",
                 .is_exclusive = true,
                 .is_passed = true,
                 .reaches_gpus = true,
                 .ties_if_static = true,
                 .loses = kAllButHa,
                 .change = "NICs in passthrough",
                 .change_needs = "the VM loses vMotion and snapshots"},
    NicModeFacts{.mode = NicMode::kSriov,
                 .key = "sriov",
                 .title = "SR-IOV",
                 .carrier = NicCarrier::kFunction,
                 .parameters = "sriov",
                 .is_passed = true,
                 .reaches_gpus = true,
                 .needs_sriov = true,
                 .loses_ha = true,
                 .loses = kAllButHa,
                 .change = "NICs by SR-IOV",
                 .change_needs = "SR-IOV on in BIOS, NIC and host; the VM loses vMotion"},
    // It keeps vMotion and suspend; that it keeps snapshots is said nowhere.
    NicModeFacts{.mode = NicMode::kEnhancedDirectPath,
                 .key = "enhanced_directpath",
                 .title = "Enhanced DirectPath",
                 .carrier = NicCarrier::kFunction,
                 .parameters = "enhanced_directpath",
                 .is_passed = true,
                 .reaches_gpus = true,
                 .loses = Operations{Operation::kSnapshot},
                 .feature = "enhanced-directpath",
                 .is_measured = false},
    NicModeFacts{.mode = NicMode::kPvrdma,
                 .key = "pvrdma",
                 .title = "PVRDMA",
                 .carrier = NicCarrier::kFunction,
                 .parameters = "pvrdma",
                 .is_measured = false},
    NicModeFacts{.mode = NicMode::kVmxnet3,
                 .key = "vmxnet3",
                 .title = "vmxnet3",
                 .carrier = NicCarrier::kAdapter,
                 .parameters = "vmxnet3"},
};

constexpr bool are_in_order() {
  for (std::size_t m = 0; m < kModes.size(); ++m) {
    if (kModes[m].mode != static_cast<NicMode>(m)) return false;
  }
  return true;
}
static_assert(are_in_order());

}  // namespace

std::span<const NicModeFacts> nic_modes() { return kModes; }

const NicModeFacts& facts_of(NicMode mode) { return kModes[static_cast<std::size_t>(mode)]; }

}  // namespace vgsim::vsphere
