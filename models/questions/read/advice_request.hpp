#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/sweep.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Limits of a figure, in its unit.
struct Requirement {
  std::string metric;
  std::optional<double> min;
  std::optional<double> max;
  std::string words;  ///< "epoch_time_s at most 2 h"
};

/// A figure to minimize or maximize.
struct Objective {
  std::string metric;
  bool larger = false;
};

/// A request for advice: a job, a goal and the search space.
struct AdviceRequest {
  Sweep space;  ///< the search space
  std::vector<Requirement> requirements;
  std::vector<Objective> objectives;  ///< at least one
  std::vector<std::int64_t> hosts;    ///< allowed numbers of hosts (the first ones); may be empty
  /// Hosts that may fail: as many of the hosts are left to HA, and requirements must hold although
  /// they fail one after the other near the end of the training.
  std::int64_t hosts_down = 0;
  std::uint64_t most_runs = 2000;  ///< largest number of simulated points
};

[[nodiscard]] input::Shape advice_shape();

/// Reads a document of advice_shape(). Errors: violations of the shape, unknown figures, unreadable
/// quantities, and the errors of read_sweep() in "vary" and "together".
[[nodiscard]] tl::expected<AdviceRequest, input::Diagnostics> read_advice_request(
    const Document& request);

/// Converts numbers of hosts to settings of the scenario that remove the other hosts and their VMs.
/// Errors: more hosts than the scenario has.
[[nodiscard]] AdviceRequest with_hosts(const AdviceRequest& request, const Document& scenario,
                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
