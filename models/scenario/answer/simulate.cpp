#include "models/scenario/answer/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "models/collectives/choice.hpp"
#include "models/collectives/stream.hpp"
#include "models/scenario/answer/economy.hpp"
#include "models/scenario/answer/inputs.hpp"
#include "models/scenario/answer/interruptions.hpp"
#include "models/scenario/answer/memory_use.hpp"
#include "models/scenario/answer/roofline.hpp"
#include "models/scenario/build/and_more.hpp"
#include "models/scenario/build/cluster.hpp"
#include "models/scenario/build/job_builder.hpp"
#include "models/scenario/build/layout_library.hpp"
#include "models/scenario/build/nccl_input.hpp"
#include "models/scenario/build/neighbours.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/collective_run.hpp"
#include "models/scenario/run/group_times.hpp"
#include "models/scenario/run/parallel_run.hpp"
#include "models/scenario/run/training_run.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/unit_strings.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using vsphere::GuestView;

std::string mode_of(const Cluster& cluster) {
  if (cluster.kinds.empty()) return "no VM";
  const vsphere::GpuMode first = cluster.kinds.front().mode;
  for (const vsphere::VirtualMachine& kind : cluster.kinds) {
    if (kind.mode != first) return "mixed";
  }
  return to_string(first);
}

/// The same finding of many machines is said once.
std::vector<Warning> warnings_of(const Cluster& cluster) {
  std::map<std::string, std::vector<std::string>> machines_of;  // by kind
  for (const Machine& machine : cluster.machines) {
    machines_of[cluster.kinds[machine.kind].name].push_back(machine.name);
  }
  std::vector<std::pair<const vsphere::Finding*, std::vector<std::string>>> distinct;
  for (const vsphere::Finding& finding : cluster.findings) {
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const auto& entry) {
      return entry.first->rule == finding.rule && entry.first->text == finding.text;
    });
    auto& subjects = same == distinct.end()
                         ? distinct.emplace_back(&finding, std::vector<std::string>{}).second
                         : same->second;
    auto& names = machines_of[finding.subject];
    if (names.empty()) names.push_back(finding.subject);  // it was placed nowhere
    subjects.insert(subjects.end(), names.begin(), names.end());
  }
  std::vector<Warning> warnings;
  for (const auto& [finding, subjects] : distinct) {
    warnings.push_back({finding->rule, finding->verdict,
                        fmt::format("{}: {}", and_more(subjects), finding->text), finding->remedy,
                        finding->source});
  }
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const Warning& a, const Warning& b) { return a.verdict < b.verdict; });
  return warnings;
}

/// Collectives move data while a vGPU has its turn: thread blocks get its share of time, and begin
/// when the last one has its turn.
void slow_down_collectives(Placement& placed) {
  double least = 1.0;
  SimTime wait{};
  for (const GuestView& view : placed.views) {
    for (const vsphere::GpuShare& share : view.vm().shares) {
      least = std::min(least, share.compute);
      wait = std::max(wait, share.wait);
    }
  }
  if (least == 1.0 && wait == SimTime{0}) return;
  placed.costs.share_time(least, wait);
  placed.job.assumptions.emplace_back(
      "collectives of shared GPUs move data in their own time slices alone");
}

/// Leaves CollNet off where the switch of the fabric does not reduce.
void need_reducing_switch(Placement& placed, const Library& library, collectives::NcclInput& nccl) {
  const auto& fabric = placed.layout.fabric;
  if (!nccl.settings.collnet_enable.value_or(false)) return;
  if (!fabric || !(*fabric)->network_switch) {
    placed.job.assumptions.emplace_back(
        "NCCL_COLLNET_ENABLE: the switch is taken to reduce (SHARP)");
    return;
  }
  const std::string& name = **(*fabric)->network_switch;
  const auto model = library.catalog.switches.find(name);
  if (model != library.catalog.switches.end() && model->second.reduces) return;
  nccl.settings.collnet_enable = false;
  placed.job.assumptions.push_back(
      fmt::format("NCCL_COLLNET_ENABLE changes nothing: {} does not reduce", name));
}

