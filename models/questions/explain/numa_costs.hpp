#pragma once

#include <string>
#include <vector>

#include "models/questions/explain/change.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// What a cause of NUMA placement adds to the compared time of a layout.
struct NumaCost {
  std::string cause;
  double share = 0;  ///< of the time with it, 0 to 1
};

/// The cost of VMs whose vCPUs or memory are not on the NUMA nodes of their GPUs, by cause: each is
/// removed in a separate simulation. Empty where all VMs are on the nodes of their devices.
[[nodiscard]] std::vector<NumaCost> numa_costs(const ChangeContext& at,
                                               const input::FileLoader& load,
                                               const RunSettings& settings);

}  // namespace vgsim::scenario
