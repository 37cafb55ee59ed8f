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

/// A network read from a trace, with remarks.
struct TracedNetwork {
  std::string network;  ///< JSON text of a network file
  std::string job;      ///< JSON text of the job's members in the trace
  std::vector<std::string> found;
  std::vector<std::string> assumed;
  std::vector<std::string> skipped;
};

/// The GPU of a traced job.
struct TracedGpu {
  std::string name;                     ///< catalogue name; empty: unknown
  std::map<std::string, double> peaks;  ///< operations/s, by precision
};

struct TracedNetworkOptions {
  std::string name;                   ///< of the network
  std::string file;                   ///< of the trace, as the user wrote it
  std::optional<std::int64_t> batch;  ///< samples of a pass, if the trace is misleading
  TracedGpu gpu{};
  double kernel_gap = 0;  ///< seconds that the model adds for each kernel
};

/// One layer for each product with a weight and each embedding, with the operations up to the next
/// one. Tensors are those with recorded gradients or, if there are none, the weights that were
/// read. Kernels in the trace determine the precision, the number of kernels of a layer, the launch
/// interval and, for a GPU with a known peak, the achieved share.
///
/// Errors: E603 for traces without a network: shapes were not recorded, the network was compiled,
/// or only collective calls were recorded; E604 if the network contradicts the collectives,
/// products and times in the trace.
[[nodiscard]] tl::expected<TracedNetwork, input::Diagnostics> network_of(
    const Trace& trace, const TracedNetworkOptions& options);

}  // namespace vgsim::traces
