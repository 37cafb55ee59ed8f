#include "tools/studio/advice_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/questions/read/advice_request.hpp"
#include "models/questions/sweep/point.hpp"
#include "models/scenario/answer/figures.hpp"
#include "sim/engine.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/studio/panel/controls.hpp"
#include "tools/studio/host_count.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::studio {
namespace {

using input::Diagnostics;
using nlohmann::ordered_json;
using scenario::Metric;

constexpr std::uint64_t kMostRuns = 400;  ///< of a larger space at most that many are simulated
constexpr std::size_t kMostVaried = 8;

std::optional<Change> change_of(const ordered_json& body) {
  const auto value = input::read_json(input::make_source(kSentName, body.dump()));
  if (!value) return std::nullopt;
  auto change = read_change(*value);
  return change ? std::optional(std::move(*change)) : std::nullopt;
}

std::string words_of(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Empty for the present value.
std::string title_of(const ordered_json& control, const std::string& words) {
  if (words == control["value"]) return {};
  return fmt::format("{} {}", control["label"].get<std::string>(), words);
}

/// The steps of a slider nearest to a quarter, half, two and four times the present value, or
/// the first step if there is none.
std::vector<std::size_t> steps_to_try(const ordered_json& control) {
  const ordered_json& steps = control["steps"];
  std::vector<double> sizes;
  double now = 0;
  for (const ordered_json& step : steps) {
    sizes.push_back(std::strtod(words_of(step).c_str(), nullptr));
    if (words_of(step) == control["value"]) now = sizes.back();
  }
  std::vector<std::size_t> picked;
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    const double wanted = (now > 0 ? now : sizes.front()) * factor;
    const auto nearest = std::min_element(sizes.begin(), sizes.end(), [&](double a, double b) {
      return std::abs(a - wanted) < std::abs(b - wanted);
    });
    const auto n = static_cast<std::size_t>(nearest - sizes.begin());
    if (picked.empty() || picked.back() < n) picked.push_back(n);
  }
  return picked;
}

std::vector<Change> steps_of(const ordered_json& control) {
  const ordered_json& steps = control["steps"];
  if (steps.empty()) return {};
  std::vector<Change> changes;
  for (const std::size_t n : steps_to_try(control)) {
    ordered_json body{{"title", title_of(control, words_of(steps[n]))}};
    if (control["id"] == "hosts") {
      body["hosts"] = steps[n];
    } else {
      body["set"] = ordered_json::array({{{"pointer", control["pointer"]}, {"value", steps[n]}}});
    }
    if (auto change = change_of(body)) changes.push_back(std::move(*change));
  }
  return changes;
}

/// The present value comes first and so wins among equally good ones. The default counts as a
/// choice if no value is set.
std::vector<Change> choices_of(const ordered_json& control) {
  std::vector<const ordered_json*> choices;
  for (const ordered_json& choice : control["choices"]) {
    const bool is_default = choice["label"] == "as by default";
    if (!is_default || control["value"] == "") choices.push_back(&choice);
  }
  const auto now = std::find_if(choices.begin(), choices.end(), [&](const ordered_json* choice) {
    return (*choice)["label"] == control["value"];
  });
  if (now != choices.end()) std::rotate(choices.begin(), now, now + 1);
  std::vector<Change> changes;
  for (const ordered_json* choice : choices) {
    ordered_json body{{"title", title_of(control, (*choice)["label"].get<std::string>())}};
    body["set"] = choice->contains("set") ? (*choice)["set"]
                                          : ordered_json::array({{{"pointer", control["pointer"]},
                                                                  {"value", (*choice)["value"]}}});
    if (auto change = change_of(body)) changes.push_back(std::move(*change));
  }
  return changes;
}

scenario::Axis axis_of(const std::vector<Change>& steps) {
  scenario::ValueSets sets;
  for (const Change& step : steps) sets.push_back(step.set);
  return {std::move(sets)};
}

/// Thrown through the search if its answer is no longer needed.
struct CutOff {};

}  // namespace

std::vector<Metric> figures_to_trade(const Studio& studio) {
  const auto& result = studio.answer().result;
  if (!result) return {};
  auto metrics = scenario::metrics_of(*result);
  std::erase_if(metrics, [](const Metric& each) {
    return each.better == scenario::Better::kNeither || !(each.value > 0);
  });
  return metrics;
}

