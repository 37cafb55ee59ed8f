#include "models/scenario/answer/run_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/collectives/stream.hpp"
#include "models/scenario/answer/economy.hpp"
#include "models/scenario/answer/inputs.hpp"
#include "models/scenario/answer/interruptions.hpp"
#include "models/scenario/answer/job_rules.hpp"
#include "models/scenario/answer/maintenance.hpp"
#include "models/scenario/answer/memory_use.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/plausibility.hpp"
#include "models/scenario/answer/without_effect.hpp"
#include "models/scenario/build/rank_gpu.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/collective_run.hpp"
#include "models/scenario/run/jobs_run.hpp"
#include "models/scenario/run/training_run.hpp"
#include "models/training/gpu_rates.hpp"
#include "models/vsphere/numa_placement.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;

std::string mode_of(const Cluster& cluster) {
  if (cluster.kinds.empty()) return "no VM";
  const std::string first = cluster.kinds.front().mode->title;
  for (const vsphere::VirtualMachine& kind : cluster.kinds) {
    if (kind.mode->title != first) return "mixed";
  }
  return first;
}

/// Machines with the same finding share a warning.
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
    if (names.empty()) names.push_back(finding.subject);  // not placed on any host
    subjects.insert(subjects.end(), names.begin(), names.end());
  }
  std::vector<Warning> warnings;
  for (const auto& [finding, subjects] : distinct) {
    std::optional<vsphere::OperationAnswer> operation = finding->operation;
    if (cluster.hosts.size() == 1 && operation && operation->is_available) {
      operation->why += ", to another such host (the scenario has none)";
    }
    warnings.push_back({finding->rule, finding->verdict,
                        fmt::format("{}: {}", input::and_more(subjects), finding->text),
                        finding->remedy, finding->source, finding->evidence, false,
                        std::move(operation)});
  }
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const Warning& a, const Warning& b) { return a.verdict < b.verdict; });
  return warnings;
}

/// Adds VMs with equal views on hosts of one kind.
void add_vms(const topology::Topology& topology, const topology::Host& host, std::size_t vms,
             const vsphere::GuestView& view, TrafficPath& path) {
  const std::string& server = host.server.empty() ? host.name : host.server;
  for (std::size_t g = 0; g < view.gpu_count(); ++g) {
    path.gpus[server + " " + topology.node(view.gpu(g)).model] += vms;
  }
  for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
    const BytesPerSecond rate = view.nic(n).port_rate;
    if (path.fastest_nic == BytesPerSecond{} || rate < path.slowest_nic) path.slowest_nic = rate;
    path.fastest_nic = std::max(path.fastest_nic, rate);
  }
}

/// The path of the job's collectives. `slowest`: the slowest transport between ring neighbours.
TrafficPath traffic_path_of(const PreparedLayout& layout, collectives::Transport slowest) {
  TrafficPath path;
  path.slowest = slowest;
  const Placement& placement = layout.placement;
  const Cluster& cluster = *placement.cluster;
  std::vector<bool> is_used(cluster.hosts.size());
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> vms;  // by kind of host and view
  for (const collectives::PlacedVm& vm : placement.vms()) {
    is_used[vm.host] = true;
    ++vms[{cluster.hosts[vm.host].kind, vm.view}];
  }
  path.hosts = static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), true));
  for (const auto& [kind, count] : vms) {
    add_vms(cluster.topology, cluster.topology.hosts[kind.first], count,
            placement.views()[kind.second], path);
  }
  if (!placement.job.training) return path;
  for (const ModelError& error : model_errors_of(layout)) {
    if (error.part != &ErrorFactors::passes) continue;
    for (const ErrorCause& cause : error.causes) path.error_causes.insert(cause.name);
  }
  return path;
}

/// How the ranks of the first ring reach each other.
void describe_hops(const PreparedLayout& prepared, LayoutResult& result) {
  const collectives::RankGroup& ranks = prepared.placement.ranks();
  if (!ranks.is_joined()) return;
  std::map<collectives::Transport, std::size_t> counts;
  for (const collectives::Leg& leg : collectives::ring_legs(ranks, 0)) ++counts[leg.transport];
  for (const auto& [transport, count] : counts) {
    result.hops_by_transport[collectives::to_string(transport)] += count;
  }
  if (!counts.empty()) result.path = traffic_path_of(prepared, counts.rbegin()->first);
}

