#pragma once

#include "topology/input/error_codes.hpp"

/// Codes of all importers of inventories but NCCL's (see nccl_error_codes.hpp).
namespace vgsim::topology::import_codes {

using input::ErrorCode;

inline constexpr ErrorCode kNotThisFormat{"E531",
                                          "the text is not of the format that it is read as"};
inline constexpr ErrorCode kNothingInIt{"E532", "the file ends early, or tells nothing"};
inline constexpr ErrorCode kTooMuch{"E533", "larger or deeper than any real dump"};
inline constexpr ErrorCode kBadValue{"E534", "a value that is missing or cannot be read"};
inline constexpr ErrorCode kUnreadVersion{"E535", "a version of the format that cannot be read"};
inline constexpr ErrorCode kUnknownFormat{"E536", "no importer knows the format"};
inline constexpr ErrorCode kDoNotFit{"E537", "files that cannot be of one host"};

inline constexpr ErrorCode kOddValue{"W531", "a value that cannot be, and is passed over"};
inline constexpr ErrorCode kContradiction{"W532", "two files, or two places of one, that disagree"};

}  // namespace vgsim::topology::import_codes
