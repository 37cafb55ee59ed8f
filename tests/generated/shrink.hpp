#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace vgsim::generated {

/// Removes members and elements of a value, and reduces numbers and ranges, as long as `still`
/// holds, with a limited number of tries. Large parts are removed first.
[[nodiscard]] nlohmann::ordered_json shrunk(
    nlohmann::ordered_json value, std::size_t tries,
    const std::function<bool(const nlohmann::ordered_json&)>& still);

}  // namespace vgsim::generated
