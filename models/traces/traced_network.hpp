#pragma once

#include <cstdint>
#include <map>
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

/// The GPU that ran a traced job.
struct TracedGpu {
  std::string name;                     ///< of the catalogue; empty: unknown
  std::map<std::string, double> peaks;  ///< operations per second, by precision
};

struct TracedNetworkOptions {
  std::string name;                   ///< of the network
  std::string file;                   ///< of the trace, as the user wrote it
  std::optional<std::int64_t> batch;  ///< samples of a pass, where the trace misleads
  TracedGpu gpu{};
  double kernel_gap = 0;  ///< seconds that the model loses with each kernel
};

/// One layer for each product with a weight and each embedding, with the operations up to the next.
/// Tensors are those whose gradients were recorded or, where none were, the weights that were read.
/// Where the trace holds kernels, these tell the precision, how many kernels a layer launches, how
/// fast the host launches them and, of a GPU whose peak is known, the achieved share.
///
/// Errors: E603 for traces that hold no network: shapes were not recorded, a compiled network, or
/// collective calls alone; E604 where the network contradicts what the trace tells of collectives,
/// products and times.
[[nodiscard]] tl::expected<TracedNetwork, input::Diagnostics> network_of(
    const Trace& trace, const TracedNetworkOptions& options);

}  // namespace vgsim::traces
