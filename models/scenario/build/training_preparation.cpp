#include "models/scenario/build/training_preparation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "models/collectives/hop.hpp"
#include "models/scenario/build/remote_feed.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/compute_noise.hpp"
#include "models/training/gpu_part.hpp"
#include "models/training/gpu_rates.hpp"
#include "models/vsphere/cpu_budget.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using collectives::PlacedNetwork;

/// What ranks on the same GPU of the same kind of VM have in common.
struct RankModel {
  training::ComputeTimes compute;
  std::vector<training::ComputeLoss> losses;
  std::optional<collectives::SharedPath> storage_read;
  std::vector<Crossing> core_time;
  std::optional<collectives::SharedPath> host_to_device;
  std::optional<Ratio> copy_cap;  ///< bytes/s
  SimTime copy_latency{};
};

class Preparation {
 public:
  Preparation(const Placement& placement, const Library& library, input::Diagnostics& diagnostics)
      : placement_(placement),
        training_(*placement.job.training),
        library_(library),
        diagnostics_(diagnostics) {}

  [[nodiscard]] PreparedTraining prepare(std::vector<RankClass> ranks, Form form) {
    PreparedTraining prepared{place_network(placement_, form), std::move(ranks), {}, {}, {}, {}};
    prepared.slowed_by_traffic.resize(prepared.ranks.size());
    prepared.step.buckets = buckets(prepared.ranks);
    if (diagnostics_.has_errors()) return prepared;
    // Of Horovod's cycle, half remains on average.
    if (training_.buckets.cycle)
      prepared.step.bucket_wait = SimTime{training_.buckets.cycle->count() / 2};
    prepared.step.overlap = training_.overlap;
    prepared.step.exchanged = exchanged_bytes();
    prepared.step.prefetched_batches = training_.prefetched_batches;
    std::map<std::pair<std::size_t, std::size_t>, RankModel> models;  // by view and GPU
    std::vector<std::vector<training::ComputeLoss>> losses;
    for (const RankClass& rank : prepared.ranks) {
      const std::pair gpu{placement_.vms()[rank.vm].view, rank.gpu};
      const auto [model, is_new] = models.try_emplace(gpu);
      if (is_new) model->second = model_of(rank, prepared.step.buckets);
      if (diagnostics_.has_errors()) break;
      prepared.step.compute.push_back(model->second.compute);
      losses.push_back(model->second.losses);
      const double slower = straggling(placement_, rank);
      slow_down(prepared.step.compute.back(), slower);
      for (auto& loss : losses.back()) loss.time = training::stretched(loss.time, slower);
      prepared.step.feeds.push_back(feed(rank, model->second, prepared.placed));
    }
    prepared.losses =
        std::make_shared<const std::vector<std::vector<training::ComputeLoss>>>(std::move(losses));
    if (!diagnostics_.has_errors()) share(prepared);
    return prepared;
  }

  [[nodiscard]] std::vector<training::InputFeed> feeds(const std::vector<RankClass>& ranks,
                                                       PlacedNetwork& placed) {
    std::vector<training::InputFeed> result;
    for (const RankClass& rank : ranks) {
      RankModel model;
      add_ways_of_input(rank, model);
      result.push_back(feed(rank, model, placed));
    }
    return result;
  }

 private:
  /// Who takes turns on which GPU.
  void share(PreparedTraining& prepared) const {
    constexpr std::int64_t kPasses = 3;  // backward launches twice what forward does
    std::int64_t kernels = 0;
    for (const auto& layer : training_.network->layers) kernels += kPasses * layer.kernels;
    std::vector<RankPlace> places;
    for (std::size_t r = 0; r < prepared.ranks.size(); ++r) {
      const RankClass& rank = prepared.ranks[r];
      const training::ComputeTimes& compute = prepared.step.compute[r];
      places.push_back({placement_.machine_of_vm[rank.vm], view(rank).vm().gpus[rank.gpu],
                        training::passes_of(compute), compute.held_up, kernels});
    }
    const auto& machines = placement_.machine_of_vm;
    prepared.shared =
        shared_gpus(*placement_.cluster, library_.parameters, {machines.begin(), machines.end()},
                    places, placement_.job.variability.seed);
    if (prepared.shared.any()) prepared.step.gaps = prepared.shared.gaps;
  }

  std::vector<training::GradientBucket> buckets(const std::vector<RankClass>& ranks) {
    const auto& network = *training_.network;
    const training::BucketRule& rule = training_.buckets;
    const Bytes gradient = training_.gradient_bytes;
    if (rule.single) return training::single_bucket(network, gradient);
    if (!rule.cycle) return training::ddp_buckets(network, gradient, rule.first, rule.cap);
    return training::fused_buckets(network, gradient, rule.cap, *rule.cycle, ready_times(ranks));
  }

