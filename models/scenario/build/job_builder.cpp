#include "models/scenario/build/job_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "models/scenario/build/capacities.hpp"
#include "models/scenario/build/job_parallelism.hpp"
#include "models/scenario/build/training_builder.hpp"
#include "models/scenario/build/unevenness.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::At;
using input::Diagnostics;
using topology::report;

constexpr std::size_t kMostGpus = 64;  ///< per machine, the limit of NCCL's topology files

using Patterns = std::vector<At<std::string>>;

bool fits_any(const std::string& name, const std::optional<Patterns>& patterns) {
  if (!patterns) return true;
  return std::any_of(patterns->begin(), patterns->end(), [&](const At<std::string>& pattern) {
    return input::matches_pattern(name, *pattern);
  });
}

/// Whether a pattern of ranks can match GPUs of a machine.
bool can_select(const std::string& pattern, const std::string& machine) {
  const std::size_t end = pattern.find('/');
  return end == std::string::npos || input::matches_pattern(machine, pattern.substr(0, end));
}

std::string gpu_of(const std::string& machine, std::size_t gpu) {
  return fmt::format("{}/gpu{}", machine, gpu);
}

std::vector<std::size_t> select_machines(const std::optional<Patterns>& patterns,
                                         const Cluster& cluster, Diagnostics& diagnostics) {
  const auto& machines = cluster.machines;
  for (const At<std::string>& pattern : patterns.value_or(Patterns())) {
    const bool fits = std::any_of(machines.begin(), machines.end(), [&](const Machine& machine) {
      return input::matches_pattern(machine.name, *pattern);
    });
    if (fits) continue;
    std::vector<std::string> names;
    for (const Machine& machine : machines) names.push_back(machine.name);
    report(diagnostics, pattern, fmt::format("unknown VM or host \"{}\"", *pattern),
           "names of VMs, or of hosts if there are no VMs; * matches any characters",
           input::suggest(*pattern, names));
  }
  std::vector<std::size_t> selected;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    if (fits_any(machines[m].name, patterns)) selected.push_back(m);
  }
  return selected;
}

/// The machines with their GPUs that match the patterns; machines without any are omitted.
std::vector<JobMachine> select_ranks(const RankPatterns& patterns, const Cluster& cluster,
                                     const std::vector<std::size_t>& machines,
                                     Diagnostics& diagnostics) {
  std::vector<JobMachine> result;
  const Patterns given = patterns.value_or(Patterns());
  std::vector<bool> fits(given.size(), false);
  for (const std::size_t m : machines) {
    const Machine& machine = cluster.machines[m];
    std::vector<bool> taken(cluster.kinds[machine.kind].gpus.size(), !patterns);
    for (std::size_t p = 0; p < given.size(); ++p) {
      if (!can_select(*given[p], machine.name)) continue;
      for (std::size_t g = 0; g < taken.size(); ++g) {
        if (input::matches_pattern(gpu_of(machine.name, g), *given[p])) taken[g] = fits[p] = true;
      }
    }
    JobMachine selected{m, {}};
    for (std::size_t g = 0; g < taken.size(); ++g) {
      if (taken[g]) selected.gpus.push_back(g);
    }
    if (!selected.gpus.empty()) result.push_back(std::move(selected));
  }
  for (std::size_t p = 0; p < given.size(); ++p) {
    if (fits[p]) continue;
    report(diagnostics, given[p], fmt::format("unknown GPU \"{}\"", *given[p]),
           "GPUs of machines of the job, such as \"esx01/gpu0\" or \"esx*/gpu[0-3]\"");
  }
  return result;
}

