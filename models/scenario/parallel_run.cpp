#include "models/scenario/parallel_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "models/scenario/gpu_rates.hpp"
#include "models/scenario/group_times.hpp"
#include "models/scenario/run.hpp"
#include "models/scenario/virtualization.hpp"
#include "models/training/memory.hpp"
#include "models/training/pipeline_graph.hpp"
#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Collective;
using training::Axis;
using training::LayerGroup;
using training::Parallelism;
using training::Recompute;
using training::Sharding;

/// The layers of each stage, chunk by chunk.
using StageLayers = std::vector<std::vector<const LayerGroup*>>;

/// Cuts layers into as many chunks as there are stages times chunks of each: blocks of a
/// transformer evenly, with the embedding before and the output after; others by their operations.
std::vector<StageLayers> cut(const training::NetworkModel& network, const Parallelism& p,
                             std::int64_t tokens) {
  const std::size_t chunks = p.pipeline * p.virtual_stages;
  std::vector<StageLayers> stages(p.pipeline, StageLayers(p.virtual_stages));
  const auto chunk_of = [&](std::size_t index) -> std::vector<const LayerGroup*>& {
    return stages[index % p.pipeline][index / p.pipeline];
  };
  if (network.transformer) {
    const auto blocks = static_cast<std::size_t>(network.transformer->layers);
    std::size_t block = 0;
    std::size_t chunk = 0;
    for (const LayerGroup& layer : network.layers) {
      if (layer.part == LayerGroup::Part::kAttention) {
        while (block >= blocks * (chunk + 1) / chunks) ++chunk;
        ++block;
      }
      if (layer.part == LayerGroup::Part::kOutput) chunk = chunks - 1;
      chunk_of(chunk).push_back(&layer);
    }
    return stages;
  }
  const auto all = static_cast<double>(network.forward(tokens).count());
  double done = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const LayerGroup& layer = network.layers[i];
    const double share =
        all > 0 ? done / all : static_cast<double>(i) / static_cast<double>(network.layers.size());
    const auto chunk = static_cast<std::size_t>(share * static_cast<double>(chunks));
    chunk_of(std::min(chunk, chunks - 1)).push_back(&layer);
    done += static_cast<double>(layer.forward(tokens).count());
  }
  return stages;
}

/// A collective, or several: how long a rank waits for it, and the bytes that it sends.
struct Exchange {
  SimTime time{};
  double sent = 0;

  Exchange& operator+=(const Exchange& other) {
    time += other.time;
    sent += other.sent;
    return *this;
  }
  [[nodiscard]] Exchange times(std::int64_t n) const {
    return {time * n, sent * static_cast<double>(n)};
  }
};

/// What one pass of a layer takes on one rank.
struct LayerTimes {
  SimTime compute{};
  std::map<Axis, Exchange> communication;

  [[nodiscard]] SimTime total() const {
    SimTime sum = compute;
    for (const auto& [axis, exchange] : communication) sum += exchange.time;
    return sum;
  }
};

class ParallelRun {
 public:
  ParallelRun(const Placement& placement, const Library& library, const RunSettings& settings)
      : placement_(placement),
        library_(library),
        job_(*placement.job.training),
        p_(*job_.parallelism),
        times_(placement, library, settings, p_),
        settings_(settings) {
    input::Diagnostics none;
    rates_ = gpu_rates(placement, library, placement.views.front(), 0, true, none);
  }

  void run(LayoutResult& result) {
    const auto stages = cut(*job_.network, p_, job_.tokens);
    std::vector<training::StageTimes> plan;
    std::vector<Passes> passes;
    for (const StageLayers& stage : stages) {
      Passes all;
      plan.push_back(stage_times(stage, all));
      passes.push_back(std::move(all));
    }
    const auto graph = training::build_pipeline(p_, plan, job_.overlap);
    RunOptions options;
    const Network no_links;
    const Timeline timeline = simulate(graph.graph, no_links, options);
    fill(graph, timeline, plan, passes, result);
  }

 private:
  /// What the passes of one micro-batch take on a stage, all chunks together.
  struct Passes {
    SimTime compute{};
    std::map<Axis, Exchange> communication;
    std::vector<ComputeLoss> losses;
    Exchange once;  ///< of an iteration, among data-parallel ranks
  };

  [[nodiscard]] double activation_bytes() const { return job_.state.activation; }
  [[nodiscard]] double own_tokens() const {
    return static_cast<double>(std::max<std::int64_t>(job_.tokens, 1)) /
           static_cast<double>(p_.context);
  }

