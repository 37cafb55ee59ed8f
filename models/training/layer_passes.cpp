#include "models/training/layer_passes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vgsim::training {
namespace {

/// Share of row-parallel products in the operations of a layer's products with weights:
/// tensor-parallel ranks split their summed dimension. All other products are column-parallel.
double share_that_sums(const LayerGroup& layer) {
  double sums = 0;
  double all = 0;
  for (const LayerGroup::Product& product : layer.products) {
    const double one = static_cast<double>(product.in) * static_cast<double>(product.out);
    all += one;
    if (product.sums) sums += one;
  }
  return all > 0 ? sums / all : 0;
}

}  // namespace

using collectives::Collective;

double sent_by_rank(const Exchange& exchange, const Parallelism& parallelism) {
  return static_cast<double>(exchange.size.count()) * static_cast<double>(exchange.times) *
         collectives::bus_factor(exchange.collective, group_size(parallelism, exchange.axis));
}

void append(std::vector<Exchange>& exchanges, const Exchange& more) {
  for (Exchange& known : exchanges) {
    if (known.axis != more.axis || known.collective != more.collective || known.size != more.size) {
      continue;
    }
    known.times += more.times;
    return;
  }
  exchanges.push_back(more);
}

OverlappedWork& OverlappedWork::operator+=(const OverlappedWork& other) {
  compute += other.compute;
  for (const Exchange& more : other.exchanges) append(exchanges, more);
  return *this;
}

LayerTimes& LayerTimes::operator+=(const LayerTimes& other) {
  compute += other.compute;
  weights += other.weights;
  launches += other.launches;
  for (const Exchange& more : other.exchanges) append(exchanges, more);
  scores += other.scores;
  products += other.products;
  gradients += other.gradients;
  launch_wait += other.launch_wait;
  return *this;
}

LayerPasses::LayerPasses(const TrainingJob& job, ComputeRates rates, std::int64_t backward_ratio)
    : job_(job), p_(job.parallelism), rates_(std::move(rates)), backward_ratio_(backward_ratio) {}

double LayerPasses::own_tokens() const {
  return static_cast<double>(std::max<std::int64_t>(job_.tokens, 1)) /
         static_cast<double>(p_.context);
}

/// GPU time in the forward pass of a layer other than matrix products.
SimTime LayerPasses::other_than_products(const LayerGroup& layer) const {
  SimTime time = rates_.overhead(layer);
  if (rates_.traffic_per_kept_element > 0) {
    time += rates_.traffic(kept_elements(layer, p_, job_.tokens));
  }
  return time;
}

void LayerPasses::exchange(Axis axis, Collective collective, double bytes, std::int64_t times,
                           std::vector<Exchange>& exchanges) const {
  const Bytes size{static_cast<std::int64_t>(std::llround(bytes))};
  if (group_size(p_, axis) < 2 || size == Bytes{0}) return;
  append(exchanges, {axis, collective, size, times});
}

void LayerPasses::add_tensor_sum(LayerTimes& times) const {
  const auto hidden = static_cast<double>(job_.network->transformer->hidden);
  const double bytes =
      hidden * own_tokens() * static_cast<double>(p_.micro_batch) * job_.state.activation;
  if (!p_.sequence) {
    exchange(Axis::kTensor, Collective::kAllReduce, bytes, 1, times.exchanges);
    return;
  }
  std::vector<Exchange>& into =
      p_.tensor_overlap == TensorOverlap::kProducts ? times.products.exchanges : times.exchanges;
  exchange(Axis::kTensor, Collective::kReduceScatter, bytes, 1, into);
  exchange(Axis::kTensor, Collective::kAllGather, bytes, 1, into);
}

