#include "topology/machine/topology_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace vgsim::topology::inventory {
namespace {

struct KindWords {
  DeviceKind kind;
  const char* word;
  const char* name;       ///< of devices that are counted
  const char* pci_class;  ///< the usual one
};

constexpr std::array<KindWords, 6> kKinds = {{
    {DeviceKind::kBridge, "pcie-switch", "switch", "060400"},
    {DeviceKind::kGpu, "gpu", "gpu", "030200"},
    {DeviceKind::kNic, "nic", "nic", "020000"},
    {DeviceKind::kNvSwitch, "nvswitch", "nvswitch", "068000"},
    {DeviceKind::kStorage, "storage", "storage", ""},
    {DeviceKind::kOther, "other", "device", ""},
}};

const KindWords& words_of(DeviceKind kind) {
  const auto known = std::ranges::find(kKinds, kind, &KindWords::kind);
  return known == kKinds.end() ? kKinds.back() : *known;
}

/// Parses a whole number without sign and advances `text` past it.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || text.starts_with('-')) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

const char* to_word(DeviceKind kind) { return words_of(kind).word; }
const char* name_word(DeviceKind kind) { return words_of(kind).name; }
const char* usual_pci_class(DeviceKind kind) { return words_of(kind).pci_class; }

std::vector<std::string> device_kind_words() {
  std::vector<std::string> words;
  for (const KindWords& each : kKinds) words.emplace_back(each.word);
  return words;
}

DeviceKind device_kind_of(std::string_view word) {
  for (const KindWords& each : kKinds) {
    if (each.word == word) return each.kind;
  }
  throw std::logic_error(fmt::format("no kind of device \"{}\"", word));
}

std::string to_text(PcieWidth width) {
  return fmt::format("Gen{} x{}", width.generation, width.lanes);
}

std::optional<PcieWidth> parse_pcie_width(std::string_view text) {
  if (!take(text, "Gen")) return std::nullopt;
  const auto generation = take_number(text);
  if (!generation || !take(text, " x")) return std::nullopt;
  const auto lanes = take_number(text);
  if (!lanes || !text.empty() || *generation < 1 || *generation > 7 || *lanes < 1 || *lanes > 32) {
    return std::nullopt;
  }
  return PcieWidth{*generation, *lanes};
}

std::string to_text(const ChosenGraph::Step& step) {
  return fmt::format("{}{}", step.is_net ? "net" : "gpu", step.dev);
}

std::optional<ChosenGraph::Step> parse_step(std::string_view text) {
  const bool is_net = take(text, "net");
  if (!is_net && !take(text, "gpu")) return std::nullopt;
  const auto dev = take_number(text);
  if (!dev || !text.empty()) return std::nullopt;
  return ChosenGraph::Step{is_net, *dev};
}

}  // namespace vgsim::topology::inventory