  /// When the backward pass of each layer ends, on the rank that is last.
  std::vector<SimTime> ready_times(const std::vector<RankClass>& ranks) {
    const std::size_t layers = training_.network->layers.size();
    std::vector<training::GradientBucket> each;
    for (std::size_t l = layers; l-- > 0;) each.push_back({Bytes{0}, l});
    std::vector<SimTime> ready(layers);
    std::set<std::pair<std::size_t, std::size_t>> seen;  // by view and GPU
    for (const RankClass& rank : ranks) {
      if (!seen.emplace(placement_.vms()[rank.vm].view, rank.gpu).second) continue;
      auto times = compute(rank, each, part_of_gpu(rank));
      if (diagnostics_.has_errors()) return ready;
      slow_down(times, straggling(placement_, rank));
      SimTime at{};
      for (std::size_t i = 0; i < layers; ++i) {
        at += times.backward[i];
        ready[layers - 1 - i] = std::max(ready[layers - 1 - i], at);
      }
    }
    return ready;
  }

  /// Of one rank: the results of layers whose parameters are spread over the ranks.
  [[nodiscard]] Bytes exchanged_bytes() const {
    double elements = 0;
    for (const training::LayerGroup& layer : training_.network->layers) {
      if (layer.sharded) elements += layer.activations.of(training_.tokens);
    }
    return Bytes{static_cast<std::int64_t>(elements * training_.state.activation *
                                           static_cast<double>(training_.parallelism.micro_batch))};
  }

  /// Of a GPU, what a MIG-backed vGPU has: loaded neighbours take a little of it.
  [[nodiscard]] training::GpuPart part_of_gpu(const RankClass& rank) const {
    const vsphere::VirtualMachine& vm = view(rank).vm();
    training::GpuPart part;
    if (rank.gpu >= vm.profiles.size() || vm.profiles[rank.gpu] == nullptr) return part;
    if (!vm.profiles[rank.gpu]->mig) return part;
    part.memory_bound = library_.parameters.number("memory_bound_share");
    part.unscaled = library_.parameters.number("unscaled_share");
    const vsphere::GpuShare& share = vm.shares[rank.gpu];
    const double lost = (1 - library_.parameters.number("mig_neighbour_share")) * share.neighbours;
    part.compute = share.compute * (1 - lost);
    part.memory = share.memory * (1 - lost);
    // All slices together are not more than the GPU.
    part.least = std::max(1.0, share.neighbours / share.slices) / (1 - lost);
    return part;
  }

  /// On the whole GPU, and on the part of it that the rank has.
  training::ComputeTimes compute(const RankClass& rank,
                                 const std::vector<training::GradientBucket>& buckets,
                                 const training::GpuPart& part) {
    const auto& network = *training_.network;
    if (network.measured) return measured_times(part);
    training::ComputeRates rates;
    if (network.forward(training_.tokens) > Flops{0} || training_.optimizer_bytes > Bytes{0}) {
      rates = rates_of(placement_, library_, view(rank), rank.gpu, diagnostics_);
    }
    if (diagnostics_.has_errors()) return {};
    training::scale(rates, part);
    auto times = training::compute_times(network, buckets, training_.parallelism, training_.tokens,
                                         library_.parameters.count("backward_to_forward_flops"),
                                         training_.optimizer_bytes, rates);
    if (training_.input.by_gpu) {
      times.forward +=
          library_.parameters.time("gpu_decode_time") * training_.parallelism.micro_batch;
    }
    accumulate(times);
    return times;
  }

  [[nodiscard]] training::ComputeTimes measured_times(training::GpuPart part) const {
    const training::MeasuredStep& measured = *training_.network->measured;
    if (measured.memory_bound) part.memory_bound = *measured.memory_bound;
    auto times = training::step_on(part, measured, training_.parallelism.micro_batch);
    accumulate(times);
    return times;
  }

  /// Micro-batches go forward and backward one after the other; gradients are reduced beside the
  /// last one's backward pass.
  void accumulate(training::ComputeTimes& times) const {
    const std::int64_t before = training_.parallelism.micro_batches - 1;
    const SimTime backward =
        std::accumulate(times.backward.begin(), times.backward.end(), SimTime{0});
    times.forward += (times.forward + backward) * before;
    times.held_up = times.held_up * training_.parallelism.micro_batches;
  }

  /// In an iteration.
  [[nodiscard]] std::int64_t samples_of_rank() const {
    return training_.parallelism.samples_of_rank();
  }

