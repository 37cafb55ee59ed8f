#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kLastGeneration = 6;

class LinkReader {
 public:
  LinkReader(const SmiGpuFacts& facts, const inventory::Device& device, FileNotes& notes)
      : facts_(facts), name_(name_in_messages(device)), notes_(notes) {}

  std::optional<std::int64_t> generation(SmiFact fact) {
    const auto value = whole_number(facts_.text(fact), 1, kLastGeneration);
    if (!value && facts_.find(fact) != nullptr) odd(fact, "A PCIe generation cannot be read");
    return value;
  }

  /// 16 of "16x" or "16".
  std::optional<std::int64_t> lanes(SmiFact fact) {
    constexpr std::array<std::int64_t, 7> kWidths = {1, 2, 4, 8, 12, 16, 32};
    if (facts_.find(fact) == nullptr) return std::nullopt;
    std::string_view text = facts_.text(fact);
    if (text.ends_with("x")) text.remove_suffix(1);
    const auto value = whole_number(text, 1, 32);
    if (value && std::ranges::find(kWidths, *value) != kWidths.end()) return value;
    odd(fact, "A PCIe link width cannot be read");
    return std::nullopt;
  }

  std::optional<std::int64_t> best_generation(std::optional<std::int64_t> now) {
    auto best = generation(SmiFact::kMaxGeneration);
    if (!best) return std::nullopt;
    if (const auto device = generation(SmiFact::kDeviceMaxGeneration)) {
      best = std::min(*best, *device);
    }
    const auto host = generation(SmiFact::kHostMaxGeneration);
    if (host && now && *host < *now) {
      odd(SmiFact::kHostMaxGeneration,
          "The stated root port is slower than the running link and is ignored");
    } else if (host) {
      best = std::min(*best, *host);
    }
    return best;
  }

  void odd(SmiFact fact, const char* what) {
    notes_.warn(import_codes::kOddValue, facts_.find(fact)->where, what, name_);
  }

 private:
  const SmiGpuFacts& facts_;
  std::string name_;
  FileNotes& notes_;
};

}  // namespace

void add_smi_pcie_link(const SmiGpuFacts& facts, inventory::Device& device, FileNotes& notes) {
  LinkReader reader(facts, device, notes);
  const auto generation = reader.generation(SmiFact::kGeneration);
  const auto lanes = reader.lanes(SmiFact::kWidth);
  if (generation && lanes) device.link_now = notes.stated(PcieWidth{*generation, *lanes});
  const auto best_generation = reader.best_generation(generation);
  const auto most_lanes = reader.lanes(SmiFact::kMaxWidth);
  if (!best_generation || !most_lanes) return;
  device.link = notes.stated(PcieWidth{*best_generation, *most_lanes});
}

}  // namespace vgsim::topology
