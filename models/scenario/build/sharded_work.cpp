#include <algorithm>
#include <utility>

#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/rank_gpu.hpp"
#include "models/scenario/build/unit_work.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/layer_passes.hpp"
#include "models/training/memory.hpp"
#include "models/training/stages.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Collective;
using training::ChunkPlan;
using training::ComputeLoss;
using training::Exchange;
using training::HeldParameters;
using training::LayerGroup;
using training::LayerTimes;
using training::Parallelism;
using training::Sharding;
using training::StageLayers;
using training::StageWork;
using training::StepSegment;

/// Largest number of segments of a backward pass for gradient reduction.
constexpr std::size_t kMostReductions = 16;

/// Layers with a common parameter gathering, and their passes.
struct Wrapped {
  LayerTimes forward;
  LayerTimes backward;
  HeldParameters held;
  double kept = 0;  ///< bytes of activations that a micro-batch keeps
};

/// The stages of a job on GPUs of one kind.
struct WorkOfStages {
  std::vector<StageWork> stages;
  std::vector<std::vector<ComputeLoss>> losses;  ///< by stage
};

class ShardedWork {
 public:
  ShardedWork(const Placement& placement, const Library& library, const GpuKind& kind,
              training::ComputeRates rates)
      : placement_(placement),
        library_(library),
        kind_(kind),
        job_(*placement.job.training),
        p_(job_.parallelism),
        passes_(job_, std::move(rates), library.parameters.count("backward_to_forward_flops")),
        offload_(offload_rates(placement, library, placement.views()[kind.view], kind.gpu)) {}

  WorkOfStages plan() && {
    WorkOfStages plan;
    for (const StageLayers& stage : training::cut_into_stages(*job_.network, p_, job_.tokens)) {
      losses_.clear();
      plan.stages.push_back(stage_work(stage));
      for (ComputeLoss& loss : losses_) {
        loss.time = loss.time * p_.micro_batches;
        if (loss.mechanism == training::kLaunches) plan.stages.back().launch_wait = loss.time;
      }
      plan.losses.push_back(losses_);
    }
    return plan;
  }

 private:
  void add(const ComputeLoss& loss) {
    const auto same = std::find_if(losses_.begin(), losses_.end(), [&](const ComputeLoss& known) {
      return known.mechanism == loss.mechanism;
    });
    if (same == losses_.end()) {
      losses_.push_back(loss);
    } else {
      same->time += loss.time;
    }
  }

  /// A layer takes longer if the host launches its kernels more slowly than they run. Exchanges are
  /// launched, too: they run while the GPU waits for the host.
  void hold_up(LayerTimes& times) {
    const SimTime wait = times.launches - times.compute;
    if (wait <= SimTime{0} || times.compute == SimTime{0}) return;
    if (times.exchanges.empty()) {
      stretch(times, times.launches);
    } else {
      times.compute = times.launches;
      times.launch_wait = {wait, std::exchange(times.exchanges, {})};
    }
    add({training::kLaunches, wait, library_.parameters.describe("kernel_launch_interval")});
  }

  /// Copies of offloaded activations and parameters run beside a layer's pass, which waits for
  /// them if they take longer.
  void wait_for_copies(const Wrapped& layer, LayerTimes& times) {
    const training::StateBytes& state = job_.state;
    double bytes = layer.kept * state.offloaded_activations;
    if (state.offloads_parameters && p_.sharding == Sharding::kParameters) {
      bytes += (layer.held.all() + layer.held.frozen) * state.weight /
               static_cast<double>(p_.sharding_ranks());
    }
    if (bytes < 1 || offload_.copies <= 0) return;
    const SimTime wait = seconds(bytes / offload_.copies) - times.compute;
    if (wait <= SimTime{0}) return;
    stretch(times, times.compute + wait);
    add({training::kOffload, wait, offload_.source});
  }

  /// An optimizer in the memory of the host: its gradients go there, the CPU reads and writes its
  /// states, and new weights come back.
  [[nodiscard]] SimTime step_on_host(double parameters) const {
    const training::StateBytes& state = job_.state;
    double time = 0;
    if (offload_.copies > 0) time += (state.gradient + state.weight) / offload_.copies;
    if (offload_.host_memory > 0) {
      time += static_cast<double>(job_.optimizer_bytes.count()) / offload_.host_memory;
    }
    return seconds(parameters * time);
  }

  static SimTime seconds(double value) {
    return training::stretched(SimTime{1'000'000'000'000}, value);
  }