  static Bytes bytes(double count) { return Bytes{static_cast<std::int64_t>(std::llround(count))}; }

  SimTime flop_time(double operations) const {
    return operations <= 0
               ? SimTime{0}
               : duration_of(Exact(static_cast<std::int64_t>(operations)), rates_.flops_per_second);
  }

  /// Operations of one micro-batch on one rank.
  double operations(const LayerGroup& layer, bool scores_alone = false) const {
    const auto tokens = static_cast<double>(job_.tokens);
    const double pairs = static_cast<double>(layer.flops_per_token_pair.count()) * tokens * tokens;
    const double all = scores_alone
                           ? pairs
                           : pairs + static_cast<double>(layer.flops_per_sample.count()) +
                                 static_cast<double>(layer.flops_per_token.count()) * tokens;
    return all * static_cast<double>(p_.micro_batch) / static_cast<double>(p_.tensor * p_.context);
  }

  /// One sum over tensor-parallel ranks of a token's width: AllReduce, or ReduceScatter and
  /// AllGather where sequences are split.
  Exchange tensor_sum() {
    const Bytes size = bytes(static_cast<double>(hidden()) * own_tokens() *
                             static_cast<double>(p_.micro_batch) * activation_bytes());
    if (!p_.sequence) return exchange(Axis::kTensor, Collective::kAllReduce, size);
    Exchange both = exchange(Axis::kTensor, Collective::kReduceScatter, size);
    both += exchange(Axis::kTensor, Collective::kAllGather, size);
    return both;
  }

  /// Ranks of a group of an axis; those that reduce gradients together for data parallelism.
  [[nodiscard]] std::size_t group_size(Axis axis) const {
    switch (axis) {
      case Axis::kTensor:
        return p_.tensor;
      case Axis::kContext:
        return p_.context;
      case Axis::kData:
        return p_.data * p_.context;
      case Axis::kExpert:
        return p_.expert;
      case Axis::kPipeline:
        return p_.pipeline;
    }
    return 1;
  }

  Exchange exchange(Axis axis, Collective collective, Bytes size) {
    const std::size_t ranks = group_size(axis);
    if (ranks < 2) return {};
    return {times_.time(axis, collective, size),
            static_cast<double>(size.count()) * collectives::bus_factor(collective, ranks)};
  }

  [[nodiscard]] std::int64_t hidden() const {
    return job_.network->transformer ? job_.network->transformer->hidden : 0;
  }

  /// Keys and values go round the context-parallel ranks while scores are computed.
  Exchange exposed_context(const LayerGroup& layer, std::int64_t rounds) {
    const auto& t = *job_.network->transformer;
    const Bytes block = bytes(2.0 * static_cast<double>(t.kv_heads * t.head_size) * own_tokens() *
                              static_cast<double>(p_.micro_batch) * activation_bytes() /
                              static_cast<double>(p_.tensor));
    Exchange all = exchange(Axis::kContext, Collective::kSendRecv, block)
                       .times(static_cast<std::int64_t>(p_.context - 1) * rounds);
    all.time = std::max(SimTime{0}, all.time - flop_time(operations(layer, true)) * rounds);
    return all;
  }

  Exchange to_experts() {
    const auto& t = *job_.network->transformer;
    const double tokens = own_tokens() * static_cast<double>(p_.micro_batch) *
                          static_cast<double>(t.experts_per_token);
    return exchange(Axis::kExpert, Collective::kAllToAll,
                    bytes(tokens * static_cast<double>(t.hidden) * activation_bytes() /
                          static_cast<double>(p_.sequence ? p_.tensor : 1)));
  }

  /// What the forward pass of a layer moves to and from device memory beside its matrix products.
  SimTime traffic_time(const LayerGroup& layer) const {
    if (!rates_.counts_traffic) return SimTime{0};
    const double tokens = own_tokens();
    const auto tensor = static_cast<double>(p_.tensor);
    const training::Activations& kept = layer.activations;
    double elements = kept.per_token * tokens / tensor +
                      kept.per_token_each * tokens / (p_.sequence ? tensor : 1.0);
    if (!p_.flash_attention) elements += kept.per_token_pair * tokens * tokens / tensor;
    const double moved = elements * static_cast<double>(p_.micro_batch) * activation_bytes() *
                         library_.parameters.number("traffic_per_kept_byte");
    return moved < 1 ? SimTime{0}
                     : duration_of(Exact(static_cast<std::int64_t>(moved)),
                                   rates_.memory_bytes_per_second);
  }

