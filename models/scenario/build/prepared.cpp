#include "models/scenario/build/prepared.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "models/collectives/choice.hpp"
#include "models/collectives/stream.hpp"
#include "models/scenario/build/job_builder.hpp"
#include "models/scenario/build/nccl_input.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;

/// Whether VMs that are equal apart from their hosts are on the same hosts.
bool same_hosts(const Layout& a, const Layout& b) {
  return std::equal(
      a.vms.begin(), a.vms.end(), b.vms.begin(), b.vms.end(),
      [](const auto& x, const auto& y) { return x.value->spec.host == y.value->spec.host; });
}

/// Whether several jobs select the same machines.
bool same_selections(const Layout& a, const Layout& b) {
  return std::equal(a.jobs.begin(), a.jobs.end(), b.jobs.begin(), b.jobs.end(),
                    [](const auto& x, const auto& y) {
                      return (*x)->vms == (*y)->vms && (*x)->ranks == (*y)->ranks;
                    });
}

/// Whether both layouts build the same machines in the same order: hosts, VMs, fabric and
/// distinctions.
bool same_machines(const Layout& a, const Layout& b) {
  const auto same_list = [](const auto& one, const auto& other) {
    return std::equal(
        one.begin(), one.end(), other.begin(), other.end(), [](const auto& x, const auto& y) {
          return x.name == y.name && (x.value == y.value || x.value->said == y.value->said);
        });
  };
  const JobSpec& job = *a.job;
  const JobSpec& other = *b.job;
  return a.said_of_machines == b.said_of_machines && same_list(a.hosts, b.hosts) &&
         same_list(a.vms, b.vms) && same_hosts(a, b) && job.trains() == other.trains() &&
         job.vms == other.vms && job.ranks == other.ranks && same_selections(a, b) &&
         job.beside.empty() == other.beside.empty();
}

/// Collectives transfer data in the time slices of a vGPU: thread blocks get its share of time, and
/// start when the last vGPU has its time slice.
void slow_down_collectives(Placement& placed) {
  double least = 1.0;
  SimTime wait{};
  for (const vsphere::GuestView& view : placed.views()) {
    for (const vsphere::GpuShare& share : view.vm().shares) {
      least = std::min(least, share.compute);
      wait = std::max(wait, share.wait);
    }
  }
  if (least == 1.0 && wait == SimTime{0}) return;
  placed.costs.share_time(least, wait);
  placed.job.assumptions.emplace_back(
      "collectives on shared GPUs transfer data only in their own time slices");
}

/// Disables CollNet if the switch of the fabric has no in-network reduction.
void need_reducing_switch(Placement& placed, const Library& library, collectives::NcclInput& nccl) {
  const auto& fabric = placed.layout->fabric;
  if (!nccl.settings.collnet_enable.value_or(false)) return;
  if (!fabric || !(*fabric)->network_switch) {
    placed.job.assumptions.emplace_back(
        "NCCL_COLLNET_ENABLE: the switch is assumed to support in-network reduction (SHARP)");
    return;
  }
  const std::string& name = **(*fabric)->network_switch;
  const auto model = library.catalog->switches.find(name);
  if (model != library.catalog->switches.end() && model->second.reduces) return;
  nccl.settings.collnet_enable = false;
  placed.job.assumptions.push_back(
      fmt::format("NCCL_COLLNET_ENABLE has no effect: {} has no in-network reduction", name));
}

/// Prepares one layout, reusing unchanged parts of an earlier preparation.
class Preparer {
 public:
  Preparer(const Library& library, const input::FileLoader& load, const RunSettings& settings,
           Diagnostics& diagnostics)
      : load_(load), settings_(settings), base_(library), diagnostics_(diagnostics) {}

  PreparedLayout prepare(const Shared<Layout>& layout, const PreparedLayout* like) {
    PreparedLayout prepared;
    Placement& placed = prepared.placement;
    placed.layout = layout;
    prepared.library = library_for(*layout);
    const Library& library = *prepared.library.library;
    Diagnostics found;
    add_cluster(like, prepared, found);
    if (!found.has_errors()) {
      placed.capacities = capacities_of(*placed.cluster, *layout, library, found);
    }
    if (!found.has_errors() && !prepared.is_refused()) {
      placed.job = build_job(*layout, *placed.cluster, library, load_, found);
      prepared.disruptions = find_disruptions(*layout, *placed.cluster, library, found);
      if (!found.has_errors()) join_ranks(placed, library, like, found);
      if (placed.job.training && !found.has_errors()) lower(prepared, like, found);
    }
    if (!found.has_errors() && !prepared.is_refused()) add_other_jobs(prepared, like, found);
    diagnostics_.append(found);
    return prepared;
  }

