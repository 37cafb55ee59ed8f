#include "models/vsphere/import/vmx/vmx.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/utf8_source.hpp"
#include "models/vsphere/import/vm_options.hpp"
#include "models/vsphere/import/vmx/vmx_devices.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostVmxBytes = std::size_t{1} << 20;
constexpr std::size_t kVmxStartBytes = std::size_t{16} << 10;

/// Starts of keys, in lower case, that no other format of lines with "=" has.
constexpr std::array<std::string_view, 17> kTelling = {
    "pcipassthru", "virtualhw.",     "memsize",          "numvcpus",    "displayname", "guestos",
    "sched.",      "numa.",          "cpuid.",           "ethernet0.",  "scsi0",       "nvme0",
    "vmci0.",      "config.version", "hypervisor.cpuid", "pcibridge0.", "vmotion."};

bool is_vmx_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == ':' || c == '/';
}

bool is_telling(std::string_view key) {
  const std::string word = lower_case(key);
  return std::ranges::any_of(kTelling,
                             [&](std::string_view start) { return word.starts_with(start); });
}

/// The opening or closing quote at the start of a text, also as word processors and web pages set
/// it; how many bytes it has, 0 if there is none.
std::size_t quote_length(std::string_view text) {
  if (text.starts_with('"')) return 1;
  const bool curly = text.starts_with("\xE2\x80\x9C") || text.starts_with("\xE2\x80\x9D");
  return curly ? 3 : 0;
}

std::string unescape(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '|' ? hex_number(text.substr(i + 1, 2)) : std::nullopt;
    if (code && i + 2 < text.size()) {
      value += static_cast<char>(*code);
      i += 2;
    } else {
      value += text[i];
    }
  }
  return value;
}

enum class LineKind { kSetting, kNothing, kUnended, kOther };

struct Setting {
  LineKind kind = LineKind::kOther;
  VmOption option;
};

void read_value(std::string_view text, Setting& setting) {
  setting.kind = LineKind::kSetting;
  const std::size_t open = quote_length(text);
  if (open == 0) {
    const std::string_view value = trimmed(text.substr(0, text.find('#')));
    setting.option.value = std::string(value);
    setting.option.place.length = value.size();
    return;
  }
  std::size_t end = open;
  while (end < text.size() && quote_length(text.substr(end)) == 0) ++end;
  if (end == text.size()) setting.kind = LineKind::kUnended;
  setting.option.place.offset += open;
  setting.option.place.length = end - open;
  setting.option.value = unescape(text.substr(open, end - open));
}

Setting read_line(const TextSpan& line) {
  Setting setting;
  const std::string_view text = trimmed(line.text);
  if (text.empty() || text.starts_with('#')) {
    setting.kind = LineKind::kNothing;
    return setting;
  }
  const std::size_t equals = text.find('=');
  const std::string_view key = trimmed(text.substr(0, equals));
  if (equals == text.npos || key.empty() || !std::ranges::all_of(key, is_vmx_key_char)) {
    return setting;
  }
  const std::string_view value = trimmed(text.substr(equals + 1));
  setting.option.key = std::string(key.substr(0, 255));
  setting.option.place.offset =
      value.empty() ? line.offset
                    : line.offset + static_cast<std::size_t>(value.data() - line.text.data());
  read_value(value, setting);
  return setting;
}

/// Lines of key = "value", with |22 and the like for quotes inside. A key that comes twice counts
/// as its last, as for ESXi, with a warning. A file that ends within a value was cut off, which is
/// another error than a bad line.
class VmxReader {
 public:
  explicit VmxReader(const input::SourcePtr& source) : notes_(source) {}

  tl::expected<VsphereFacts, input::Diagnostics> read() {
    if (notes_.is_plain_text(kMostVmxBytes)) read_vm();
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    VsphereFacts facts;
    facts.vms.push_back(std::move(vm_));
    notes_.tell(facts);
    return facts;
  }

 private:
  void read_vm() {
    read_lines();
    const bool tells = std::ranges::any_of(
        options_, [](const VmOption& option) { return is_telling(option.key); });
    if (!tells && !notes_.failed()) {
      notes_.error(codes::kNothingInIt, Place{}, "the file has no settings of a VM",
                   "settings of a .vmx file such as memSize or pciPassthru0.id");
    }
    read_vm_options(options_, notes_, vm_);
    read_vmx_devices(options_, notes_, vm_);
    tell_of_groups();
  }

  void read_lines() {
    Lines lines(notes_.text());
    while (const auto line = lines.next()) {
      Setting setting = read_line(*line);
      const Place place{line->offset, line->text.size()};
      if (setting.kind == LineKind::kOther) {
        notes_.error(codes::kNotThisFormat, place, "a line that is not a setting",
                     "key = \"value\"");
      } else if (setting.kind == LineKind::kUnended) {
        const bool at_end = place.offset + place.length >= notes_.text().size();
        notes_.error(at_end ? codes::kNothingInIt : codes::kBadValue, place,
                     at_end ? "the file ends within a value" : "a value without closing quote",
                     "key = \"value\"");
      } else if (setting.kind == LineKind::kSetting) {
        keep(std::move(setting.option));
      }
    }
  }

  void keep(VmOption option) {
    const auto [known, is_new] = index_.try_emplace(lower_case(option.key), options_.size());
    if (is_new) {
      options_.push_back(std::move(option));
      return;
    }
    VmOption& before = options_[known->second];
    if (before.value != option.value) {
      notes_.warning(codes::kContradiction, option.place,
                     fmt::format("{} is listed twice; the last one counts", option.key));
    }
    before = std::move(option);
  }

  void tell_of_groups() {
    const auto is_vgpu = [](const VmPciDevice& device) { return device.kind == PciKind::kVgpu; };
    if (std::ranges::count_if(vm_.pci, is_vgpu) < 2) return;
    notes_.skip("device groups are not read: their form in .vmx files is not published");
  }

  FileNotes notes_;
  VmFacts vm_;
  std::vector<VmOption> options_;
  std::map<std::string, std::size_t> index_;  ///< by key in lower case
};

}  // namespace

bool is_vmx(std::string_view text) {
  const std::string start = utf8_start(text, kVmxStartBytes);
  std::size_t settings = 0;
  std::size_t others = 0;
  bool telling = false;
  Lines lines(start);
  while (const auto line = lines.next()) {
    const Setting setting = read_line(*line);
    if (setting.kind == LineKind::kNothing) continue;
    // The line may be cut off here, not in the file.
    const bool good = setting.kind == LineKind::kSetting || setting.kind == LineKind::kUnended;
    ++(good ? settings : others);
    telling = telling || (good && is_telling(setting.option.key));
  }
  return telling && settings > others;
}

tl::expected<VsphereFacts, input::Diagnostics> read_vmx(const input::SourcePtr& source) {
  return VmxReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
