#include "models/scenario/build/training_preparation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "models/collectives/choice.hpp"
#include "models/scenario/build/input_feeds.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/compute_noise.hpp"

namespace vgsim::scenario {
namespace {

/// Number of kernels launched by a rank per iteration.
std::int64_t kernels_of_rank(const training::TrainingJob& job) {
  constexpr std::int64_t kPasses = 3;  // backward launches twice what forward does
  std::int64_t kernels = 0;
  for (const auto& layer : job.network->layers) kernels += kPasses * layer.kernels;
  return kernels * job.parallelism.micro_batches /
         static_cast<std::int64_t>(job.parallelism.pipeline);
}

/// Assigns ranks to time-sliced GPUs.
void share(const Placement& placement, const Library& library, PreparedTraining& prepared) {
  if (!has_time_slices(placement)) return;
  training::StepPlan& plan = prepared.plan;
  const std::int64_t kernels = kernels_of_rank(*placement.job.training);
  std::vector<RankPlace> places;
  std::vector<std::size_t> unit_of_place;
  for (std::size_t u = 0; u < plan.units.size(); ++u) {
    for (const std::size_t number : prepared.units->units[u]) {
      const RankClass rank = rank_class(placement, number);
      const vsphere::GuestView& view = placement.views()[placement.vms()[rank.vm].view];
      places.push_back({placement.machine_of_vm[rank.vm], view.vm().gpus[rank.gpu],
                        training::passes_of(plan, u).all(), plan.work_of(u).launch_wait, kernels});
      unit_of_place.push_back(u);
    }
  }
  const auto& machines = placement.machine_of_vm;
  prepared.shared =
      shared_gpus(*placement.cluster, library.parameters, {machines.begin(), machines.end()},
                  places, placement.job.variability.seed);
  for (std::size_t seat = 0; seat < places.size(); ++seat) {
    const auto& gaps = prepared.shared.gaps[seat];
    if (gaps) plan.units[unit_of_place[seat]].time_sliced.push_back({seat, *gaps});
  }
}

/// Ranks that wait for each other are as slow as the slowest.
void wait_for_others(const Placement& placement, const Library& library,
                     PreparedTraining& prepared) {
  const double factor = wait_for_slowest(placement, library);
  if (factor == 1.0) return;
  for (std::size_t w = 0; w < prepared.plan.work.size(); ++w) {
    SimTime added{};
    for (training::ChunkPlan& chunk : prepared.plan.work[w].chunks) {
      for (auto* segments : {&chunk.forward, &chunk.last_backward}) {
        for (training::StepSegment& segment : *segments) {
          const SimTime before = segment.compute;
          segment.compute = training::stretched(before, factor);
          added += segment.compute - before;
        }
      }
    }
    if (added == SimTime{0}) continue;
    prepared.losses[w].push_back(
        {training::kSlowestRank, added, library.parameters.describe("step_jitter")});
  }
}

/// The collectives of one axis called by a stage.
std::set<collectives::Collective> called_on(training::Axis axis, const training::StageWork& work) {
  std::set<collectives::Collective> called;
  const auto add = [&](const std::vector<training::Exchange>& exchanges) {
    for (const auto& each : exchanges) {
      if (each.axis == axis) called.insert(each.collective);
    }
  };
  add(work.gathered_after);
  for (const training::ChunkPlan& chunk : work.chunks) {
    for (const auto* pass : {&chunk.forward, &chunk.backward, &chunk.last_backward, &chunk.weights,
                             &chunk.last_weights}) {
      for (const training::StepSegment& segment : *pass) {
        add(segment.exchanges);
        add(segment.gathered);
        add(segment.reduced);
        for (const training::OverlappedWork& beside : segment.beside) add(beside.exchanges);
      }
    }
  }
  return called;
}

/// Checks that NCCL_ALGO and NCCL_PROTO leave an algorithm for each collective of each
/// communicator. Throws NotConnected otherwise. Purely data-parallel jobs have been checked before.
void check_choices(const training::StepPlan& plan, const JobUnits& units) {
  std::set<std::pair<std::size_t, collectives::Collective>> asked;
  for (std::size_t g = 0; g < units.communicators_of_group.size(); ++g) {
    const training::CommunicatorGroup& group = plan.groups[g];
    if (group.units.empty()) continue;
    for (const std::size_t c : units.communicators_of_group[g]) {
      const collectives::RankGroup& ranks = units.communicators[c];
      if (!ranks.is_joined() || ranks.nccl().filter == collectives::nccl::AlgorithmFilter{}) return;
      for (const auto collective : called_on(group.axis, plan.work_of(group.units.front()))) {
        if (!asked.emplace(c, collective).second) continue;
        static_cast<void>(collectives::Chooser(ranks).choose(collective, Bytes{1}));
      }
    }
  }
}

}  // namespace

double slowed_by_traffic(const Placement& placement, const Library& library) {
  const Cluster& cluster = *placement.cluster;
  if (cluster.idealised.ideal_computing) return 0.0;
  const auto host = [&](const JobMachine& machine) {
    return cluster.machines[machine.machine].host;
  };
  const auto& machines = placement.job.machines;
  training::TrafficPlace place;
  place.one_host = std::all_of(machines.begin(), machines.end(), [&](const auto& machine) {
    return host(machine) == host(machines.front());
  });
  place.channels = placement.ranks().decision().channels;
  const vsphere::GuestView& view = placement.views().front();
  const auto gpu = library.catalog->gpus.find(cluster.topology.node(view.gpu(0)).model);
  if (gpu != library.catalog->gpus.end()) place.multiprocessors = gpu->second.multiprocessors;
  return training::overlap_slowdown(place, library.parameters);
}

PreparedTraining prepare_training(const Placement& placement, const Library& library,
                                  Shared<JobUnits> units, input::Diagnostics& diagnostics) {
  const training::TrainingJob& job = *placement.job.training;
  PreparedTraining prepared{units, place_network(placement, *units), {}, {}, {}, {}};
  training::StepPlan& plan = prepared.plan;
  UnitWork work = job.data_parallel_only ? bucketed_work(placement, library, *units, diagnostics)
                                         : sharded_work(placement, library, *units, diagnostics);
  if (diagnostics.has_errors()) return prepared;
  plan.replicas = units->replicas;
  plan.work = std::move(work.work);
  plan.units = std::move(work.units);
  plan.groups = units->groups;
  check_choices(plan, *units);
  plan.prefetched_batches = job.prefetched_batches;
  plan.overlap = job.overlap;
  prepared.losses = std::move(work.losses);
  prepared.slowed_by_traffic.resize(plan.units.size());
  if (job.data_parallel_only) {
    plan.optimizer = training::OptimizerStart::kOwnGradients;
    plan.barrier = false;
    // On average half of Horovod's cycle remains.
    if (job.buckets.cycle) plan.bucket_wait = SimTime{job.buckets.cycle->count() / 2};
  } else {
    plan.parallelism = job.parallelism;
  }
  plan.feeds = input_feeds(placement, library, units->readers, prepared.placed, diagnostics);
  if (diagnostics.has_errors()) return prepared;
  for (const EquivalentRanks& equivalent : units->equivalent) {
    for (training::UnitFeed& fed : plan.feeds) {
      if (fed.unit == equivalent.others) fed.also = equivalent.slowest;
    }
  }
  share(placement, library, prepared);
  if (job.data_parallel_only && !plan.groups.empty()) wait_for_others(placement, library, prepared);
  return prepared;
}

}  // namespace vgsim::scenario
