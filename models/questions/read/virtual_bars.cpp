#include "models/questions/read/virtual_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "topology/input/json_reader.hpp"
#include "topology/input/record.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

constexpr std::int64_t kMostNotRun = 1'000'000;

struct VirtualBarKeys {
  Value format;
  std::vector<Named<TrainingLimits>> kinds;
  double in_order = 0;
  std::int64_t not_run = 0;
};

const Decoder<VirtualBarKeys>& virtual_bars() {
  using Keys = VirtualBarKeys;
  static const Decoder<Keys> decoder = record<Keys>({
      key("format", &Keys::format, as_written(enum_shape({kVirtualBarsFormat}))).required(),
      key("kinds", &Keys::kinds, named("kind of case", error_limits())).required(),
      key("in_order", &Keys::in_order, number(0, 1))
          .describe("least share of alternatives that differ by more than the noise whose order is "
                    "predicted")
          .default_value("0.0"),
      key("not_run", &Keys::not_run, count(0, kMostNotRun))
          .describe("points that may fail to run")
          .default_value("0"),
  });
  return decoder;
}

/// Two values whose difference is more than the noise of both.
bool differ(double a, double b, double noise) {
  return std::abs(a - b) > 2 * noise * std::min(std::abs(a), std::abs(b));
}

void compare_alternatives(const VirtualCase& measured, const VirtualSeries& series,
                          const std::vector<VirtualScore>& scores, VirtualErrors& errors) {
  for (std::size_t a = 0; a < series.points.size(); ++a) {
    for (std::size_t b = a + 1; b < series.points.size(); ++b) {
      const auto& one = series.points[a].value;
      const auto& other = series.points[b].value;
      if (!one || !other || !scores[a].predicted || !scores[b].predicted) continue;
      if (!differ(*one, *other, measured.noise)) continue;
      ++errors.pairs;
      if ((*one < *other) == (*scores[a].predicted < *scores[b].predicted)) ++errors.in_order;
    }
  }
}

std::vector<double> absolute(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  return errors;
}

}  // namespace

std::vector<VirtualErrors> errors_of(
    const std::vector<VirtualCase>& cases,
    const std::vector<std::vector<std::vector<VirtualScore>>>& scores) {
  std::map<std::string, VirtualErrors> by_kind;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    VirtualErrors& errors = by_kind[cases[c].kind];
    errors.kind = cases[c].kind;
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      const VirtualSeries& series = cases[c].series[s];
      compare_alternatives(cases[c], series, scores[c][s], errors);
      for (std::size_t p = 0; p < series.points.size(); ++p) {
        const VirtualPoint& point = series.points[p];
        const VirtualScore& score = scores[c][s][p];
        if (!point.value || point.given || !point.left_out.empty()) continue;
        const auto error = VirtualScore::error(point, score.predicted);
        if (error) {
          errors.errors.push_back(*error);
        } else {
          ++errors.not_run;
        }
        const auto null_error = VirtualScore::error(point, null_of(cases[c], series, point));
        if (null_error) errors.null_errors.push_back(*null_error);
      }
    }
  }
  std::vector<VirtualErrors> result;
  for (auto& [kind, errors] : by_kind) result.push_back(std::move(errors));
  return result;
}

Shape virtual_bars_shape() { return virtual_bars().shape; }

tl::expected<VirtualBars, Diagnostics> read_virtual_bars(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, virtual_bars().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  VirtualBarKeys read = virtual_bars().read(*document, diagnostics);
  return VirtualBars{std::move(read.kinds), read.in_order, static_cast<std::size_t>(read.not_run)};
}

std::vector<std::string> missed_virtual_bars(const std::vector<VirtualErrors>& errors,
                                             const VirtualBars& bars) {
  std::vector<std::string> missed;
  for (const Named<TrainingLimits>& limits : bars.kinds) {
    const auto found = std::find_if(errors.begin(), errors.end(), [&](const VirtualErrors& each) {
      return each.kind == limits.name;
    });
    judge_errors(limits.name, found == errors.end() ? std::vector<double>{} : found->errors,
                 *limits, missed);
    if (found == errors.end()) continue;
    judge_null(limits.name, absolute(found->errors), absolute(found->null_errors), *limits, missed);
  }
  std::size_t not_run = 0;
  std::size_t pairs = 0;
  std::size_t in_order = 0;
  for (const VirtualErrors& each : errors) {
    not_run += each.not_run;
    pairs += each.pairs;
    in_order += each.in_order;
  }
  if (pairs > 0 && static_cast<double>(in_order) < bars.in_order * static_cast<double>(pairs)) {
    missed.push_back(fmt::format("{} of {} alternatives are in order, for {:.4g} % at least",
                                 in_order, pairs, 100 * bars.in_order));
  }
  if (not_run > bars.not_run) {
    missed.push_back(
        fmt::format("{} points could not be run, for {} at most", not_run, bars.not_run));
  }
  return missed;
}

}  // namespace vgsim::scenario
