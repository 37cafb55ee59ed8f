#include "topology/input/units/unit_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "topology/input/units/unit_table.hpp"

namespace vgsim::input {
namespace {

constexpr std::size_t kMaxQuoted = 40;

void replace_suffix(std::string& text, std::string_view from, std::string_view to) {
  if (text.ends_with(from)) text.replace(text.size() - from.size(), from.size(), to);
}

/// A unit without the parts in which careless spellings differ: "KB", "kB", "KiB" and "kbit" become
/// equal, and so do "GBps" and "GB/s".
std::string loose(std::string_view unit) {
  std::string text(unit);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  replace_suffix(text, "bps", "b/s");
  replace_suffix(text, "bit", "b");
  replace_suffix(text, "bits", "b");
  replace_suffix(text, "byte", "b");
  replace_suffix(text, "bytes", "b");
  replace_suffix(text, "bit/s", "b/s");
  replace_suffix(text, "bits/s", "b/s");
  replace_suffix(text, "flops", "flop/s");
  if (text.size() > 2 && text[1] == 'i' && text[2] == 'b') text.erase(1, 1);
  return text;
}

/// Whether the text after the number is empty or looks like a unit.
bool starts_unit(std::string_view text) {
  if (text.empty()) return true;
  const auto first = static_cast<unsigned char>(text[0]);
  const bool exponent = (first == 'e' || first == 'E') && text.size() > 1;
  const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  return !exponent && (first >= 0x80 || letter);
}

/// Keeps the units that begin exactly as written, if any: "25 Gb" is bits, not bytes. One letter is
/// not sufficient.
void keep_exact(std::vector<std::string_view>& units, std::string_view written) {
  const auto begins_so = [written](std::string_view unit) { return unit.starts_with(written); };
  if (written.size() < 2 || std::none_of(units.begin(), units.end(), begins_so)) return;
  units.erase(std::remove_if(units.begin(), units.end(), std::not_fn(begins_so)), units.end());
}

/// The preferred units that `unit` can mean.
std::vector<std::string_view> meant_units(const UnitTable& table, std::string_view unit) {
  const std::string wanted = loose(unit);
  std::vector<std::string_view> result;
  for (const Unit& candidate : table.units) {
    if (!candidate.preferred) continue;
    const std::string name = loose(candidate.name);
    const auto completes = [&](std::string_view end) { return name == wanted + std::string(end); };
    const bool complete = std::any_of(table.forgotten.begin(), table.forgotten.end(), completes);
    if (name == wanted || complete) result.push_back(candidate.name);
  }
  keep_exact(result, unit);
  return result;
}

/// `64 kB = 64000 B`.
std::string reading(UnitKind kind, std::string_view number, std::string_view unit) {
  const std::string text = fmt::format("{} {}", number, unit);
  const std::string_view base = unit_table(kind).units.front().name;
  const Parsed<std::int64_t> count = parse_quantity(kind, text);
  // A duration is read as such: in picoseconds it would be no clearer.
  if (!count || unit == base || kind == UnitKind::time) return text;
  return fmt::format("{} = {} {}", text, *count, base);
}

std::string readings(UnitKind kind, std::string_view number,
                     const std::vector<std::string_view>& units) {
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    text += i == 0 ? "" : i + 1 == units.size() ? " or " : ", ";
    text += reading(kind, number, units[i]);
  }
  return text;
}

std::string all_units(const UnitTable& table) {
  std::string text;
  for (const Unit& unit : table.units) {
    if (!unit.preferred) continue;
    if (!text.empty()) text += ", ";
    text += unit.name;
  }
  return text;
}

}  // namespace

std::string explain_unit(UnitKind kind, std::string_view number, std::string_view unit) {
  const UnitTable& table = unit_table(kind);
  const std::string noun = unit_noun(kind);
  if (number.empty() && unit.starts_with('-')) return noun + "; it cannot be negative";
  if (number.empty() || !starts_unit(unit)) {
    return noun + ": a decimal number, one blank or none, and a unit";
  }
  number = number.substr(0, kMaxQuoted);
  if (unit.empty()) {
    std::vector<std::string_view> usual(table.usual_units.begin(), table.usual_units.end());
    std::erase(usual, "");
    return fmt::format("{} with its unit; {} could be {}", noun, number,
                       readings(kind, number, usual));
  }
  const std::vector<std::string_view> meant = meant_units(table, unit);
  const std::string found = fmt::format("{} {}", number, unit.substr(0, kMaxQuoted));
  if (meant.empty()) return fmt::format("{} in one of the units {}", noun, all_units(table));
  const char* verb = meant.size() == 1 ? "may mean" : "could be";
  return fmt::format("{}; \"{}\" {} {}", noun, found, verb, readings(kind, number, meant));
}

}  // namespace vgsim::input