/// Refuses a job that does not fit into GPU memory.
void judge_memory(const Placement& placed, const Library& library, LayoutResult& result) {
  if (!placed.job.training) return;
  result.memory = memory_use(placed, library);
  if (!result.memory || result.memory->fits() || placed.cluster->idealised.unlimited_memory) return;
  result.refused = true;
  const vsphere::Rule& rule = library.vsphere->rules.at("job-does-not-fit");
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  const std::string batch = result.memory->largest_micro_batch > 0
                                ? fmt::format("; {} would fit", result.memory->largest_micro_batch)
                                : "; no sample fits";
  result.warnings.insert(
      result.warnings.begin(),
      {rule.id, vsphere::Verdict::kRefused,
       fmt::format("{} needs {:.1f} GiB of device memory, the GPU has {:.1f} GiB; micro-batch {}{}",
                   placed.job.training->network->name, result.memory->needed / kGiB,
                   result.memory->capacity / kGiB, placed.job.training->parallelism.micro_batch,
                   batch),
       rule.remedy, rule.sources.front().url, rule.evidence});
}

/// Warnings and refusals of another of several jobs, with its name.
void judge_other_job(const PreparedLayout& other, const Library& library, LayoutResult& result) {
  LayoutResult own;
  judge_job(other.placement, library, own);
  judge_memory(other.placement, library, own);
  result.refused = result.refused || own.refused;
  for (Warning& warning : own.warnings) {
    warning.text = fmt::format("job {}: {}", other.placement.layout->job_name, warning.text);
    result.warnings.push_back(std::move(warning));
  }
}

std::size_t hosts_of(const Placement& placed) {
  std::set<std::size_t> hosts;
  for (const collectives::PlacedVm& vm : placed.vms()) hosts.insert(vm.host);
  return hosts.size();
}

/// Lists unmeasured GPUs as assumptions, with the effect of assuming another generation.
void note_unmeasured_gpus(const Placement& placed, const Library& library, LayoutResult& result) {
  for (const topology::GpuModel* gpu : unmeasured_gpus(placed, library)) {
    const auto share = [&](topology::GpuGeneration generation) {
      return library.parameters.at(fmt::format("{}_product_share", topology::word_of(generation)))
          .quantity.value;
    };
    const auto own = topology::generation_of(static_cast<int>(gpu->compute_capability));
    std::string others;
    for (std::size_t g = 0; g < topology::kGpuGenerations; ++g) {
      const auto other = static_cast<topology::GpuGeneration>(g);
      if (other == own) continue;
      others += fmt::format("{}{} as {}", others.empty() ? "" : ", ",
                            fmt::format("{:+.0f} %", 100 * (share(own) / share(other) - 1)),
                            topology::word_of(other));
    }
    result.assumptions.push_back(
        fmt::format("{}: no measured training job on this or a similar GPU; by its "
                    "compute_capability {} it uses the "
                    "kernel constants of {} GPUs (time of matrix products {})",
                    gpu->name, gpu->compute_capability, topology::word_of(own), others));
    if (gpu->multiprocessors > 0) continue;
    result.assumptions.push_back(fmt::format(
        "{}: sm_count not given: matrix products of any size reach the share of the peak "
        "of large ones, and traffic occupies no multiprocessors (optimistic for small ones)",
        gpu->name));
  }
}

/// "vCPUs on NUMA node 1, memory on 1, GPUs on 0"; empty if the VM may be anywhere.
std::string nodes_of(const Cluster& cluster, const vsphere::VirtualMachine& vm) {
  if (vm.numa.memory.empty()) return {};
  std::set<std::size_t> memory;
  for (const auto& part : vm.numa.memory) memory.insert(part.node);
  std::set<std::size_t> gpus;
  const topology::Host& host = cluster.topology.hosts[vm.host];
  for (const std::size_t gpu : vm.gpus) {
    gpus.insert(vsphere::node_of_device(cluster.topology, host, host.gpus[gpu]));
  }
  return fmt::format("vCPUs on NUMA node {}, memory on {}, GPUs on {}",
                     fmt::join(vm.numa.nodes, "+"), fmt::join(memory, "+"), fmt::join(gpus, "+"));
}

