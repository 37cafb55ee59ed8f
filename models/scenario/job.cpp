#include "models/scenario/job.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/disruptions.hpp"
#include "models/scenario/neighbours.hpp"
#include "models/scenario/parallelism_input.hpp"
#include "models/scenario/size_range.hpp"
#include "models/scenario/training_input.hpp"
#include "models/scenario/unevenness_input.hpp"
#include "topology/host_input.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;
using topology::report;

constexpr const char* kDefaultSizes = "8 B .. 8 GiB x2";
constexpr std::size_t kMostGpus = 64;  ///< of a machine, as in an NCCL topology file

std::vector<std::string> patterns_of(const std::optional<Value>& vms) {
  if (!vms) return {"*"};
  if (vms->is_string()) return {vms->string()};
  std::vector<std::string> patterns;
  for (const Value& element : vms->elements()) patterns.push_back(element.string());
  return patterns;
}

std::vector<std::size_t> select_machines(const Value& job, const Cluster& cluster,
                                         Diagnostics& diagnostics) {
  const auto vms = find(job, "vms");
  std::vector<bool> selected(cluster.machines.size(), false);
  for (const std::string& pattern : patterns_of(vms)) {
    bool fits = false;
    for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
      if (!input::matches_pattern(cluster.machines[m].name, pattern)) continue;
      selected[m] = true;
      fits = true;
    }
    if (fits) continue;
    std::vector<std::string> names;
    for (const auto& machine : cluster.machines) names.push_back(machine.name);
    report(diagnostics, vms.value_or(job), fmt::format("no VM or host is called \"{}\"", pattern),
           "names of VMs, or of hosts where there are no VMs; * stands for any letters",
           input::suggest(pattern, names));
  }
  std::vector<std::size_t> machines;
  for (std::size_t m = 0; m < selected.size(); ++m) {
    if (selected[m]) machines.push_back(m);
  }
  return machines;
}

std::vector<std::string> rank_patterns(const Value& job) {
  const auto ranks = find(job, "ranks");
  if (!ranks) return {"*"};
  std::vector<std::string> patterns;
  for (const Value& element : ranks->elements()) patterns.push_back(element.string());
  return patterns;
}

bool is_rank(const std::vector<std::string>& patterns, const std::string& machine,
             std::size_t gpu) {
  const std::string name = fmt::format("{}/gpu{}", machine, gpu);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return input::matches_pattern(name, pattern);
  });
}

/// The machines with those of their GPUs that "ranks" names; machines without any are left out.
std::vector<JobMachine> select_ranks(const Value& job, const Cluster& cluster,
                                     const std::vector<std::size_t>& machines,
                                     Diagnostics& diagnostics) {
  const std::vector<std::string> patterns = rank_patterns(job);
  std::vector<bool> fits(patterns.size(), false);
  std::vector<JobMachine> result;
  for (const std::size_t m : machines) {
    JobMachine selected{m, {}};
    const Machine& machine = cluster.machines[m];
    for (std::size_t g = 0; g < cluster.kinds[machine.kind].gpus.size(); ++g) {
      for (std::size_t p = 0; p < patterns.size(); ++p) {
        if (is_rank({patterns[p]}, machine.name, g)) fits[p] = true;
      }
      if (is_rank(patterns, machine.name, g)) selected.gpus.push_back(g);
    }
    if (!selected.gpus.empty()) result.push_back(std::move(selected));
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (fits[p] || !find(job, "ranks")) continue;
    report(diagnostics, find(job, "ranks")->elements()[p],
           fmt::format("no GPU is called \"{}\"", patterns[p]),
           "GPUs of machines that take part, such as \"esx01/gpu0\" or \"esx*/gpu[0-3]\"");
  }
  return result;
}

std::vector<BesideJob> read_beside(const Value& job, const Cluster& cluster,
                                   Diagnostics& diagnostics) {
  std::vector<BesideJob> result;
  const auto list = find(job, "beside");
  if (!list) return result;
  std::vector<std::size_t> all(cluster.machines.size());
  for (std::size_t m = 0; m < all.size(); ++m) all[m] = m;
  for (const Value& value : list->elements()) {
    BesideJob& beside = result.emplace_back();
    beside.collective = collectives::collective_of(input::as_string(*find(value, "collective")));
    if (const auto size = find(value, "size")) beside.size = input::as_bytes(*size);
    beside.machines = select_ranks(value, cluster, all, diagnostics);
  }
  return result;
}

NcclJob read_nccl(const Value& job) {
  NcclJob result;
  const auto nccl = find(job, "nccl");
  if (!nccl) return result;
  for (const input::Member& member : nccl->members()) {
    if (member.name == "version") {
      result.version = member.value;
    } else {
      result.variables.emplace(member.name, member.value);
    }
  }
  return result;
}

