#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "topology/input/error_codes.hpp"

namespace vgsim::input {

/// The last token that was read without error.
enum class After { nothing, document, open_object, open_array, key, member, element };

/// The position at which the reader stopped.
struct StopPoint {
  std::string_view text;   ///< The whole file, valid UTF-8.
  std::size_t offset = 0;  ///< End of the last good token.
  After after = After::nothing;
  bool number_overflow = false;  ///< The next token is a number beyond the range of a double.
  std::size_t open_line = 0;     ///< Line of the innermost open bracket, if any.
};

/// The error there, in words.
struct SyntaxError {
  ErrorCode code;
  std::size_t offset = 0;
  std::size_t length = 1;
  std::string message;
  std::string expected;
};

/// Explains the error from the one token after the stop point.
[[nodiscard]] SyntaxError explain_syntax_error(const StopPoint& stop);

/// The error in the string literal at `offset`, or nothing.
[[nodiscard]] std::optional<SyntaxError> explain_string(std::string_view text, std::size_t offset);

}  // namespace vgsim::input