  static void stretch(LayerTimes& times, SimTime compute) {
    if (times.compute > SimTime{0}) {
      const double factor = to_seconds(compute) / to_seconds(times.compute);
      for (training::OverlappedWork* beside :
           {&times.scores, &times.products, &times.gradients, &times.launch_wait}) {
        beside->compute = training::stretched(beside->compute, factor);
      }
      times.weights = training::stretched(times.weights, factor);
    }
    times.compute = compute;
  }

  /// Time in the VM, including the wait for the slowest rank.
  void virtualize(LayerTimes& times) {
    training::ComputeTimes one{times.compute, {}, SimTime{0}};
    const vsphere::VirtualMachine& vm = placement_.views()[kind_.view].vm();
    for (const ComputeLoss& loss :
         training::virtualize(one, vm, kind_.gpu, !placement_.cluster->idealised.zero_overhead,
                              library_.parameters)) {
      add(loss);
    }
    const SimTime own = one.forward;
    stretch(times, training::stretched(own, wait_for_slowest(placement_, library_)));
    if (times.compute == own) return;
    add({training::kSlowestRank, times.compute - own, library_.parameters.describe("step_jitter")});
  }

  /// Each block is one FSDP unit.
  std::vector<Wrapped> wrapped(const std::vector<const LayerGroup*>& layers) const {
    std::vector<Wrapped> result;
    const LayerGroup* before = nullptr;
    for (const LayerGroup* layer : layers) {
      const bool joins = layer->part == LayerGroup::Part::kFeedForward && before != nullptr &&
                         before->part == LayerGroup::Part::kAttention;
      if (!joins) result.emplace_back();
      result.back().forward += passes_.forward(*layer);
      result.back().backward += passes_.backward(*layer);
      result.back().held += training::held_by_rank(*layer, p_);
      result.back().kept +=
          training::kept_elements(*layer, p_, job_.tokens) * job_.state.activation;
      before = layer;
    }
    if (result.empty()) result.emplace_back();
    return result;
  }

  static StepSegment piece_of(const LayerTimes& times) {
    StepSegment piece;
    piece.compute = times.compute;
    SimTime left = times.compute;
    for (const training::OverlappedWork* beside :
         {&times.scores, &times.products, &times.gradients, &times.launch_wait}) {
      if (beside->exchanges.empty()) continue;
      piece.beside.push_back(*beside);
      left -= piece.beside.back().compute = std::min(beside->compute, left);
    }
    piece.exchanges = times.exchanges;
    return piece;
  }

  /// Removes reductions that only the last micro-batch performs.
  void put_off(std::vector<Exchange>& reduced) const {
    if (p_.gradient_sync == training::GradientSync::kEach) return;
    const bool all = p_.gradient_sync == training::GradientSync::kLast;
    std::erase_if(reduced, [&](const Exchange& exchange) {
      return all || exchange.axis == training::Axis::kReplica;
    });
  }

  /// Layers run one after the other, each with its gathered parameters.
  ChunkPlan sharded(const std::vector<Wrapped>& layers) const {
    ChunkPlan chunk;
    for (const Wrapped& layer : layers) {
      const HeldParameters weights{layer.held.shared + layer.held.frozen, layer.held.experts, 0};
      const auto gathered =
          passes_.data_parallel_exchanges(Collective::kAllGather, weights, job_.state.weight);
      chunk.forward.push_back(piece_of(layer.forward));
      chunk.forward.back().gathered = gathered;
      chunk.backward.push_back(piece_of(layer.backward));
      chunk.backward.back().gathered = passes_.gathered_in_backward(weights, job_.state.weight);
      chunk.backward.back().reduced = passes_.data_parallel_exchanges(
          Collective::kReduceScatter, layer.held, job_.state.gradient);
    }
    std::reverse(chunk.backward.begin(), chunk.backward.end());
    chunk.last_backward = chunk.backward;
    for (StepSegment& piece : chunk.backward) put_off(piece.reduced);
    return chunk;
  }

