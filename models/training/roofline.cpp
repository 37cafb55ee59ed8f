#include "models/training/roofline.hpp"

#include <map>
#include <tuple>

#include "models/training/memory.hpp"

namespace vgsim::training {
namespace {

/// Returns "attention" for "block 3 attention".
std::string kind_of(const LayerGroup& layer) {
  switch (layer.part) {
    case LayerGroup::Part::kEmbedding:
      return "embedding";
    case LayerGroup::Part::kAttention:
      return "attention";
    case LayerGroup::Part::kFeedForward:
      return "feed-forward";
    case LayerGroup::Part::kOutput:
      return "output";
    case LayerGroup::Part::kOther:
      break;
  }
  return layer.name;
}

}  // namespace

Roofline roofline(const TrainingJob& job, const topology::GpuModel& gpu, const ComputeRates& rates,
                  double traffic_per_kept_byte) {
  const Parallelism& p = job.parallelism;

  Roofline result;
  result.peak_operations_per_s = static_cast<double>(gpu.peak.at(job.precision).value.count());
  result.memory_bytes_per_s = static_cast<double>(gpu.memory_bandwidth.value.count());
  const auto parts = static_cast<double>(p.tensor * p.context);
  std::map<std::tuple<std::string, double, double>, std::size_t> known;
  for (const LayerGroup& layer : job.network->layers) {
    RooflinePoint point;
    point.layers = kind_of(layer);
    point.operations = static_cast<double>(layer.forward(job.tokens).count()) *
                       static_cast<double>(p.micro_batch) / parts;
    const HeldParameters held = held_by_rank(layer, p);
    point.bytes =
        (held.all() + held.frozen) * job.state.weight +
        kept_elements(layer, p, job.tokens) * job.state.activation * traffic_per_kept_byte;
    if (point.operations == 0) continue;
    const SimTime time = rates.forward(layer, p, job.tokens) +
                         rates.traffic(kept_elements(layer, p, job.tokens)) + rates.overhead(layer);
    point.operations_per_s = point.operations / to_seconds(time);
    const auto [it, is_new] =
        known.try_emplace({point.layers, point.operations, point.bytes}, result.points.size());
    if (is_new) result.points.push_back(point);
    ++result.points[it->second].count;
  }
  return result;
}

}  // namespace vgsim::training
