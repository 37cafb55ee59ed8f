#include "models/training/buckets.hpp"

namespace vgsim::training {

std::vector<GradientBucket> ddp_buckets(const NetworkModel& network, Bytes bytes_per_gradient,
                                        Bytes first_cap, Bytes cap) {
  std::vector<GradientBucket> buckets;
  GradientBucket open;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    if (network.layers[l].sharded) continue;
    const auto& tensors = network.layers[l].tensors;
    for (std::size_t t = tensors.size(); t-- > 0;) {
      open.size += bytes_per_gradient * tensors[t];
      open.ready_after_layer = l;
      if (open.size >= (buckets.empty() ? first_cap : cap)) {
        buckets.push_back(open);
        open = {};
      }
    }
  }
  if (open.size > Bytes{0}) buckets.push_back(open);
  return buckets;
}

std::vector<GradientBucket> fused_buckets(const NetworkModel& network, Bytes bytes_per_gradient,
                                          Bytes threshold, SimTime cycle,
                                          const std::vector<SimTime>& ready) {
  std::vector<GradientBucket> buckets;
  std::int64_t cycle_of_last = -1;
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    const LayerGroup& layer = network.layers[l];
    if (layer.sharded || layer.tensors.empty()) continue;
    const Bytes size = bytes_per_gradient * layer.parameters();
    const std::int64_t in_cycle = ready[l].count() / cycle.count();
    if (buckets.empty() || in_cycle != cycle_of_last || buckets.back().size + size > threshold) {
      buckets.push_back({});
    }
    buckets.back().size += size;
    buckets.back().ready_after_layer = l;
    cycle_of_last = in_cycle;
  }
  return buckets;
}

std::vector<GradientBucket> single_bucket(const NetworkModel& network, Bytes bytes_per_gradient) {
  Bytes size{};
  for (const LayerGroup& layer : network.layers) {
    if (!layer.sharded) size += bytes_per_gradient * layer.parameters();
  }
  return {{size, 0}};
}

}  // namespace vgsim::training
