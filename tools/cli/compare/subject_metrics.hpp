#pragma once

#include <string>
#include <vector>

#include "tools/cli/compare/subjects.hpp"

namespace vgsim::cli {

/// A figure of that name; nullptr where the subject has none.
[[nodiscard]] const scenario::Metric* metric_of(const Subject& subject, const std::string& name);

/// All figures that some subject has, in order.
[[nodiscard]] std::vector<scenario::Metric> all_metrics(const std::vector<Subject>& subjects);

/// Those worth a row: not 0 everywhere; of small messages the time, of large ones the bandwidth.
[[nodiscard]] std::vector<scenario::Metric> shown_metrics(const std::vector<Subject>& subjects);

/// How much of a figure there is beside the first: "same", "+12 %", "-38 %", "2.7 x"; empty where
/// one of them has none.
[[nodiscard]] std::string change_words(const scenario::Metric* before, const scenario::Metric* now);

}  // namespace vgsim::cli
