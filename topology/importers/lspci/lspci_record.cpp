#include "topology/importers/lspci/lspci_record.hpp"

#include <set>
#include <utility>

#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_names.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostRecords = 4096;

/// The bus id that a line begins with, as written; empty if it does not.
std::string_view leading_bus_id(std::string_view line) {
  if (line.empty() || std::string_view("0123456789abcdefABCDEF").find(line.front()) == line.npos) {
    return {};
  }
  const std::string_view id = line.substr(0, line.find(' '));
  if (id.size() == line.size()) return {};
  const std::string full = id.size() == 7 ? "0000:" + std::string(id) : std::string(id);
  return normalized_bus_id(full).empty() ? std::string_view{} : id;
}

bool is_hex4(std::string_view text) {
  return text.size() == 4 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// "10de:2330" as vendor and device.
std::optional<std::pair<std::string, std::string>> ids_of(std::string_view text) {
  if (text.size() != 9 || text[4] != ':') return std::nullopt;
  if (!is_hex4(text.substr(0, 4)) || !is_hex4(text.substr(5))) return std::nullopt;
  return std::pair(std::string(text.substr(0, 4)), std::string(text.substr(5)));
}

/// Takes "[...]" off the end of the text, with the blank before it; empty if there is none.
std::string_view take_bracket(std::string_view& text) {
  if (!text.ends_with(']')) return {};
  const std::size_t open = text.rfind('[');
  if (open == text.npos) return {};
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  text = trimmed(text.substr(0, open));
  return inside;
}

/// The text without "(rev a1)" and "(prog-if 00 [Normal decode])" at its end.
std::string_view without_remarks(std::string_view text) {
  for (const std::string_view remark : {" (rev ", " (prog-if "}) {
    text = trimmed(text.substr(0, text.find(remark)));
  }
  return text;
}

/// "3D controller", "3D controller [0302]" or "0302".
std::string class_of(std::string_view words) {
  if (words.starts_with("Class ")) words.remove_prefix(6);
  if (is_hex4(words)) return std::string(words);
  const std::string_view code = take_bracket(words);
  return is_hex4(code) ? std::string(code) : pci_class_by_name(words);
}

void read_make(std::string_view words, LspciRecord& record, FileNotes& notes) {
  inventory::Device& device = record.device;
  words = without_remarks(words);
  if (const auto numbers = ids_of(words)) {
    device.vendor = notes.stated(numbers->first);
    device.device = notes.stated(numbers->second);
    return;
  }
  std::string_view name = words;
  if (const auto numbers = ids_of(take_bracket(name))) {
    device.vendor = notes.stated(numbers->first);
    device.device = notes.stated(numbers->second);
  } else {
    name = words;
    if (std::string id = vendor_by_name(name); !id.empty())
      device.vendor = notes.stated(std::move(id));
    if (std::string id = device_by_name(name); !id.empty())
      device.device = notes.stated(std::move(id));
  }
  if (!name.empty()) device.name = notes.stated(printable(name));
}

PciMake make_of(const inventory::Device& device) {
  const auto text = [](const inventory::Maybe<std::string>& stated) {
    return stated ? stated->value : std::string();
  };
  return {text(device.pci_class), text(device.vendor), text(device.device), text(device.name)};
}

}  // namespace

bool begins_lspci_record(std::string_view line) {
  const std::string_view id = leading_bus_id(line);
  return !id.empty() && line.find(": ", id.size()) != line.npos;
}

LspciRecord begin_lspci_record(std::string_view line, std::size_t offset, FileNotes& notes) {
  LspciRecord record;
  record.offset = offset;
  const std::string_view id = leading_bus_id(line);
  const std::string_view own = id.substr(id.size() - 7);  // bb:dd.f
  record.device.bus_id = normalized_bus_id((id.size() == 7 ? "0000:" : "") + std::string(id));
  record.domain = id.size() == 7 ? 0 : hex_number(id.substr(0, id.find(':'))).value_or(0);
  record.bus = hex_number(own.substr(0, 2)).value_or(0);
  record.devfn =
      hex_number(own.substr(3, 2)).value_or(0) << 3 | hex_number(own.substr(6, 1)).value_or(0);

  const std::string_view rest = line.substr(id.size() + 1);
  const std::size_t colon = rest.find(": ");
  const std::string code = class_of(trimmed(rest.substr(0, colon)));
  if (!code.empty()) record.device.pci_class = notes.stated(code);
  read_make(trimmed(rest.substr(colon + 2)), record, notes);
  const PciMake make = make_of(record.device);
  // A class that is not in the table is of no kind that is kept.
  record.device.kind = make.pci_class.empty() ? inventory::DeviceKind::kOther : kind_of_pci(make);
  record.is_bridge = record.device.kind == inventory::DeviceKind::kBridge;
  record.is_virtual = names_virtual_function(make.name);
  if (record.device.kind == inventory::DeviceKind::kGpu) record.device.gpu.emplace();
  return record;
}

/// A function is a line that begins with an address, and its details are the indented lines below
/// it; anything else ends it, so prompts and other output may be in between. With -vv and
/// without root, details are missing, which is noted, not an error.
std::vector<LspciRecord> read_lspci_records(const input::SourcePtr& source, FileNotes& notes,
                                            input::Diagnostics& errors) {
  std::vector<LspciRecord> records;
  std::set<std::string> known;
  const std::string_view text = source->text;
  bool passing_over = true;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    if (begins_lspci_record(line)) {
      LspciRecord record = begin_lspci_record(line, start, notes);
      passing_over = !known.insert(record.device.bus_id).second;
      if (passing_over) {
        notes.warn(import_codes::kContradiction, notes.at(start, record.device.bus_id.size()),
                   "listed twice; the first listing counts", record.device.bus_id);
      } else if (records.size() == kMostRecords) {
        errors.error(import_codes::kTooMuch.code, notes.at(start, line.size()), "",
                     "more than 4096 PCI functions", "the dump of one host");
        return records;
      } else {
        records.push_back(std::move(record));
      }
    } else if (!passing_over) {
      read_lspci_detail(line, start, records.back(), notes);
    }
    start = end + 1;
  }
  return records;
}

}  // namespace vgsim::topology
