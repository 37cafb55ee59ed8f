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
  MemberTexts members;     ///< Of that object, where they were asked for.
};

/// The members of the object that a text is, and of the objects in it down to a depth, comments
/// (json_reader.hpp) left out. The text must be valid JSON, as that of a file that has been checked
/// is.
[[nodiscard]] MemberTexts member_texts(std::string_view object, std::size_t depth = 1);

/// The value that such a text is, as if written in a file of its own.
[[nodiscard]] Value read_text(std::string_view json);

}  // namespace vgsim::input