/// "vm: vCPUs on NUMA node 1, memory on 1, GPUs on 0": VMs alike are one sentence.
std::vector<std::string> numa_words(const Placement& placed) {
  const Cluster& cluster = *placed.cluster;
  std::map<std::size_t, std::string> of_kind;
  std::map<std::string, std::vector<std::string>> by_nodes;
  for (const JobMachine& each : placed.job.machines) {
    const Machine& machine = cluster.machines[each.machine];
    const auto [known, is_new] = of_kind.try_emplace(machine.kind);
    if (is_new) known->second = nodes_of(cluster, cluster.kinds[machine.kind]);
    if (!known->second.empty()) by_nodes[known->second].push_back(machine.name);
  }
  std::vector<std::string> words;
  for (const auto& [nodes, vms] : by_nodes) {
    words.push_back(fmt::format("{}: {}", input::and_more(vms), nodes));
  }
  return words;
}

LayoutResult describe(const PreparedLayout& prepared) {
  const Placement& placed = prepared.placement;
  const Library& library = *prepared.library.library;
  LayoutResult result;
  result.name = placed.layout->name;
  result.vsphere = placed.cluster->vsphere;
  result.refused = placed.cluster->is_refused();
  result.mode = mode_of(*placed.cluster);
  result.warnings = warnings_of(*placed.cluster);
  result.assumptions = placed.cluster->assumptions;
  result.open = placed.cluster->open;
  const auto& neighbours = placed.capacities.assumptions;
  result.assumptions.insert(result.assumptions.end(), neighbours.begin(), neighbours.end());
  if (result.refused) {
    result.machines = placed.cluster->machines.size();
    return result;
  }
  result.numa = numa_words(placed);
  for (const ClusterHost& host : placed.cluster->hosts) {
    result.pool_gpus += placed.cluster->topology.hosts[host.kind].gpus.size();
  }
  result.ranks = placed.ranks().ranks();
  result.machines = placed.vms().size();
  result.hosts = hosts_of(placed);
  result.channels = static_cast<std::size_t>(placed.ranks().decision().channels);
  describe_hops(prepared, result);
  result.assumptions.insert(result.assumptions.end(), placed.job.assumptions.begin(),
                            placed.job.assumptions.end());
  judge_job(placed, library, result);
  judge_memory(placed, library, result);
  for (const PreparedLayout& other : prepared.other_jobs) {
    judge_other_job(other, library, result);
  }
  warn_of_implausible(placed, library, result);
  if (placed.job.training) note_unmeasured_gpus(placed, library, result);
  if (placed.job.training && placed.job.training->network->validated_by.empty()) {
    result.assumptions.push_back(
        fmt::format("network {}: not validated against a measured training job",
                    placed.job.training->network->name));
  }
  return result;
}

/// Roofline of the job's first GPU; nothing if operations are not counted.
std::optional<training::Roofline> roofline_of(const PreparedLayout& prepared) {
  const Placement& placed = prepared.placement;
  const Library& library = *prepared.library.library;
  const training::TrainingJob& job = *placed.job.training;
  if (job.network->forward(job.tokens) == Flops{0}) return std::nullopt;
  const vsphere::GuestView& view = placed.views().front();
  const auto gpu = library.catalog->gpus.find(placed.cluster->topology.node(view.gpu(0)).model);
  if (gpu == library.catalog->gpus.end()) return std::nullopt;
  input::Diagnostics diagnostics;  // the job was prepared before
  const auto rates = rates_of(placed, library, view, 0, diagnostics);
  input::expect_no_errors(diagnostics);
  return training::roofline(job, gpu->second, rates,
                            training::traffic_per_kept_byte(job, library.parameters));
}

/// Share of the operations counted by MFU that are necessary: causal attention can skip the masked
/// half of its scores, and fast convolutions multiply less.
double needed_operations(const training::TrainingJob& job) {
  const auto all = static_cast<double>(job.network->forward(job.tokens).count());
  const bool causal = job.network->transformer && job.network->transformer->causal;
  if (all == 0 || !causal) return training::least_multiplied(job);
  const auto tokens = static_cast<double>(job.tokens);
  double scores = 0;
  for (const training::LayerGroup& layer : job.network->layers) {
    scores += static_cast<double>(layer.flops_per_token_pair.count()) * tokens * tokens;
  }
  return 1 - scores / 2 / all;
}