/// The sum of a backward pass that overlaps gradients of the layer's column-parallel products.
void LayerPasses::add_tensor_sum_of_gradients(const LayerGroup& layer, LayerTimes& times) const {
  times.gradients.compute = times.weights;
  if (p_.sequence) {
    times.gradients.compute += rates_.dense(layer, p_, job_.tokens, ProductPass::kInputs);
  }
  times.gradients.compute = stretched(times.gradients.compute, 1 - share_that_sums(layer));
  const double bytes = static_cast<double>(job_.network->transformer->hidden) * own_tokens() *
                       static_cast<double>(p_.micro_batch) * job_.state.activation;
  std::vector<Exchange>& beside = times.gradients.exchanges;
  if (!p_.sequence) {
    exchange(Axis::kTensor, Collective::kAllReduce, bytes, 1, beside);
    return;
  }
  exchange(Axis::kTensor, Collective::kAllGather, bytes, 1, times.exchanges);
  exchange(Axis::kTensor, Collective::kAllGather, bytes, 1, beside);
  exchange(Axis::kTensor, Collective::kReduceScatter, bytes, 1, beside);
}

void LayerPasses::add_keys_and_values(const LayerGroup& layer, std::int64_t rounds,
                                      LayerTimes& times) const {
  const auto& t = *job_.network->transformer;
  const double block = static_cast<double>(t.key_width() + t.value_width()) * own_tokens() *
                       static_cast<double>(p_.micro_batch) * job_.state.activation /
                       static_cast<double>(p_.tensor);
  exchange(Axis::kContext, Collective::kSendRecv, block,
           static_cast<std::int64_t>(p_.context - 1) * rounds, times.scores.exchanges);
  times.scores.compute += rates_.scores(layer, p_, job_.tokens) * rounds;
}

/// Queries, keys and values to the ranks with their heads, and the results back.
void LayerPasses::add_heads(std::int64_t rounds, LayerTimes& times) const {
  const auto& t = *job_.network->transformer;
  const double bytes_of_width = own_tokens() * static_cast<double>(p_.micro_batch) *
                                job_.state.activation / static_cast<double>(p_.tensor);
  const auto there = static_cast<double>(t.query_width() + t.key_width() + t.value_width());
  exchange(Axis::kContext, Collective::kAllToAll, there * bytes_of_width, rounds, times.exchanges);
  exchange(Axis::kContext, Collective::kAllToAll,
           static_cast<double>(t.result_width()) * bytes_of_width, rounds, times.exchanges);
}

/// Tokens to the experts and back.
void LayerPasses::add_expert_exchanges(LayerTimes& times) const {
  const auto& t = *job_.network->transformer;
  const double tokens = own_tokens() * static_cast<double>(p_.micro_batch) *
                        static_cast<double>(t.experts_per_token) * p_.expert_imbalance;
  exchange(Axis::kExpert, Collective::kAllToAll,
           tokens * static_cast<double>(t.hidden) * job_.state.activation /
               static_cast<double>(p_.sequence ? p_.tensor : 1),
           2, times.exchanges);
}

/// Whether the sum of a backward pass overlaps gradients: it does if weights have gradients and the
/// pass computes them.
bool LayerPasses::sums_overlap_gradients(const LayerGroup& layer) const {
  return p_.tensor_overlap == TensorOverlap::kGradients && layer.frozen == 0 &&
         backward_ratio_ > 1 && p_.schedule != Schedule::kZeroBubble;
}

/// `rounds`: exchanges of the tokens of a sequence; two of keys and values in a backward pass.
void LayerPasses::add_exchanges(const LayerGroup& layer, bool sums, std::int64_t rounds,
                                LayerTimes& times) const {
  if (sums && p_.tensor > 1) {
    if (rounds == 2 && sums_overlap_gradients(layer)) {
      add_tensor_sum_of_gradients(layer, times);
    } else {
      add_tensor_sum(times);
    }
  }
  if (layer.part == LayerGroup::Part::kAttention && p_.context > 1) {
    if (p_.context_exchange == ContextExchange::kHeads) {
      add_heads(1, times);
    } else {
      add_keys_and_values(layer, rounds, times);
    }
  }
  if (layer.experts > 0 && p_.expert > 1) add_expert_exchanges(times);
}

LayerTimes LayerPasses::forward(const LayerGroup& layer) const {
  LayerTimes times;
  times.compute = rates_.forward(layer, p_, job_.tokens) + other_than_products(layer) +
                  rates_.casts(layer, p_, false);
  times.products.compute = rates_.dense(layer, p_, job_.tokens, ProductPass::kForward);
  times.launches = rates_.launch_interval * layer.kernels;
  add_exchanges(layer, layer.is_block() || layer.part == LayerGroup::Part::kEmbedding, 1, times);
  return times;
}