tl::expected<AdviceSearch, std::string> AdviceSearch::make(const Studio& studio,
                                                           const SearchRequest& request) {
  std::vector<Metric> figures;
  const auto known = figures_to_trade(studio);
  for (const std::string& name : request.figures) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Metric& each) { return each.name == name; });
    if (found == known.end()) {
      return tl::unexpected(fmt::format("this answer has no figure \"{}\"", name));
    }
    figures.push_back(*found);
  }
  if (figures.size() != 2 || figures[0].name == figures[1].name) {
    return tl::unexpected(std::string("expected two different figures"));
  }
  // The number of hosts is the first axis, as in the request of `vgsim advise`.
  std::vector<std::int64_t> hosts;
  std::vector<std::vector<Change>> axes;
  for (const ordered_json& control : controls(studio.variant(), studio.library(), {})) {
    const bool wanted =
        std::find(request.vary.begin(), request.vary.end(), control["id"]) != request.vary.end();
    if (!wanted || control.contains("typed")) continue;
    auto steps = control.contains("choices") ? choices_of(control) : steps_of(control);
    // Hosts whose names do not end with a number cannot be added.
    std::erase_if(steps, [&](const Change& step) {
      Diagnostics problems;
      if (step.hosts) {
        static_cast<void>(with_host_count(studio.variant(), *step.hosts, problems));
      }
      return problems.has_errors();
    });
    if (steps.size() < 2) continue;
    if (control["id"] == "hosts") {
      for (const Change& step : steps) hosts.push_back(*step.hosts);
      axes.insert(axes.begin(), std::move(steps));
    } else {
      axes.push_back(std::move(steps));
    }
  }
  if (axes.empty() || axes.size() > kMostVaried) {
    return tl::unexpected(fmt::format("expected 1 to {} controls to vary", kMostVaried));
  }
  Diagnostics diagnostics;
  input::Value base = studio.variant();
  if (!hosts.empty()) base = with_host_count(base, hosts.back(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(input::render(diagnostics));
  AdviceSearch search(studio, scenario::Document(base));
  search.request_.hosts = hosts;
  search.request_.most_runs = kMostRuns;
  for (std::size_t n = hosts.empty() ? 0 : 1; n < axes.size(); ++n) {
    search.request_.space.grid.push_back(axis_of(axes[n]));
    search.request_.space.points *= axes[n].size();
  }
  for (const Metric& figure : figures) {
    const bool larger = figure.better == scenario::Better::kHigher;
    search.request_.objectives.push_back({figure.name, larger});
    search.request_.space.metrics.push_back(figure.name);
  }
  search.request_ = scenario::with_hosts(search.request_, search.base_, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(input::render(diagnostics));
  search.axes_ = std::move(axes);
  search.figures_ = std::move(figures);
  return search;
}

std::uint64_t AdviceSearch::most() const {
  return std::min(request_.space.points, request_.most_runs);
}

Change AdviceSearch::change_of(std::uint64_t point) const {
  std::vector<const Change*> steps;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    steps.push_back(&(*axis)[point % axis->size()]);
    point /= axis->size();
  }
  Change change;
  std::vector<std::string> titles;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!(*step)->title.empty()) titles.push_back((*step)->title);
    if ((*step)->hosts) change.hosts = (*step)->hosts;
    change.set.insert(change.set.end(), (*step)->set.begin(), (*step)->set.end());
  }
  change.title = titles.empty() ? "all as it was" : fmt::format("{}", fmt::join(titles, ", "));
  return change;
}

scenario::Candidate AdviceSearch::with_least_changed(scenario::Candidate best,
                                                     const scenario::RunSettings& settings,
                                                     scenario::ComputedParts* parts) const {
  const auto prepared = scenario::prepare_base(base_, *library_, load_, settings);
  std::uint64_t pitch = 1;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); pitch *= axis->size(), ++axis) {
    const auto now = std::find_if(axis->begin(), axis->end(),
                                  [](const Change& step) { return step.title.empty(); });
    if (now == axis->end()) continue;
    const std::uint64_t step = best.point / pitch % axis->size();
    const auto wanted = static_cast<std::uint64_t>(now - axis->begin());
    const std::uint64_t point = best.point - step * pitch + wanted * pitch;
    if (point == best.point) continue;
    const auto result = scenario::computed_part<scenario::PointResult>(parts, [&] {
      return scenario::run_point(request_.space, base_, point, *library_, load_, settings,
                                 prepared ? &*prepared : nullptr);
    });
    if (result.layouts.size() != 1 || result.layouts.front().refused) continue;
    const auto& metrics = result.layouts.front().metrics;
    const bool as_good =
        std::equal(metrics.begin(), metrics.end(), best.objectives.begin(), best.objectives.end(),
                   [](const Metric& metric, double figure) { return metric.value == figure; });
    if (as_good) best.point = point;
  }
  return best;
}

std::optional<Advised> AdviceSearch::run(const Overtaken& cut,
                                         const scenario::AdviceProgress& progress,
                                         scenario::ComputedParts* parts) const {
  scenario::RunSettings settings;
  settings.memory_limit = machine::machine_memory();
  settings.next_limit = false;
  settings.note_inputs = false;
  settings.epoch_end = false;
  settings.limits.deadline_passed = cut;
  const auto tell = [&](std::uint64_t done) {
    if (cut && cut()) throw CutOff{};
    progress(done);
  };
  try {
    const scenario::Advice advice =
        scenario::search(request_, base_, *library_, load_, settings, 0, tell, parts);
    Advised advised{figures_, {}, advice.met, advice.space, advice.simulated, advice.refused_by};
    for (const scenario::Candidate& each : advice.best) {
      if (cut && cut()) return std::nullopt;
      const auto least = with_least_changed(each, settings, parts);
      advised.best.push_back({change_of(least.point), least.objectives});
    }
    return advised;
  } catch (const CutOff&) {
    return std::nullopt;
  } catch (const scenario::Interrupted&) {
    return std::nullopt;
  }
}

}  // namespace vgsim::studio
