#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// Lines under a title, each with a dash; empty without lines. Lines that all layouts share are
/// printed once, the others under their layout's name.
[[nodiscard]] std::string lists_text(
    const scenario::ScenarioResult& result, const char* title,
    const std::function<std::vector<std::string>(const scenario::LayoutResult&)>& list);

/// What vSphere refuses, and what the layouts cost; without the operations that VMs lose.
[[nodiscard]] std::string warnings_text(const scenario::ScenarioResult& result);

/// All findings with what to do about them.
[[nodiscard]] std::string verdicts_text(const scenario::ScenarioResult& result);

/// Which operations the VMs of each layout have, all of them; empty on bare metal.
[[nodiscard]] std::string operations_text(const scenario::ScenarioResult& result);

/// A layout that may run says so; another names the number of its refusals.
[[nodiscard]] std::string verdict_word(const scenario::LayoutResult& layout);

}  // namespace vgsim::cli
