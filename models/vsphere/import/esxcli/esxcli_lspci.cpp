#include "models/vsphere/import/esxcli/esxcli_lspci.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

using topology::inventory::DeviceKind;

/// Where the bracket opens that the last character of the text closes; the size if there is none.
std::size_t last_bracket(std::string_view text) {
  if (!text.ends_with(']')) return text.size();
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ']') ++depth;
    if (text[i] == '[' && --depth == 0) return i;
  }
  return text.size();
}

}  // namespace

EsxLspciLine read_lspci_line(std::string_view line) {
  EsxLspciLine result;
  line = trimmed(line);
  const std::size_t bracket = last_bracket(line);
  if (bracket < line.size()) {
    result.alias = printable(line.substr(bracket + 1, line.size() - bracket - 2));
    if (is_esx_alias(result.alias)) {
      line = trimmed(line.substr(0, bracket));
    } else {
      result.alias.clear();
    }
  }
  const std::size_t colon = line.find(": ");
  result.kind = printable(line.substr(0, colon));
  if (colon != line.npos) result.name = printable(line.substr(colon + 2));
  return result;
}

bool is_esx_alias(std::string_view alias) {
  constexpr std::array<std::string_view, 5> kStarts = {"vmnic", "vmhba", "vmgfx", "PF_",
                                                       "PCIe RP["};
  return std::ranges::any_of(kStarts,
                             [&](std::string_view start) { return alias.starts_with(start); });
}

std::optional<std::string> physical_function(std::string_view alias) {
  constexpr std::string_view kStart = "PF_";
  const std::size_t virtual_function = alias.find("_VF_");
  if (!alias.starts_with(kStart) || virtual_function == alias.npos) return std::nullopt;
  const std::string_view numbers =
      alias.substr(kStart.size(), virtual_function - std::min(virtual_function, kStart.size()));
  const std::size_t first = numbers.find('.');
  const std::size_t second = first == numbers.npos ? first : numbers.find('.', first + 1);
  if (second == numbers.npos) return std::nullopt;
  const auto function = whole_number(numbers.substr(second + 1));
  if (!function || *function < 0 || *function > 255) return std::nullopt;
  const std::string id = decimal_bus_id(fmt::format("{}:{}:{}.{}", numbers.substr(0, first),
                                                    numbers.substr(first + 1, second - first - 1),
                                                    *function / 8, *function % 8));
  if (id.empty()) return std::nullopt;
  return id;
}

std::optional<DeviceKind> lspci_kind(const EsxLspciLine& line) {
  if (mentions(line.kind, "network controller") || mentions(line.kind, "ethernet controller") ||
      mentions(line.kind, "infiniband")) {
    return DeviceKind::kNic;
  }
  const bool display = mentions(line.kind, "display") || mentions(line.kind, "3d controller") ||
                       mentions(line.kind, "vga") || mentions(line.kind, "processing accel");
  if (display) {
    const bool gpu = mentions(line.name, "nvidia") || mentions(line.name, "advanced micro") ||
                     mentions(line.name, "amd/ati");
    return gpu ? std::optional(DeviceKind::kGpu) : std::nullopt;
  }
  if (mentions(line.kind, "non-volatile memory") || mentions(line.kind, "nvme")) {
    return DeviceKind::kStorage;
  }
  if (mentions(line.name, "nvswitch")) return DeviceKind::kNvSwitch;
  return std::nullopt;
}

}  // namespace vgsim::vsphere::import