 private:
  void add_other_jobs(PreparedLayout& first, const PreparedLayout* like, Diagnostics& found) {
    const auto& others = first.placement.layout->other_jobs;
    if (others.empty() || settings_.paces.contains(first.placement.layout->name)) return;
    for (std::size_t j = 0; j < others.size(); ++j) {
      const bool known = like != nullptr && j < like->other_jobs.size();
      PreparedLayout other;
      other.library = first.library;
      other.cluster_parameters = first.cluster_parameters;
      Placement& placed = other.placement;
      placed.layout = others[j];
      placed.cluster = first.placement.cluster;
      placed.capacities = first.placement.capacities;
      const Library& library = *other.library.library;
      placed.job = build_job(*others[j], *placed.cluster, library, load_, found);
      if (found.has_errors()) return;
      const PreparedLayout* before = known ? &like->other_jobs[j] : nullptr;
      join_ranks(placed, library, before, found);
      if (placed.job.training && !found.has_errors()) lower(other, before, found);
      first.other_jobs.push_back(std::move(other));
    }
    report_shared_gpus(first, found);
  }

  /// Several jobs can share a GPU only through separate vGPUs.
  static void report_shared_gpus(const PreparedLayout& first, Diagnostics& found) {
    std::vector<const Placement*> jobs{&first.placement};
    for (const PreparedLayout& other : first.other_jobs) jobs.push_back(&other.placement);
    std::map<std::pair<std::size_t, std::size_t>, std::string> owner;
    for (const Placement* job : jobs) {
      for (const JobMachine& machine : job->job.machines) {
        for (const std::size_t gpu : machine.gpus) {
          const auto [it, is_new] =
              owner.emplace(std::pair(machine.machine, gpu), job->layout->job_name);
          if (is_new) continue;
          topology::report(found, job->job.origin,
                           fmt::format("{} is also a GPU of the job \"{}\"",
                                       job->cluster->gpu_name(machine.machine, gpu), it->second),
                           "\"vms\" or \"ranks\" for each job, without common GPUs");
          return;
        }
      }
    }
  }

  /// Layouts without relevant differences share it.
  LayoutLibrary library_for(const Layout& layout) {
    if (layout.calibration || settings_.note_inputs) {
      return library_of(layout, base_, load_, settings_, diagnostics_);
    }
    if (!shared_) shared_ = library_of(layout, base_, load_, settings_, diagnostics_);
    return *shared_;
  }

