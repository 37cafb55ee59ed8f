#include "topology/machine/pci_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "topology/machine/pci_class.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

using inventory::DeviceKind;
using Words = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kNvidia = "10de";
constexpr std::string_view kAmdGraphics = "1002";
constexpr std::string_view kIntel = "8086";
constexpr std::string_view kMellanox = "15b3";

constexpr std::array kClassNames = {
    Words{"Non-Volatile memory controller", "0108"},
    Words{"Ethernet controller", "0200"},
    Words{"Infiniband controller", "0207"},
    Words{"InfiniBand controller", "0207"},
    Words{"Fabric controller", "0208"},
    Words{"Network controller", "0280"},
    Words{"VGA compatible controller", "0300"},
    Words{"3D controller", "0302"},
    Words{"Display controller", "0380"},
    Words{"Host bridge", "0600"},
    Words{"PCI bridge", "0604"},
    Words{"Bridge", "0680"},
    Words{"Processing accelerators", "1200"},
};

constexpr std::array kVendors = {
    Words{"NVIDIA Corporation", kNvidia},
    Words{"Mellanox Technologies", kMellanox},
    Words{"Intel Corporation", kIntel},
    Words{"Advanced Micro Devices, Inc. [AMD/ATI]", kAmdGraphics},
    Words{"Advanced Micro Devices, Inc. [AMD]", "1022"},
    Words{"Broadcom Inc. and subsidiaries", "14e4"},
    Words{"Broadcom / LSI", "1000"},
    Words{"Amazon.com, Inc.", "1d0f"},
    Words{"ASPEED Technology, Inc.", "1a03"},
};

/// NVIDIA device ids of NVSwitches: of Volta, Ampere and Hopper machines.
constexpr std::array<std::string_view, 3> kNvSwitches = {"1ac2", "1af1", "22a3"};

/// ATI display chips of management controllers of servers: ES1000, RN50, Rage XL.
constexpr std::array<std::string_view, 4> kManagementDisplays = {"515e", "5969", "4752", "4750"};

/// Words of NIC names, and of those of NVMe drives.
constexpr std::array<std::string_view, 10> kNicWords = {
    "ethernet",   "network",   "connectx",       "infiniband", "netxtreme",
    "mellanox t", "omni-path", "elastic fabric", "slingshot",  "gigabit"};
constexpr std::array<std::string_view, 3> kStorageWords = {"nvme", "non-volatile", " ssd"};
/// Other functions of graphics cards and of data processing units.
constexpr std::array<std::string_view, 7> kCompanionWords = {
    "audio", "usb", "serial", "bridge", "switch", "management", "dma"};

template <class List>
bool mentions_any(std::string_view name, const List& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return mentions(name, word); });
}

template <class List>
bool is_one_of(std::string_view id, const List& ids) {
  return std::ranges::find(ids, id) != ids.end();
}

std::string_view vendor_of(const PciMake& make) {
  if (!make.vendor.empty()) return make.vendor;
  for (const auto& [name, id] : kVendors) {
    if (make.name.starts_with(name)) return id;
  }
  return {};
}

bool is_nvswitch(const PciMake& make) {
  if (mentions(make.name, "nvswitch")) return true;
  return is_one_of(make.device.empty() ? device_by_name(make.name) : make.device, kNvSwitches);
}

bool is_management_display(const PciMake& make) {
  return is_one_of(make.device, kManagementDisplays) || mentions(make.name, "es1000") ||
         mentions(make.name, "rage");
}

/// Whether a function with a display or accelerator class is a GPU.
bool is_gpu(const PciMake& make) {
  const std::string_view vendor = vendor_of(make);
  if (vendor == kNvidia) return true;
  if (vendor == kAmdGraphics) return !is_management_display(make);
  return vendor == kIntel && (make.pci_class == "0302" || make.pci_class == "0380");
}

DeviceKind kind_by_name(const PciMake& make) {
  const std::string_view vendor = vendor_of(make);
  if (vendor == kNvidia && is_nvswitch(make)) return DeviceKind::kNvSwitch;
  if ((vendor == kNvidia || vendor == kAmdGraphics) && !mentions_any(make.name, kCompanionWords)) {
    return is_gpu(make) ? DeviceKind::kGpu : DeviceKind::kOther;
  }
  if (mentions_any(make.name, kNicWords) || vendor == "15b3") return DeviceKind::kNic;
  if (mentions_any(make.name, kStorageWords)) return DeviceKind::kStorage;
  return DeviceKind::kOther;
}

}  // namespace

/// The kind by class, or by name without one (lspci -t). The class 3D controller contains only
/// NVIDIA GPUs. Display classes also contain chips of management controllers, and class 0680
/// NVSwitches as well as chipset parts: there vendor and device id decide.
DeviceKind kind_of_pci(const PciMake& make) {
  const std::string_view code = make.pci_class;
  if (code.empty()) return kind_by_name(make);
  if (is_bridge_class(code)) return DeviceKind::kBridge;
  if (is_nic_class(code)) return DeviceKind::kNic;
  if (code.starts_with("0108")) return DeviceKind::kStorage;
  if (is_nvswitch_class(code) && vendor_of(make) == kNvidia) return DeviceKind::kNvSwitch;
  if (code.starts_with("03")) return is_gpu(make) ? DeviceKind::kGpu : DeviceKind::kOther;
  if (code.starts_with("1200") && vendor_of(make) == kAmdGraphics) return DeviceKind::kGpu;
  return DeviceKind::kOther;
}

bool names_virtual_function(std::string_view name) { return mentions(name, "virtual function"); }

std::string pci_class_by_name(std::string_view class_name) {
  for (const auto& [name, code] : kClassNames) {
    if (class_name == name) return std::string(code);
  }
  return {};
}

std::string vendor_by_name(std::string_view name) {
  for (const auto& [vendor, id] : kVendors) {
    if (name.starts_with(vendor)) return std::string(id);
  }
  return {};
}

std::string device_by_name(std::string_view name) {
  constexpr std::string_view kUnlisted = " Device ";
  for (const auto& [vendor, id] : kVendors) {
    if (!name.starts_with(vendor)) continue;
    name.remove_prefix(vendor.size());
    if (!name.starts_with(kUnlisted)) return {};
    name.remove_prefix(kUnlisted.size());
    const std::string_view digits = name.substr(0, name.find(' '));
    const bool hex = digits.find_first_not_of("0123456789abcdef") == digits.npos;
    return hex && digits.size() == 4 ? std::string(digits) : std::string();
  }
  return {};
}

}  // namespace vgsim::topology
