#include "models/vsphere/import/vmx/vmx_devices.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostDevices = 4096;

/// Options of one device by their part behind "pciPassthruN.", in lower case.
using Parts = std::map<std::string, const VmOption*>;

const VmOption* find(const Parts& parts, const std::string& part) {
  const auto found = parts.find(part);
  if (found == parts.end() || trimmed(found->second->value).empty()) return nullptr;
  return found->second;
}

std::string value_of(const Parts& parts, const std::string& part) {
  const VmOption* option = find(parts, part);
  return option == nullptr ? std::string() : printable(option->value);
}

bool has_hex_letter(std::string_view text) {
  return text.find_first_of("abcdefABCDEF") != text.npos;
}

bool is_told(const VmPciDevice& device) {
  return device.bus_id || device.profile || device.device_class || !device.allowed.empty() ||
         (device.vendor && device.device) || device.kind == PciKind::kSriov;
}

/// The number of digits of the domain, 0 without one. It distinguishes the forms of bus ids.
std::size_t domain_digits(std::string_view id) {
  const std::size_t first = id.find(':');
  return first != id.npos && id.find(':', first + 1) != id.npos ? first : 0;
}

bool is_bus_id_part(std::string_view part) { return part == "id" || part == "pfid"; }

/// Keys pciPassthruN.* are collected by N; the keys of a device determine its kind. Bus ids are
/// decimal in .vmx files, but some tools write hex: if any id of a form has a letter, all ids of
/// that form are taken as hex, and the result notes it.
class VmxDeviceReader {
 public:
  explicit VmxDeviceReader(FileNotes& notes) : notes_(notes) {}

  void find_hex(const std::vector<VmOption>& options) {
    for (const VmOption& option : options) {
      const auto key = pci_key(option.key);
      if (!key || !is_bus_id_part(key->part) || !has_hex_letter(option.value)) continue;
      if (hex_bus_id(option.value).empty()) continue;
      hex_forms_.insert(domain_digits(trimmed(option.value)));
    }
  }

  /// Nothing if the device is not there.
  std::optional<VmPciDevice> read(const std::string& label, const Parts& parts) {
    if (!is_present(label, parts)) return std::nullopt;
    VmPciDevice device;
    device.label = label;
    device.vendor = read_id(parts, "vendorid");
    device.device = read_id(parts, "deviceid");
    read_kind(parts, device);
    if (is_told(device)) return device;
    notes_.warning(codes::kOddValue, parts.begin()->second->place,
                   fmt::format("{} is present, but its kind is unknown", label));
    return std::nullopt;
  }

 private:
  bool is_present(const std::string& label, const Parts& parts) {
    if (const VmOption* present = find(parts, "present")) {
      const auto flag = truth(present->value);
      if (!flag) {
        notes_.error(codes::kBadValue, present->place,
                     fmt::format("{}.present is \"{}\"", label, printable(present->value)),
                     "TRUE or FALSE");
      }
      return flag.value_or(false);
    }
    const bool named = find(parts, "id") != nullptr || find(parts, "alloweddevices") != nullptr ||
                       find(parts, "vgpu") != nullptr || find(parts, "pfid") != nullptr ||
                       find(parts, "dvx.deviceclass") != nullptr;
    if (named) notes_.assume("devices without .present count as present", label);
    return named;
  }

  Maybe<std::string> read_id(const Parts& parts, const std::string& part) {
    const VmOption* option = find(parts, part);
    if (option == nullptr) return std::nullopt;
    std::string id = hex_pci_id(option->value);
    // Old tools write the signed number of the API.
    if (option->value.find('-') != std::string::npos) {
      id = pci_id(whole_number(option->value).value_or(std::int64_t{1} << 40));
    }
    if (id.empty()) {
      notes_.error(codes::kBadValue, option->place,
                   fmt::format("{} is \"{}\"", option->key, printable(option->value)),
                   "a PCI id such as 0x10de");
    }
    if (id.empty() || id == "0000") return std::nullopt;
    return notes_.stated(std::move(id));
  }

  Maybe<std::string> read_bus_id(const VmOption* option) {
    if (option == nullptr) return std::nullopt;
    const std::string text = printable(option->value);
    const bool hex = hex_forms_.contains(domain_digits(text));
    std::string id = hex ? hex_bus_id(text) : decimal_bus_id(text);
    if (id.empty()) {
      notes_.error(codes::kBadValue, option->place, fmt::format("{} is \"{}\"", option->key, text),
                   "a PCI address in decimal such as 00000:026:00.1");
      return std::nullopt;
    }
    if (hex) {
      notes_.assume("bus ids are read as hex instead of decimal, since one of them has letters",
                    text);
      return Stated<std::string>{std::move(id), kAssumed};
    }
    if (domain_digits(text) == 4) {
      notes_.assume(
          "bus ids are read as decimal as in every .vmx file, although they have the form of the "
          "API",
          text);
    }
    return notes_.stated(std::move(id));
  }

  void read_kind(const Parts& parts, VmPciDevice& device) {
    const std::string virtual_device = lower_case(value_of(parts, "virtualdev"));
    const bool bypass = same_word(value_of(parts, "systemid"), "bypass");
    if (find(parts, "vgpu") != nullptr || virtual_device == "vmiop") {
      read_vgpu(parts, device);
    } else if (find(parts, "dvx.deviceclass") != nullptr || virtual_device == "dvx") {
      device.kind = PciKind::kDvx;
      device.device_class = read_text(parts, "dvx.deviceclass");
    } else if (const VmOption* allowed = find(parts, "alloweddevices")) {
      device.kind = PciKind::kDynamicPassthrough;
      device.allowed = read_allowed_devices(*allowed, notes_);
      device.custom_label = read_text(parts, "customlabel");
      device.bus_id = read_bus_id(find(parts, "id"));
    } else if (find(parts, "pfid") != nullptr || find(parts, "dvs.portgroupid") != nullptr ||
               find(parts, "networkname") != nullptr || (bypass && !device.device)) {
      read_sriov(parts, device);
    } else {
      device.bus_id = read_bus_id(find(parts, "id"));
    }
  }

