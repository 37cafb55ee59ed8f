#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vgsim::topology {

/// How many GPUs, and which: "4 x a100-pcie-80gb".
struct GpuCount {
  std::size_t count = 0;
  std::string gpu;  ///< as written, which need not be its catalogue name
};

/// What such texts are called, and their regular expression: the count first, or behind; with "x",
/// "*" or the sign of multiplication.
inline constexpr const char* kGpuCountNoun = "a count and a GPU such as \"4 x a100-pcie-80gb\"";
inline constexpr const char* kGpuCountPattern =
    "^(([1-9][0-9]?) ?([xX*]|\xC3\x97) ?([A-Za-z0-9][A-Za-z0-9 ._-]*)"
    "|([A-Za-z0-9][A-Za-z0-9 ._-]*) ([xX*]|\xC3\x97) ?([1-9][0-9]?))$";

/// Reads it, also as "4x H100" or "h100 x 4"; nothing where the text is of another form.
[[nodiscard]] std::optional<GpuCount> parse_gpu_count(std::string_view text);

}  // namespace vgsim::topology
