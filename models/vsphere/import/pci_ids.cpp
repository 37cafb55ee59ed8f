#include "models/vsphere/import/pci_ids.hpp"

#include <fmt/core.h>

#include <cstddef>

#include "models/vsphere/import/reading.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/pci_class.hpp"

namespace vgsim::vsphere::import {
namespace {

using topology::inventory::DeviceKind;

constexpr std::string_view kNvidia = "10de";
constexpr std::string_view kAmd = "1002";
constexpr std::string_view kIntel = "8086";

struct Address {
  std::int64_t domain = 0;
  std::int64_t bus = 0;
  std::int64_t device = 0;
  std::int64_t function = 0;
};

std::string format_address(const Address& a) {
  const bool fits = a.domain >= 0 && a.domain <= 0xFFFFFFFF && a.bus >= 0 && a.bus <= 0xFF &&
                    a.device >= 0 && a.device <= 0x1F && a.function >= 0 && a.function <= 7;
  if (!fits) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", a.domain, a.bus, a.device, a.function);
}

/// Digits alone: no sign, no blanks.
std::optional<std::int64_t> digits(std::string_view text) {
  if (text.empty() || text.size() > 10) return std::nullopt;
  if (text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  return whole_number(text);
}

/// Takes the part behind the last of the separators off the text.
std::optional<std::int64_t> take_last(std::string_view& text, std::string_view separators) {
  const std::size_t cut = text.find_last_of(separators);
  const auto value = digits(cut == text.npos ? text : text.substr(cut + 1));
  text = cut == text.npos ? std::string_view() : text.substr(0, cut);
  return value;
}

bool is_gpu(std::string_view c, std::string_view vendor) {
  if (c == "0302") return true;
  if (c == "0300") return vendor == kNvidia || vendor == kAmd;
  if (c == "0380") return vendor == kAmd || vendor == kIntel;
  return c == "1200" && vendor == kAmd;
}

}  // namespace

std::string pci_id(std::int64_t id) {
  if (id < -32768 || id > 65535) return {};
  return fmt::format("{:04x}", id & 0xFFFF);
}

std::string hex_pci_id(std::string_view text) {
  const auto value = hex_number(text);
  return value && *value <= 0xFFFF ? fmt::format("{:04x}", *value) : std::string();
}

std::string hex_bus_id(std::string_view text) {
  text = trimmed(text);
  constexpr std::string_view kShort = "bb:dd.f";
  if (text.size() == kShort.size())
    return topology::normalized_bus_id(fmt::format("0000:{}", text));
  return topology::normalized_bus_id(text);
}

std::string decimal_bus_id(std::string_view text) {
  text = trimmed(text);
  const auto function = take_last(text, ".");
  const auto device = take_last(text, ":");
  const auto bus = take_last(text, ":");
  const auto domain = text.empty() ? std::optional<std::int64_t>(0) : digits(text);
  if (!function || !device || !bus || !domain) return {};
  return format_address({*domain, *bus, *device, *function});
}

std::string esxcli_bus_id(std::string_view text) {
  text = trimmed(text);
  if (!same_word(text.substr(0, 4), "PCI ")) return {};
  text = trimmed(text.substr(4));
  const auto function = take_last(text, ":.");
  const auto device = take_last(text, ":");
  const auto bus = take_last(text, ":");
  const auto domain = digits(text);
  if (!function || !device || !bus || !domain) return {};
  return format_address({*domain, *bus, *device, *function});
}

std::string bus_of(std::string_view bus_id) {
  return std::string(bus_id.substr(0, bus_id.rfind(':')));
}

std::optional<DeviceKind> device_kind(std::string_view pci_class, std::string_view vendor) {
  const std::string_view c = pci_class.substr(0, 4);
  if (topology::is_bridge_class(c)) return DeviceKind::kBridge;
  if (is_gpu(c, vendor)) return DeviceKind::kGpu;
  if (topology::is_nic_class(c)) return DeviceKind::kNic;
  if (c == "0108") return DeviceKind::kStorage;
  // Chipsets also use 0680 alone, for "other bridge".
  if (topology::is_nvswitch_class(c) && vendor == kNvidia) return DeviceKind::kNvSwitch;
  return std::nullopt;
}

bool is_host_bridge(std::string_view pci_class) { return pci_class.starts_with("0600"); }

}  // namespace vgsim::vsphere::import
