#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::studio {

/// A control with choices that are yet to be added.
[[nodiscard]] nlohmann::ordered_json control(const char* id, const char* group, const char* label,
                                             const char* about);

/// One pointer and the value that a choice sets there; null removes it.
[[nodiscard]] nlohmann::ordered_json place(const std::string& pointer,
                                           const nlohmann::ordered_json& value);

/// Adds a choice that sets these places.
void add_choice(nlohmann::ordered_json& control, const std::string& label,
                nlohmann::ordered_json set);

}  // namespace vgsim::studio