CollectiveJob read_collective(const Value& job) {
  const auto collective = collectives::collective_of(input::as_string(*find(job, "collective")));
  const auto sizes = find(job, "sizes");
  if (!sizes) return {collective, *parse_size_range(kDefaultSizes)};
  if (sizes->is_string()) return {collective, *parse_size_range(sizes->string())};
  CollectiveJob result{collective, {}};
  for (const Value& size : sizes->elements()) result.sizes.push_back(input::as_bytes(size));
  return result;
}

}  // namespace

training::Parallelism parallelism_of(const TrainingJob& training, std::size_t ranks) {
  if (training.parallelism) return *training.parallelism;
  training::Parallelism plain;
  plain.data = ranks;
  plain.micro_batch = training.batch_per_gpu;
  plain.micro_batches = training.accumulation;
  plain.flash_attention = training.flash_attention;
  return plain;
}

double samples_of(const TrainingJob& training, std::int64_t global_batch,
                  std::int64_t iterations_per_epoch) {
  const auto epochs = static_cast<double>(training.epochs);
  if (training.samples_per_epoch && !training.iterations_per_epoch) {
    return static_cast<double>(*training.samples_per_epoch) * epochs;
  }
  return static_cast<double>(global_batch) * static_cast<double>(iterations_per_epoch) * epochs;
}

Distinction distinction_of(const LayoutInput& layout) {
  std::vector<std::string> marked;
  if (const auto variability = find(layout.value, "variability")) {
    if (const auto stragglers = find(*variability, "stragglers")) {
      for (const input::Member& member : stragglers->members()) {
        marked.push_back(machine_part(member.name));
      }
    }
  }
  if (const auto faults = find(layout.value, "faults")) {
    for (const Value& fault : faults->elements()) {
      marked.push_back(machine_part(input::as_string(*find(fault, "link"))));
    }
  }
  std::sort(marked.begin(), marked.end());
  const Value job = *find(layout.value, "job");
  return [layout, marked = std::move(marked), patterns = patterns_of(find(job, "vms")),
          others = find(job, "beside").has_value(),
          ranks = find(job, "ranks") ? rank_patterns(job)
                                     : std::vector<std::string>{}](const std::string& name) {
    std::string result = neighbours_of(layout, name);
    if (others || std::binary_search(marked.begin(), marked.end(), name)) {
      result += "\nalone: " + name;
    }
    const bool taken = std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
      return input::matches_pattern(name, pattern);
    });
    if (taken) result += "\ntaken";
    for (std::size_t g = 0; g < kMostGpus && !ranks.empty(); ++g) {
      if (is_rank(ranks, name, g)) result += fmt::format("\nrank {}", g);
    }
    return result;
  };
}

Job read_job(const LayoutInput& layout, const Cluster& cluster, const Library& library,
             const input::FileLoader& load, Diagnostics& diagnostics) {
  Job job;
  job.value = *find(layout.value, "job");
  const bool trains = find(job.value, "network").has_value();
  const bool collective = find(job.value, "collective").has_value();
  if (trains == collective) {
    report(diagnostics, job.value,
           trains ? "both \"network\" and \"collective\" are given"
                  : "neither \"network\" nor \"collective\" is given",
           "one of them");
    return job;
  }
  job.machines = select_ranks(job.value, cluster, select_machines(job.value, cluster, diagnostics),
                              diagnostics);
  job.beside = read_beside(job.value, cluster, diagnostics);
  job.nccl = read_nccl(job.value);
  if (const auto pattern = find(job.value, "pattern")) {
    job.pattern = collectives::pattern_of(input::as_string(*pattern));
  }
  if (const auto fidelity = find(job.value, "fidelity")) {
    if (input::as_string(*fidelity) == "chunk") job.fidelity = collectives::Fidelity::kChunk;
  }
  job.variability = read_variability(layout.value, cluster, diagnostics);
  job.faults = read_faults(layout.value, cluster, diagnostics);
  std::size_t ranks = 0;
  for (const JobMachine& machine : job.machines) ranks += machine.gpus.size();
  if (collective) {
    for (const input::Member& member : job.value.members()) {
      if (member.name == "collective" || member.name == "sizes" || member.name == "vms" ||
          member.name == "fidelity" || member.name == "ranks" || member.name == "nccl" ||
          member.name == "pattern" || member.name == "beside")
        continue;
      diagnostics.error(
          "E411", member.key, member.value.pointer(),
          fmt::format("\"{}\" belongs to training, not to a collective", member.name));
    }
    job.collective = read_collective(job.value);
  } else {
    if (const auto beside = find(job.value, "beside")) {
      report(diagnostics, *beside, "\"beside\" belongs to a collective, not to training");
    }
    if (const auto sizes = find(job.value, "sizes")) {
      report(diagnostics, *sizes, "\"sizes\" belongs to a collective, not to training");
    }
    check_checkpoints(job.value, diagnostics);
    job.training = read_training(job.value, library, load, job.assumptions, diagnostics);
    if (job.training->network != nullptr) {
      read_parallelism(job.value, ranks, *job.training, job.assumptions, diagnostics);
    }
  }
  return job;
}

}  // namespace vgsim::scenario
