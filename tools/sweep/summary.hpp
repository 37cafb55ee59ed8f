#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "tools/sweep/point_row.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::sweep {

/// The best or worst value of a figure, and its point.
struct Extreme {
  double value = 0.0;
  std::uint64_t index = 0;
  std::string layout;
  nlohmann::ordered_json set;  ///< set values of that point, by pointer
};

struct MetricRange {
  scenario::Metric metric;  ///< its value is unused
  Extreme best;             ///< the first of equal ones
  Extreme worst;
};

/// Statistics of a store.
class Summary {
 public:
  void add(const PointRow& row);

  std::uint64_t points = 0;
  std::uint64_t failed = 0;
  std::uint64_t bugs = 0;            ///< of `failed`, internal errors
  std::uint64_t layouts = 0;         ///< results of all points
  std::uint64_t refused = 0;         ///< of them, by vSphere
  std::vector<MetricRange> metrics;  ///< that can be better or worse, in the order of results
  std::map<std::string, std::uint64_t> reasons;  ///< how many points failed, by their first reason
};

/// For people. `wanted`: figures to show, the first few of each; by default the main ones.
[[nodiscard]] std::string summary_text(const Summary& summary, const std::string& name,
                                       const std::vector<std::string>& wanted);

/// The same on one screen, the best point first.
[[nodiscard]] text::ScreenLines summary_screen(const Summary& summary, const std::string& name,
                                               const std::vector<std::string>& wanted,
                                               const text::TerminalSize& terminal);

/// `vgsim.sweep-summary/1`.
[[nodiscard]] nlohmann::ordered_json summary_json(const Summary& summary, const std::string& name);

}  // namespace vgsim::sweep
