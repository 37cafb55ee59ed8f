#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace vgsim::topology {

/// An NVIDIA GPU architecture.
struct GpuArchitecture {
  std::string_view word;
  int capability = 0;  ///< lowest compute capability, times 10: 80 is 8.0
  /// Whether the tables of NCCL and the parameters have rows for it; otherwise the rows of the
  /// preceding generation, or of the first, apply.
  bool is_generation = false;
};

/// All architectures, oldest first. Source: CUDA C++ Programming Guide, chapter Compute
/// Capabilities.
inline constexpr std::array<GpuArchitecture, 8> kGpuArchitectures = {{
    {"maxwell", 50, false},
    {"pascal", 60, false},
    {"volta", 70, true},
    {"turing", 75, false},
    {"ampere", 80, true},
    {"ada", 89, false},
    {"hopper", 90, true},
    {"blackwell", 100, true},
}};

/// The number of a generation, oldest first.
enum class GpuGeneration : std::uint8_t {};

inline constexpr std::size_t kGpuGenerations = [] {
  std::size_t count = 0;
  for (const GpuArchitecture& each : kGpuArchitectures) count += each.is_generation ? 1 : 0;
  return count;
}();

/// The names of the generations, by number.
inline constexpr std::array<std::string_view, kGpuGenerations> kGpuGenerationWords = [] {
  std::array<std::string_view, kGpuGenerations> words;
  std::size_t next = 0;
  for (const GpuArchitecture& each : kGpuArchitectures) {
    if (each.is_generation) words[next++] = each.word;
  }
  return words;
}();

/// The generation whose rows a GPU of that compute capability uses.
[[nodiscard]] constexpr GpuGeneration generation_of(int capability) {
  std::size_t number = 0;
  std::size_t next = 0;
  for (const GpuArchitecture& each : kGpuArchitectures) {
    if (!each.is_generation) continue;
    if (capability >= each.capability) number = next;
    ++next;
  }
  return static_cast<GpuGeneration>(number);
}

/// The generation with that name.
[[nodiscard]] consteval GpuGeneration generation_called(std::string_view word) {
  for (std::size_t number = 0; number < kGpuGenerations; ++number) {
    if (kGpuGenerationWords[number] == word) return static_cast<GpuGeneration>(number);
  }
  throw std::logic_error("unknown generation");
}

[[nodiscard]] constexpr std::string_view word_of(GpuGeneration generation) {
  return kGpuGenerationWords[static_cast<std::size_t>(generation)];
}

}  // namespace vgsim::topology
