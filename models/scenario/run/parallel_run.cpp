#include "models/scenario/run/parallel_run.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "models/scenario/run/group_times.hpp"
#include "models/scenario/run/iteration_reader.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/topology_drawing.hpp"
#include "models/training/layer_passes.hpp"
#include "models/training/memory.hpp"
#include "models/training/pipeline_graph.hpp"
#include "models/training/stages.hpp"
#include "models/training/virtualization.hpp"
#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Collective;
using training::Axis;
using training::Exchange;
using training::Held;
using training::LayerGroup;
using training::LayerTimes;
using training::Parallelism;
using training::Recompute;
using training::Sharding;
using training::StageLayers;

/// What the passes of one micro-batch take on a stage, all chunks together.
struct Passes {
  SimTime compute{};
  std::map<Axis, Exchange> communication;
  std::vector<training::ComputeLoss> losses;
  SimTime slowed{};  ///< by parameters and gradients on their way
  Exchange once;     ///< of an iteration, among data-parallel ranks

  void add(const LayerTimes& times) {
    compute += times.compute;
    for (const auto& [axis, time] : times.communication) communication[axis] += time;
  }

  void add(const training::ComputeLoss& loss) {
    const auto same = std::find_if(
        losses.begin(), losses.end(),
        [&](const training::ComputeLoss& known) { return known.mechanism == loss.mechanism; });
    if (same == losses.end()) {
      losses.push_back(loss);
    } else {
      same->time += loss.time;
    }
  }
};

/// Layers take longer where the host launches the kernels of a pass more slowly than they run: by
/// how much, all together.
SimTime hold_up(std::vector<LayerTimes>& pass) {
  SimTime gpu{};
  SimTime host{};
  for (const LayerTimes& times : pass) {
    gpu += times.compute;
    host += times.launches;
  }
  if (host <= gpu || gpu == SimTime{0}) return SimTime{0};
  const double factor = to_seconds(host) / to_seconds(gpu);
  SimTime held_up{};
  for (LayerTimes& times : pass) {
    const SimTime before = times.compute;
    times.compute = training::stretched(times.compute, factor);
    held_up += times.compute - before;
  }
  return held_up;
}

class ParallelRun {
 public:
  ParallelRun(const PreparedLayout& prepared, const RunSettings& settings)
      : placement_(prepared.placement),
        library_(*prepared.library.library),
        settings_(settings),
        job_(*placement_.job.training),
        p_(job_.parallelism),
        groups_(placement_, library_, settings, p_),
        layers_(job_, *prepared.slowest_gpu, library_.parameters.count("backward_to_forward_flops"),
                costs_of_groups()) {}

  void run(LayoutResult& result) {
    const auto stages = training::cut_into_stages(*job_.network, p_, job_.tokens);
    std::vector<training::StageTimes> plan;
    std::vector<Passes> passes;
    for (const StageLayers& stage : stages) {
      Passes all;
      plan.push_back(stage_times(stage, all));
      passes.push_back(std::move(all));
    }
    const auto graph = training::build_pipeline(p_, plan, job_.overlap);
    const Network no_links;
    RunOptions options;
    options.limits = settings_.limits;
    options.report = settings_.report;
    const Timeline timeline = simulate(graph.graph, no_links, options);
    fill(graph, timeline, plan, passes, result);
  }

 private:
  training::GroupCosts costs_of_groups() {
    return {[this](Axis axis, Collective collective, Bytes size) {
              return groups_.time(axis, collective, size);
            },
            [this](Bytes size) { return groups_.send(size); }};
  }

  /// Of the time that traffic hides behind passes, what they take longer.
  [[nodiscard]] SimTime slowed_by(SimTime hidden) const {
    return hidden <= SimTime{0}
               ? SimTime{0}
               : training::stretched(hidden, slowed_by_traffic(placement_, library_));
  }

  void stretch(LayerTimes& times, Passes& passes) const {
    training::ComputeTimes one{times.compute, {}, SimTime{0}};
    const vsphere::VirtualMachine& vm = placement_.views().front().vm();
    for (const auto& loss : training::share_evenly(one, vm, 0)) passes.add(loss);
    const auto losses = training::virtualize(
        one, vm, 0, !placement_.cluster->idealised.zero_overhead, library_.parameters);
    for (const training::ComputeLoss& loss : losses) passes.add(loss);
    times.compute = training::stretched(one.forward, wait_for_slowest(placement_, library_));
    if (times.compute == one.forward) return;
    passes.add({training::kSlowestRank, times.compute - one.forward,
                library_.parameters.describe("step_jitter")});
  }