  static void slow_down(training::ComputeTimes& times, double factor) {
    if (factor == 1.0) return;
    times.forward = training::stretched(times.forward, factor);
    for (SimTime& part : times.backward) part = training::stretched(part, factor);
    times.optimizer = training::stretched(times.optimizer, factor);
  }

  static void append(std::vector<training::ComputeLoss>& losses,
                     const std::vector<training::ComputeLoss>& more) {
    losses.insert(losses.end(), more.begin(), more.end());
  }

  [[nodiscard]] RankModel model_of(const RankClass& rank,
                                   const std::vector<training::GradientBucket>& buckets) {
    RankModel model;
    const training::GpuPart part = part_of_gpu(rank);
    model.compute = compute(rank, buckets, part);
    if (part.compute < 1 || part.memory < 1) {
      const SimTime lost = training::passes_of(model.compute) -
                           training::passes_of(compute(rank, buckets, training::GpuPart{}));
      // Where the host holds both up, they differ by roundings alone.
      if (lost > SimTime{0}) {
        model.losses.push_back(
            {"only slices of the GPU", lost, "NVIDIA Multi-Instance GPU user guide"});
      }
    }
    append(model.losses,
           training::virtualize(model.compute, view(rank).vm(), rank.gpu,
                                !placement_.cluster->idealised.zero_overhead, library_.parameters));
    if (model.compute.held_up > SimTime{0}) {
      model.losses.push_back({training::kLaunches, model.compute.held_up,
                              library_.parameters.describe("kernel_launch_interval")});
    }
    add_ways_of_input(rank, model);
    return model;
  }

  void add_ways_of_input(const RankClass& rank, RankModel& model) const {
    const collectives::HopPlanner planner(placement_.cluster->topology, view(rank));
    const training::InputPipeline& input = training_.input;
    if (training_.stored_bytes > Bytes{0} && !input.cached) {
      model.storage_read =
          input.direct ? planner.storage_to_device(rank.gpu) : planner.storage_to_host(rank.gpu);
    }
    model.core_time = planner.core_time();
    if (copied_bytes() > Bytes{0} && !input.direct) {
      model.host_to_device = planner.host_to_device(rank.gpu);
      model.copy_cap = copy_cap(view(rank), model.host_to_device->crossings);
      if (!placement_.cluster->idealised.zero_latency) {
        model.copy_latency = planner.host_to_device_latency(rank.gpu);
      }
    }
  }

  /// Of one sample: what the CPU has not decoded is copied as it is stored.
  [[nodiscard]] Bytes copied_bytes() const {
    return training_.input.by_gpu ? training_.stored_bytes : training_.network->device_bytes;
  }

  /// What the IOMMU lets through: a share of the slowest PCIe link on the way.
  [[nodiscard]] std::optional<Ratio> copy_cap(const vsphere::GuestView& view,
                                              const std::vector<Crossing>& crossings) const {
    const Cluster& cluster = *placement_.cluster;
    if (view.vm().mode == vsphere::GpuMode::kBareMetal || cluster.idealised.zero_overhead ||
        cluster.inventory[view.vm().host].settings.bios.ats) {
      return std::nullopt;
    }
    std::optional<Ratio> slowest;
    for (const Crossing& c : crossings) {
      const auto link = static_cast<std::size_t>(c.resource);
      if (cluster.topology.resources[link].kind != topology::LinkKind::kPcie) continue;
      const Ratio& capacity = placement_.capacities.of_link[link];
      if (!slowest || capacity < *slowest) slowest = capacity;
    }
    if (!slowest) return std::nullopt;
    return *slowest * exact_share(library_.parameters.number("iommu_copy_share"));
  }

  /// Of a rank whose process runs on another host than its GPU.
  training::InputFeed feed_over_network(const RankClass& rank, PlacedNetwork& placed) {
    const auto remote = remote_feed(*placement_.cluster, placement_.machine_of_vm[rank.vm],
                                    rank.gpu, placement_.job.origin, diagnostics_);
    training::InputFeed feed;
    if (!remote) return feed;
    const auto at_client = [&](const std::vector<Crossing>& crossings, const Ratio& per_sample) {
      PlacedNetwork::Route path(placed);
      path.cross(remote->client, crossings);
      return FlowWork{std::move(path).of_each_host(), per_sample * samples_of_rank(), std::nullopt,
                      1};
    };
    if (training_.stored_bytes > Bytes{0} && !training_.input.cached &&
        !remote->storage_read.empty()) {
      feed.storage_read = at_client(remote->storage_read, Ratio(training_.stored_bytes.count()));
    }
    if (core_time() > 0) feed.decode = at_client(remote->core_time, core_time());
    if (copied_bytes() > Bytes{0}) {
      PlacedNetwork::Route path(placed);
      path.cross(remote->client, remote->leaving);
      path.cross(remote->fabric);
      path.cross(placement_.vms()[rank.vm].host, remote->arriving);
      feed.host_to_device =
          FlowWork{std::move(path).of_each_host(),
                   Ratio(copied_bytes().count()) * samples_of_rank(), std::nullopt, 1};
      if (!placement_.cluster->idealised.zero_latency) feed.copy_latency = remote->fabric.latency;
    }
    return feed;
  }

