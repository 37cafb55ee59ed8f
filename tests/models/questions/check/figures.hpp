#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/questions/check/layout_figures.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::test {

inline input::Value parsed(const std::string& json) {
  return *input::read_json(input::make_source("scenario.json", json));
}

inline scenario::Metric seconds(const std::string& name, double value) {
  return {
      name,         name,        scenario::MetricUnit::kSeconds, scenario::Better::kLower, value,
      std::nullopt, std::nullopt};
}

inline scenario::Metric rate(const std::string& name, double value) {
  return {
      name,         name,        scenario::MetricUnit::kPerSecond, scenario::Better::kHigher, value,
      std::nullopt, std::nullopt};
}

inline scenario::Metric share(const std::string& name, double value) {
  return {name,         name,        scenario::MetricUnit::kShare, scenario::Better::kHigher, value,
          std::nullopt, std::nullopt};
}

/// A training layout: 100 samples in each iteration.
inline scenario::LayoutFigures training(const std::string& name, double iteration_s) {
  return {name,
          false,
          {},
          {"nic-other-root"},
          "nic",
          "1",
          {seconds("iteration_time_s", iteration_s), rate("samples_per_s", 100 / iteration_s),
           share("scaling_efficiency", 0.5)}};
}

inline scenario::LayoutFigures refused(const std::string& name, const std::string& rule) {
  return {name, true, {rule}, {rule}, "", "", {}};
}

}  // namespace vgsim::test