  /// What the host takes to launch the kernels of a layer's forward pass.
  SimTime launch_time(const LayerGroup& layer) const {
    if (!rates_.counts_traffic) return SimTime{0};
    return library_.parameters.time("kernel_launch_interval") * layer.kernels;
  }

  LayerTimes forward(const LayerGroup& layer) {
    LayerTimes times;
    times.compute =
        std::max(flop_time(operations(layer)) + traffic_time(layer), launch_time(layer));
    const bool sums = layer.part == LayerGroup::Part::kAttention ||
                      layer.part == LayerGroup::Part::kFeedForward ||
                      layer.part == LayerGroup::Part::kEmbedding;
    if (sums && p_.tensor > 1) times.communication[Axis::kTensor] += tensor_sum();
    if (layer.part == LayerGroup::Part::kAttention && p_.context > 1) {
      times.communication[Axis::kContext] += exposed_context(layer, 1);
    }
    if (layer.experts > 0 && p_.expert > 1) {
      times.communication[Axis::kExpert] += to_experts().times(2);
    }
    return times;
  }

  LayerTimes backward(const LayerGroup& layer) {
    LayerTimes times;
    const double ratio =
        static_cast<double>(library_.parameters.count("backward_to_forward_flops"));
    times.compute = std::max(flop_time(operations(layer) * ratio) + traffic_time(layer) * 2,
                             launch_time(layer) * 2);
    const bool sums = layer.part == LayerGroup::Part::kAttention ||
                      layer.part == LayerGroup::Part::kFeedForward ||
                      layer.part == LayerGroup::Part::kOutput;
    if (sums && p_.tensor > 1) times.communication[Axis::kTensor] += tensor_sum();
    if (layer.part == LayerGroup::Part::kAttention && p_.context > 1) {
      times.communication[Axis::kContext] += exposed_context(layer, 2);
    }
    if (layer.experts > 0 && p_.expert > 1) {
      times.communication[Axis::kExpert] += to_experts().times(2);
    }
    const bool block =
        layer.part == LayerGroup::Part::kAttention || layer.part == LayerGroup::Part::kFeedForward;
    if (p_.recompute == Recompute::kSelective && block) {
      times.compute += flop_time(operations(layer, true));
    }
    if (p_.recompute == Recompute::kFull && block) {
      const LayerTimes again = forward(layer);
      times.compute += again.compute;
      for (const auto& [axis, time] : again.communication) times.communication[axis] += time;
    }
    return times;
  }

  /// Parameters of a layer that one rank holds, and those of them that belong to experts.
  [[nodiscard]] double own_parameters(const LayerGroup& layer) const {
    const auto experts = static_cast<double>(layer.expert_parameters);
    return (static_cast<double>(layer.parameters()) - experts) / static_cast<double>(p_.tensor) +
           experts / static_cast<double>(p_.tensor * p_.expert);
  }

  Exchange gathered(const LayerGroup& layer) {
    return exchange(Axis::kData, Collective::kAllGather,
                    bytes(own_parameters(layer) * job_.state.weight));
  }

  Exchange scattered(const LayerGroup& layer) {
    return exchange(Axis::kData, Collective::kReduceScatter,
                    bytes(own_parameters(layer) * job_.state.gradient));
  }

  void stretch(LayerTimes& times, Passes& passes) {
    training::ComputeTimes one{times.compute, {}, SimTime{0}};
    const auto losses = virtualize(one, placement_.views.front().vm(), 0, p_.ranks(),
                                   !placement_.cluster.zero_overhead, library_.parameters);
    times.compute = one.forward;
    for (const ComputeLoss& loss : losses) {
      const auto same = std::find_if(passes.losses.begin(), passes.losses.end(),
                                     [&](const auto& l) { return l.mechanism == loss.mechanism; });
      if (same != passes.losses.end()) {
        same->time += loss.time;
      } else {
        passes.losses.push_back(loss);
      }
    }
  }

  static void add(const LayerTimes& times, Passes& passes) {
    passes.compute += times.compute;
    for (const auto& [axis, time] : times.communication) passes.communication[axis] += time;
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
    for (std::size_t i = 0; i < layers.size(); ++i) {
      stream = std::max(stream, began) + gathers[i].time;
      passes.communication[Axis::kData].sent += gathers[i].sent;
      began = std::max(computed, stream);
      computed = began + layers[i].total();
      work += layers[i].total();
      if (scatters.empty()) continue;
      stream = std::max(stream, computed) + scatters[i].time;
      passes.communication[Axis::kData].sent += scatters[i].sent;
    }
    const SimTime end = scatters.empty() ? computed : std::max(computed, stream);
    passes.communication[Axis::kData].time += end - work;
    return end;
  }