  /// Of the CPU for one sample, in picoseconds.
  [[nodiscard]] Ratio core_time() const {
    const Ratio all(training_.input.core_time.count());
    if (!training_.input.by_gpu) return all;
    return all * exact_share(library_.parameters.number("gpu_decode_core_share"));
  }

  training::InputFeed feed(const RankClass& rank, const RankModel& model, PlacedNetwork& placed) {
    if (view(rank).vm().remote_client) return feed_over_network(rank, placed);
    const std::size_t host = placement_.vms()[rank.vm].host;
    const auto work = [&](const std::vector<Crossing>& crossings, const Ratio& per_sample,
                          const std::optional<Ratio>& cap) {
      PlacedNetwork::Route path(placed);
      path.cross(host, crossings);
      return FlowWork{std::move(path).of_each_host(), per_sample * samples_of_rank(), cap, 1};
    };
    const auto copy = [&](const collectives::SharedPath& path, Bytes per_sample,
                          const std::optional<Ratio>& cap) {
      return work(path.crossings, Ratio(per_sample.count()) / path.parts, cap);
    };
    const training::InputPipeline& input = training_.input;
    training::InputFeed feed;
    if (model.storage_read) {
      feed.storage_read = copy(*model.storage_read, training_.stored_bytes, std::nullopt);
    }
    if (core_time() > 0) {
      std::optional<Ratio> cap;
      if (input.workers) cap = Ratio(*input.workers) * vsphere::kCorePicosecondsPerSecond;
      feed.decode = work(model.core_time, core_time(), cap);
    }
    if (model.host_to_device) {
      feed.host_to_device = copy(*model.host_to_device, copied_bytes(), model.copy_cap);
      feed.copy_latency = model.copy_latency;
    }
    return feed;
  }

  [[nodiscard]] const vsphere::GuestView& view(const RankClass& rank) const {
    return placement_.views()[placement_.vms()[rank.vm].view];
  }

  const Placement& placement_;
  const training::TrainingJob& training_;
  const Library& library_;
  input::Diagnostics& diagnostics_;
};

}  // namespace

training::ComputeRates rates_of(const Placement& placement, const Library& library,
                                const vsphere::GuestView& view, std::size_t gpu,
                                input::Diagnostics& diagnostics) {
  const topology::Node& node = placement.cluster->topology.node(view.gpu(gpu));
  const auto model = library.catalog->gpus.find(node.model);
  if (model == library.catalog->gpus.end()) {
    topology::report(diagnostics, placement.job.origin,
                     fmt::format("the model of {} is not known", node.name),
                     "\"gpus\": \"8 x a100-sxm4-40gb\" in the host");
    return {};
  }
  const auto rates =
      training::gpu_rates(*placement.job.training, model->second,
                          placement.cluster->idealised.ideal_computing, library.parameters);
  if (rates) return *rates;
  topology::report(diagnostics, placement.job.origin, rates.error().what, rates.error().expected);
  return {};
}

std::vector<training::InputFeed> feeds_of(const Placement& placement, const Library& library,
                                          const std::vector<RankClass>& ranks,
                                          PlacedNetwork& placed, input::Diagnostics& diagnostics) {
  return Preparation(placement, library, diagnostics).feeds(ranks, placed);
}

void wait_for_others(const Placement& placement, const Library& library,
                     PreparedTraining& prepared) {
  prepared.step.reduces = placement.ranks().ranks() > 1 && placement.job.exchanges();
  const double factor = wait_for_slowest(placement, library);
  if (factor == 1.0) return;
  auto losses = std::make_shared<std::vector<std::vector<training::ComputeLoss>>>(*prepared.losses);
  for (std::size_t r = 0; r < prepared.step.compute.size(); ++r) {
    const SimTime added = training::stretch_passes(prepared.step.compute[r], factor);
    if (added == SimTime{0}) continue;
    (*losses)[r].push_back(
        {training::kSlowestRank, added, library.parameters.describe("step_jitter")});
  }
  prepared.losses = std::move(losses);
}

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
                                  std::vector<RankClass> ranks, Form form,
                                  input::Diagnostics& diagnostics) {
  return Preparation(placement, library, diagnostics).prepare(std::move(ranks), form);
}

}  // namespace vgsim::scenario