std::vector<ConcurrentCollective> build_beside(const std::vector<ConcurrentCollectiveSpec>& specs,
                                               const Cluster& cluster, Diagnostics& diagnostics) {
  std::vector<std::size_t> all(cluster.machines.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<ConcurrentCollective> result;
  for (const ConcurrentCollectiveSpec& spec : specs) {
    result.push_back(
        {spec.collective, spec.size, select_ranks(spec.ranks, cluster, all, diagnostics)});
  }
  return result;
}

/// Reports machines of the job without GPUs.
void check_gpus(const At<JobSpec>& job, const Cluster& cluster,
                const std::vector<std::size_t>& machines, Diagnostics& diagnostics) {
  const auto has_gpus = [&](std::size_t m) {
    return !cluster.kinds[cluster.machines[m].kind].gpus.empty();
  };
  if (machines.empty() || std::any_of(machines.begin(), machines.end(), has_gpus)) return;
  const std::string& first = cluster.machines[machines.front()].name;
  const std::string what =
      machines.size() == 1
          ? fmt::format("the job has no GPU: {} has none", first)
          : fmt::format("the job has no GPU: {} and {} more have none", first, machines.size() - 1);
  const bool selects = job->vms && !job->vms->empty();
  report(diagnostics, selects ? job->vms->front().origin : job.origin, what,
         "hosts with \"gpus\", such as \"4 x a100-pcie-80gb\", and VMs with some of them");
}

/// Reports more GPUs per thread than a machine has.
void check_threads(const At<std::int64_t>& gpus_per_thread, const Cluster& cluster,
                   const std::vector<JobMachine>& machines, Diagnostics& diagnostics) {
  std::size_t most = 0;
  for (const JobMachine& machine : machines) {
    const auto kind = cluster.machines[machine.machine].kind;
    most = std::max(most, cluster.kinds[kind].gpus.size());
  }
  if (machines.empty() || *gpus_per_thread <= static_cast<std::int64_t>(most)) return;
  report(diagnostics, gpus_per_thread,
         fmt::format("{} GPUs per thread, but the machine has {}", *gpus_per_thread, most),
         fmt::format("{} or fewer", most));
}

/// Which ranks of a machine a job has.
std::string selection_of(const JobSpec& job, const std::string& name) {
  std::string result;
  if (fits_any(name, job.vms)) result += "\ntaken";
  Patterns ranks = job.ranks.value_or(Patterns());
  std::erase_if(ranks, [&](const auto& pattern) { return !can_select(*pattern, name); });
  for (std::size_t g = 0; g < kMostGpus && !ranks.empty(); ++g) {
    if (fits_any(gpu_of(name, g), ranks)) result += fmt::format("\nrank {}", g);
  }
  return result;
}

}  // namespace

Distinction distinction_of(const Layout& layout) {
  std::vector<std::string> marked;
  for (const auto& straggler : layout.variability.stragglers) {
    marked.push_back(machine_part(straggler.name));
  }
  for (const FaultSpec& fault : layout.faults) marked.push_back(machine_part(*fault.link));
  std::sort(marked.begin(), marked.end());
  return [&layout, marked = std::move(marked)](const std::string& name) {
    const JobSpec& job = *layout.job;
    std::string result = neighbours_of(layout, name);
    if (!job.beside.empty() || std::binary_search(marked.begin(), marked.end(), name)) {
      result += "\nalone: " + name;
    }
    // Which of several jobs it is does not matter: each has its own ranks.
    std::set<std::string> selections{selection_of(job, name)};
    for (const auto& each : layout.jobs) selections.insert(selection_of(**each, name));
    for (const std::string& selection : selections) result += selection;
    return result;
  };
}

Job build_job(const Layout& layout, const Cluster& cluster, const Library& library,
              const input::FileLoader& load, Diagnostics& diagnostics) {
  const JobSpec& spec = *layout.job;
  Job job;
  if (!layout.jobs.empty() && !spec.trains()) {
    report(diagnostics, layout.job.origin, "one of several jobs is a collective",
           "a \"network\" in each of \"jobs\"; \"beside\" of a single job for collectives");
    return job;
  }
  job.origin = layout.job.origin;
  const std::vector<std::size_t> machines = select_machines(spec.vms, cluster, diagnostics);
  check_gpus(layout.job, cluster, machines, diagnostics);
  job.machines = select_ranks(spec.ranks, cluster, machines, diagnostics);
  job.beside = build_beside(spec.beside, cluster, diagnostics);
  job.nccl = spec.nccl;
  job.pattern = *spec.pattern;
  job.fidelity = spec.fidelity;
  job.variability = find_variability(layout.variability, cluster, diagnostics);
  job.faults = find_faults(layout.faults, cluster, diagnostics);
  if (spec.collective) {
    check_threads(spec.gpus_per_thread, cluster, job.machines, diagnostics);
    job.collective =
        CollectiveJob{*spec.collective, spec.sizes, spec.nvls_sums, *spec.gpus_per_thread};
    return job;
  }
  std::size_t ranks = 0;
  for (const JobMachine& machine : job.machines) ranks += machine.gpus.size();
  job.training = training_job(layout.job, library, load, job.assumptions, diagnostics);
  if (job.training->network != nullptr) {
    split_work(layout.job, ranks, *job.training, job.assumptions, diagnostics);
  }
  return job;
}

}  // namespace vgsim::scenario
