#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "topology/input/value.hpp"

namespace vgsim::input {

struct MemberText;
/// By name.
using MemberTexts = std::map<std::string, MemberText, std::less<>>;

/// A member of a JSON object whose value has not been read.
struct MemberText {
  std::string_view value;  ///< Its JSON, within the text of the object.
  MemberTexts members;     ///< Of that object, down to the requested depth.
};

/// The members of the object in a text, and of nested objects down to a depth, without comments
/// (json_reader.hpp). The text must be valid JSON, as in a checked file.
[[nodiscard]] MemberTexts member_texts(std::string_view object, std::size_t depth = 1);

/// Parses such a text as if it were a separate file.
[[nodiscard]] Value read_text(std::string_view json);

}  // namespace vgsim::input
