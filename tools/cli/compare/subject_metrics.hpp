#pragma once

#include <string>
#include <vector>

#include "tools/cli/compare/subjects.hpp"

namespace vgsim::cli {

/// A figure of that name; nullptr if the subject does not have it.
[[nodiscard]] const scenario::Metric* metric_of(const Subject& subject, const std::string& name);

/// All figures of any subject, in order.
[[nodiscard]] std::vector<scenario::Metric> all_metrics(const std::vector<Subject>& subjects);

/// Figures with a row: not 0 everywhere; of small messages the time, of large ones the
/// bandwidth.
[[nodiscard]] std::vector<scenario::Metric> shown_metrics(const std::vector<Subject>& subjects);

/// The change of a figure: "same", "+12 %", "-38 %", "2.7 x"; empty if one of them is missing.
[[nodiscard]] std::string change_words(const scenario::Metric* before, const scenario::Metric* now);

}  // namespace vgsim::cli
