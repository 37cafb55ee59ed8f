#pragma once

#include <cstddef>

namespace vgsim::input {

/// Limits of one file. Far beyond any sensible configuration; they protect memory and stack from
/// broken or hostile files.
inline constexpr std::size_t kMaxDepth = 64;               ///< Nested arrays and objects.
inline constexpr std::size_t kMaxFileBytes = 64u << 20;    ///< 64 MiB.
inline constexpr std::size_t kMaxStringBytes = 64u << 10;  ///< 64 KiB, as UTF-8, after unescaping.
inline constexpr std::size_t kMaxValues = 2'000'000;       ///< Values in one file.

}  // namespace vgsim::input
