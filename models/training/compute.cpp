#include "models/training/compute.hpp"

#include <algorithm>
#include <numeric>

#include "models/training/memory.hpp"

namespace vgsim::training {
namespace {

/// Time of a pass beyond its operations: on the GPU, and launches by the host.
struct Rest {
  SimTime gpu{};
  SimTime host{};
};

/// Factor on a pass that the host launches more slowly than the GPU runs it.
double launch_slowdown(SimTime gpu, SimTime host) {
  return gpu > SimTime{0} && host > gpu ? to_seconds(host) / to_seconds(gpu) : 1.0;
}

/// Operations of attention scores in the forward pass of one sample.
Ratio score_operations(const LayerGroup& layer, std::int64_t tokens) {
  return Ratio(layer.flops_per_token_pair.count()) * tokens * tokens;
}

SimTime time_of_seconds(double seconds) {
  return SimTime{static_cast<std::int64_t>(seconds * 1e12 + 0.5)};
}

/// Elements in memory for each logit: a 16-bit and a 32-bit copy and the 16-bit gradient. A fused
/// loss keeps one element, which the gradient overwrites.
constexpr double kPerLogit = 4;
constexpr double kPerFusedLogit = 1;

/// Weights of a layer that autocast converts: those of products and convolutions. Embedding tables
/// are looked up unconverted. A tied output converts the table for its decoder.
double cast_weights(const LayerGroup& layer, const Parallelism& rank, bool trained_alone) {
  if (layer.part == LayerGroup::Part::kEmbedding || layer.sharded) return 0;
  const HeldParameters held = held_by_rank(layer, rank);
  double weights = held.all() + (trained_alone ? 0.0 : held.frozen);
  if (layer.part == LayerGroup::Part::kOutput) {
    double of_products = 0;
    for (const LayerGroup::Product& product : layer.products) {
      if (trained_alone && !product.trained) continue;
      of_products += static_cast<double>(product.in) * static_cast<double>(product.out);
    }
    weights = std::max(weights, of_products / static_cast<double>(rank.tensor));
  }
  return weights;
}

}  // namespace

SimTime stretched(SimTime time, double factor) {
  if (static_cast<double>(time.count()) * factor > 9.2e18) {
    throw OverflowError("a rank computes for more than 106 days");
  }
  return SimTime{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor + 0.5)};
}

void ComputeRates::slow_down(double factor, double least_of_operations) {
  const double of_operations = std::max(factor, least_of_operations);
  if (factor == 1.0 && of_operations == 1.0) return;
  flops_per_second /= exact_share(of_operations);
  traffic_per_kept_element *= factor;
  traffic_per_cast *= factor;
  kernel_gap = stretched(kernel_gap, factor);
  if (products) products->slow_down(of_operations);
}

SimTime ComputeRates::moved(double bytes) const {
  return bytes < 1 ? SimTime{0}
                   : duration_of(Ratio(static_cast<std::int64_t>(bytes)), memory_bytes_per_second);
}

SimTime ComputeRates::traffic(double kept_elements) const {
  return moved(kept_elements * traffic_per_kept_element);
}

SimTime ComputeRates::copies(Bytes gradients) const {
  return moved(static_cast<double>(gradients.count()) * traffic_per_gradient_byte);
}

SimTime ComputeRates::casts(const LayerGroup& layer, const Parallelism& rank,
                            bool of_gradients) const {
  if (traffic_per_cast == 0) return SimTime{0};
  return moved(cast_weights(layer, rank, of_gradients) * traffic_per_cast);
}

SimTime ComputeRates::overhead(const LayerGroup& layer) const {
  // Predicted times of products include their own loss.
  const auto own = products ? static_cast<std::int64_t>(layer.products.size()) : 0;
  return kernel_gap * std::max<std::int64_t>(layer.kernels - own, 0);
}

SimTime ComputeRates::dense(const LayerGroup& layer, const Parallelism& rank, std::int64_t tokens,
                            ProductPass pass) const {
  SimTime time{};
  if (products && !layer.products.empty()) {
    time = time_of_seconds(products->seconds(layer, rank, tokens, pass));
  } else if (pass != ProductPass::kWeights || layer.frozen == 0) {
    const Ratio operations = Ratio(layer.forward(tokens).count()) - score_operations(layer, tokens);
    time = operations_time(operations, rank);
  }
  const bool waits = layer.experts > 0 && rank.expert > 1 && rank.expert_imbalance > 1;
  return waits ? stretched(time, rank.expert_imbalance) : time;
}