  /// A forward pass whose buckets, of `least` bytes of gradients, gather their parameters.
  std::vector<StepSegment> gathering(const std::vector<Wrapped>& layers, double least) const {
    std::vector<StepSegment> forward;
    LayerTimes part;
    HeldParameters held;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      part += layers[i].forward;
      held += layers[i].held;
      if (held.all() * job_.state.gradient < least && i + 1 < layers.size()) continue;
      forward.push_back(piece_of(std::exchange(part, {})));
      forward.back().gathered = passes_.data_parallel_exchanges(
          Collective::kAllGather, std::exchange(held, {}), job_.state.weight);
    }
    return forward;
  }

  /// Consecutive layers without other dependencies form one segment; backward passes are split at
  /// gradient reductions. Weight gradients are separate segments if the schedule separates them.
  ChunkPlan whole(const std::vector<Wrapped>& layers) const {
    LayerTimes forward;
    LayerTimes backward;
    double bytes = 0;
    for (const Wrapped& layer : layers) {
      forward += layer.forward;
      backward += layer.backward;
      bytes += layer.held.all() * job_.state.gradient;
    }
    const bool reduces = p_.data * p_.context > 1;
    const double least = std::max(static_cast<double>(job_.buckets.cap.count()),
                                  bytes / static_cast<double>(kMostReductions));
    const bool shards = p_.sharding != Sharding::kNone;
    const bool apart = p_.schedule == training::Schedule::kZeroBubble;
    const auto taken_apart = [&](LayerTimes& times) {
      StepSegment weights;
      if (apart) weights.compute = std::exchange(times.weights, SimTime{0});
      times.compute -= weights.compute;
      times.products.compute -= weights.compute;
      return weights;
    };
    ChunkPlan chunk;
    chunk.forward.push_back(piece_of(forward));
    if (reduces && p_.overlap_gather) chunk.first_forward = gathering(layers, least);
    chunk.weights.push_back(taken_apart(backward));
    chunk.backward.push_back(piece_of(backward));
    LayerTimes part;
    HeldParameters held;
    for (std::size_t i = layers.size(); i-- > 0;) {
      part += layers[i].backward;
      held += layers[i].held;
      const bool full = reduces && !job_.buckets.single && job_.overlap &&
                        held.all() * job_.state.gradient >= least;
      if (!full && i > 0) continue;
      chunk.last_weights.push_back(taken_apart(part));
      chunk.last_backward.push_back(piece_of(part));
      StepSegment& piece = apart ? chunk.last_weights.back() : chunk.last_backward.back();
      if (reduces) {
        piece.reduced = passes_.data_parallel_exchanges(
            shards ? Collective::kReduceScatter : Collective::kAllReduce, held,
            job_.state.gradient);
      }
      part = {};
      held = {};
    }
    // Sharded gradients are reduced after each micro-batch.
    if (p_.sharding == Sharding::kGradients) {
      chunk.backward = chunk.last_backward;
      chunk.weights = chunk.last_weights;
      for (StepSegment& piece : apart ? chunk.weights : chunk.backward) put_off(piece.reduced);
    }
    return chunk;
  }

  /// Whether the GPU decodes a batch before these layers.
  [[nodiscard]] bool decodes_before(const std::vector<const LayerGroup*>& layers) const {
    return job_.input.by_gpu && !layers.empty() && layers.front() == &job_.network->layers.front();
  }

  ChunkPlan chunk_plan(const std::vector<const LayerGroup*>& layers) {
    std::vector<Wrapped> all = wrapped(layers);
    for (LayerTimes Wrapped::*pass : {&Wrapped::forward, &Wrapped::backward}) {
      std::vector<LayerTimes*> times;
      for (Wrapped& layer : all) times.push_back(&(layer.*pass));
      for (LayerTimes* layer : times) hold_up(*layer);
      for (std::size_t i = 0; i < all.size(); ++i) wait_for_copies(all[i], *times[i]);
      if (pass == &Wrapped::forward && decodes_before(layers)) {
        times.front()->compute += library_.parameters.time("gpu_decode_time") * p_.micro_batch;
      }
      for (LayerTimes* layer : times) virtualize(*layer);
    }
    return p_.sharding == Sharding::kParameters && p_.data * p_.context > 1 ? sharded(all)
                                                                            : whole(all);
  }

  StageWork stage_work(const StageLayers& chunks) {
    StageWork stage;
    HeldParameters held;
    for (const auto& layers : chunks) {
      stage.chunks.push_back(chunk_plan(layers));
      for (const LayerGroup* layer : layers) held += training::held_by_rank(*layer, p_);
    }
    stage.sent = passes_.sent_to_next_stage();
    const bool shards = p_.sharding != Sharding::kNone;
    const auto replicas = static_cast<double>(p_.sharding_ranks());
    const double updated =
        shards ? held.shared / replicas + held.experts * static_cast<double>(p_.expert) / replicas
               : held.all();
    const double traffic = updated * static_cast<double>(job_.optimizer_bytes.count());
    if (job_.state.offloads_optimizer) {
      stage.optimizer = step_on_host(updated);
    } else if (traffic > 0) {
      stage.optimizer = duration_of(Ratio(static_cast<std::int64_t>(traffic)),
                                    passes_.rates().memory_bytes_per_second);
    }
    if (shards && p_.sharding != Sharding::kParameters && !p_.overlap_gather) {
      stage.gathered_after =
          passes_.data_parallel_exchanges(Collective::kAllGather, held, job_.state.weight);
    }
    return stage;
  }

  const Placement& placement_;
  const Library& library_;
  const GpuKind& kind_;
  const training::TrainingJob& job_;
  const Parallelism& p_;
  training::LayerPasses passes_;
  OffloadRates offload_;
  std::vector<ComputeLoss> losses_;  ///< per micro-batch of the current stage
};