  /// A pass through layers whose parameters are gathered one layer ahead of their use, and whose
  /// gradients, going backward, are reduced behind it; all by one stream. Returns its time; what is
  /// exposed counts as data parallelism.
  SimTime sharded_pass(const std::vector<LayerTimes>& layers, const std::vector<Exchange>& gathers,
                       const std::vector<Exchange>& scatters, Passes& passes) {
    SimTime stream{};
    SimTime computed{};
    SimTime began{};
    SimTime work{};
    SimTime traffic{};
    for (std::size_t i = 0; i < layers.size(); ++i) {
      stream = std::max(stream, began) + gathers[i].time;
      passes.communication[Axis::kData].sent += gathers[i].sent;
      traffic += gathers[i].time;
      began = std::max(computed, stream);
      computed = began + layers[i].total();
      work += layers[i].total();
      if (scatters.empty()) continue;
      stream = std::max(stream, computed) + scatters[i].time;
      traffic += scatters[i].time;
      passes.communication[Axis::kData].sent += scatters[i].sent;
    }
    const SimTime end = scatters.empty() ? computed : std::max(computed, stream);
    const SimTime slowed = slowed_by(std::min(traffic - (end - work), work));
    passes.communication[Axis::kData].time += end - work + slowed;
    passes.slowed += slowed;
    return end + slowed;
  }

  training::ChunkTimes chunk_times(const std::vector<const LayerGroup*>& layers, Passes& passes) {
    training::ChunkTimes chunk;
    std::vector<LayerTimes> there;
    std::vector<LayerTimes> back;
    for (const LayerGroup* layer : layers) {
      there.push_back(layers_.forward(*layer));
      back.push_back(layers_.backward(*layer));
    }
    for (auto* pass : {&there, &back}) {
      const SimTime held_up = hold_up(*pass);
      if (held_up > SimTime{0}) {
        passes.add(training::ComputeLoss{training::kLaunches, held_up,
                                         library_.parameters.describe("kernel_launch_interval")});
      }
      for (LayerTimes& times : *pass) {
        stretch(times, passes);
        passes.add(times);
      }
    }
    if (p_.sharding == Sharding::kParameters && p_.data * p_.context > 1) {
      std::vector<Exchange> gathers;
      std::vector<Exchange> scatters;
      for (const LayerGroup* layer : layers) {
        const Held own = training::held_by_rank(*layer, p_);
        const Held weights{own.shared + own.frozen, own.experts, 0};
        gathers.push_back(
            layers_.among_replicas(Collective::kAllGather, weights, job_.state.weight));
        scatters.push_back(
            layers_.among_replicas(Collective::kReduceScatter, own, job_.state.gradient));
      }
      chunk.forward = sharded_pass(there, gathers, {}, passes);
      std::reverse(back.begin(), back.end());
      std::reverse(gathers.begin(), gathers.end());
      std::reverse(scatters.begin(), scatters.end());
      chunk.backward = sharded_pass(back, gathers, scatters, passes);
      return chunk;
    }
    for (const LayerTimes& times : there) chunk.forward += times.total();
    for (const LayerTimes& times : back) chunk.backward += times.total();
    return chunk;
  }

  /// Gradients that are kept sharded are reduced after each micro-batch, beside the backward pass
  /// of its last chunk; so the last reduction has nothing left to do.
  void reduce_each_time(const Exchange& reduced, training::StageTimes& stage,
                        Passes& passes) const {
    SimTime& backward = stage.chunks.back().backward;
    const SimTime hidden = job_.overlap ? std::min(backward, reduced.time) : SimTime{0};
    const SimTime slowed = slowed_by(hidden);
    const SimTime exposed = reduced.time - hidden + slowed;
    backward += exposed;
    passes.slowed += slowed;
    passes.communication[Axis::kData] += {exposed, reduced.sent};
    passes.once.sent -= reduced.sent;
    stage.reduce = SimTime{0};
  }

  training::StageTimes stage_times(const StageLayers& chunks, Passes& passes) {
    training::StageTimes stage;
    Held held;
    for (const auto& layers : chunks) {
      stage.chunks.push_back(chunk_times(layers, passes));
      for (const LayerGroup* layer : layers) held += training::held_by_rank(*layer, p_);
    }
    stage.send = layers_.send();
    const bool shards = p_.sharding != Sharding::kNone;
    if (p_.sharding != Sharding::kParameters) {
      const Exchange reduced = layers_.among_replicas(
          shards ? Collective::kReduceScatter : Collective::kAllReduce, held, job_.state.gradient);
      stage.reduce = reduced.time;
      passes.once += reduced;
      if (p_.sharding == Sharding::kGradients && p_.micro_batches > 1) {
        reduce_each_time(reduced, stage, passes);
      }
    }
    const auto replicas = static_cast<double>(p_.data * p_.context);
    const double updated =
        shards ? held.shared / replicas + held.experts * static_cast<double>(p_.expert) / replicas
               : held.all();
    const double traffic = updated * static_cast<double>(job_.optimizer_bytes.count());
    stage.optimizer = traffic > 0 ? duration_of(Ratio(static_cast<std::int64_t>(traffic)),
                                                layers_.rates().memory_bytes_per_second)
                                  : SimTime{0};
    if (shards && p_.sharding != Sharding::kParameters) {
      const Exchange weights =
          layers_.among_replicas(Collective::kAllGather, held, job_.state.weight);
      stage.gather = weights.time;
      passes.once += weights;
    }
    return stage;
  }

