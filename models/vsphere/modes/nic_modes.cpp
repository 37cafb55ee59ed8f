#include "models/vsphere/modes/nic_modes.hpp"

#include <array>

#include "models/vsphere/modes/by_key.hpp"

namespace vgsim::vsphere {
namespace {

constexpr Operations kAllButHa{Operation::kVmotion, Operation::kDrs, Operation::kSuspend,
                               Operation::kSnapshot};

/// Sources: the rules of configs/vsphere/rules.json that name the modes.
constexpr std::array kNicModes{
    NicMode{.key = nullptr, .title = "bare metal", .given = "on the host", .reaches_gpus = true},
    NicMode{.key = "passthrough",
            .title = "passthrough",
            .given = "in passthrough",
            .is_exclusive = true,
            .is_passed = true,
            .reaches_gpus = true,
            .ties_if_static = true,
            .loses = kAllButHa,
            .change = "NICs in passthrough",
            .change_needs = "the VM loses vMotion and snapshots"},
    NicMode{.key = "sriov",
            .title = "SR-IOV",
            .given = "by SR-IOV",
            .carrier = &kFunctionCarrier,
            .parameters = "sriov",
            .is_passed = true,
            .reaches_gpus = true,
            .needs_sriov = true,
            .loses_ha = true,
            .loses = kAllButHa,
            .change = "NICs by SR-IOV",
            .change_needs = "SR-IOV on in BIOS, NIC and host; the VM loses vMotion"},
    // It keeps vMotion and suspend; no source states that it keeps snapshots.
    NicMode{.key = "enhanced_directpath",
            .title = "Enhanced DirectPath",
            .given = "by Enhanced DirectPath",
            .carrier = &kFunctionCarrier,
            .parameters = "enhanced_directpath",
            .is_passed = true,
            .reaches_gpus = true,
            .loses = Operations{Operation::kSnapshot},
            .states_losses = false,
            .feature = "enhanced-directpath",
            .is_measured = false},
    NicMode{.key = "pvrdma",
            .title = "PVRDMA",
            .given = "by PVRDMA",
            .carrier = &kFunctionCarrier,
            .parameters = "pvrdma",
            .limit = {&Limits::pvrdma, "pvrdma-limit", "PVRDMA adapters"},
            .is_measured = false},
    NicMode{.key = "vmxnet3",
            .title = "vmxnet3",
            .given = "by vmxnet3",
            .carrier = &kAdapterCarrier,
            .parameters = "vmxnet3"},
};

}  // namespace

std::span<const NicMode> nic_modes() { return kNicModes; }

const NicMode& nic_mode(std::string_view key) { return by_key(nic_modes(), key); }

const NicMode& bare_metal_nic() { return kNicModes.front(); }

}  // namespace vgsim::vsphere
