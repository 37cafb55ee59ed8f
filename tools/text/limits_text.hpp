#pragma once

#include <string>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::text {

using scenario::Limit;
using scenario::limit_of;

/// What holds a layout back, in one sentence, as limit_of() decides: a link, the GPUs, latency,
/// other stages.
[[nodiscard]] std::string held_back_text(const scenario::LayoutResult& layout);

/// "nic 78 %"; "latency" where it has no share.
[[nodiscard]] std::string limit_words(const Limit& limit);

/// The same when one kind of link is infinitely fast; empty where that was not found out.
[[nodiscard]] std::string next_limit_text(const scenario::LayoutResult& layout);

}  // namespace vgsim::text
