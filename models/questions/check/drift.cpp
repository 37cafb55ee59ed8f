#include "models/questions/check/drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "models/questions/check/change_words.hpp"

namespace vgsim::scenario {
namespace {

/// Times are exact on all machines; this tolerates the last digits of doubles.
constexpr double kSame = 1e-9;

bool moved(double before, double now, double tolerance) {
  const double apart = std::fabs(now - before);
  const double scale = std::max(std::fabs(before), std::fabs(now));
  return apart > std::max(tolerance * std::fabs(before), kSame * scale);
}

std::vector<std::string> missing_from(const std::vector<std::string>& all,
                                      const std::vector<std::string>& from) {
  std::vector<std::string> missing;
  std::set_difference(from.begin(), from.end(), all.begin(), all.end(),
                      std::back_inserter(missing));
  return missing;
}

/// Compares one layout with its baseline.
class LayoutDrift {
 public:
  LayoutDrift(const LayoutFigures& layout, const BaselineLayout& before, const BaselineLayout& now,
              const Tolerances& tolerances, Drift& drift)
      : layout_(layout), before_(before), now_(now), tolerances_(tolerances), drift_(drift) {}

  void compare() {
    const std::size_t at_first = drift_.findings.size();
    compare_refusal();
    compare_rules();
    if (before_.refused || now_.refused) return;
    if (before_.bottleneck != now_.bottleneck) {
      add(FindingKind::kDrift, "bottleneck", before_.bottleneck, now_.bottleneck);
    }
    for (const Metric& metric : layout_.metrics) compare_figure(metric);
    for (const auto& [name, value] : before_.figures) {
      if (!now_.figures.contains(name)) {
        add(FindingKind::kDrift, name, fmt::format("{:g}", value), "missing");
      }
    }
    const bool no_figure_moved = drift_.findings.size() == at_first;
    if (tolerances_.fallback == 0.0 && no_figure_moved && before_.fingerprint != now_.fingerprint) {
      add(FindingKind::kDrift, "result", "", "results other than figures have changed");
    }
  }

 private:
  void compare_refusal() {
    if (before_.refused == now_.refused) return;
    add(FindingKind::kDrift, "refused", before_.refused ? "true" : "false",
        now_.refused ? fmt::format("true, by {}", fmt::join(layout_.refused_by, ", ")) : "false");
  }

  void compare_rules() {
    for (const std::string& rule : missing_from(before_.rules, now_.rules)) {
      add(FindingKind::kDrift, "rule", "",
          fmt::format("{} applies, and did not in the baseline", rule));
    }
    for (const std::string& rule : missing_from(now_.rules, before_.rules)) {
      add(FindingKind::kDrift, "rule", "",
          fmt::format("{} applied in the baseline, and no longer does", rule));
    }
  }

  void compare_figure(const Metric& metric) {
    const double now = now_.figures.at(metric.name);
    const auto earlier = before_.figures.find(metric.name);
    if (earlier == before_.figures.end()) {
      return add(FindingKind::kNote, metric.name, "", in_words(now, metric.unit),
                 "not in the baseline");
    }
    ++drift_.figures;
    if (compare_values(metric, metric.name, earlier->second, now)) return;
    const auto then = before_.intervals.find(metric.name);
    const auto today = now_.intervals.find(metric.name);
    if (then == before_.intervals.end() || today == now_.intervals.end()) return;
    compare_values(metric, metric.name + ", low end", then->second.first, today->second.first);
    compare_values(metric, metric.name + ", high end", then->second.second, today->second.second);
  }

  bool compare_values(const Metric& metric, const std::string& name, double before, double now) {
    if (!moved(before, now, tolerances_.of(metric.name))) return false;
    const auto words = both_in_words(before, now, metric.unit);
    add(FindingKind::kDrift, name, words.first, words.second,
        change_in_words(before, now, metric.unit), before == 0.0 ? 0.0 : now / before - 1);
    return true;
  }

