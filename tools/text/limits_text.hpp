#pragma once

#include <string>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::text {

using scenario::Limit;
using scenario::limit_of;

/// The bottleneck of a layout by limit_of(), in one sentence: a link, the GPUs, latency, other
/// stages.
[[nodiscard]] std::string bottleneck_text(const scenario::LayoutResult& layout);

/// "nic 78 %"; "latency" where it has no share.
[[nodiscard]] std::string limit_words(const Limit& limit);

/// The bottleneck after the present one: the same run with one kind of link infinitely fast.
/// Empty if it was not computed.
[[nodiscard]] std::string next_limit_text(const scenario::LayoutResult& layout);

}  // namespace vgsim::text