void run(const PreparedLayout& prepared, const RunSettings& settings, LayoutResult& result) {
  const Placement& placed = prepared.placement;
  const Library& library = *prepared.library.library;
  if (placed.job.collective) {
    run_collective(prepared, settings, result);
  } else {
    run_training(prepared, settings, result);
    run_jobs(prepared, settings, result);
  }
  if (!result.training) return;
  result.training->copies = placed.layout->job->training.copies;
  result.training->host_samples_per_s = result.training->samples_per_s *
                                        static_cast<double>(result.training->copies) /
                                        static_cast<double>(result.hosts);
  add_disruptions(prepared.disruptions, placed, library, result);
  add_maintenance(placed, library, result);
  add_economy(placed, library, result);
  TrainingResult& training = *result.training;
  training.all_tokens = placed.job.training->all_tokens;
  training.roofline = roofline_of(prepared);
  if (training.roofline && training.model_flops_per_gpu > 0) {
    const double peak = training.roofline->peak_operations_per_s;
    const double utilization = training.model_flops_per_gpu / peak;
    // Above 1 for fast convolutions, which multiply less than is counted: no meaningful share.
    if (utilization <= 1.0) {
      training.model_flops_utilization = utilization;
      training.hardware_flops_utilization = training.hardware_flops_per_gpu / peak;
    }
    const double computing = utilization * to_seconds(training.iteration);
    training.floors.compute = SimTime{
        static_cast<std::int64_t>(computing * needed_operations(*placed.job.training) * 1e12)};
  }
}

template <class Evaluate>
ScenarioResult for_each_layout(const PreparedScenario& prepared, const Evaluate& evaluate) {
  ScenarioResult result{prepared.name, {}, {}};
  for (const PreparedLayout& layout : prepared.layouts) {
    LayoutResult& own = result.layouts.emplace_back(describe(layout));
    if (!own.refused) evaluate(layout, own);
    own.calibration = layout.library.calibration;
  }
  return result;
}

template <class Answer>
tl::expected<ScenarioResult, Diagnostics> parsed(const input::SourcePtr& file,
                                                 const Answer& answer) {
  const auto document = Document::parse(file);
  if (!document) return tl::unexpected(document.error());
  return answer(*document);
}

}  // namespace

tl::expected<PreparedScenario, Diagnostics> prepare_scenario(const Document& document,
                                                             const Library& library,
                                                             const input::FileLoader& load,
                                                             const RunSettings& settings,
                                                             const PreparedScenario* like) {
  const auto scenario = read_scenario(document, library);
  if (!scenario) return tl::unexpected(scenario.error());
  return prepare(*scenario, library, load, settings, like);
}

ScenarioResult run(const PreparedScenario& prepared, const RunSettings& settings) {
  return for_each_layout(prepared, [&](const PreparedLayout& layout, LayoutResult& result) {
    run(layout, settings, result);
    if (!settings.only_times) warn_of_no_effect(layout.placement, *layout.library.library, result);
    if (!layout.library.used || result.refused) return;
    result.inputs =
        inputs_of(layout.placement, *layout.library.library, layout.library.used->names(), result);
    result.measured_like = measured_like(layout);
  });
}

tl::expected<ScenarioResult, Diagnostics> run_scenario(const Document& document,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings,
                                                       const PreparedScenario* like) {
  const auto prepared = prepare_scenario(document, library, load, settings, like);
  if (!prepared) return tl::unexpected(prepared.error());
  return run(*prepared, settings);
}

tl::expected<ScenarioResult, Diagnostics> run_scenario(const input::SourcePtr& file,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings) {
  return parsed(file, [&](const Document& document) {
    return run_scenario(document, library, load, settings);
  });
}

tl::expected<ScenarioResult, Diagnostics> validate_scenario(const Document& document,
                                                            const Library& library,
                                                            const input::FileLoader& load) {
  RunSettings settings;
  settings.note_inputs = false;
  const auto prepared = prepare_scenario(document, library, load, settings);
  if (!prepared) return tl::unexpected(prepared.error());
  return for_each_layout(*prepared, [](const PreparedLayout&, LayoutResult&) {});
}

tl::expected<ScenarioResult, Diagnostics> validate_scenario(const input::SourcePtr& file,
                                                            const Library& library,
                                                            const input::FileLoader& load) {
  return parsed(
      file, [&](const Document& document) { return validate_scenario(document, library, load); });
}

}  // namespace vgsim::scenario
