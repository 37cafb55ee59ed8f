#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl {

/// What the environment says about an algorithm or a protocol.
enum class Wish : std::uint8_t { kUnset, kAllowed, kForbidden };

/// What NCCL_ALGO and NCCL_PROTO leave, by function.
struct AlgorithmFilter {
  std::array<std::array<Wish, kAlgorithms>, kFunctions> algorithms{};
  std::array<std::array<Wish, kProtocols>, kFunctions> protocols{};

  bool operator==(const AlgorithmFilter&) const = default;
};

/// Reads the value of NCCL_ALGO: "Ring,Tree" allows only these, "^Tree" all others, whatever the
/// case of the letters. From 2.24 on a list can be for one function, and several are separated by
/// semicolons: "ring;allreduce:^nvls,nvlstree". The error says what was expected.
/// Source: NCCL's user guide, environment variables.
[[nodiscard]] tl::expected<void, std::string> read_algorithms(std::string_view text,
                                                              AlgorithmFilter& filter);

/// The same for NCCL_PROTO: "LL,Simple", "^LL128". A protocol that such a list allows is used even
/// where NCCL would not have chosen it (LL128 on links that may tear its lines apart).
[[nodiscard]] tl::expected<void, std::string> read_protocols(std::string_view text,
                                                             AlgorithmFilter& filter);

}  // namespace vgsim::collectives::nccl
