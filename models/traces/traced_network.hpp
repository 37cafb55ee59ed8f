#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/traces/operation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::traces {

/// A network as a trace shows it, and what to tell about it.
struct TracedNetwork {
  std::string network;  ///< JSON text of a network file
  std::string job;      ///< JSON text of the job's members that the trace tells
  std::vector<std::string> found;
  std::vector<std::string> assumed;
  std::vector<std::string> skipped;
};

struct TracedNetworkOptions {
  std::string name;                   ///< of the network
  std::string file;                   ///< of the trace, as the user wrote it
  std::optional<std::int64_t> batch;  ///< samples of a pass, where the trace misleads
};

/// One layer for each product with a weight and each embedding, with the operations up to the next.
/// Tensors are those whose gradients were recorded or, where none were, the weights that were read.
///
/// Errors: E603 for traces that hold no network: shapes were not recorded, a compiled network, or
/// collective calls alone.
[[nodiscard]] tl::expected<TracedNetwork, input::Diagnostics> network_of(
    const Trace& trace, const TracedNetworkOptions& options);

}  // namespace vgsim::traces