  training::ChunkTimes chunk_times(const std::vector<const LayerGroup*>& layers, Passes& passes) {
    training::ChunkTimes chunk;
    std::vector<LayerTimes> there;
    std::vector<LayerTimes> back;
    for (const LayerGroup* layer : layers) {
      there.push_back(forward(*layer));
      back.push_back(backward(*layer));
      for (LayerTimes* times : {&there.back(), &back.back()}) {
        stretch(*times, passes);
        add(*times, passes);
      }
    }
    if (p_.sharding == Sharding::kParameters && p_.data * p_.context > 1) {
      std::vector<Exchange> gathers;
      std::vector<Exchange> scatters;
      for (const LayerGroup* layer : layers) {
        gathers.push_back(gathered(*layer));
        scatters.push_back(scattered(*layer));
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

  training::StageTimes stage_times(const StageLayers& chunks, Passes& passes) {
    training::StageTimes stage;
    double parameters = 0;
    for (const auto& layers : chunks) {
      stage.chunks.push_back(chunk_times(layers, passes));
      for (const LayerGroup* layer : layers) parameters += own_parameters(*layer);
    }
    if (hidden() > 0) {
      // Each tensor-parallel rank sends its part of the activations.
      stage.send = times_.send(bytes(static_cast<double>(hidden()) * own_tokens() *
                                     static_cast<double>(p_.micro_batch) * activation_bytes() /
                                     static_cast<double>(p_.tensor)));
    }
    const Bytes gradients = bytes(parameters * job_.state.gradient);
    const bool shards = p_.sharding != Sharding::kNone;
    if (p_.sharding != Sharding::kParameters) {
      const Exchange reduced = exchange(
          Axis::kData, shards ? Collective::kReduceScatter : Collective::kAllReduce, gradients);
      stage.reduce = reduced.time;
      passes.once += reduced;
    }
    const auto replicas = static_cast<double>(p_.data * p_.context);
    const double updated = shards ? parameters / replicas : parameters;
    const double traffic = updated * static_cast<double>(job_.optimizer_bytes.count());
    stage.optimizer = traffic > 0 ? duration_of(Exact(static_cast<std::int64_t>(traffic)),
                                                rates_.memory_bytes_per_second)
                                  : SimTime{0};
    if (shards && p_.sharding != Sharding::kParameters) {
      const Exchange updated_weights =
          exchange(Axis::kData, Collective::kAllGather, bytes(parameters * job_.state.weight));
      stage.gather = updated_weights.time;
      passes.once += updated_weights;
    }
    return stage;
  }

  void fill(const training::PipelineGraph& graph, const Timeline& timeline,
            const std::vector<training::StageTimes>& plan, const std::vector<Passes>& passes,
            LayoutResult& result) {
    const auto end = [&](TaskId task) { return timeline.find(task, 0)->end; };
    std::size_t last = 0;
    for (std::size_t s = 1; s < plan.size(); ++s) {
      if (end(graph.end[s]) > end(graph.end[last])) last = s;
    }
    TrainingResult& t = result.training.emplace();
    t.iteration = end(graph.end[last]);
    t.first_iteration = t.iteration;
    t.global_batch = p_.global_batch();
    t.optimizer = plan[last].optimizer;
    t.compute = passes[last].compute * p_.micro_batches;
    for (const ComputeLoss& loss : passes[last].losses) {
      t.losses.push_back({loss.mechanism, loss.time * p_.micro_batches, loss.source});
    }
    for (const auto& [axis, exchange] : passes[last].communication) {
      t.communication[to_string(axis)] += exchange.time * p_.micro_batches;
      t.sent_bytes[to_string(axis)] += exchange.times(p_.micro_batches).sent;
    }
    if (passes[last].once.sent > 0) t.sent_bytes[to_string(Axis::kData)] += passes[last].once.sent;
    const TaskRecord* optimizer = timeline.find(graph.optimizer[last], 0);
    const SimTime reduced = optimizer->ready - end(graph.last_backward[last]);
    t.communication[to_string(Axis::kData)] += reduced + plan[last].gather;
    for (const auto& [axis, time] : t.communication) t.exposed_communication += time;
    std::erase_if(t.communication, [](const auto& part) { return part.second == SimTime{0}; });
    t.pipeline_wait = t.iteration - t.compute - t.exposed_communication - t.optimizer;
    fill_rates(t);
    result.events = timeline.events;
    Fingerprint print;
    for (const SimTime time : {t.iteration, t.compute, t.exposed_communication, t.optimizer}) {
      print.add(static_cast<std::uint64_t>(time.count()));
    }
    result.fingerprint = fingerprint_text(print.value());
    result.event_fingerprint = fingerprint_text(event_fingerprint(timeline));
  }

  void fill_rates(TrainingResult& t) const {
    const std::int64_t samples = job_.samples_per_epoch.value_or(t.global_batch);
    t.iterations_per_epoch =
        job_.iterations_per_epoch.value_or((samples + t.global_batch - 1) / t.global_batch);
    t.epochs = job_.epochs;
    const double seconds = to_seconds(t.iteration);
    t.epoch_s = seconds * static_cast<double>(t.iterations_per_epoch);
    t.training_s = t.epoch_s * static_cast<double>(t.epochs);
    t.samples_per_s = seconds > 0 ? static_cast<double>(t.global_batch) / seconds : 0.0;
    const auto forward = static_cast<double>(job_.network->forward(job_.tokens).count());
    const auto batch = static_cast<double>(t.global_batch);
    const auto gpus = static_cast<double>(p_.ranks());
    t.model_flops_per_gpu = seconds > 0 ? 3 * forward * batch / seconds / gpus : 0.0;
    const double again = p_.recompute == Recompute::kFull ? 4.0 / 3.0 : 1.0;
    t.hardware_flops_per_gpu = t.model_flops_per_gpu * again;
    for (const LayerGroup& layer : job_.network->layers) {
      t.gradient_bytes +=
          own_parameters(layer) * job_.state.gradient / static_cast<double>(p_.pipeline);
    }
  }

  const Placement& placement_;
  const Library& library_;
  const TrainingJob& job_;
  const Parallelism& p_;
  GroupTimes times_;
  const RunSettings& settings_;
  training::ComputeRates rates_;
};

/// Plain data parallelism, for what it keeps in memory.
Parallelism data_parallel(const TrainingJob& job, std::size_t ranks) {
  Parallelism p;
  p.data = ranks;
  p.micro_batch = job.batch_per_gpu;
  return p;
}

/// Of the smallest GPU or vGPU of the job.
std::optional<double> smallest_memory(const Placement& placement, const Library& library) {
  std::optional<double> least;
  for (const vsphere::GuestView& view : placement.views) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const auto model =
          library.catalog.gpus.find(placement.cluster.topology.node(view.gpu(g)).model);
      if (model == library.catalog.gpus.end()) return std::nullopt;
      auto bytes = static_cast<double>(model->second.memory.value.count());
      const auto& profiles = view.vm().profiles;
      if (g < profiles.size() && profiles[g] != nullptr) {
        bytes = std::min(bytes, static_cast<double>(profiles[g]->framebuffer.count()));
      }
      least = least ? std::min(*least, bytes) : bytes;
    }
  }
  return least;
}

}  // namespace

