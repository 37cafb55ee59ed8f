#include "models/questions/sweep/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/intervals.hpp"
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

void simulate(const Sweep& sweep, const Document& base, const Library& library,
              const input::FileLoader& load, const RunSettings& settings,
              const PreparedScenario* like, std::uint64_t draws, PointResult& result) {
  Diagnostics diagnostics;
  const Document document = with_overrides(base, result.set, diagnostics);
  if (diagnostics.has_errors()) {
    return fail(result, PointFailure::kInput, reasons_of(diagnostics));
  }
  const auto prepared = prepare_scenario(document, library, load, settings, like);
  if (!prepared) return fail(result, PointFailure::kInput, reasons_of(prepared.error()));
  ScenarioResult ran = run(*prepared, settings);
  if (draws > 0) add_intervals(*prepared, library, load, settings, draws, ran);
  for (const LayoutResult& layout : ran.layouts) {
    result.layouts.push_back({layout.name, layout.refused,
                              wanted(metrics_of(layout), sweep.metrics), rules_of(layout),
                              layout.fingerprint});
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
                      std::uint64_t draws) {
  PointResult result;
  result.set = overrides_of(sweep, index);
  const auto limit = [&result](const std::string& why) {
    fail(result, PointFailure::kLimit, {why});
  };
  try {
    simulate(sweep, base, library, load, settings, like, draws, result);
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
