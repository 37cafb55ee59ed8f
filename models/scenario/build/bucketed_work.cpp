#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/rank_gpu.hpp"
#include "models/scenario/build/unit_work.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/compute_noise.hpp"
#include "models/training/gpu_part.hpp"

namespace vgsim::scenario {
namespace {

using training::StageWork;
using training::StepSegment;

/// Common properties of ranks on the same GPU of the same kind of VM.
struct RankModel {
  training::ComputeTimes compute;
  std::vector<training::ComputeLoss> losses;
};

class BucketedWork {
 public:
  BucketedWork(const Placement& placement, const Library& library, input::Diagnostics& diagnostics)
      : placement_(placement),
        training_(*placement.job.training),
        library_(library),
        diagnostics_(diagnostics) {}

  /// Ranks with the same GPU, kind of VM and slowdown share work.
  [[nodiscard]] UnitWork of(const JobUnits& units) {
    UnitWork result;
    std::vector<RankClass> ranks;
    for (const auto& unit : units.units) ranks.push_back(rank_class(placement_, unit.front()));
    const std::vector<training::GradientBucket> cuts = buckets(ranks);
    if (diagnostics_.has_errors()) return result;
    std::map<std::pair<std::size_t, std::size_t>, RankModel> models;  // by view and GPU
    std::map<std::tuple<std::size_t, std::size_t, double>, std::size_t>
        known;  // and straggler factor
    for (const RankClass& rank : ranks) {
      const std::size_t view = placement_.vms()[rank.vm].view;
      const double factor = straggling(placement_, rank);
      const auto [work, is_new] = known.try_emplace({view, rank.gpu, factor}, result.work.size());
      if (is_new) {
        const auto [model, is_first] = models.try_emplace({view, rank.gpu});
        if (is_first) model->second = model_of(rank, cuts);
        if (diagnostics_.has_errors()) return result;
        training::ComputeTimes times = model->second.compute;
        slow_down(times, factor);
        result.work.push_back(work_of(times, cuts));
        auto& losses = result.losses.emplace_back(model->second.losses);
        for (auto& loss : losses) loss.time = training::stretched(loss.time, factor);
      }
      result.units.push_back({work->second, {}, {}});
    }
    return result;
  }

 private:
  [[nodiscard]] StageWork work_of(const training::ComputeTimes& times,
                                  const std::vector<training::GradientBucket>& cuts) const {
    using collectives::Collective;
    StageWork work;
    training::ChunkPlan& chunk = work.chunks.emplace_back();
    chunk.forward.push_back(segment_of(times.forward));
    for (std::size_t b = 0; b < times.backward.size(); ++b) {
      chunk.last_backward.push_back(segment_of(times.backward[b]));
      if (b >= cuts.size()) continue;
      chunk.last_backward.back().reduced = {
          {training::Axis::kData, Collective::kAllReduce, cuts[b].size, 1}};
    }
    // Results of sharded layers and their gradients are exchanged after the backward pass, without
    // overlap.
    const training::Exchange crossing{training::Axis::kData, Collective::kAllToAll,
                                      exchanged_bytes(), 1};
    if (crossing.size > Bytes{0}) {
      chunk.last_backward.back().reduced = {crossing, crossing};
    }
    work.optimizer = times.optimizer;
    work.launch_wait = times.launch_wait;
    return work;
  }

  static StepSegment segment_of(SimTime compute) {
    StepSegment segment;
    segment.compute = compute;
    return segment;
  }

  std::vector<training::GradientBucket> buckets(const std::vector<RankClass>& ranks) {
    const auto& network = *training_.network;
    const training::BucketRule& rule = training_.buckets;
    const Bytes gradient = training_.gradient_bytes;
    if (rule.single) return training::single_bucket(network, gradient);
    if (!rule.cycle) return training::ddp_buckets(network, gradient, rule.first, rule.cap);
    return training::fused_buckets(network, gradient, rule.cap, *rule.cycle, ready_times(ranks));
  }

