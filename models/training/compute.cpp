#include "models/training/compute.hpp"

namespace vgsim::training {

ComputeTimes compute_times(const NetworkModel& network, const std::vector<GradientBucket>& buckets,
                           std::int64_t batch, std::int64_t tokens, std::int64_t backward_ratio,
                           Bytes optimizer_bytes, const ComputeRates& rates) {
  const auto time_of = [&](const Exact& operations) {
    return operations == 0 ? SimTime{0} : duration_of(operations, rates.flops_per_second);
  };
  const auto backward_of = [&](std::size_t first, std::size_t last) {
    Exact operations = 0;
    for (std::size_t l = first; l < last; ++l) {
      operations += Exact(network.layers[l].forward(tokens).count()) * batch * backward_ratio;
    }
    return time_of(operations);
  };

  ComputeTimes times;
  times.forward = time_of(Exact(network.forward(tokens).count()) * batch);
  std::size_t done_from = network.layers.size();
  for (const GradientBucket& bucket : buckets) {
    times.backward.push_back(backward_of(bucket.ready_after_layer, done_from));
    done_from = bucket.ready_after_layer;
  }
  times.backward.push_back(backward_of(0, done_from));
  const Exact traffic = Exact(optimizer_bytes.count()) * network.parameters();
  if (traffic > 0) times.optimizer = duration_of(traffic, rates.memory_bytes_per_second);
  return times;
}

}  // namespace vgsim::training
