#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "topology/input/shape.hpp"

namespace vgsim::topology {

/// How many GPUs, and which: "4 x a100-pcie-80gb".
struct GpuCount {
  std::size_t count = 0;
  std::string gpu;  ///< as written, which need not be its catalogue name
};

/// Reads it, also as "4x H100" or "h100 x 4"; nothing where the text is of another form.
[[nodiscard]] std::optional<GpuCount> parse_gpu_count(std::string_view text);

/// The shape of such texts.
[[nodiscard]] input::Shape gpu_count_shape();

}  // namespace vgsim::topology
