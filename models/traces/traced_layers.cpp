#include "models/traces/traced_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace vgsim::traces {
namespace {

TensorShape transposed(TensorShape shape) {
  if (shape.size() == 2) std::swap(shape[0], shape[1]);
  return shape;
}

class LayerBuilder {
 public:
  LayerBuilder(const TracedIteration& iteration, const Samples& samples) : samples_(samples) {
    for (const ForwardStep& step : iteration.forward) add(step);
    if (iteration.gradients.empty()) {
      take_weights();
    } else {
      take_gradients(iteration.gradients);
    }
  }

  TracedLayers take() && { return {std::move(layers_), without_gradient_, unplaced_}; }

 private:
  /// A read of a tensor that can be a parameter.
  struct Use {
    std::size_t layer;
    std::string name;
    TensorShape shape;
    bool trained = false;
  };

  void add(const ForwardStep& step) {
    if (layers_.empty() || (step.work.layer && started_)) {
      const std::string name = step.operation->name.substr(step.operation->name.rfind(':') + 1);
      layers_.push_back(
          {fmt::format("{}-{}", name, layers_.size() + 1), step.index, 0, 0, 0, 0, {}});
    }
    started_ = started_ || step.work.layer;
    TracedLayer& layer = layers_.back();
    layer.flops += step.work.flops;
    layer.pair_flops += step.work.pair_flops;
    for (const TensorUse& use : step.work.kept) keep(use, layer);
    for (const ParameterUse& use : step.work.parameters) {
      uses_.push_back({layers_.size() - 1, use.name, use.shape});
    }
  }

  void keep(const TensorUse& use, TracedLayer& layer) {
    if (use.id != 0 && !kept_.emplace(std::pair(use.id, use.shape), true).second) return;
    const std::size_t dimensions = use.shape.size();
    const bool pairs = samples_.tokens > 0 && dimensions >= 2 &&
                       use.shape[dimensions - 1] == samples_.tokens &&
                       use.shape[dimensions - 2] == samples_.tokens;
    (pairs ? layer.kept_pair : layer.kept) += elements(use.shape);
  }

  void take_weights() {
    for (const Use& use : uses_) {
      layers_[use.layer].tensors.push_back({use.name, elements(use.shape)});
    }
  }

  /// The last use of a tensor of that shape, or of its transpose, without a gradient so far.
  Use* last_use(const TensorShape& shape) {
    for (const TensorShape& wanted : {shape, transposed(shape)}) {
      const auto found = std::find_if(uses_.rbegin(), uses_.rend(), [&](const Use& use) {
        return !use.trained && use.shape == wanted;
      });
      if (found != uses_.rend()) return &*found;
    }
    return nullptr;
  }

  /// Gradients become ready from the last layer to the first, so the last use of a shape comes
  /// first.
  void take_gradients(const std::vector<TensorUse>& gradients) {
    std::size_t last = layers_.size() - 1;
    for (const TensorUse& gradient : gradients) {
      Use* use = last_use(gradient.shape);
      if (use != nullptr) {
        use->trained = true;
        last = use->layer;
      } else {
        ++unplaced_;
      }
      layers_[last].tensors.push_back(
          {use != nullptr ? use->name : "parameter", elements(gradient.shape)});
    }
    for (TracedLayer& layer : layers_) std::reverse(layer.tensors.begin(), layer.tensors.end());
    without_gradient_ = static_cast<std::size_t>(
        std::count_if(uses_.begin(), uses_.end(), [](const Use& use) { return !use.trained; }));
  }

  Samples samples_;
  std::vector<TracedLayer> layers_;
  std::vector<Use> uses_;
  std::map<std::pair<std::int64_t, TensorShape>, bool> kept_;
  bool started_ = false;
  std::size_t without_gradient_ = 0;
  std::size_t unplaced_ = 0;
};

}  // namespace

Samples samples_of(const TracedIteration& iteration) {
  for (const ForwardStep& step : iteration.forward) {
    if (!step.work.layer) continue;
    const auto& inputs = step.operation->inputs;
    const bool indices = step.work.kept.empty();  // an embedding
    const std::size_t argument = indices ? 1 : 0;
    const TensorShape* shape = nullptr;
    if (!indices) shape = &step.work.kept.front().shape;
    if (indices && inputs.size() > argument && inputs[argument]) shape = &inputs[argument]->shape;
    if (shape == nullptr || shape->empty()) continue;
    Samples samples{std::max<std::int64_t>(shape->front(), 1), 0};
    const bool tokens =
        indices ? shape->size() == 2
                : shape->size() == 3 && step.work.layer && step.operation->name == "aten::linear";
    if (tokens && (*shape)[1] > 1) samples.tokens = (*shape)[1];
    return samples;
  }
  return {};
}

TracedLayers layers_of(const TracedIteration& iteration, const Samples& samples) {
  return LayerBuilder(iteration, samples).take();
}

}  // namespace vgsim::traces
