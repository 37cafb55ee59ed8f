#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace vgsim::scenario {

/// The connection of two GPUs in `nvidia-smi topo -m`: "NV12", "PIX", "PXB", "PHB", "NODE", "SYS";
/// empty if the text does not contain it.
[[nodiscard]] std::string path_class(const std::string& matrix, std::size_t a, std::size_t b);

/// 12 for "NV12"; nothing for other classes.
[[nodiscard]] std::optional<std::size_t> nvlinks_of(const std::string& path_class);

}  // namespace vgsim::scenario
