#include "models/scenario/simulate.hpp"

#include <fmt/core.h>

#include <map>
#include <vector>

#include "models/collectives/ring.hpp"
#include "models/scenario/and_more.hpp"
#include "models/scenario/cluster.hpp"
#include "models/scenario/collective_run.hpp"
#include "models/scenario/job.hpp"
#include "models/scenario/layouts.hpp"
#include "models/scenario/training_run.hpp"
#include "topology/host_input.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using vsphere::GuestView;

/// A layout that is ready to run. Views point into the cluster, so it does not move.
struct Placed {
  LayoutInput input;
  Cluster cluster;
  Job job;
  std::vector<GuestView> views;
  collectives::RingPlan plan;
};

std::string mode_of(const Placed& placed) {
  const vsphere::GpuMode first = placed.views.front().vm().mode;
  for (const GuestView& view : placed.views) {
    if (view.vm().mode != first) return "mixed";
  }
  return to_string(first);
}

/// The same finding of many machines is said once.
std::vector<Warning> warnings_of(const std::vector<GuestView>& views) {
  std::vector<vsphere::Finding> distinct;
  std::map<std::string, std::vector<std::string>> subjects;
  for (const GuestView& view : views) {
    for (const vsphere::Finding& finding : view.findings()) {
      if (subjects[finding.rule].empty()) distinct.push_back(finding);
      subjects[finding.rule].push_back(finding.subject);
    }
  }
  std::vector<Warning> warnings;
  for (const vsphere::Finding& finding : distinct) {
    warnings.push_back({finding.rule,
                        fmt::format("{}: {}", and_more(subjects[finding.rule]), finding.text),
                        finding.source});
  }
  return warnings;
}

std::unique_ptr<Placed> place(const LayoutInput& layout, const Library& library,
                              const topology::FileLoader& load, Diagnostics& diagnostics) {
  auto placed = std::make_unique<Placed>();
  Diagnostics found;
  placed->input = layout;
  placed->cluster = build_cluster(layout, library, load, found);
  if (!found.has_errors()) placed->job = read_job(layout, placed->cluster, library, found);
  if (!found.has_errors()) {
    for (const std::size_t m : placed->job.machines) {
      placed->views.emplace_back(placed->cluster.topology, placed->cluster.machines[m]);
    }
    try {
      placed->plan = collectives::plan_rings(
          placed->cluster.topology, placed->views, placed->cluster.capacity,
          static_cast<std::size_t>(library.parameters.count("max_channels")));
    } catch (const collectives::NotConnected& error) {
      topology::report(found, placed->job.value, error.what());
    }
    if (placed->job.training && !found.has_errors()) {
      check_training(placed->cluster, placed->job, library, placed->views, placed->plan, found);
    }
  }
  diagnostics.append(found);
  return placed;
}

LayoutResult describe(const Placed& placed) {
  LayoutResult result;
  result.name = placed.input.name;
  result.ranks = placed.plan.ranks.size();
  result.machines = placed.views.size();
  result.mode = mode_of(placed);
  result.channels = placed.plan.channels.size();
  if (!placed.plan.channels.empty()) {
    for (const auto& hop : placed.plan.channels.front().hops) {
      ++result.hops_by_transport[collectives::to_string(hop.transport)];
    }
  }
  result.warnings = warnings_of(placed.views);
  result.assumptions = placed.cluster.assumptions;
  result.assumptions.insert(result.assumptions.end(), placed.job.assumptions.begin(),
                            placed.job.assumptions.end());
  return result;
}

LayoutResult run(const Placed& placed, const Library& library) {
  LayoutResult result = describe(placed);
  const auto latencies = placed.cluster.zero_latency
                             ? collectives::StepLatencies{}
                             : collectives::StepLatencies::from(library.parameters);
  if (placed.job.collective) {
    run_collective(placed.cluster, *placed.job.collective, placed.plan, latencies, result);
  } else {
    run_training(placed.cluster, placed.job, library, placed.views, placed.plan, latencies, result);
  }
  return result;
}

template <class Evaluate>
tl::expected<ScenarioResult, Diagnostics> for_each_layout(const input::SourcePtr& file,
                                                          const Library& library,
                                                          const topology::FileLoader& load,
                                                          const Evaluate& evaluate) {
  const auto document = input::read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  std::vector<std::unique_ptr<Placed>> placed;
  for (const LayoutInput& layout : read_layouts(*document, diagnostics)) {
    placed.push_back(place(layout, library, load, diagnostics));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  ScenarioResult result{input::as_string(*input::find(*document, "name")), {}};
  for (const auto& layout : placed) result.layouts.push_back(evaluate(*layout));
  return result;
}

}  // namespace

tl::expected<ScenarioResult, Diagnostics> run_scenario(const input::SourcePtr& file,
                                                       const Library& library,
                                                       const topology::FileLoader& load) {
  return for_each_layout(file, library, load,
                         [&](const Placed& placed) { return run(placed, library); });
}

tl::expected<ScenarioResult, Diagnostics> validate_scenario(const input::SourcePtr& file,
                                                            const Library& library,
                                                            const topology::FileLoader& load) {
  return for_each_layout(file, library, load,
                         [](const Placed& placed) { return describe(placed); });
}

}  // namespace vgsim::scenario
