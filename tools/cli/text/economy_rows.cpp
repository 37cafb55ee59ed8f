#include "tools/cli/text/economy_rows.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/text/figures.hpp"

namespace vgsim::cli {
namespace {

using scenario::Cost;
using scenario::Goodput;
using scenario::MetricUnit;
using scenario::TrainingResult;

template <class Has>
bool any(const scenario::ScenarioResult& result, const Has& has) {
  return std::any_of(result.layouts.begin(), result.layouts.end(),
                     [&](const auto& layout) { return layout.training && has(*layout.training); });
}

void goodput_rows(const AddTrainingRow& add) {
  using Text = std::function<std::string(const Goodput&, Known)>;
  const auto of = [&](const std::string& label, const Text& text) {
    add(label, [text](const TrainingResult& t) {
      return t.goodput ? text(*t.goodput, training_known(t)) : std::string("-");
    });
  };
  of("  with failures", [](const Goodput& g, Known known) {
    return fmt::format("{}, {:.3g} failures",
                       g.expected_s ? time_figure(*g.expected_s, known) : "never ends", g.failures);
  });
  of("  goodput", [](const Goodput& g, Known) { return whole_percent(g.share); });
  of("  best checkpoint interval", [](const Goodput& g, Known) {
    return g.best_interval_s ? time_figure(*g.best_interval_s, std::nullopt) : std::string("-");
  });
}

void cost_rows(const AddTrainingRow& add) {
  using Amount = std::function<double(const Cost&)>;
  const auto of = [&](const std::string& label, const Amount& amount) {
    add(label, [amount](const TrainingResult& t) {
      const auto& cost = t.economy.cost;
      return cost ? money_figure(amount(*cost), cost->currency, training_known(t))
                  : std::string("-");
    });
  };
  of("cost", [](const Cost& cost) { return cost.training; });
  of("  an epoch", [](const Cost& cost) { return cost.epoch; });
  for (const char* part : {"GPUs", "hosts", "licences", "energy"}) {
    of(std::string("  of it ") + part, [part = std::string(part)](const Cost& cost) {
      const auto found = cost.parts.find(part);
      return found == cost.parts.end() ? 0.0 : found->second;
    });
  }
}

}  // namespace

void economy_rows(const scenario::ScenarioResult& result, const AddTrainingRow& add) {
  if (any(result, [](const TrainingResult& t) { return t.goodput.has_value(); })) goodput_rows(add);
  add("GPU-hours", [](const TrainingResult& t) {
    return figure(t.economy.gpu_hours, MetricUnit::kHours, training_known(t));
  });
  add("energy", [](const TrainingResult& t) {
    return t.economy.energy_kwh ? figure(*t.economy.energy_kwh, MetricUnit::kKwh, training_known(t))
                                : std::string("-");
  });
  if (any(result, [](const TrainingResult& t) { return t.economy.cost.has_value(); })) {
    cost_rows(add);
  }
}

}  // namespace vgsim::cli