/// PyTorch stops recomputing a block when its backward pass has all inputs, before the last product
/// (torch.utils.checkpoint.set_checkpoint_early_stop). Megatron-LM recomputes all of it.
SimTime LayerPasses::not_recomputed(const LayerGroup& layer) const {
  const bool ends_block = layer.part == LayerGroup::Part::kFeedForward;
  if (p_.sharding != Sharding::kParameters || !ends_block) return SimTime{0};
  return stretched(rates_.dense(layer, p_, job_.tokens, ProductPass::kForward),
                   share_that_sums(layer));
}

LayerTimes LayerPasses::backward(const LayerGroup& layer) const {
  LayerTimes times;
  times.compute = rates_.backward(layer, p_, job_.tokens, backward_ratio_) +
                  other_than_products(layer) * 2 + rates_.casts(layer, p_, true);
  if (layer.frozen == 0 && backward_ratio_ > 1) {
    times.weights = rates_.dense(layer, p_, job_.tokens, ProductPass::kWeights);
  }
  times.products.compute =
      rates_.dense(layer, p_, job_.tokens, ProductPass::kInputs) + times.weights;
  times.launches = rates_.launch_interval * layer.kernels * 2;
  add_exchanges(layer, layer.is_block() || layer.part == LayerGroup::Part::kOutput, 2, times);
  if (p_.recompute == Recompute::kSelective && layer.is_block() && !p_.flash_attention) {
    times.compute += rates_.scores(layer, p_, job_.tokens);
  }
  if (p_.recompute == Recompute::kAlternate && layer.is_block()) {
    // Scores and half of the products are kept.
    times.compute += rates_.forward(layer, p_, job_.tokens) + other_than_products(layer) -
                     rates_.scores(layer, p_, job_.tokens) -
                     stretched(rates_.dense(layer, p_, job_.tokens, ProductPass::kForward), 0.5);
    times.launches += stretched(rates_.launch_interval * layer.kernels, 0.5);
  }
  if (p_.recompute == Recompute::kFull && layer.is_block()) {
    times += forward(layer);
    times.compute -= not_recomputed(layer);
  }
  return times;
}

std::vector<Exchange> LayerPasses::data_parallel_exchanges(Collective collective,
                                                           const HeldParameters& parameters,
                                                           double bytes_of_each) const {
  std::vector<Exchange> all;
  if (p_.shard_size == 0) {
    exchange(Axis::kData, collective, parameters.shared * bytes_of_each, 1, all);
    exchange(Axis::kExpertData, collective, parameters.experts * bytes_of_each, 1, all);
    return all;
  }
  // Experts are not distributed if there are several copies.
  const double bytes = parameters.all() * bytes_of_each;
  exchange(Axis::kShard, collective, bytes, 1, all);
  if (collective == Collective::kReduceScatter) {
    exchange(Axis::kReplica, Collective::kAllReduce, bytes / static_cast<double>(p_.shard_size), 1,
             all);
  }
  return all;
}

std::vector<Exchange> LayerPasses::gathered_in_backward(const HeldParameters& parameters,
                                                        double bytes_of_each) const {
  if (!p_.reshard_size) {
    return data_parallel_exchanges(Collective::kAllGather, parameters, bytes_of_each);
  }
  std::vector<Exchange> all;
  exchange(Axis::kReshard, Collective::kAllGather, parameters.all() * bytes_of_each, 1, all);
  return all;
}

Bytes LayerPasses::sent_to_next_stage() const {
  if (!job_.network->transformer || p_.pipeline < 2) return Bytes{0};
  // Each tensor-parallel rank sends its share of the activations.
  const double bytes = static_cast<double>(job_.network->transformer->hidden) * own_tokens() *
                       static_cast<double>(p_.micro_batch) * job_.state.activation /
                       static_cast<double>(p_.tensor);
  return Bytes{static_cast<std::int64_t>(std::llround(bytes))};
}

}  // namespace vgsim::training
