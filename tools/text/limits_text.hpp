#pragma once

#include <string>

#include "models/scenario/run/result.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {

/// What holds a layout back, in one sentence: a link, the GPUs, latency, other stages. Shares are
/// written by `share_text`.
[[nodiscard]] std::string held_back_text(const scenario::LayoutResult& layout,
                                         std::string (*share_text)(double) = &percent);

/// The same in two words, for tables: "nic" and 78 %, "GPUs" and 96 %.
struct Limit {
  std::string what;
  double share = 0.0;  ///< 0: nothing takes a share worth naming
};
[[nodiscard]] Limit limit_of(const scenario::LayoutResult& layout);

/// "nic 78 %"; "latency" where it has no share.
[[nodiscard]] std::string limit_words(const Limit& limit);

/// The same when one kind of link is infinitely fast; empty where that was not found out.
[[nodiscard]] std::string next_limit_text(const scenario::LayoutResult& layout);

/// For each layout: the link that holds it back, its rings, what would limit next and the busiest
/// links. A layout that ran exactly as the first one is said to be the same.
[[nodiscard]] std::string limits_text(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