SimTime ComputeRates::operations_time(const Ratio& of_sample, const Parallelism& rank) const {
  if (of_sample == 0) return SimTime{0};
  const auto parts = static_cast<std::int64_t>(rank.tensor * rank.context);
  return duration_of(of_sample * rank.micro_batch / parts, flops_per_second);
}

SimTime ComputeRates::scores(const LayerGroup& layer, const Parallelism& rank,
                             std::int64_t tokens) const {
  return operations_time(score_operations(layer, tokens) * exact_share(score_cost), rank);
}

SimTime ComputeRates::forward(const LayerGroup& layer, const Parallelism& rank,
                              std::int64_t tokens) const {
  return dense(layer, rank, tokens, ProductPass::kForward) + scores(layer, rank, tokens);
}

SimTime ComputeRates::backward(const LayerGroup& layer, const Parallelism& rank,
                               std::int64_t tokens, std::int64_t ratio) const {
  SimTime time = stretched(scores(layer, rank, tokens), score_backward_ratio);
  if (ratio > 0) time += dense(layer, rank, tokens, ProductPass::kInputs);
  if (ratio > 1) time += dense(layer, rank, tokens, ProductPass::kWeights) * (ratio - 1);
  return time;
}

double kept_elements(const LayerGroup& layer, const Parallelism& p, std::int64_t tokens) {
  const double own = static_cast<double>(tokens) / static_cast<double>(p.context);
  const auto tensor = static_cast<double>(p.tensor);
  const Activations& kept = layer.activations;
  const double per_logit = p.fused_loss ? kPerFusedLogit : kPerLogit;
  double elements = (kept.per_token + per_logit * kept.logits_per_token) * own / tensor +
                    kept.per_token_each * own / (p.sequence ? tensor : 1.0) + kept.per_sample;
  if (!p.flash_attention) elements += kept.per_token_pair * own * own / tensor;
  return elements * static_cast<double>(p.micro_batch);
}

ComputeTimes compute_times(const NetworkModel& network, const std::vector<GradientBucket>& buckets,
                           const Parallelism& rank, std::int64_t tokens,
                           std::int64_t backward_ratio, Bytes optimizer_bytes,
                           const ComputeRates& rates) {
  const auto rest_of = [&](std::size_t first, std::size_t last) {
    Rest rest;
    for (std::size_t l = first; l < last; ++l) {
      const LayerGroup& layer = network.layers[l];
      rest.gpu += rates.overhead(layer);
      if (rates.traffic_per_kept_element > 0) {
        rest.gpu += rates.traffic(kept_elements(layer, rank, tokens));
      }
      rest.host += rates.launch_interval * layer.kernels;
    }
    return rest;
  };
  const auto backward_of = [&](std::size_t first, std::size_t last) {
    SimTime time = rest_of(first, last).gpu * 2;
    for (std::size_t l = first; l < last; ++l) {
      time += rates.backward(network.layers[l], rank, tokens, backward_ratio) +
              rates.casts(network.layers[l], rank, true);
    }
    return time;
  };

  ComputeTimes times;
  const Rest all = rest_of(0, network.layers.size());
  times.forward = all.gpu;
  for (const LayerGroup& layer : network.layers) {
    times.forward += rates.forward(layer, rank, tokens) + rates.casts(layer, rank, false);
  }
  const SimTime forward = times.forward;
  times.forward = stretched(times.forward, launch_slowdown(times.forward, all.host));
  times.launch_wait = times.forward - forward;
  std::size_t done_from = network.layers.size();
  for (const GradientBucket& bucket : buckets) {
    times.backward.push_back(backward_of(bucket.ready_after_layer, done_from));
    done_from = bucket.ready_after_layer;
  }
  times.backward.push_back(backward_of(0, done_from));
  const SimTime backward =
      std::accumulate(times.backward.begin(), times.backward.end(), SimTime{0});
  const double slower = launch_slowdown(backward, all.host * 2);
  for (SimTime& part : times.backward) {
    const SimTime before = part;
    part = stretched(part, slower);
    times.launch_wait += part - before;
  }
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const SimTime copies = rates.copies(buckets[b].size);
    times.backward[b] += copies;
    times.gradient_copies += copies;
  }
  // A step touches few rows of embedding tables that are distributed over the ranks.
  Ratio updated = 0;
  for (const LayerGroup& layer : network.layers) {
    if (!layer.sharded) updated += layer.parameters();
  }
  const Ratio traffic = Ratio(optimizer_bytes.count()) * updated;
  if (traffic > 0) times.optimizer = duration_of(traffic, rates.memory_bytes_per_second);
  return times;
}

}  // namespace vgsim::training
