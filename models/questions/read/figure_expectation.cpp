#include "models/questions/read/figure_expectation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "models/questions/check/change_words.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;

constexpr double kUsualTolerance = 0.01;

std::optional<double> read(const Value& value, const Metric& metric, Diagnostics& diagnostics) {
  if (!value.is_string()) return value.number();
  const auto figure = read_figure(value.string(), metric.unit);
  if (!figure) {
    diagnostics.error(input::codes::kBadUnit.code, value.location(), value.pointer(),
                      fmt::format("cannot read \"{}\" as {}", value.string(), metric.name),
                      fmt::format("a figure such as \"{}\"", in_words(metric.value, metric.unit)));
  }
  return figure;
}

struct Tolerance {
  double figure = 0.0;
  std::string words;
};

std::optional<Tolerance> read_tolerance(const Value& expected, double value, const Metric& metric,
                                        Diagnostics& diagnostics) {
  const auto written = find(expected, "tolerance");
  if (!written) return Tolerance{kUsualTolerance * std::fabs(value), "1 %"};
  const auto share = written->is_string() ? read_percentage(written->string()) : std::nullopt;
  if (share) return Tolerance{*share * std::fabs(value), written->string()};
  const auto figure = read(*written, metric, diagnostics);
  if (!figure) return std::nullopt;
  if (*figure >= 0) return Tolerance{*figure, input::as_written(*written)};
  diagnostics.error(input::codes::kOutOfRange.code, written->location(), written->pointer(),
                    fmt::format("a tolerance of {}", input::as_written(*written)), "0 or more");
  return std::nullopt;
}

/// Compares one figure with its expectation.
class FigureJudge {
 public:
  FigureJudge(const Value& expected, const Metric& metric, Diagnostics& diagnostics)
      : expected_(expected), metric_(metric), diagnostics_(diagnostics) {}

  std::vector<Finding> judge() {
    judge_value();
    judge_limit("min", "at least", [this](double limit) { return metric_.value >= limit; });
    judge_limit("max", "at most", [this](double limit) { return metric_.value <= limit; });
    const bool says_something =
        find(expected_, "value") || find(expected_, "min") || find(expected_, "max");
    if (!says_something) {
      diagnostics_.error(input::codes::kMissingKey.code,
                         {expected_.location().source, expected_.location().offset, 1},
                         expected_.pointer(), "the expectation is empty",
                         "\"value\", \"min\" or \"max\"");
    }
    return std::move(findings_);
  }

 private:
  void judge_value() {
    const auto written = find(expected_, "value");
    if (!written) {
      if (const auto alone = find(expected_, "tolerance")) {
        diagnostics_.error(input::codes::kMissingKey.code, alone->location(), alone->pointer(),
                           "a tolerance without a value", "\"value\" next to it");
      }
      return;
    }
    const auto value = read(*written, metric_, diagnostics_);
    if (!value) return;
    const auto tolerance = read_tolerance(expected_, *value, metric_, diagnostics_);
    if (!tolerance || std::fabs(metric_.value - *value) <= tolerance->figure) return;
    const auto words = both_in_words(*value, metric_.value, metric_.unit);
    add(*written, fmt::format("{} within {}", words.first, tolerance->words), words.second, *value);
  }

  template <class Holds>
  void judge_limit(const char* key, const char* words, const Holds& holds) {
    const auto written = find(expected_, key);
    const auto limit = written ? read(*written, metric_, diagnostics_) : std::nullopt;
    if (!limit || holds(*limit)) return;
    const auto both = both_in_words(*limit, metric_.value, metric_.unit);
    add(*written, fmt::format("{} {}", words, both.first), both.second, *limit);
  }

  void add(const Value& written, std::string expected, std::string found, double than) {
    Finding finding;
    finding.figure = metric_.name;
    finding.expected = std::move(expected);
    finding.found = std::move(found);
    finding.words = change_in_words(than, metric_.value, metric_.unit);
    finding.location = written.location();
    finding.pointer = written.pointer();
    findings_.push_back(std::move(finding));
  }

  const Value& expected_;
  const Metric& metric_;
  Diagnostics& diagnostics_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> judge_figure(const Value& expected, const Metric& metric,
                                  Diagnostics& diagnostics) {
  return FigureJudge(expected, metric, diagnostics).judge();
}

}  // namespace vgsim::scenario
