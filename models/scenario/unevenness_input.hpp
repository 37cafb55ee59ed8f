#pragma once

#include <string>
#include <vector>

#include "models/scenario/cluster.hpp"
#include "models/scenario/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// The part of a name before the first slash: the host of "esx03/gpu1".
[[nodiscard]] std::string machine_part(const std::string& name);

/// Reads a layout's "variability". Reports stragglers that do not exist.
[[nodiscard]] Variability read_variability(const input::Value& layout, const Cluster& cluster,
                                           input::Diagnostics& diagnostics);

/// Reads a layout's "faults". Reports devices that do not exist, and faults without duration.
[[nodiscard]] std::vector<Fault> read_faults(const input::Value& layout, const Cluster& cluster,
                                             input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