  [[nodiscard]] static bool same_parameters(const PreparedLayout& a, const PreparedLayout& b,
                                            const std::set<std::string>& names) {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return a.library.library->parameters.is_as_in(b.library.library->parameters, name);
    });
  }

  void add_cluster(const PreparedLayout* like, PreparedLayout& prepared, Diagnostics& found) {
    const auto& layout = prepared.placement.layout;
    const auto& used = prepared.library.used;
    if (like != nullptr && like->cluster_parameters &&
        same_machines(*layout, *like->placement.layout) &&
        same_parameters(prepared, *like, *like->cluster_parameters)) {
      prepared.placement.cluster = like->placement.cluster;
      prepared.cluster_parameters = like->cluster_parameters;
      if (used) used->add(*prepared.cluster_parameters);
      return;
    }
    // Machines point into the library, which must live as long.
    struct Kept {
      std::shared_ptr<const Library> library;
      Cluster cluster;
    };
    const auto kept = std::make_shared<const Kept>(Kept{
        prepared.library.library,
        build_cluster(*layout, *prepared.library.library, load_, distinction_of(*layout), found)});
    prepared.placement.cluster = {kept, &kept->cluster};
    if (used) prepared.cluster_parameters = used->names();
  }

  void join_ranks(Placement& placed, const Library& library, const PreparedLayout* like,
                  Diagnostics& diagnostics) {
    const Cluster& cluster = *placed.cluster;
    placed.costs = collectives::StepCosts::from(library.parameters, !cluster.idealised.zero_latency,
                                                !cluster.idealised.line_rate);
    auto nccl = read_nccl_input(placed.job, cluster, library, load_, diagnostics);
    if (!nccl) return;
    need_reducing_switch(placed, library, *nccl);
    for (const JobMachine& taken : placed.job.machines) {
      placed.machine_of_vm.push_back(taken.machine);
    }
    const bool joined = like != nullptr && like->placement.communicators != nullptr &&
                        like->placement.cluster == placed.cluster &&
                        like->placement.job.machines == placed.job.machines &&
                        like->placement.job.nccl == placed.job.nccl && placed.job.beside.empty() &&
                        like->placement.job.exchanges() == placed.job.exchanges();
    try {
      placed.communicators =
          joined ? like->placement.communicators : join_all(placed, library, *nccl);
      const bool exchanges = placed.job.exchanges();
      if (exchanges && settings_.use_symmetry) placed.exchange = find_exchange(placed);
      check_memory(placed, settings_, aggregation_of(placed, settings_));
      if (!exchanges) return;
      slow_down_collectives(placed);
      if (placed.job.collective && !cluster.idealised.ideal_links()) {
        placed.spread = collectives::spread_of(placed.ranks(), library.parameters);
      }
      if (placed.job.pattern != collectives::Pattern::kDirect) {  // which works for any ranks
        static_cast<void>(collectives::phases_of(placed.job.pattern, placed.ranks()));
      }
      const auto asked = placed.job.collective ? placed.job.collective->collective
                                               : collectives::Collective::kAllReduce;
      static_cast<void>(collectives::Chooser(placed.ranks()).choose(asked, Bytes{1}));
    } catch (const collectives::NotConnected& error) {
      topology::report(diagnostics, placed.job.origin, error.what());
    }
  }

  static Shared<Communicators> join_all(const Placement& placed, const Library& library,
                                        const collectives::NcclInput& nccl) {
    auto communicators = std::make_shared<Communicators>();
    communicators->cluster = placed.cluster;
    const Cluster& cluster = *placed.cluster;
    communicators->ranks = join(cluster, library, placed.job.machines,
                                placed.job.exchanges() ? &nccl : nullptr, communicators->views);
    for (const ConcurrentCollective& beside : placed.job.beside) {
      auto group = std::make_unique<ConcurrentGroup>();
      group->ranks = join(cluster, library, beside.machines, &nccl, group->views);
      communicators->beside.push_back(std::move(group));
    }
    return communicators;
  }

  [[nodiscard]] Shared<JobUnits> units_of(const PreparedLayout& prepared,
                                          const PreparedLayout* like) const {
    const Placement& placed = prepared.placement;
    const Aggregation aggregation = aggregation_of_units(placed, settings_);
    const bool same = like != nullptr && like->training &&
                      !placed.job.training->data_parallel_only &&
                      like->placement.communicators == placed.communicators &&
                      like->training->units->parallelism == placed.job.training->parallelism &&
                      like->training->units->aggregation == aggregation &&
                      like->placement.job.is_uneven() == placed.job.is_uneven();
    if (same) return like->training->units;
    return std::make_shared<const JobUnits>(
        job_units(placed, *prepared.library.library, aggregation));
  }

  /// Lowers the job to tasks of the engine.
  void lower(PreparedLayout& prepared, const PreparedLayout* like, Diagnostics& diagnostics) const {
    const Placement& placed = prepared.placement;
    try {
      prepared.training = prepare_training(placed, *prepared.library.library,
                                           units_of(prepared, like), diagnostics);
    } catch (const collectives::NotConnected& error) {
      topology::report(diagnostics, placed.job.origin, error.what());
    }
  }

  const input::FileLoader& load_;
  const RunSettings& settings_;
  const Library& base_;
  Diagnostics& diagnostics_;
  std::optional<LayoutLibrary> shared_;
};

}  // namespace

Scenario PreparedScenario::scenario() const {
  Scenario result{name, {}};
  for (const PreparedLayout& layout : layouts) result.layouts.push_back(layout.placement.layout);
  return result;
}

tl::expected<PreparedScenario, Diagnostics> prepare(const Scenario& scenario,
                                                    const Library& library,
                                                    const input::FileLoader& load,
                                                    const RunSettings& settings,
                                                    const PreparedScenario* like) {
  Diagnostics diagnostics;
  Preparer preparer(library, load, settings, diagnostics);
  PreparedScenario prepared{scenario.name, {}};
  for (const Shared<Layout>& layout : scenario.layouts) {
    const PreparedLayout* before = nullptr;
    for (std::size_t l = 0; like != nullptr && l < like->layouts.size(); ++l) {
      if (like->layouts[l].placement.layout->name == layout->name) before = &like->layouts[l];
    }
    // A single layout has the name of its scenario.
    const bool alone = like != nullptr && like->layouts.size() == 1 && scenario.layouts.size() == 1;
    if (alone) before = &like->layouts.front();
    prepared.layouts.push_back(preparer.prepare(layout, before));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return prepared;
}

}  // namespace vgsim::scenario