/// Computing of its ranks for a micro-batch other than the last.
SimTime passes_of(const StageWork& stage) {
  SimTime sum{};
  for (const ChunkPlan& chunk : stage.chunks) {
    for (const auto* pieces : {&chunk.forward, &chunk.backward, &chunk.weights}) {
      for (const StepSegment& piece : *pieces) sum += piece.compute;
    }
  }
  return sum;
}

SimTime passes_of(const WorkOfStages& plan) {
  SimTime sum{};
  for (const StageWork& stage : plan.stages) sum += passes_of(stage);
  return sum;
}

/// Factor relative to `by` on the passes of the unit's stage on its slowest rank.
class Paces {
 public:
  Paces(const Placement& placement, const std::vector<GpuKind>& kinds,
        const std::vector<WorkOfStages>& plans, const WorkOfStages& by)
      : placement_(placement), kinds_(kinds), plans_(plans), by_(by) {}

  [[nodiscard]] double of(const std::vector<std::size_t>& unit, std::size_t stage) const {
    double slowest = 0.0;
    for (const std::size_t rank : unit) {
      const RankClass place = rank_class(placement_, rank);
      slowest = std::max(slowest, pace(place, stage) * straggling(placement_, place));
    }
    return slowest;
  }

 private:
  [[nodiscard]] double pace(const RankClass& rank, std::size_t stage) const {
    if (plans_.size() == 1) return 1.0;
    const std::size_t view = placement_.vms()[rank.vm].view;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      if (!is_alike(placement_, kinds_[k], view, rank.gpu)) continue;
      const SimTime usual = passes_of(by_.stages[stage]);
      return usual == SimTime{0}
                 ? 1.0
                 : to_seconds(passes_of(plans_[k].stages[stage])) / to_seconds(usual);
    }
    return 1.0;
  }

  const Placement& placement_;
  const std::vector<GpuKind>& kinds_;
  const std::vector<WorkOfStages>& plans_;
  const WorkOfStages& by_;
};

}  // namespace

/// Times on the rank's share of a GPU.
WorkOfStages work_on_part(const Placement& placement, const Library& library, const GpuKind& kind,
                          const training::ComputeRates& rates) {
  const training::GpuPart part = part_of(library, placement.views()[kind.view], kind.gpu);
  if (part.compute >= 1 && part.memory >= 1) {
    return ShardedWork(placement, library, kind, rates).plan();
  }
  training::ComputeRates of_part = rates;
  training::scale(of_part, part);
  WorkOfStages plan = ShardedWork(placement, library, kind, of_part).plan();
  const WorkOfStages whole = ShardedWork(placement, library, kind, rates).plan();
  const std::int64_t micro_batches = placement.job.training->parallelism.micro_batches;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const SimTime lost = training::passes_of(plan.stages[s], micro_batches).all() -
                         training::passes_of(whole.stages[s], micro_batches).all();
    if (lost <= SimTime{0}) continue;
    plan.losses[s].insert(plan.losses[s].begin(),
                          {"only slices of the GPU", lost, "NVIDIA Multi-Instance GPU user guide"});
  }
  return plan;
}

/// The stages are those of the slowest kind of GPU; other kinds have a factor per stage.
UnitWork sharded_work(const Placement& placement, const Library& library, const JobUnits& units,
                      input::Diagnostics& diagnostics) {
  UnitWork result;
  const std::vector<GpuKind> kinds = gpu_kinds(placement);
  std::vector<WorkOfStages> plans;
  for (const GpuKind& kind : kinds) {
    const training::ComputeRates rates =
        rates_of(placement, library, placement.views()[kind.view], kind.gpu, diagnostics);
    if (diagnostics.has_errors()) return result;
    plans.push_back(work_on_part(placement, library, kind, rates));
  }
  const auto slowest = std::max_element(
      plans.begin(), plans.end(),
      [](const WorkOfStages& a, const WorkOfStages& b) { return passes_of(a) < passes_of(b); });
  const bool paced = plans.size() > 1 || !placement.job.variability.stragglers.empty();
  const Paces paces(placement, kinds, plans, *slowest);
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    const std::size_t stage = u / units.replicas;
    const double factor = paced ? paces.of(units.units[u], stage) : 1.0;
    result.units.push_back({stage, {factor, factor, factor}, {}});
  }
  result.work = slowest->stages;
  result.losses = slowest->losses;
  return result;
}

}  // namespace vgsim::scenario