void run_parallel(const Placement& placement, const Library& library, const RunSettings& settings,
                  LayoutResult& result) {
  ParallelRun(placement, library, settings).run(result);
}

void check_parallel(const Placement& placement, const Library& library,
                    input::Diagnostics& diagnostics) {
  static_cast<void>(gpu_rates(placement, library, placement.views.front(), 0, true, diagnostics));
}

std::optional<MemoryUse> memory_use(const Placement& placement, const Library& library) {
  const TrainingJob& job = *placement.job.training;
  const auto capacity = smallest_memory(placement, library);
  if (!capacity) return std::nullopt;
  const Parallelism p = job.parallelism.value_or(data_parallel(job, placement.ranks.ranks()));
  const auto reserve = static_cast<double>(library.parameters.bytes("framework_memory").count());
  std::optional<MemoryUse> fullest;
  const auto stages = cut(*job.network, p, job.tokens);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::vector<const LayerGroup*> layers;
    for (const auto& chunk : stages[s]) layers.insert(layers.end(), chunk.begin(), chunk.end());
    const auto parts = training::memory_of(layers, p, s, job.tokens, job.state, reserve);
    if (fullest && training::total(parts) <= fullest->needed) continue;
    MemoryUse use;
    use.capacity = *capacity;
    use.needed = training::total(parts);
    for (const auto& part : parts) {
      use.parts[part.what] = part.bytes;
      if (part.what == "activations" && part.bytes > 0) {
        const double left = use.capacity - (use.needed - part.bytes);
        use.largest_micro_batch = static_cast<std::int64_t>(
            std::max(0.0, std::floor(left / part.bytes * static_cast<double>(p.micro_batch))));
      }
    }
    fullest = use;
  }
  return fullest;
}

}  // namespace vgsim::scenario
