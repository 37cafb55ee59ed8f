#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// Numbers of devices of a scenario.
struct MachineCounts {
  std::size_t hosts = 0;
  std::size_t vms = 0;
  std::size_t gpus = 0;      ///< in hosts
  std::size_t job_gpus = 0;  ///< that the job uses
  std::size_t bridges = 0;   ///< NVLink bridges of pairs of GPUs
  std::size_t nics = 0;
};

[[nodiscard]] MachineCounts counts_of(const scenario::PreparedScenario& prepared,
                                      const scenario::LayoutResult& result,
                                      const input::Value& scenario);

/// What a change took away, in phrases: "12 of 16 GPUs are no longer used". Devices of removed
/// hosts are not listed as well.
[[nodiscard]] std::vector<std::string> removed_machines(const MachineCounts& before,
                                                        const MachineCounts& after);

}  // namespace vgsim::studio