void join_ranks(Placement& placed, const Library& library, const input::FileLoader& load,
                Diagnostics& diagnostics) {
  placed.costs =
      collectives::StepCosts::from(library.parameters, !placed.cluster.idealised.zero_latency,
                                   !placed.cluster.idealised.line_rate);
  auto nccl = read_nccl_input(placed.job, library, load, diagnostics);
  if (!nccl) return;
  need_reducing_switch(placed, library, *nccl);
  for (const JobMachine& taken : placed.job.machines) placed.machine_of_vm.push_back(taken.machine);
  try {
    placed.ranks = join(placed.cluster, library, placed.job.machines, *nccl, placed.views);
    slow_down_collectives(placed);
    placed.spread = collectives::spread_of(placed.ranks, library.parameters);
    static_cast<void>(collectives::phases_of(placed.job.pattern, placed.ranks));
    const auto asked = placed.job.collective ? placed.job.collective->collective
                                             : collectives::Collective::kAllReduce;
    static_cast<void>(collectives::Chooser(placed.ranks).choose(asked, Bytes{1}));
    for (const BesideJob& beside : placed.job.beside) {
      auto group = std::make_unique<BesideGroup>();
      group->ranks = join(placed.cluster, library, beside.machines, *nccl, group->views);
      placed.beside.push_back(std::move(group));
    }
  } catch (const collectives::NotConnected& error) {
    topology::report(diagnostics, placed.job.origin, error.what());
  }
}

std::unique_ptr<Placement> place(Layout layout, const Library& library,
                                 const input::FileLoader& load, Diagnostics& diagnostics) {
  auto placed = std::make_unique<Placement>();
  Diagnostics found;
  placed->layout = std::move(layout);
  const Layout& own = placed->layout;
  placed->cluster = build_cluster(own, library, load, distinction_of(own), found);
  if (!found.has_errors()) seat_neighbours(own, placed->cluster, found);
  const bool runs = !found.has_errors() && !placed->cluster.is_refused();
  if (runs) placed->job = build_job(own, placed->cluster, library, load, found);
  if (runs) placed->disruptions = find_disruptions(own, placed->cluster, library, found);
  if (runs && !found.has_errors()) join_ranks(*placed, library, load, found);
  if (placed->job.training && !found.has_errors()) {
    if (placed->job.training->data_alone) {
      check_training(*placed, library, found);
    } else {
      check_parallel(*placed, library, found);
    }
  }
  diagnostics.append(found);
  return placed;
}

/// How the ranks of the first ring reach each other.
std::map<std::string, std::size_t> hops_by_transport(const collectives::RankGroup& ranks) {
  std::map<std::string, std::size_t> hops;
  if (ranks.ranks() < 2) return hops;
  for (const collectives::Leg& leg : collectives::ring_legs(ranks, 0)) {
    ++hops[collectives::to_string(leg.transport)];
  }
  return hops;
}

/// Refuses a job that does not fit into its GPUs.
void judge_memory(const Placement& placed, const Library& library, LayoutResult& result) {
  if (!placed.job.training) return;
  result.memory = memory_use(placed, library);
  if (!result.memory || result.memory->fits() || placed.cluster.idealised.unlimited_memory) return;
  result.refused = true;
  const vsphere::Rule& rule = library.vsphere.rules.at("job-does-not-fit");
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  const std::string batch = result.memory->largest_micro_batch > 0
                                ? fmt::format("; {} would fit", result.memory->largest_micro_batch)
                                : "; not even one sample fits";
  result.warnings.insert(
      result.warnings.begin(),
      {rule.id, vsphere::Verdict::kRefused,
       fmt::format("{} needs {:.1f} GiB of a GPU's memory, and it has {:.1f}; micro-batch {}{}",
                   placed.job.training->network->name, result.memory->needed / kGiB,
                   result.memory->capacity / kGiB, placed.job.training->parallelism.micro_batch,
                   batch),
       rule.remedy, rule.sources.front().url});
}

std::size_t hosts_of(const Placement& placed) {
  std::set<std::size_t> hosts;
  for (const collectives::PlacedVm& vm : placed.vms()) hosts.insert(vm.host);
  return hosts.size();
}

