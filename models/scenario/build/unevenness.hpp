#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// The part of a name before the first slash: the host of "esx03/gpu1".
[[nodiscard]] std::string machine_part(const std::string& name);

/// Reports unknown stragglers.
[[nodiscard]] Variability find_variability(const VariabilitySpec& spec, const Cluster& cluster,
                                           input::Diagnostics& diagnostics);

/// Reports unknown devices.
[[nodiscard]] std::vector<Fault> find_faults(const std::vector<FaultSpec>& specs,
                                             const Cluster& cluster,
                                             input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
