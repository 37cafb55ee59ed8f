#include "models/scenario/answer/roofline.hpp"

#include <tuple>

#include "models/scenario/build/gpu_rates.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/compute.hpp"
#include "models/training/memory.hpp"

namespace vgsim::scenario {
namespace {

/// "attention" for "block 3 attention".
std::string kind_of(const training::LayerGroup& layer) {
  switch (layer.part) {
    case training::LayerGroup::Part::kEmbedding:
      return "embedding";
    case training::LayerGroup::Part::kAttention:
      return "attention";
    case training::LayerGroup::Part::kFeedForward:
      return "feed-forward";
    case training::LayerGroup::Part::kOutput:
      return "output";
    case training::LayerGroup::Part::kOther:
      break;
  }
  return layer.name;
}

}  // namespace

std::optional<Roofline> roofline(const Placement& placement, const Library& library) {
  const TrainingJob& job = *placement.job.training;
  if (job.network->forward(job.tokens) == Flops{0}) return std::nullopt;
  const vsphere::GuestView& view = placement.views.front();
  input::Diagnostics none;
  const auto rates = gpu_rates(placement, library, view, 0, true, none);
  const auto& gpu = library.catalog.gpus.at(placement.cluster.topology.node(view.gpu(0)).model);
  const training::Parallelism& p = job.parallelism;

  Roofline result;
  result.peak_operations_per_s = static_cast<double>(gpu.peak.at(job.precision).value.count());
  result.memory_bytes_per_s = static_cast<double>(gpu.memory_bandwidth.value.count());
  const auto parts = static_cast<double>(p.tensor * p.context);
  std::map<std::tuple<std::string, double, double>, std::size_t> known;
  for (const training::LayerGroup& layer : job.network->layers) {
    const Ratio products = rates.forward_products(layer, job.tokens, p.micro_batch);
    RooflinePoint point;
    point.layers = kind_of(layer);
    point.operations = static_cast<double>(layer.forward(job.tokens).count()) *
                       static_cast<double>(p.micro_batch) / parts;
    const training::Held held = training::held_by_rank(layer, p);
    point.bytes = (held.all() + held.frozen) * job.state.weight +
                  training::kept_elements(layer, p, job.tokens) * job.state.activation *
                      library.parameters.number("traffic_per_kept_byte");
    if (point.operations == 0) continue;
    SimTime time = duration_of(products, rates.flops_per_second * static_cast<std::int64_t>(parts));
    time += rates.traffic(training::kept_elements(layer, p, job.tokens)) + rates.overhead(layer);
    point.operations_per_s = point.operations / to_seconds(time);
    const auto [it, is_new] =
        known.try_emplace({point.layers, point.operations, point.bytes}, result.points.size());
    if (is_new) result.points.push_back(point);
    ++result.points[it->second].count;
  }
  return result;
}

}  // namespace vgsim::scenario
