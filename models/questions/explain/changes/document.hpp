#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/questions/explain/change.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// What a pointer without "*" leads to; nothing if it leads nowhere.
[[nodiscard]] std::optional<input::Value> value_at(const input::Value& document,
                                                   std::string_view pointer);

/// The text there, or another if there is none.
[[nodiscard]] std::string text_at(const input::Value& document, std::string_view pointer,
                                  const std::string& otherwise = {});

/// Names of the members of the object there.
[[nodiscard]] std::vector<std::string> names_at(const input::Value& document,
                                                std::string_view pointer);

/// A name as a token of a JSON pointer.
[[nodiscard]] std::string token(const std::string& name);

[[nodiscard]] Override set_text(std::string pointer, std::string text);
[[nodiscard]] Override set_number(std::string pointer, double number);
[[nodiscard]] Override set_flag(std::string pointer, bool flag);
[[nodiscard]] Override take_away(std::string pointer);

/// Whether a rule bites.
[[nodiscard]] bool bites(const LayoutResult& result, std::string_view rule);

/// The first host of the drawing, or nullptr where nothing was drawn.
[[nodiscard]] const DrawnHost* drawn(const LayoutResult& result);

}  // namespace vgsim::scenario