  void fill(const training::PipelineGraph& graph, const Timeline& timeline,
            const std::vector<training::StageTimes>& plan, const std::vector<Passes>& passes,
            LayoutResult& result) const {
    const auto end = [&](TaskId task) { return timeline.find(task, 0)->end; };
    std::size_t last = 0;
    for (std::size_t s = 1; s < plan.size(); ++s) {
      if (end(graph.end[s]) > end(graph.end[last])) last = s;
    }
    TrainingResult& t = result.training.emplace();
    t.iteration = end(graph.end[last]);
    t.global_batch = p_.global_batch();
    t.optimizer = plan[last].optimizer;
    t.compute = passes[last].compute * p_.micro_batches;
    for (const training::ComputeLoss& loss : passes[last].losses) {
      t.losses.push_back({loss.mechanism, loss.time * p_.micro_batches, loss.source});
    }
    for (const auto& [axis, exchange] : passes[last].communication) {
      t.communication[to_string(axis)] += exchange.time * p_.micro_batches;
      t.sent_bytes[to_string(axis)] += exchange.times(p_.micro_batches).sent;
    }
    if (passes[last].once.sent > 0) t.sent_bytes[to_string(Axis::kData)] += passes[last].once.sent;
    const TaskRecord* optimizer = timeline.find(graph.optimizer[last], 0);
    const SimTime reduced = optimizer->ready - end(graph.last_backward[last]);
    const SimTime slowed = slowed_by(plan[last].reduce - reduced);
    t.iteration += slowed;
    t.kernels_slowed = passes[last].slowed * p_.micro_batches + slowed;
    t.communication[to_string(Axis::kData)] += reduced + slowed + plan[last].gather;
    for (const auto& [axis, time] : t.communication) t.exposed_communication += time;
    std::erase_if(t.communication, [](const auto& part) { return part.second == SimTime{0}; });
    t.first_iteration = t.iteration;
    t.pipeline_wait = t.iteration - t.compute - t.exposed_communication - t.optimizer;
    fill_rates(t);
    if (settings_.record) {
      result.record = read_iteration(graph, timeline, last,
                                     static_cast<std::size_t>(p_.ranks()) / plan.size(), slowed);
      const Form form = form_of(placement_, settings_);
      result.picture = draw_topology(placement_, place_network(placement_, form), {}, t.iteration);
    }
    result.events = timeline.events;
    Fingerprint print;
    for (const SimTime time : {t.iteration, t.compute, t.exposed_communication, t.optimizer}) {
      print.add(static_cast<std::uint64_t>(time.count()));
    }
    result.fingerprint = fingerprint_text(print.value());
    result.event_fingerprint = fingerprint_text(event_fingerprint(timeline));
  }

  void fill_rates(TrainingResult& t) const {
    t.iterations_per_epoch = job_.iterations();
    t.epochs = job_.epochs;
    t.network = job_.network->name;
    t.tokens = job_.tokens;
    t.samples = job_.samples(t.iterations_per_epoch);
    const double seconds = to_seconds(t.iteration);
    t.epoch_s = seconds * static_cast<double>(t.iterations_per_epoch);
    t.training_s = t.epoch_s * static_cast<double>(t.epochs);
    t.samples_per_s = seconds > 0 ? static_cast<double>(t.global_batch) / seconds : 0.0;
    const auto forward = static_cast<double>(job_.network->forward(job_.tokens).count());
    const auto batch = static_cast<double>(t.global_batch);
    const auto gpus = static_cast<double>(p_.ranks());
    const auto passes = static_cast<double>(job_.network->operations_of_step());
    t.model_flops_per_gpu = seconds > 0 ? passes * forward * batch / seconds / gpus : 0.0;
    const double again = p_.recompute == Recompute::kFull ? (passes + 1) / passes : 1.0;
    t.hardware_flops_per_gpu = t.model_flops_per_gpu * again;
    for (const LayerGroup& layer : job_.network->layers) {
      t.gradient_bytes += training::held_by_rank(layer, p_).all() * job_.state.gradient /
                          static_cast<double>(p_.pipeline);
    }
  }

  const Placement& placement_;
  const Library& library_;
  const RunSettings& settings_;
  const training::TrainingJob& job_;
  const Parallelism& p_;
  GroupTimes groups_;
  training::LayerPasses layers_;
};

}  // namespace

void run_parallel(const PreparedLayout& prepared, const RunSettings& settings,
                  LayoutResult& result) {
  ParallelRun(prepared, settings).run(result);
}

}  // namespace vgsim::scenario
