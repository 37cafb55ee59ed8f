#include "models/scenario/training_preparation.hpp"

#include <fmt/core.h>

#include <map>
#include <optional>
#include <utility>

#include "models/collectives/hop.hpp"
#include "topology/host_input.hpp"

namespace vgsim::scenario {
namespace {

using collectives::PlacedNetwork;

/// What ranks on the same GPU of the same kind of VM have in common.
struct RankModel {
  training::ComputeTimes compute;
  std::vector<ComputeLoss> losses;
  std::optional<std::vector<Crossing>> storage_read;
  std::vector<Crossing> host_to_device;
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
    PreparedTraining prepared{place_network(placement_, form), std::move(ranks), {}, {}};
    const auto& network = *training_.network;
    prepared.step.buckets =
        training_.buckets.single
            ? training::single_bucket(network, training_.gradient_bytes)
            : training::ddp_buckets(network, training_.gradient_bytes, training_.buckets.first,
                                    training_.buckets.cap);
    prepared.step.overlap = training_.overlap;
    prepared.step.prefetched_batches = training_.prefetched_batches;
    std::map<std::pair<std::size_t, std::size_t>, RankModel> models;  // by view and GPU
    for (const RankClass& rank : prepared.ranks) {
      const std::pair gpu{placement_.vms()[rank.vm].view, rank.gpu};
      const auto [model, is_new] = models.try_emplace(gpu);
      if (is_new) model->second = model_of(rank, prepared.step.buckets);
      if (diagnostics_.has_errors()) break;
      prepared.step.compute.push_back(model->second.compute);
      prepared.losses.push_back(model->second.losses);
      slow_down(prepared.step.compute.back(), straggling(rank));
      prepared.step.feeds.push_back(feed(rank, model->second, prepared.placed));
    }
    return prepared;
  }

 private:
  training::ComputeTimes compute(const RankClass& rank,
                                 const std::vector<training::GradientBucket>& buckets) {
    const auto& network = *training_.network;
    training::ComputeRates rates{1, 1};
    const bool computes = network.forward(training_.tokens) > Flops{0};
    if (computes || training_.optimizer_bytes > Bytes{0}) rates = gpu_rates(rank, computes);
    if (diagnostics_.has_errors()) return {};
    auto times = training::compute_times(
        network, buckets, training_.batch_per_gpu, training_.tokens,
        library_.parameters.count("backward_to_forward_flops"), training_.optimizer_bytes, rates);
    return times;
  }

  /// How many times longer the rank computes: what is said of its GPU, its host and its VM.
  double straggling(const RankClass& rank) const {
    const auto& stragglers = placement_.job.variability.stragglers;
    if (stragglers.empty()) return 1.0;
    const std::string gpu = rank_name(placement_, rank);
    const Machine& machine = placement_.cluster.machines[placement_.machine_of_vm[rank.vm]];
    const std::string& host = placement_.cluster.hosts[machine.host].name;
    double factor = 1.0;
    for (const auto& [name, times] : stragglers) {
      if (name == gpu || name == host || name == machine.name) factor *= times;
    }
    return factor;
  }

  static void slow_down(training::ComputeTimes& times, double factor) {
    if (factor == 1.0) return;
    times.forward = stretched(times.forward, factor);
    for (SimTime& part : times.backward) part = stretched(part, factor);
    times.optimizer = stretched(times.optimizer, factor);
  }

  training::ComputeRates gpu_rates(const RankClass& rank, bool computes) {
    const topology::Node& node = placement_.cluster.topology.node(view(rank).gpu(rank.gpu));
    const auto gpu = library_.catalog.gpus.find(node.model);
    if (gpu == library_.catalog.gpus.end()) {
      topology::report(diagnostics_, placement_.job.value,
                       fmt::format("the model of {} is not known", node.name),
                       "\"gpus\": \"8 x a100-sxm4-40gb\" in the host");
      return {};
    }
    const Exact memory = Exact(gpu->second.memory_bandwidth.value.count()) *
                         exact_share(library_.parameters.number("device_memory_share"));
    if (!computes) return {1, memory};
    const auto peak = gpu->second.peak.find(training_.precision);
    if (peak == gpu->second.peak.end()) {
      topology::report(
          diagnostics_, placement_.job.value,
          fmt::format("{} has no {} peak in the catalogue", gpu->second.name, training_.precision));
      return {};
    }
    return {Exact(peak->second.value.count()) * exact_share(achieved_share()), memory};
  }

  double achieved_share() {
    if (training_.achieved_share) return *training_.achieved_share;
    const auto& shares = training_.network->achieved_share;
    const auto found = shares.find(training_.precision);
    if (found != shares.end()) return found->second.value;
    topology::report(diagnostics_, placement_.job.value,
                     fmt::format("{} has no achieved share for {}", training_.network->name,
                                 training_.precision),
                     "\"achieved_share\" in the job");
    return 1.0;
  }

  [[nodiscard]] RankModel model_of(const RankClass& rank,
                                   const std::vector<training::GradientBucket>& buckets) {
    const collectives::HopPlanner planner(placement_.cluster.topology, view(rank));
    RankModel model;
    model.compute = compute(rank, buckets);
    model.losses = virtualize(model.compute, view(rank).vm(), rank.gpu, placement_.ranks.ranks(),
                              !placement_.cluster.zero_overhead, library_.parameters);
    if (training_.stored_bytes > Bytes{0}) model.storage_read = planner.storage_to_host(rank.gpu);
    if (training_.network->device_bytes > Bytes{0}) {
      model.host_to_device = planner.host_to_device(rank.gpu);
      if (!placement_.cluster.zero_latency) {
        model.copy_latency = planner.host_to_device_latency(rank.gpu);
      }
    }
    return model;
  }

  training::InputFeed feed(const RankClass& rank, const RankModel& model,
                           PlacedNetwork& placed) const {
    const std::size_t host = placement_.vms()[rank.vm].host;
    const auto work = [&](const std::vector<Crossing>& crossings, Bytes per_sample) {
      PlacedNetwork::Route path(placed);
      path.cross(host, crossings);
      return FlowWork{std::move(path).of_each_host(),
                      Exact(per_sample.count()) * training_.batch_per_gpu, std::nullopt, 1};
    };
    training::InputFeed feed;
    if (model.storage_read) feed.storage_read = work(*model.storage_read, training_.stored_bytes);
    if (training_.network->device_bytes > Bytes{0}) {
      feed.host_to_device = work(model.host_to_device, training_.network->device_bytes);
      feed.copy_latency = model.copy_latency;
    }
    return feed;
  }

  [[nodiscard]] const vsphere::GuestView& view(const RankClass& rank) const {
    return placement_.views[placement_.vms()[rank.vm].view];
  }

  const Placement& placement_;
  const TrainingJob& training_;
  const Library& library_;
  input::Diagnostics& diagnostics_;
};

}  // namespace

PreparedTraining prepare_training(const Placement& placement, const Library& library,
                                  std::vector<RankClass> ranks, Form form,
                                  input::Diagnostics& diagnostics) {
  return Preparation(placement, library, diagnostics).prepare(std::move(ranks), form);
}

}  // namespace vgsim::scenario
