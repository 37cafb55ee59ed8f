#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace vgsim::generated {

/// What is left of a value when members and elements are taken away, and numbers and ranges made
/// smaller, as long as `still` holds of it, in so many tries at most. Large parts go first.
[[nodiscard]] nlohmann::ordered_json shrunk(
    nlohmann::ordered_json value, std::size_t tries,
    const std::function<bool(const nlohmann::ordered_json&)>& still);

}  // namespace vgsim::generated