LayoutResult describe(const Placement& placed, const Library& library) {
  LayoutResult result;
  result.name = placed.layout.name;
  result.vsphere = placed.cluster.vsphere;
  result.refused = placed.cluster.is_refused();
  result.mode = mode_of(placed.cluster);
  result.warnings = warnings_of(placed.cluster);
  result.assumptions = placed.cluster.assumptions;
  if (result.refused) {
    result.machines = placed.cluster.machines.size();
    return result;
  }
  result.ranks = placed.ranks.ranks();
  result.machines = placed.vms().size();
  result.hosts = hosts_of(placed);
  result.channels = static_cast<std::size_t>(placed.ranks.decision().channels);
  result.hops_by_transport = hops_by_transport(placed.ranks);
  result.assumptions.insert(result.assumptions.end(), placed.job.assumptions.begin(),
                            placed.job.assumptions.end());
  judge_memory(placed, library, result);
  if (placed.job.training && placed.job.training->network->validated_by.empty()) {
    result.assumptions.push_back(fmt::format(
        "network {}: not validated, no measured training job was compared with its predictions",
        placed.job.training->network->name));
  }
  return result;
}

LayoutResult run(const Placement& placed, const Library& library, const RunSettings& settings) {
  LayoutResult result = describe(placed, library);
  if (result.refused) return result;
  if (placed.job.collective) {
    run_collective(placed, library, settings, result);
  } else if (placed.job.training->data_alone) {
    run_training(placed, library, settings, result);
  } else {
    run_parallel(placed, library, settings, result);
  }
  if (result.training) {
    add_disruptions(placed.disruptions, checkpoints_of(placed.layout.job->training.checkpoints),
                    placed.cluster, library, *result.training);
    add_economy(placed, library, *result.training);
    result.training->roofline = roofline(placed, library);
  }
  return result;
}

template <class Evaluate>
tl::expected<ScenarioResult, Diagnostics> for_each_layout(const input::Value& document,
                                                          const Library& library,
                                                          const input::FileLoader& load,
                                                          const RunSettings& settings,
                                                          const Evaluate& evaluate) {
  Diagnostics diagnostics;
  std::vector<LayoutLibrary> libraries;
  std::vector<std::unique_ptr<Placement>> placed;
  Scenario scenario = read_scenario(document, library, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  for (Layout& layout : scenario.layouts) {
    libraries.push_back(library_of(layout, library, load, settings, diagnostics));
    placed.push_back(place(std::move(layout), *libraries.back().library, load, diagnostics));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  ScenarioResult result{scenario.name, {}, {}};
  for (std::size_t l = 0; l < placed.size(); ++l) {
    LayoutResult layout = evaluate(*placed[l], *libraries[l].library);
    if (libraries[l].used && !layout.refused) {
      layout.inputs =
          inputs_of(*placed[l], *libraries[l].library, libraries[l].used->names(), layout);
    }
    layout.calibration = libraries[l].calibration;
    result.layouts.push_back(std::move(layout));
  }
  return result;
}

}  // namespace

tl::expected<ScenarioResult, Diagnostics> run_scenario(const input::Value& document,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings) {
  return for_each_layout(
      document, library, load, settings,
      [&](const Placement& placed, const Library& own) { return run(placed, own, settings); });
}

tl::expected<ScenarioResult, Diagnostics> run_scenario(const input::SourcePtr& file,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings) {
  const auto document = input::read_json(file);
  if (!document) return tl::unexpected(document.error());
  return run_scenario(*document, library, load, settings);
}

tl::expected<ScenarioResult, Diagnostics> validate_scenario(const input::Value& document,
                                                            const Library& library,
                                                            const input::FileLoader& load) {
  RunSettings settings;
  settings.note_inputs = false;
  return for_each_layout(document, library, load, settings, &describe);
}

tl::expected<ScenarioResult, Diagnostics> validate_scenario(const input::SourcePtr& file,
                                                            const Library& library,
                                                            const input::FileLoader& load) {
  const auto document = input::read_json(file);
  if (!document) return tl::unexpected(document.error());
  return validate_scenario(*document, library, load);
}

}  // namespace vgsim::scenario
