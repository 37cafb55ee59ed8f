#include "topology/input/error_codes.hpp"

#include <array>

namespace vgsim::input {

std::span<const ErrorCode> error_codes() {
  using namespace codes;
  static constexpr std::array kAll = {
      kSyntax,     kTrailingComma, kUnexpectedEnd, kTrailingContent, kDuplicateKey, kTooDeep,
      kTooLarge,   kBadCharacter,  kBadUtf8,       kNotFinite,       kUnreadable,   kUnknownKey,
      kMissingKey, kWrongKind,     kOutOfRange,    kNotWhole,        kUnknownWord,  kBadText,
      kBadRange,   kRangeMismatch, kNameTwice,     kBareNumber,      kBadUnit,      kQuantityRange};
  return kAll;
}

}  // namespace vgsim::input
