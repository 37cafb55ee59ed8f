#include "models/training/layer_passes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vgsim::training {

using collectives::Collective;

Exchange& Exchange::operator+=(const Exchange& other) {
  time += other.time;
  sent += other.sent;
  return *this;
}

Exchange Exchange::times(std::int64_t n) const { return {time * n, sent * static_cast<double>(n)}; }

SimTime LayerTimes::total() const {
  SimTime sum = compute;
  for (const auto& [axis, exchange] : communication) sum += exchange.time;
  return sum;
}

LayerPasses::LayerPasses(const TrainingJob& job, ComputeRates rates, std::int64_t backward_ratio,
                         GroupCosts costs)
    : job_(job),
      p_(job.parallelism),
      rates_(std::move(rates)),
      backward_ratio_(backward_ratio),
      costs_(std::move(costs)) {}

double LayerPasses::own_tokens() const {
  return static_cast<double>(std::max<std::int64_t>(job_.tokens, 1)) /
         static_cast<double>(p_.context);
}

SimTime LayerPasses::flop_time(double operations) const {
  return operations <= 0
             ? SimTime{0}
             : duration_of(Ratio(static_cast<std::int64_t>(operations)), rates_.flops_per_second);
}

/// Of one micro-batch on one rank, as matrix products.
double LayerPasses::part_of_rank(const Ratio& products) const {
  return to_double(products) / static_cast<double>(p_.tensor * p_.context);
}

/// Of a forward pass, attention's scores alone.
SimTime LayerPasses::score_time(const LayerGroup& layer) const {
  const auto tokens = static_cast<double>(job_.tokens);
  return flop_time(static_cast<double>(layer.flops_per_token_pair.count()) * tokens * tokens *
                   rates_.score_cost * static_cast<double>(p_.micro_batch) /
                   static_cast<double>(p_.tensor * p_.context));
}

/// What the GPU does in the forward pass of a layer beside its matrix products.
SimTime LayerPasses::beside_products(const LayerGroup& layer) const {
  SimTime time = rates_.overhead(layer);
  if (rates_.traffic_per_kept_element > 0) {
    time += rates_.traffic(kept_elements(layer, p_, job_.tokens));
  }
  return time;
}

Exchange LayerPasses::exchange(Axis axis, Collective collective, double bytes) {
  const std::size_t ranks = group_size(p_, axis);
  const Bytes size{static_cast<std::int64_t>(std::llround(bytes))};
  if (ranks < 2 || size == Bytes{0}) return {};
  return {costs_.collective(axis, collective, size),
          bytes * collectives::bus_factor(collective, ranks)};
}

Exchange LayerPasses::tensor_sum() {
  const auto hidden = static_cast<double>(job_.network->transformer->hidden);
  const double bytes =
      hidden * own_tokens() * static_cast<double>(p_.micro_batch) * job_.state.activation;
  if (!p_.sequence) return exchange(Axis::kTensor, Collective::kAllReduce, bytes);
  Exchange both = exchange(Axis::kTensor, Collective::kReduceScatter, bytes);
  both += exchange(Axis::kTensor, Collective::kAllGather, bytes);
  return both;
}

/// What of the way of keys and values no scores hide.
Exchange LayerPasses::exposed_context(const LayerGroup& layer, std::int64_t rounds) {
  const auto& t = *job_.network->transformer;
  const double block = 2.0 * static_cast<double>(t.kv_heads * t.head_size) * own_tokens() *
                       static_cast<double>(p_.micro_batch) * job_.state.activation /
                       static_cast<double>(p_.tensor);
  Exchange all = exchange(Axis::kContext, Collective::kSendRecv, block)
                     .times(static_cast<std::int64_t>(p_.context - 1) * rounds);
  all.time = std::max(SimTime{0}, all.time - score_time(layer) * rounds);
  return all;
}

Exchange LayerPasses::to_experts() {
  const auto& t = *job_.network->transformer;
  const double tokens =
      own_tokens() * static_cast<double>(p_.micro_batch) * static_cast<double>(t.experts_per_token);
  return exchange(Axis::kExpert, Collective::kAllToAll,
                  tokens * static_cast<double>(t.hidden) * job_.state.activation /
                      static_cast<double>(p_.sequence ? p_.tensor : 1));
}

/// `rounds`: how often keys and values go round.
void LayerPasses::add_exchanges(const LayerGroup& layer, bool sums, std::int64_t rounds,
                                LayerTimes& times) {
  if (sums && p_.tensor > 1) times.communication[Axis::kTensor] += tensor_sum();
  if (layer.part == LayerGroup::Part::kAttention && p_.context > 1) {
    times.communication[Axis::kContext] += exposed_context(layer, rounds);
  }
  if (layer.experts > 0 && p_.expert > 1) {
    times.communication[Axis::kExpert] += to_experts().times(2);
  }
}

LayerTimes LayerPasses::forward(const LayerGroup& layer) {
  LayerTimes times;
  times.compute =
      flop_time(part_of_rank(rates_.forward_products(layer, job_.tokens, p_.micro_batch))) +
      beside_products(layer);
  times.launches = rates_.launch_interval * layer.kernels;
  add_exchanges(layer, layer.is_block() || layer.part == LayerGroup::Part::kEmbedding, 1, times);
  return times;
}

LayerTimes LayerPasses::backward(const LayerGroup& layer) {
  LayerTimes times;
  times.compute = flop_time(part_of_rank(rates_.backward_products(
                      layer, job_.tokens, p_.micro_batch, backward_ratio_))) +
                  beside_products(layer) * 2;
  times.launches = rates_.launch_interval * layer.kernels * 2;
  add_exchanges(layer, layer.is_block() || layer.part == LayerGroup::Part::kOutput, 2, times);
  if (p_.recompute == Recompute::kSelective && layer.is_block() && !p_.flash_attention) {
    times.compute += score_time(layer);
  }
  if (p_.recompute == Recompute::kFull && layer.is_block()) {
    const LayerTimes again = forward(layer);
    times.compute += again.compute;
    times.launches += again.launches;
    for (const auto& [axis, time] : again.communication) times.communication[axis] += time;
  }
  return times;
}

Exchange LayerPasses::among_replicas(Collective collective, const Held& parameters,
                                     double bytes_of_each) {
  Exchange all = exchange(Axis::kData, collective, parameters.shared * bytes_of_each);
  all += exchange(Axis::kExpertData, collective, parameters.experts * bytes_of_each);
  return all;
}

SimTime LayerPasses::send() {
  if (!job_.network->transformer || p_.pipeline < 2) return SimTime{0};
  // Each tensor-parallel rank sends its part of the activations.
  const double bytes = static_cast<double>(job_.network->transformer->hidden) * own_tokens() *
                       static_cast<double>(p_.micro_batch) * job_.state.activation /
                       static_cast<double>(p_.tensor);
  return costs_.send(Bytes{static_cast<std::int64_t>(std::llround(bytes))});
}

}  // namespace vgsim::training