  /// End of the backward pass of each layer on the slowest rank.
  std::vector<SimTime> ready_times(const std::vector<RankClass>& ranks) {
    const std::size_t layers = training_.network->layers.size();
    std::vector<training::GradientBucket> each;
    for (std::size_t l = layers; l-- > 0;) each.push_back({Bytes{0}, l});
    std::vector<SimTime> ready(layers);
    std::set<std::pair<std::size_t, std::size_t>> seen;  // by view and GPU
    for (const RankClass& rank : ranks) {
      if (!seen.emplace(placement_.vms()[rank.vm].view, rank.gpu).second) continue;
      auto times = compute(rank, each, part_of(library_, view(rank), rank.gpu));
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

  /// Size per rank of the results of layers with parameters distributed over the ranks.
  [[nodiscard]] Bytes exchanged_bytes() const {
    double elements = 0;
    for (const training::LayerGroup& layer : training_.network->layers) {
      if (layer.sharded) elements += layer.activations.of(training_.tokens);
    }
    return Bytes{static_cast<std::int64_t>(elements * training_.state.activation *
                                           static_cast<double>(training_.parallelism.micro_batch))};
  }

  /// Times on the whole GPU, and on the rank's share of it.
  training::ComputeTimes compute(const RankClass& rank,
                                 const std::vector<training::GradientBucket>& buckets,
                                 const training::GpuPart& part) {
    const auto& network = *training_.network;
    if (network.measured) return measured_times(rank, part);
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

  [[nodiscard]] training::ComputeTimes measured_times(const RankClass& rank,
                                                      training::GpuPart part) const {
    const training::MeasuredStep& measured = *training_.network->measured;
    if (measured.memory_bound) part.memory_bound = *measured.memory_bound;
    part.bandwidth = memory_bandwidth_of(placement_, library_, view(rank), rank.gpu);
    auto times = training::step_on(part, measured, training_.parallelism.micro_batch);
    accumulate(times);
    return times;
  }

  /// Micro-batches run one after the other; gradients are reduced during the last backward pass.
  void accumulate(training::ComputeTimes& times) const {
    const std::int64_t before = training_.parallelism.micro_batches - 1;
    const SimTime backward =
        std::accumulate(times.backward.begin(), times.backward.end(), SimTime{0}) -
        times.gradient_copies;
    times.forward += (times.forward + backward) * before;
    times.launch_wait = times.launch_wait * training_.parallelism.micro_batches;
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
    const training::GpuPart part = part_of(library_, view(rank), rank.gpu);
    model.compute = compute(rank, buckets, part);
    if (part.compute < 1 || part.memory < 1) {
      const SimTime lost = training::passes_of(model.compute) -
                           training::passes_of(compute(rank, buckets, training::GpuPart{}));
      // If both are limited by kernel launches, they differ only by rounding.
      if (lost > SimTime{0}) {
        model.losses.push_back(
            {"only slices of the GPU", lost, "NVIDIA Multi-Instance GPU user guide"});
      }
    }
    append(model.losses,
           training::virtualize(model.compute, view(rank).vm(), rank.gpu,
                                !placement_.cluster->idealised.zero_overhead, library_.parameters));
    if (model.compute.launch_wait > SimTime{0}) {
      model.losses.push_back({training::kLaunches, model.compute.launch_wait,
                              library_.parameters.describe("kernel_launch_interval")});
    }
    if (model.compute.gradient_copies > SimTime{0}) {
      model.losses.push_back({training::kGradientCopies, model.compute.gradient_copies,
                              library_.parameters.describe("traffic_per_gradient_byte")});
    }
    return model;
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

UnitWork bucketed_work(const Placement& placement, const Library& library, const JobUnits& units,
                       input::Diagnostics& diagnostics) {
  return BucketedWork(placement, library, diagnostics).of(units);
}

}  // namespace vgsim::scenario
