#include "topology/inventory/topology_words.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace vgsim::topology::inventory {
namespace {

constexpr std::array kKinds = {
    std::pair{DeviceKind::kBridge, "pcie-switch"},
    std::pair{DeviceKind::kGpu, "gpu"},
    std::pair{DeviceKind::kNic, "nic"},
    std::pair{DeviceKind::kNvSwitch, "nvswitch"},
    std::pair{DeviceKind::kStorage, "storage"},
    std::pair{DeviceKind::kOther, "other"},
};

/// A whole number without sign; moves `text` behind it.
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

const char* to_word(DeviceKind kind) {
  for (const auto& [known, word] : kKinds) {
    if (known == kind) return word;
  }
  return "other";
}

std::vector<std::string> device_kind_words() {
  std::vector<std::string> words;
  for (const auto& [kind, word] : kKinds) words.emplace_back(word);
  return words;
}

DeviceKind device_kind_of(std::string_view word) {
  for (const auto& [kind, known] : kKinds) {
    if (known == word) return kind;
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
