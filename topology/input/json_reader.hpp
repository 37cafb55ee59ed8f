#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/limits.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The key of a text that is for people: any object may have one.
inline constexpr std::string_view kCommentKey = "$comment";

/// Reads JSON (RFC 8259) strictly, with the exact position of every key and value.
///
/// Refused, with position: syntax errors, duplicate keys, anything beyond limits.hpp, NUL (also
/// as \u0000), broken UTF-8, NaN, infinities, numbers that overflow a double, an empty file and
/// trailing content. Reading goes on after an error where the text still has a structure, so
/// several may be reported. A byte order mark is skipped, and so are comments: members of objects
/// with the key "$comment" and a text. Time is linear in the size, but for
/// sorting the keys of each object.
[[nodiscard]] tl::expected<Value, Diagnostics> read_json(const SourcePtr& source);

}  // namespace vgsim::input