  void add(FindingKind kind, std::string figure, std::string expected, std::string found,
           std::string words = {}, double change = 0.0) {
    drift_.findings.push_back({kind,
                               layout_.name,
                               std::move(figure),
                               std::move(expected),
                               std::move(found),
                               std::move(words),
                               change,
                               {},
                               {}});
  }

  const LayoutFigures& layout_;
  const BaselineLayout& before_;
  const BaselineLayout& now_;
  const Tolerances& tolerances_;
  Drift& drift_;
};

using Texts = std::map<std::string, std::string>;

std::vector<InputChange> changes_between(const Texts& before, const Texts& now) {
  std::vector<InputChange> changes;
  for (const auto& [name, value] : before) {
    const auto same = now.find(name);
    const std::string today = same == now.end() ? "" : same->second;
    if (today != value) changes.push_back({name, value, today});
  }
  for (const auto& [name, value] : now) {
    if (!before.contains(name)) changes.push_back({name, "", value});
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

/// Whether there are values at a pointer or below it.
bool has_any(const Texts& values, const std::string& pointer) {
  if (values.contains(pointer)) return true;
  const auto below = values.lower_bound(pointer + "/");
  return below != values.end() && below->first.starts_with(pointer + "/");
}

/// The topmost key of a pointer that the other document does not have.
std::string top_of(const std::string& pointer, const Texts& others) {
  for (std::size_t end = pointer.find('/', 1); end != pointer.npos;
       end = pointer.find('/', end + 1)) {
    if (!has_any(others, pointer.substr(0, end))) return pointer.substr(0, end);
  }
  return pointer;
}

/// Merges added or removed subtrees.
std::vector<InputChange> changed_keys(const Texts& before, const Texts& now) {
  std::vector<InputChange> keys;
  for (InputChange& change : changes_between(before, now)) {
    if (before.contains(change.name) && now.contains(change.name)) {
      keys.push_back(std::move(change));
      continue;
    }
    const bool is_new = !before.contains(change.name);
    const std::string top = top_of(change.name, is_new ? before : now);
    const std::string value =
        top == change.name ? (is_new ? change.now : change.before) : std::string("{...}");
    keys.push_back({top, is_new ? "" : value, is_new ? value : ""});
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

std::string message_of(const InputChange& change) {
  if (change.before.empty()) {
    return fmt::format("{} {}, not used before", change.name, change.now);
  }
  if (change.now.empty()) {
    return fmt::format("{} {}, no longer used", change.name, change.before);
  }
  return fmt::format("{} {} -> {}", change.name, change.before, change.now);
}

std::string key_message_of(const InputChange& change) {
  if (change.before.empty()) return fmt::format("{} {}, new", change.name, change.now);
  if (change.now.empty()) return fmt::format("{} {}, removed", change.name, change.before);
  return fmt::format("{} {} -> {}", change.name, change.before, change.now);
}

Drift drift_of(const Baseline& before, const Baseline& now,
               const std::vector<LayoutFigures>& layouts, const Tolerances& tolerances) {
  Drift drift;
  drift.scenario_changed = before.document != now.document;
  drift.inputs = changes_between(before.inputs, now.inputs);
  if (!before.values.empty()) drift.keys = changed_keys(before.values, now.values);
  for (const LayoutFigures& layout : layouts) {
    const auto earlier = before.layouts.find(layout.name);
    if (earlier == before.layouts.end()) {
      drift.findings.push_back(
          {FindingKind::kDrift, layout.name, "layout", "", "not in the baseline", "", 0.0, {}, {}});
    } else {
      LayoutDrift(layout, earlier->second, now.layouts.at(layout.name), tolerances, drift)
          .compare();
    }
  }
  for (const auto& [name, layout] : before.layouts) {
    if (now.layouts.contains(name)) continue;
    drift.findings.push_back({FindingKind::kDrift,
                              name,
                              "layout",
                              "",
                              "in the baseline, but not in the scenario",
                              "",
                              0.0,
                              {},
                              {}});
  }
  return drift;
}

}  // namespace vgsim::scenario
