#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace vgsim::scenario {

/// How `nvidia-smi topo -m` says that two GPUs are joined: "NV12", "PIX", "PXB", "PHB", "NODE",
/// "SYS"; empty where the text does not tell it.
[[nodiscard]] std::string path_class(const std::string& matrix, std::size_t a, std::size_t b);

/// 12 of "NV12"; nothing of other classes.
[[nodiscard]] std::optional<std::size_t> nvlinks_of(const std::string& path_class);

}  // namespace vgsim::scenario
