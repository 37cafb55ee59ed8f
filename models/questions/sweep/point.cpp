#include "models/questions/sweep/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "sim/engine.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostic;
using input::Diagnostics;

constexpr std::size_t kMostReasons = 8;

/// Without file and line, which depend on the location of the file.
std::string in_words(const Diagnostic& diagnostic) {
  std::string text = fmt::format("{}: {}", diagnostic.code, diagnostic.message);
  if (!diagnostic.pointer.empty()) text += fmt::format(" at {}", diagnostic.pointer);
  if (!diagnostic.expected.empty()) text += fmt::format("; expected {}", diagnostic.expected);
  return text;
}

std::vector<std::string> reasons_of(const Diagnostics& diagnostics) {
  std::vector<std::string> reasons;
  for (const Diagnostic& each : diagnostics.items()) {
    if (each.severity != input::Severity::error) continue;
    if (reasons.size() == kMostReasons) break;
    reasons.push_back(in_words(each));
  }
  return reasons;
}

std::vector<std::string> rules_of(const LayoutResult& layout) {
  std::vector<std::string> rules;
  for (const Warning& warning : layout.warnings) {
    if (std::find(rules.begin(), rules.end(), warning.rule) == rules.end()) {
      rules.push_back(warning.rule);
    }
  }
  return rules;
}

std::vector<Metric> wanted(std::vector<Metric> metrics, const std::vector<std::string>& names) {
  if (names.empty()) return metrics;
  std::vector<Metric> kept;
  for (const std::string& name : names) {
    const auto found = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const Metric& metric) { return metric.name == name; });
    if (found != metrics.end()) kept.push_back(*found);
  }
  return kept;
}

void fail(PointResult& result, PointFailure failure, std::vector<std::string> reasons) {
  result.layouts.clear();
  result.failure = failure;
  result.reasons = std::move(reasons);
}

/// The time near the end of a training at which a failure repeats most work.
SimTime worst_failure(double training_s, const Checkpoints& checkpoints) {
  constexpr double kNearTheEnd = 0.999;
  const auto end = static_cast<std::int64_t>(training_s * kNearTheEnd * 1e12);
  const std::int64_t every = checkpoints.every.count();
  const std::int64_t beside = (checkpoints.save - checkpoints.stop).count();
  if (every == 0 || end < beside + every) return SimTime{end};
  constexpr std::int64_t kMillisecond = 1'000'000'000;  // the resolution of the setting
  return SimTime{(end - beside) / every * every + beside - kMillisecond};
}

/// A machine of the job on each of its first hosts.
std::vector<std::string> first_vms(const PreparedLayout& layout, std::int64_t count) {
  const Cluster& cluster = *layout.placement.cluster;
  std::set<std::size_t> hosts;
  std::vector<std::string> vms;
  for (const JobMachine& machine : layout.placement.job.machines) {
    const Machine& own = cluster.machines[machine.machine];
    if (static_cast<std::int64_t>(vms.size()) == count || !hosts.insert(own.host).second) continue;
    vms.push_back(own.name);
  }
  return vms;
}

