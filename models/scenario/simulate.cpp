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
#include "models/scenario/placement.hpp"
#include "models/scenario/training_run.hpp"
#include "topology/host_input.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using vsphere::GuestView;

std::string mode_of(const Placement& placed) {
  const vsphere::GpuMode first = placed.views.front().vm().mode;
  for (const GuestView& view : placed.views) {
    if (view.vm().mode != first) return "mixed";
  }
  return to_string(first);
}

/// The same finding of many machines is said once.
std::vector<Warning> warnings_of(const Placement& placed) {
  std::vector<vsphere::Finding> distinct;
  std::map<std::string, std::vector<std::string>> subjects;
  std::vector<std::vector<vsphere::Finding>> findings;
  for (const GuestView& view : placed.views) findings.push_back(view.findings());
  for (std::size_t v = 0; v < placed.vms.size(); ++v) {
    for (const vsphere::Finding& finding : findings[placed.vms[v].view]) {
      if (subjects[finding.rule].empty()) distinct.push_back(finding);
      subjects[finding.rule].push_back(placed.cluster.machines[placed.machine_of_vm[v]].name);
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

/// One view for each kind of machine that the job uses, and the machines with their view.
void add_views(Placement& placed) {
  std::map<std::size_t, std::size_t> view_of_kind;
  for (const std::size_t m : placed.job.machines) {
    const Machine& machine = placed.cluster.machines[m];
    const auto [it, is_new] = view_of_kind.try_emplace(machine.kind, placed.views.size());
    if (is_new) {
      placed.views.emplace_back(placed.cluster.topology, placed.cluster.kinds[machine.kind]);
    }
    placed.vms.push_back({it->second, machine.host});
    placed.machine_of_vm.push_back(m);
  }
}

std::unique_ptr<Placement> place(const LayoutInput& layout, const Library& library,
                                 const topology::FileLoader& load, Diagnostics& diagnostics) {
  auto placed = std::make_unique<Placement>();
  Diagnostics found;
  placed->input = layout;
  placed->cluster = build_cluster(layout, library, load, distinction_of(layout), found);
  if (!found.has_errors()) placed->job = read_job(layout, placed->cluster, library, found);
  if (!found.has_errors()) {
    add_views(*placed);
    if (!placed->cluster.zero_latency) {
      placed->latencies = collectives::StepLatencies::from(library.parameters);
    }
    try {
      placed->plan = collectives::plan_rings(
          placed->cluster.topology, placed->cluster.fabric, placed->views, placed->vms,
          placed->cluster.capacity,
          static_cast<std::size_t>(library.parameters.count("max_channels")));
    } catch (const collectives::NotConnected& error) {
      topology::report(found, placed->job.value, error.what());
    }
    if (placed->job.training && !found.has_errors()) check_training(*placed, library, found);
  }
  diagnostics.append(found);
  return placed;
}

LayoutResult describe(const Placement& placed) {
  LayoutResult result;
  result.name = placed.input.name;
  result.ranks = placed.plan.ranks();
  result.machines = placed.vms.size();
  result.mode = mode_of(placed);
  result.channels = placed.plan.channels();
  if (placed.plan.channels() > 0) {
    placed.plan.each_hop(0, [&](const collectives::RingHop& hop) {
      ++result.hops_by_transport[collectives::to_string(hop.transport)];
    });
  }
  result.warnings = warnings_of(placed);
  result.assumptions = placed.cluster.assumptions;
  result.assumptions.insert(result.assumptions.end(), placed.job.assumptions.begin(),
                            placed.job.assumptions.end());
  return result;
}

LayoutResult run(const Placement& placed, const Library& library, const RunSettings& settings) {
  LayoutResult result = describe(placed);
  if (placed.job.collective) {
    run_collective(placed, settings, result);
  } else {
    run_training(placed, library, settings, result);
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
  std::vector<std::unique_ptr<Placement>> placed;
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
                                                       const topology::FileLoader& load,
                                                       const RunSettings& settings) {
  return for_each_layout(file, library, load,
                         [&](const Placement& placed) { return run(placed, library, settings); });
}

tl::expected<ScenarioResult, Diagnostics> validate_scenario(const input::SourcePtr& file,
                                                            const Library& library,
                                                            const topology::FileLoader& load) {
  return for_each_layout(file, library, load,
                         [](const Placement& placed) { return describe(placed); });
}

}  // namespace vgsim::scenario
