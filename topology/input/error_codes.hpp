#pragma once

#include <span>
#include <string_view>

namespace vgsim::input {

/// A kind of message. Codes are stable: scripts and `vgsim explain` refer to them.
struct ErrorCode {
  std::string_view code;
  std::string_view meaning;  ///< One line, self-contained.
};

/// E1xx: the text is not valid JSON, or exceeds a limit.
namespace codes {
inline constexpr ErrorCode kSyntax{"E101", "the text is not valid JSON"};
inline constexpr ErrorCode kTrailingComma{"E102", "a comma before a closing bracket"};
inline constexpr ErrorCode kUnexpectedEnd{"E103", "the file ends too early, or is empty"};
inline constexpr ErrorCode kTrailingContent{"E104", "something follows the end of the document"};
inline constexpr ErrorCode kDuplicateKey{"E105", "one object has the same key twice"};
inline constexpr ErrorCode kTooDeep{"E106", "brackets are nested too deeply"};
inline constexpr ErrorCode kTooLarge{"E107", "a file, a string or a list is larger than allowed"};
inline constexpr ErrorCode kBadCharacter{"E108", "a NUL or another forbidden character"};
inline constexpr ErrorCode kBadUtf8{"E109", "the text is not valid UTF-8"};
inline constexpr ErrorCode kNotFinite{"E110",
                                      "NaN, an infinity or a number too large to represent"};
inline constexpr ErrorCode kUnreadable{"E111", "the file cannot be read"};

/// E2xx: the JSON is valid but does not match its shape.
inline constexpr ErrorCode kUnknownKey{"E201", "an unknown key"};
inline constexpr ErrorCode kMissingKey{"E202", "a required key is missing"};
inline constexpr ErrorCode kWrongKind{"E203",
                                      "a value of the wrong kind, such as text for a number"};
inline constexpr ErrorCode kOutOfRange{"E204", "a number, or the length of a list, out of range"};
inline constexpr ErrorCode kNotWhole{"E205", "a fraction where a whole number belongs"};
inline constexpr ErrorCode kUnknownWord{"E206", "a word that is not one of those allowed"};
inline constexpr ErrorCode kBadText{"E207", "text of the wrong form"};
inline constexpr ErrorCode kBadRange{"E208", "a name range such as esx[01-04] that cannot be read"};
inline constexpr ErrorCode kRangeMismatch{"E209",
                                          "name ranges that belong together differ in length"};
inline constexpr ErrorCode kNameTwice{"E210", "two keys include the same name"};

/// E3xx: a quantity is not a number with a unit.
inline constexpr ErrorCode kBareNumber{"E301", "a quantity without a unit"};
inline constexpr ErrorCode kBadUnit{"E302", "a quantity that cannot be read, or is ambiguous"};
inline constexpr ErrorCode kQuantityRange{"E303", "a quantity that is too small or too large"};
}  // namespace codes

/// All of the above, sorted by code.
[[nodiscard]] std::span<const ErrorCode> error_codes();

}  // namespace vgsim::input
