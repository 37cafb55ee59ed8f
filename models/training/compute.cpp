#include "models/training/compute.hpp"

#include <numeric>

namespace vgsim::training {
namespace {

/// What the GPU does in a pass over some layers beside their operations, and what the host does.
struct Rest {
  SimTime gpu{};
  SimTime host{};
};

/// Times a pass is lengthened where the host launches kernels more slowly than the GPU runs them.
double held_up(SimTime gpu, SimTime host) {
  return gpu > SimTime{0} && host > gpu ? to_seconds(host) / to_seconds(gpu) : 1.0;
}

/// Of attention's scores, those of a forward pass of one sample.
Ratio scores(const LayerGroup& layer, std::int64_t tokens) {
  return Ratio(layer.flops_per_token_pair.count()) * tokens * tokens;
}

/// Elements that a logit brings to memory: in 16 and in 32 bits, and its gradient in 16.
constexpr double kPerLogit = 4;

}  // namespace

SimTime stretched(SimTime time, double factor) {
  if (static_cast<double>(time.count()) * factor > 9.2e18) {
    throw OverflowError("a rank computes for more than 106 days");
  }
  return SimTime{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor + 0.5)};
}

SimTime ComputeRates::traffic(double kept_elements) const {
  const double moved = kept_elements * traffic_per_kept_element;
  return moved < 1 ? SimTime{0}
                   : duration_of(Ratio(static_cast<std::int64_t>(moved)), memory_bytes_per_second);
}

SimTime ComputeRates::overhead(const LayerGroup& layer) const {
  return kernel_gap * layer.kernels + product_overhead * layer.products;
}

Ratio ComputeRates::forward_products(const LayerGroup& layer, std::int64_t tokens,
                                     std::int64_t samples) const {
  Ratio products(layer.forward(tokens).count());
  if (score_cost != 1.0) products += scores(layer, tokens) * (exact_share(score_cost) - 1);
  return products * samples;
}

Ratio ComputeRates::backward_products(const LayerGroup& layer, std::int64_t tokens,
                                      std::int64_t samples, std::int64_t ratio) const {
  const Ratio dense = Ratio(layer.forward(tokens).count()) - scores(layer, tokens);
  const std::int64_t passes = layer.frozen > 0 ? ratio - 1 : ratio;
  return (dense * passes +
          scores(layer, tokens) * exact_share(score_cost) * exact_share(score_backward_ratio)) *
         samples;
}

Ratio ComputeRates::dense_products(const LayerGroup& layer, std::int64_t tokens,
                                   std::int64_t samples) const {
  return (Ratio(layer.forward(tokens).count()) - scores(layer, tokens)) * samples;
}

double kept_elements(const LayerGroup& layer, const Parallelism& p, std::int64_t tokens) {
  const double own = static_cast<double>(tokens) / static_cast<double>(p.context);
  const auto tensor = static_cast<double>(p.tensor);
  const Activations& kept = layer.activations;
  double elements = (kept.per_token + kPerLogit * kept.logits_per_token) * own / tensor +
                    kept.per_token_each * own / (p.sequence ? tensor : 1.0) + kept.per_sample;
  if (!p.flash_attention) elements += kept.per_token_pair * own * own / tensor;
  return elements * static_cast<double>(p.micro_batch);
}

ComputeTimes compute_times(const NetworkModel& network, const std::vector<GradientBucket>& buckets,
                           const Parallelism& rank, std::int64_t tokens,
                           std::int64_t backward_ratio, Bytes optimizer_bytes,
                           const ComputeRates& rates) {
  const auto time_of = [&](const Ratio& operations) {
    return operations == 0 ? SimTime{0} : duration_of(operations, rates.flops_per_second);
  };
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
    Ratio operations = 0;
    for (std::size_t l = first; l < last; ++l) {
      operations +=
          rates.backward_products(network.layers[l], tokens, rank.micro_batch, backward_ratio);
    }
    return time_of(operations) + rest_of(first, last).gpu * 2;
  };

  ComputeTimes times;
  const Rest all = rest_of(0, network.layers.size());
  Ratio operations = 0;
  for (const LayerGroup& layer : network.layers) {
    operations += rates.forward_products(layer, tokens, rank.micro_batch);
  }
  times.forward = time_of(operations) + all.gpu;
  const SimTime forward = times.forward;
  times.forward = stretched(times.forward, held_up(times.forward, all.host));
  times.held_up = times.forward - forward;
  std::size_t done_from = network.layers.size();
  for (const GradientBucket& bucket : buckets) {
    times.backward.push_back(backward_of(bucket.ready_after_layer, done_from));
    done_from = bucket.ready_after_layer;
  }
  times.backward.push_back(backward_of(0, done_from));
  const SimTime backward =
      std::accumulate(times.backward.begin(), times.backward.end(), SimTime{0});
  const double slower = held_up(backward, all.host * 2);
  for (SimTime& part : times.backward) {
    const SimTime before = part;
    part = stretched(part, slower);
    times.held_up += part - before;
  }
  // Of embedding tables that are spread over the ranks, a step touches few rows.
  Ratio updated = 0;
  for (const LayerGroup& layer : network.layers) {
    if (!layer.sharded) updated += layer.parameters();
  }
  const Ratio traffic = Ratio(optimizer_bytes.count()) * updated;
  if (traffic > 0) times.optimizer = duration_of(traffic, rates.memory_bytes_per_second);
  return times;
}

}  // namespace vgsim::training
