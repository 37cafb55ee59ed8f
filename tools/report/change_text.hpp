#pragma once

#include <string>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/deciding.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::report {

/// The time that a change saves: "42 % less time, 2.5 h", with the time of the whole training
/// if both have the same length. `before`: the layout without the change.
[[nodiscard]] std::string gain_words(const scenario::TriedChange& tried,
                                     const scenario::LayoutResult& before);

/// The change with its gain: "connectx-7-ndr-400g instead of ...: 42 % less time, 2.5 h".
[[nodiscard]] std::string change_sentence(const scenario::TriedChange& tried,
                                          const scenario::LayoutResult& before);

/// That none of `tried` changes helps.
[[nodiscard]] std::string no_help_words(std::size_t tried);

/// The effect if an assumption does not hold: "34 % more time", "2.4 x the time".
[[nodiscard]] std::string price_words(const scenario::TriedChange& assumption);

/// The assumption with its effect: "NIC rate, taken as 100 Gbit/s; if it is 400 Gbit/s: 42 %
/// less time".
[[nodiscard]] std::string assumption_sentence(const scenario::TriedChange& assumption);

/// Assumptions left out in a large job, and the command that computes their effects.
[[nodiscard]] std::string unpriced_words(const std::vector<std::string>& assumptions,
                                         const std::string& command);

/// "one host and all of them: interval 34 % narrower; MEASURE".
[[nodiscard]] std::string worth_measuring_words(const scenario::WorthMeasuring& each);

/// "vgpu or passthrough: measure a step on one GPU: interval of the difference 40 % narrower;
/// MEASURE": the measurement that helps most, from the longest sentence to the shortest.
[[nodiscard]] std::vector<std::string> deciding_words(const scenario::UndecidedLayout& undecided,
                                                      const scenario::ScenarioResult& result);

}  // namespace vgsim::report
