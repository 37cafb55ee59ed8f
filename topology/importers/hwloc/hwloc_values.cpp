#include "topology/importers/hwloc/hwloc_values.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "topology/importers/hwloc/hwloc_library.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kLongestSet = 8192;
constexpr int kHighestNumber = 16383;

bool is_hwloc_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// Whether the text has the form; 'h' matches a hex digit.
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'h' ? !is_hwloc_hex(text[i]) : text[i] != form[i]) return false;
  }
  return true;
}

/// Whether the text has libhwloc's form of a set: numbers of 32 bits between commas, where all
/// except the first may be omitted. libhwloc itself aborts on some others.
bool is_set_text(std::string_view text) {
  if (text.empty() || text.size() > kLongestSet || text.front() == ',') return false;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view number = text.substr(0, end);
    const bool is_number = number.starts_with("0x") && number.size() > 2 && number.size() <= 10 &&
                           std::all_of(number.begin() + 2, number.end(), is_hwloc_hex);
    if (!number.empty() && !is_number) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::string> hwloc_set_of(std::string_view text) {
  const HwlocSet set(hwloc_bitmap_alloc());
  if (!is_set_text(text) || hwloc_bitmap_sscanf(set.get(), std::string(text).c_str()) != 0)
    return std::nullopt;
  if (hwloc_bitmap_weight(set.get()) < 0) return std::nullopt;  // without an end
  if (hwloc_bitmap_last(set.get()) > kHighestNumber) return std::nullopt;
  char* written = nullptr;
  if (hwloc_bitmap_asprintf(&written, set.get()) < 0) return std::nullopt;
  const std::unique_ptr<char, decltype(&std::free)> owner(written, &std::free);
  return written;
}

std::string hwloc_pci_type_of(std::string_view text) {
  constexpr std::string_view kForm = "hhhh [hhhh:hhhh] [hhhh:hhhh] hh";
  const std::string_view start = text.substr(0, kForm.size());
  return has_form(start, kForm) ? std::string(start) : std::string();
}

std::string_view domain_of_hwloc_buses(std::string_view text) {
  const std::string_view domain = text.substr(0, text.find(':'));
  const std::string_view buses = text.substr(domain.size());
  if (domain.size() < 4 || domain.size() > 8 || !has_form(buses, ":[hh-hh]")) return {};
  for (const char digit : domain) {
    if (!is_hwloc_hex(digit)) return {};
  }
  return domain;
}

}  // namespace vgsim::topology