  void read_vgpu(const Parts& parts, VmPciDevice& device) {
    device.kind = PciKind::kVgpu;
    device.profile = read_text(parts, "vgpu");
    // NVIDIA's setting to pin a vGPU to a GPU; it has the address as lspci prints it, in hex.
    const VmOption* pinned = find(parts, "cfg.gpu-pci-id");
    if (pinned == nullptr) return;
    const std::string id = hex_bus_id(pinned->value);
    if (id.empty()) {
      notes_.error(codes::kBadValue, pinned->place,
                   fmt::format("{} is \"{}\"", pinned->key, printable(pinned->value)),
                   "a PCI address in hex such as 0000:3b:00.0");
    } else {
      device.bus_id = notes_.stated(id);
    }
  }

  void read_sriov(const Parts& parts, VmPciDevice& device) {
    device.kind = PciKind::kSriov;
    device.bus_id = read_bus_id(find(parts, "pfid"));
    if (!device.bus_id) {
      device.bus_id = read_bus_id(find(parts, "id"));
      if (device.bus_id) {
        device.bus_id->source = kAssumed;
        notes_.assume(".id of SR-IOV adapters without .pfId is the physical function",
                      device.label);
      }
    }
    device.network = read_text(parts, "dvs.portgroupid");
    if (!device.network) device.network = read_text(parts, "networkname");
  }

  Maybe<std::string> read_text(const Parts& parts, const std::string& part) {
    std::string value = value_of(parts, part);
    if (value.empty()) return std::nullopt;
    return notes_.stated(std::move(value));
  }

  FileNotes& notes_;
  std::set<std::size_t> hex_forms_;
};

void read_pci(const std::vector<VmOption>& options, FileNotes& notes, VmFacts& vm) {
  std::map<std::int64_t, Parts> devices;
  for (const VmOption& option : options) {
    const auto key = pci_key(option.key);
    if (key) devices[key->index][key->part] = &option;
    if (mentions(option.key, "devicegroup")) {
      notes.skip("settings of device groups are not read: their form is not published",
                 printable(option.key));
    }
  }
  if (devices.size() > kMostDevices) {
    notes.error(codes::kTooMuch, Place{}, fmt::format("{} PCI devices", devices.size()),
                fmt::format("at most {}", kMostDevices));
    return;
  }
  VmxDeviceReader reader(notes);
  reader.find_hex(options);
  for (const auto& [index, parts] : devices) {
    auto device = reader.read(fmt::format("pciPassthru{}", index), parts);
    if (device) vm.pci.push_back(std::move(*device));
  }
}

/// N and the part behind "ethernetN.", in lower case.
std::optional<PciKey> ethernet_key(std::string_view key) {
  constexpr std::string_view kStart = "ethernet";
  if (!same_word(key.substr(0, kStart.size()), kStart)) return std::nullopt;
  return pci_key(fmt::format("pcipassthru{}", key.substr(kStart.size())));
}

void read_adapters(const std::vector<VmOption>& options, FileNotes& notes, VmFacts& vm) {
  std::map<std::int64_t, Parts> adapters;
  for (const VmOption& option : options) {
    const auto key = ethernet_key(option.key);
    if (key) adapters[key->index][key->part] = &option;
  }
  for (const auto& [index, parts] : adapters) {
    if (!truth(value_of(parts, "present")).value_or(false)) continue;
    VmAdapter adapter;
    adapter.label = fmt::format("ethernet{}", index);
    const std::string type = lower_case(value_of(parts, "virtualdev"));
    if (!type.empty()) adapter.type = notes.stated(type == "vrdma" ? "pvrdma" : type);
    std::string network = value_of(parts, "networkname");
    if (network.empty()) network = value_of(parts, "dvs.portgroupid");
    if (!network.empty()) adapter.network = notes.stated(std::move(network));
    vm.adapters.push_back(std::move(adapter));
  }
}

}  // namespace

void read_vmx_devices(const std::vector<VmOption>& options, FileNotes& notes, VmFacts& vm) {
  read_pci(options, notes, vm);
  read_adapters(options, notes, vm);
}

std::vector<std::string> read_allowed_devices(const VmOption& option, FileNotes& notes) {
  std::vector<std::string> allowed;
  std::string_view rest = option.value;
  while (!rest.empty() && allowed.size() < kMostDevices) {
    const std::size_t end = std::min(rest.find_first_of(",; \t"), rest.size());
    const std::string_view entry = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (entry.empty()) continue;
    const std::size_t first = std::min(entry.find(':'), entry.size());
    const std::size_t second = std::min(entry.find(':', first + 1), entry.size());
    const std::string vendor = hex_pci_id(entry.substr(0, first));
    const std::string device =
        first < entry.size() ? hex_pci_id(entry.substr(first + 1, second - first - 1)) : "";
    if (vendor.empty() || device.empty()) {
      notes.error(codes::kBadValue, option.place,
                  fmt::format("{} is \"{}\"", printable(option.key), printable(option.value)),
                  "vendor and device ids such as 0x10de:0x20f1");
      return {};
    }
    allowed.push_back(fmt::format("{}:{}", vendor, device));
    if (second < entry.size()) {
      notes.skip("subsystem and revision of allowed devices are not kept", printable(entry));
    }
  }
  return allowed;
}

}  // namespace vgsim::vsphere::import
