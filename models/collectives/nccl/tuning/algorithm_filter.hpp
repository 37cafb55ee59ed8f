#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl {

/// The setting of the environment for an algorithm or protocol.
enum class FilterRule : std::uint8_t { kUnset, kAllowed, kForbidden };

/// The algorithms and protocols that NCCL_ALGO and NCCL_PROTO allow, by function.
struct AlgorithmFilter {
  std::array<std::array<FilterRule, kAlgorithms>, kFunctions> algorithms{};
  std::array<std::array<FilterRule, kProtocols>, kFunctions> protocols{};

  bool operator==(const AlgorithmFilter&) const = default;
};

/// Reads the value of NCCL_ALGO: "Ring,Tree" allows only these, "^Tree" all others, ignoring case.
/// From 2.24 on a list can be for one function, and semicolons separate several lists:
/// "ring;allreduce:^nvls,nvlstree". The error states what was expected. Source: NCCL's user guide,
/// environment variables.
[[nodiscard]] tl::expected<void, std::string> read_algorithms(std::string_view text,
                                                              AlgorithmFilter& filter);

/// The same for NCCL_PROTO: "LL,Simple", "^LL128". A protocol that such a list allows is used even
/// if NCCL would not choose it (LL128 on links that do not preserve its 128-byte lines).
[[nodiscard]] tl::expected<void, std::string> read_protocols(std::string_view text,
                                                             AlgorithmFilter& filter);

}  // namespace vgsim::collectives::nccl
