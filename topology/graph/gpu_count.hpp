#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vgsim::topology {

/// A number of GPUs of one kind: "4 x a100-pcie-80gb".
struct GpuCount {
  std::size_t count = 0;
  std::string gpu;  ///< as written; may be an alias
};

/// Description of such texts in messages, and their regular expression: the count before or after
/// the GPU, with "x", "*" or a multiplication sign.
inline constexpr const char* kGpuCountNoun = "a count and a GPU such as \"4 x a100-pcie-80gb\"";
inline constexpr const char* kGpuCountPattern =
    "^(([1-9][0-9]?) ?([xX*]|\xC3\x97) ?([A-Za-z0-9][A-Za-z0-9 ._-]*)"
    "|([A-Za-z0-9][A-Za-z0-9 ._-]*) ([xX*]|\xC3\x97) ?([1-9][0-9]?))$";

/// Parses such a text, also "4x H100" or "h100 x 4"; nothing for other texts.
[[nodiscard]] std::optional<GpuCount> parse_gpu_count(std::string_view text);

}  // namespace vgsim::topology
