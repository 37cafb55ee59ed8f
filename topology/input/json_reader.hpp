#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/limits.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The key of comments, allowed in any object.
inline constexpr std::string_view kCommentKey = "$comment";

/// Reads JSON (RFC 8259) strictly, with the exact position of every key and value.
///
/// Errors, with position: syntax errors, duplicate keys, values beyond limits.hpp, NUL (also as
/// \u0000), invalid UTF-8, NaN, infinities, numbers that overflow a double, an empty file and
/// trailing content. Reading continues after an error if the structure is intact, so several can be
/// reported. A byte order mark is skipped, and so are comments: members with the key "$comment" and
/// a text. Time is linear in the size, except for sorting the keys of each object.
[[nodiscard]] tl::expected<Value, Diagnostics> read_json(const SourcePtr& source);

}  // namespace vgsim::input
