#pragma once

#include <string>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::report {

/// What a change saves: "42 % less time, 2.5 h", with the time of the whole training where as much
/// is trained. `before`: the layout without it.
[[nodiscard]] std::string gain_words(const scenario::TriedChange& tried,
                                     const scenario::LayoutResult& before);

/// The change and what it saves: "connectx-7-ndr-400g instead of ...: 42 % less time, 2.5 h".
[[nodiscard]] std::string change_sentence(const scenario::TriedChange& tried,
                                          const scenario::LayoutResult& before);

/// That none of so many changes helps.
[[nodiscard]] std::string no_help_words(std::size_t tried);

/// How the time would change if what was assumed is otherwise: "34 % more time", "2.4 x the time".
[[nodiscard]] std::string price_words(const scenario::TriedChange& assumption);

/// The assumption and its price: "NIC rate, taken as 100 Gbit/s; if it is 400 Gbit/s: 42 % less
/// time".
[[nodiscard]] std::string assumption_sentence(const scenario::TriedChange& assumption);

/// Which assumptions are left out for the size of the job, and the command that prices them.
[[nodiscard]] std::string unpriced_words(const std::vector<std::string>& assumptions,
                                         const std::string& command);

/// "one host and all of them: interval 34 % narrower; MEASURE".
[[nodiscard]] std::string worth_measuring_words(const scenario::WorthMeasuring& each);

}  // namespace vgsim::report
