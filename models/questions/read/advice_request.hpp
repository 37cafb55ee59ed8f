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

/// What a figure must not exceed or fall short of, in its own unit.
struct Requirement {
  std::string metric;
  std::optional<double> min;
  std::optional<double> max;
  std::string words;  ///< "epoch_time_s at most 2 h"
};

/// A figure that should be as small, or as large, as it can.
struct Objective {
  std::string metric;
  bool larger = false;
};

/// A job, a goal, and what may vary.
struct AdviceRequest {
  Sweep space;  ///< every point of it may be tried
  std::vector<Requirement> requirements;
  std::vector<Objective> objectives;  ///< at least one
  std::vector<std::int64_t> hosts;    ///< how many of the scenario's hosts, first ones; or empty
  std::uint64_t most_runs = 2000;     ///< points that are simulated at most
};

[[nodiscard]] input::Shape advice_shape();

/// Reads a document of advice_shape(). Errors: what does not fit the shape, figures that no result
/// has, quantities that cannot be read, and what read_sweep() finds in "vary" and "together".
[[nodiscard]] tl::expected<AdviceRequest, input::Diagnostics> read_advice_request(
    const Document& request);

/// The request with its numbers of hosts made places of the scenario: each leaves out the other
/// hosts and the VMs on them. Errors: more hosts than the scenario has.
[[nodiscard]] AdviceRequest with_hosts(const AdviceRequest& request, const Document& scenario,
                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