std::string escaped(const std::string& token) {
  std::string result;
  for (const char c : token) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

/// Failures of hosts in each layout, as settings of the scenario.
std::vector<Override> failures(const PreparedScenario& prepared, const ScenarioResult& ran,
                               std::int64_t count) {
  std::vector<Override> set;
  for (std::size_t l = 0; l < prepared.layouts.size(); ++l) {
    const PreparedLayout& layout = prepared.layouts[l];
    if (!ran.layouts[l].training || layout.placement.layout->vms.empty()) continue;
    const SimTime at =
        worst_failure(ran.layouts[l].training->training_s,
                      checkpoints_of(layout.placement.layout->job->training.checkpoints));
    nlohmann::json list = nlohmann::json::array();
    for (const std::string& vm : first_vms(layout, count)) {
      list.push_back(
          {{"kind", "host_failure"}, {"vm", vm}, {"at", fmt::format("{:.3f} s", to_seconds(at))}});
    }
    const std::string place =
        prepared.layouts.size() > 1
            ? fmt::format("/layouts/{}/disruptions", escaped(layout.placement.layout->name))
            : std::string("/disruptions");
    if (auto change = read_override(place + "=" + list.dump())) set.push_back(std::move(*change));
  }
  return set;
}

void simulate(const Sweep& sweep, const Document& base, const Library& library,
              const input::FileLoader& load, const RunSettings& settings,
              const PreparedScenario* like, std::uint64_t draws, std::int64_t hosts_down,
              PointResult& result) {
  Diagnostics diagnostics;
  const Document document = with_overrides(base, result.set, diagnostics);
  if (diagnostics.has_errors()) {
    return fail(result, PointFailure::kInput, reasons_of(diagnostics));
  }
  auto prepared = prepare_scenario(document, library, load, settings, like);
  if (!prepared) return fail(result, PointFailure::kInput, reasons_of(prepared.error()));
  ScenarioResult ran = run(*prepared, settings);
  bool survives = true;
  if (hosts_down > 0) {
    const Document failing =
        with_overrides(document, failures(*prepared, ran, hosts_down), diagnostics);
    if (diagnostics.has_errors()) {
      return fail(result, PointFailure::kInput, reasons_of(diagnostics));
    }
    auto restarted = prepare_scenario(failing, library, load, settings, &*prepared);
    survives = restarted.has_value();  // HA may not restart VMs with these devices
    if (survives) {
      prepared = std::move(restarted);
      ran = run(*prepared, settings);
    }
  }
  if (draws > 0) add_intervals(*prepared, library, load, settings, draws, ran);
  for (const LayoutResult& layout : ran.layouts) {
    result.layouts.push_back({layout.name, layout.refused,
                              wanted(metrics_of(layout), sweep.metrics), rules_of(layout),
                              layout.fingerprint});
    if (draws > 0 && !layout.refused)
      result.layouts.back().time = {compared_time(layout), layout.drawn_s};
    if (!survives || (hosts_down > 0 && layout.is_bare_metal())) {
      result.layouts.back().rules.emplace_back("no-restart-after-failure");
    }
  }
}

}  // namespace

const char* to_string(PointFailure failure) {
  switch (failure) {
    case PointFailure::kInput:
      return "input";
    case PointFailure::kLimit:
      return "limit";
    case PointFailure::kInternal:
      return "internal";
  }
  return "";
}

void add_differences(const PointResult& reference, PointResult& point) {
  for (PointLayout& layout : point.layouts) {
    const auto same = std::ranges::find(reference.layouts, layout.name, &PointLayout::name);
    if (same == reference.layouts.end()) continue;
    layout.difference = relative_time(same->time, layout.time);
    if (!layout.difference) continue;
    const auto add = [&](const char* name, double value) {
      layout.metrics.push_back({name, name, MetricUnit::kShare, Better::kNeither, value, {}, {}});
    };
    add("more_than_first", layout.difference->more);
    add("more_than_first_low", layout.difference->low);
    add("more_than_first_high", layout.difference->high);
  }
}

std::optional<PreparedScenario> prepare_base(const Document& base, const Library& library,
                                             const input::FileLoader& load,
                                             const RunSettings& settings) {
  RunSettings noting = settings;
  noting.note_inputs = true;
  try {
    if (auto prepared = prepare_scenario(base, library, load, noting)) return std::move(*prepared);
  } catch (const OverflowError&) {
  } catch (const LimitExceeded&) {
  }
  return std::nullopt;
}

PointResult run_point(const Sweep& sweep, const Document& base, std::uint64_t index,
                      const Library& library, const input::FileLoader& load,
                      const RunSettings& settings, const PreparedScenario* like,
                      std::uint64_t draws, std::int64_t hosts_down) {
  PointResult result;
  result.set = overrides_of(sweep, index);
  const auto limit = [&result](const std::string& why) {
    fail(result, PointFailure::kLimit, {why});
  };
  try {
    simulate(sweep, base, library, load, settings, like, draws, hosts_down, result);
  } catch (const OverflowError& error) {
    limit(fmt::format("a quantity is too large to simulate: {}", error.what()));
  } catch (const LimitExceeded& error) {
    limit(error.what());
  } catch (const Stalled& error) {
    limit(fmt::format("the job never ends: from {} on it waits for links without capacity",
                      input::format_time(error.at())));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(result, PointFailure::kInternal, {error.what()});
  }
  return result;
}

}  // namespace vgsim::scenario
