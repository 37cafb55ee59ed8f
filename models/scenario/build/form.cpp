#include "models/scenario/build/form.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "sim/engine.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::scenario {

using collectives::Fidelity;

Fidelity fidelity_of(const Placement& placement, const RunSettings& settings) {
  return settings.fidelity.value_or(placement.job.fidelity);
}

namespace {

/// Whether ranks exchange the results of layers that are spread over them.
bool spreads_layers(const Placement& placement) {
  if (!placement.job.training) return false;
  const auto& layers = placement.job.training->network->layers;
  return std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.sharded; });
}

}  // namespace

Form form_of(const Placement& placement, const RunSettings& settings) {
  const auto& bare = placement.job.collective;
  const bool even = !bare || bare->collective == collectives::Collective::kAllReduce ||
                    bare->collective == collectives::Collective::kAllGather ||
                    bare->collective == collectives::Collective::kReduceScatter;
  const bool by_nccl = placement.job.pattern == collectives::Pattern::kNccl;
  const bool at_home =
      std::none_of(placement.views().begin(), placement.views().end(),
                   [](const auto& view) { return view.vm().remote_client.has_value(); });
  const bool alike = settings.use_symmetry && at_home && even && by_nccl &&
                     !spreads_layers(placement) && placement.joined->beside.empty() &&
                     placement.job.variability.compute_sigma == 0.0 &&
                     fidelity_of(placement, settings) == Fidelity::kFluid;
  return alike ? Form::folded : Form::spread;
}

void check_memory(const Placement& placement, const RunSettings& settings, Form form) {
  if (!settings.memory_limit) return;
  // Measured on 8,000 ranks with jitter: 1.2 kB a task and its dependencies, 0.4 kB a link.
  constexpr std::uint64_t kBytesPerTask = 1200;
  constexpr std::uint64_t kBytesPerLink = 400;
  const Cluster& cluster = *placement.cluster;
  const std::uint64_t ranks = ranks_of(placement, form).size();
  std::uint64_t buckets = 1;
  if (const auto& training = placement.job.training) {
    const std::int64_t bytes = training->network->parameters() * training->gradient_bytes.count();
    if (!training->buckets.single) {
      buckets += static_cast<std::uint64_t>(
          bytes / std::max<std::int64_t>(training->buckets.cap.count(), 1));
    }
  }
  const auto channels =
      static_cast<std::uint64_t>(std::max(placement.ranks().decision().channels, 1));
  const std::uint64_t edges = fidelity_of(placement, settings) == Fidelity::kChunk
                                  ? placement.ranks().ranks() * channels
                                  : channels;
  const std::uint64_t links = form == Form::folded
                                  ? cluster.topology.resources.size()
                                  : cluster.topology.resources.size() /
                                        cluster.topology.hosts.size() * cluster.hosts.size();
  const std::uint64_t tasks = ranks * (buckets + 5) + buckets * edges;
  const std::uint64_t estimate = tasks * kBytesPerTask + links * kBytesPerLink;
  if (estimate <= *settings.memory_limit) return;
  const auto size = [](std::uint64_t bytes) {
    return input::format_bytes(Bytes{static_cast<std::int64_t>(bytes)});
  };
  throw LimitExceeded(
      fmt::format("the scenario is too big: {} tasks over {} links need about {} of memory, and "
                  "the limit is {}",
                  tasks, links, size(estimate), size(*settings.memory_limit)));
}

}  // namespace vgsim::scenario
