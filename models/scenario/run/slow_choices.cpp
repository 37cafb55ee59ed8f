#include "models/scenario/run/slow_choices.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Choice;

/// Least relative loss of a reported choice: above the model error at most sizes
/// (tests/cases/bars.json).
constexpr double kClearlySlower = 1.2;
/// Largest relative difference between NCCL's estimates: with larger ones small changes do not
/// affect its choice.
constexpr double kNear = 1.5;
/// Least loss as a share of an iteration, without overlap.
constexpr double kWorthTelling = 0.02;

struct Estimate {
  Choice choice;
  SimTime here{};  ///< by this model; choice.chosen.us is NCCL's estimate
};

/// NCCL's choice, and the fastest one.
struct SlowChoice {
  Bytes size{};
  std::size_t calls = 0;
  Estimate taken;
  Estimate fastest;

  [[nodiscard]] SimTime lost() const {
    return (taken.here - fastest.here) * static_cast<std::int64_t>(calls);
  }
};

std::string words(const Choice& choice) {
  return fmt::format("{} {}", collectives::nccl::to_string(choice.chosen.algorithm),
                     collectives::nccl::to_string(choice.chosen.protocol));
}

std::string words(const Estimate& estimate) {
  return fmt::format("{} ({:.4g} us by NCCL's estimate, {:.4g} us by this model)",
                     words(estimate.choice), estimate.choice.chosen.us,
                     to_seconds(estimate.here) * 1e6);
}

std::optional<SlowChoice> slow_choice(collectives::Collective collective, Bytes size,
                                      std::size_t calls, const collectives::Chooser& chooser,
                                      collectives::Lowering& lowering) {
  std::optional<SlowChoice> found;
  for (const Choice& choice : chooser.choices(collective, size)) {
    if (found && choice.chosen.us > kNear * found->taken.choice.chosen.us) break;
    const Estimate estimate{choice, lowering.alone(collective, size, choice)};
    if (!found) found = SlowChoice{size, calls, estimate, estimate};
    if (estimate.here < found->fastest.here) found->fastest = estimate;
  }
  const bool is_slow =
      found && to_seconds(found->taken.here) > kClearlySlower * to_seconds(found->fastest.here);
  return is_slow ? found : std::nullopt;
}

}  // namespace

void warn_of_slow_choices(const Placement& placement, const Library& library,
                          collectives::Collective collective,
                          const std::map<Bytes, std::size_t>& calls,
                          collectives::Lowering& lowering, LayoutResult& result) {
  if (placement.job.pattern != collectives::Pattern::kNccl) return;
  const collectives::Chooser chooser(placement.ranks());
  std::optional<SlowChoice> worst;
  for (const auto& [size, times] : calls) {
    const auto found = slow_choice(collective, size, times, chooser, lowering);
    if (found && (!worst || found->lost() > worst->lost())) worst = found;
  }
  if (!worst) return;
  if (result.training &&
      to_seconds(worst->lost()) < kWorthTelling * to_seconds(result.training->iteration)) {
    return;
  }
  const vsphere::Rule& rule = library.vsphere->rules.at("nccl-choice-slower");
  std::string text =
      fmt::format("for {} of {} NCCL takes {}, not {}", collectives::to_string(collective),
                  input::format_bytes(worst->size), words(worst->taken), words(worst->fastest));
  result.warnings.push_back({rule.id, rule.verdict, std::move(text), rule.remedy,
                             rule.sources.front().url, rule.evidence});
}

}  // namespace vgsim::scenario
