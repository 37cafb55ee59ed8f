#include "models/scenario/answer/plausibility.hpp"

#include <fmt/core.h>

#include <string>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/run/warning.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

constexpr BytesPerSecond kFastestPlausible{2'000'000'000'000};

void warn(const char* id, const std::string& text, const Library& library, LayoutResult& result) {
  result.warnings.push_back(warning_of(id, text, library));
}

}  // namespace

void warn_of_implausible(const Placement& placed, const Library& library, LayoutResult& result) {
  const auto look_at = [&](const char* what, const std::optional<BytesPerSecond>& rate) {
    if (!rate || *rate <= kFastestPlausible) return;
    warn("implausible-rate", fmt::format("{} of {}", what, input::format_rate(*rate)), library,
         result);
  };
  const topology::Fabric::Plan& plan = placed.cluster->fabric.plan();
  look_at("a link between host and leaf", plan.host_link);
  look_at("an uplink", plan.uplink);
  for (const auto& neighbour : placed.layout->neighbours) look_at("a neighbour", neighbour->rate);
  if (!placed.job.training) return;
  const Checkpoints checkpoints = checkpoints_of(placed.layout->job->training.checkpoints);
  if (checkpoints.every == SimTime{0} || checkpoints.save < checkpoints.every) return;
  warn("checkpoint-never-done",
       fmt::format("checkpoints every {} take {} to write", input::format_time(checkpoints.every),
                   input::format_time(checkpoints.save)),
       library, result);
}

}  // namespace vgsim::scenario
