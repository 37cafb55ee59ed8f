#include <charconv>
#include <utility>

#include "topology/graph/pcie_speed.hpp"
#include "topology/importers/lspci/lspci_record.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

/// One line of a record: its name and its value.
struct Detail {
  std::string_view words;
  input::Location where;
};

/// The number behind the words, up to where digits end; empty if there is none.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view words, int base) {
  const std::size_t at = text.find(words);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + words.size());
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || value < 0 || end == text.data()) return std::nullopt;
  return value;
}

/// "Speed 16GT/s (downgraded), Width x4 (ok), ..." of LnkCap and LnkSta. Empty if the device does
/// not report it ("Speed unknown, Width x0").
std::optional<PcieWidth> width_in(std::string_view words) {
  constexpr std::string_view kSpeed = "Speed ";
  const std::size_t at = words.find(kSpeed);
  if (at == words.npos) return std::nullopt;
  const std::string_view speed = words.substr(at + kSpeed.size());
  const auto generation = pcie_generation_of(speed.substr(0, speed.find("GT/s")));
  const auto lanes = number_after(words, "Width x", 10);
  if (!generation || !lanes || *lanes < 1 || *lanes > 32) return std::nullopt;
  return PcieWidth{*generation, *lanes};
}

void read_numa(const std::optional<std::int64_t>& node, const Detail& detail, LspciRecord& record,
               FileNotes& notes) {
  if (record.device.numa_node) return;
  if (!node || *node > 65535) {
    notes.warn(import_codes::kOddValue, detail.where, "an impossible NUMA node",
               record.device.bus_id);
    return;
  }
  record.device.numa_node = notes.stated(*node);
}

void read_buses(const Detail& detail, LspciRecord& record, FileNotes& notes) {
  const auto secondary = number_after(detail.words, "secondary=", 16);
  const auto subordinate = number_after(detail.words, "subordinate=", 16);
  // A bridge without devices behind it has the buses 00 to 00.
  if (secondary == 0 && subordinate == 0) return;
  if (!secondary || !subordinate || *secondary <= record.bus || *subordinate < *secondary ||
      *subordinate > 0xff) {
    notes.warn(import_codes::kOddValue, detail.where,
               "impossible bus numbers of a bridge; devices behind it stay on the root bus",
               record.device.bus_id);
    return;
  }
  record.behind = BusRange{*secondary, *subordinate};
}

void read_port(const Detail& detail, LspciRecord& record) {
  const std::size_t at = detail.words.find("Express ");
  if (at == detail.words.npos) return;
  const std::string_view kind = detail.words.substr(at);
  if (kind.find(" Root Port") != kind.npos) {
    record.port = PciePort::kRoot;
  } else if (kind.find(" Upstream Port") != kind.npos ||
             kind.find("to PCI/PCI-X Bridge") != kind.npos ||
             kind.find("to PCI-Express Bridge") != kind.npos) {
    record.port = PciePort::kUpstream;
  } else if (kind.find(" Downstream Port") != kind.npos) {
    record.port = PciePort::kDownstream;
  }
}

void read_link(const Detail& detail, Maybe<PcieWidth>& link, FileNotes& notes) {
  if (link) return;
  if (const auto width = width_in(detail.words)) link = notes.stated(*width);
}

void read_redirect(const Detail& detail, LspciRecord& record, FileNotes& notes) {
  const auto has = [&](std::string_view flag) {
    return detail.words.find(flag) != detail.words.npos;
  };
  if (record.device.acs_redirect || !(has("ReqRedir+") || has("ReqRedir-"))) return;
  record.device.acs_redirect = notes.stated(has("ReqRedir+") || has("CmpltRedir+"));
}

void read_subsystem(std::string_view words, LspciRecord& record, FileNotes& notes) {
  words = trimmed(words);
  if (words.ends_with(']')) {
    words.remove_suffix(1);
    const std::size_t open = words.rfind('[');
    words = open == words.npos ? words : words.substr(open + 1);
  }
  const bool ids = words.size() == 9 && words[4] == ':' &&
                   words.find_first_not_of("0123456789abcdef:") == words.npos;
  if (!ids) return;
  record.device.subsystem_vendor = notes.stated(std::string(words.substr(0, 4)));
  record.device.subsystem_device = notes.stated(std::string(words.substr(5)));
}

void read_virtual_functions(const Detail& detail, LspciRecord& record, FileNotes& notes) {
  if (record.device.virtual_functions) return;
  const auto count = number_after(detail.words, "Number of VFs: ", 10);
  if (count && *count <= 65535) record.device.virtual_functions = notes.stated(*count);
}

void read_flags(const Detail& detail, LspciRecord& record, FileNotes& notes) {
  if (detail.words.find("NUMA node ") != detail.words.npos) {
    read_numa(number_after(detail.words, "NUMA node ", 10), detail, record, notes);
  }
  if (detail.words.find("IOMMU group ") != detail.words.npos) record.has_iommu_group = true;
}

}  // namespace

/// Lines are identified by the text before their colon. Flags of -v contain values that -vv prints
/// in separate lines (the NUMA node); without root the link is hidden. A detail that cannot be
/// parsed is a warning.
void read_lspci_detail(std::string_view line, std::size_t offset, LspciRecord& record,
                       FileNotes& notes) {
  const std::string_view words = trimmed(line);
  const std::size_t colon = words.find(':');
  const std::string_view key = words.substr(0, colon);
  const Detail detail{words, notes.at(offset, line.size())};
  const std::string_view value =
      colon == words.npos ? std::string_view{} : trimmed(words.substr(colon + 1));
  inventory::Device& device = record.device;
  record.has_details = record.has_details || !words.empty();
  if (key == "NUMA node") {
    read_numa(number_after(words, "NUMA node: ", 10), detail, record, notes);
  } else if (key == "Flags") {
    read_flags(detail, record, notes);
  } else if (key == "IOMMU group") {
    record.has_iommu_group = true;
  } else if (key == "Bus" && record.is_bridge) {
    read_buses(detail, record, notes);
  } else if (key == "Capabilities") {
    if (value == "<access denied>") record.link_hidden = true;
    read_port(detail, record);
  } else if (key == "LnkCap") {
    read_link(detail, device.link, notes);
  } else if (key == "LnkSta") {
    read_link(detail, device.link_now, notes);
  } else if (key == "ACSCtl" && record.is_bridge) {
    read_redirect(detail, record, notes);
  } else if (key == "Initial VFs") {
    read_virtual_functions(detail, record, notes);
  } else if (key == "VF offset") {
    record.vf_offset = number_after(words, "VF offset: ", 10);
    record.vf_stride = number_after(words, "stride: ", 10);
  } else if (key == "Subsystem") {
    read_subsystem(value, record, notes);
  } else if (key == "Physical Slot" && !value.empty()) {
    device.slot = notes.stated(printable(value));
  } else if (key == "Kernel driver in use" && !value.empty()) {
    device.driver = notes.stated(printable(value));
  } else if (words.starts_with("!!! Unknown header type")) {
    notes.warn(import_codes::kOddValue, detail.where, "the device does not answer on the PCI bus",
               device.bus_id);
  }
}

}  // namespace vgsim::topology
