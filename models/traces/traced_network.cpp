#include "models/traces/traced_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "models/traces/traced_iteration.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::ordered_json;

struct TracedTensor {
  std::string name;
  double parameters = 0;
};

/// A product with a weight, and what follows until the next.
struct TracedLayer {
  std::string name;
  double flops = 0;
  double pair_flops = 0;
  double kept = 0;       ///< elements
  double kept_pair = 0;  ///< of them those that grow with the square of the length
  std::vector<TracedTensor> tensors;
};

/// What one pass works on.
struct Samples {
  std::int64_t batch = 1;
  std::int64_t tokens = 0;  ///< of a sample; 0: it has none
};

TensorShape transposed(TensorShape shape) {
  if (shape.size() == 2) std::swap(shape[0], shape[1]);
  return shape;
}

/// Embeddings read [batch, length] of indices, other layers [batch, ...] or [batch, length, width].
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

  [[nodiscard]] const std::vector<TracedLayer>& layers() const { return layers_; }
  [[nodiscard]] std::size_t without_gradient() const { return without_gradient_; }
  [[nodiscard]] std::size_t unplaced() const { return unplaced_; }

 private:
  /// A tensor that may be a parameter, where it is read.
  struct Use {
    std::size_t layer;
    std::string name;
    TensorShape shape;
    bool trained = false;
  };

  void add(const ForwardStep& step) {
    if (layers_.empty() || (step.work.layer && started_)) {
      const std::string name = step.operation->name.substr(step.operation->name.rfind(':') + 1);
      layers_.push_back({fmt::format("{}-{}", name, layers_.size() + 1), 0, 0, 0, 0, {}});
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

  /// The last use of a tensor of that shape, or of its transpose, that has no gradient yet.
  Use* last_use(const TensorShape& shape) {
    for (const TensorShape& wanted : {shape, transposed(shape)}) {
      const auto found = std::find_if(uses_.rbegin(), uses_.rend(), [&](const Use& use) {
        return !use.trained && use.shape == wanted;
      });
      if (found != uses_.rend()) return &*found;
    }
    return nullptr;
  }

  /// Gradients become ready from the last layer to the first: the last use of a shape comes first.
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

double rounded(double value, double parts) { return std::round(value / parts); }

ordered_json layer_json(const TracedLayer& layer, const Samples& samples) {
  const auto batch = static_cast<double>(samples.batch);
  const auto tokens = static_cast<double>(samples.tokens);
  ordered_json flops = ordered_json::object();
  ordered_json kept = ordered_json::object();
  const auto add = [&](const char* name, double operations, double kept_elements, double parts) {
    if (operations > 0) flops[name] = fmt::format("{:.0f} FLOP", rounded(operations, parts));
    if (kept_elements > 0) kept[name] = rounded(kept_elements, parts);
  };
  if (samples.tokens == 0) {
    add("per_sample", layer.flops + layer.pair_flops, layer.kept + layer.kept_pair, batch);
  } else {
    add("per_token", layer.flops, layer.kept, batch * tokens);
    add("per_token_pair", layer.pair_flops, layer.kept_pair, batch * tokens * tokens);
  }
  ordered_json json = {{"name", layer.name}};
  if (!layer.tensors.empty()) {
    json["tensors"] = ordered_json::array();
    for (const TracedTensor& tensor : layer.tensors) {
      json["tensors"].push_back({tensor.name, static_cast<std::int64_t>(tensor.parameters)});
    }
  }
  if (!flops.empty()) json["forward_flops"] = std::move(flops);
  if (!kept.empty()) json["activations"] = std::move(kept);
  return json;
}

const TracedIteration* fullest(const std::vector<TracedIteration>& all) {
  const TracedIteration* best = nullptr;
  for (const TracedIteration& iteration : all) {
    if (best == nullptr || iteration.gradients.size() > best->gradients.size() ||
        (iteration.gradients.size() == best->gradients.size() &&
         iteration.forward.size() > best->forward.size())) {
      best = &iteration;
    }
  }
  return best;
}

tl::unexpected<input::Diagnostics> no_network(const Trace& trace, const std::string& file) {
  bool shapes = false;
  bool compiled = false;
  for (const Operation& operation : trace.operations) {
    for (const auto& input : operation.inputs) shapes = shapes || input.has_value();
    compiled = compiled || operation.name.find("triton") != std::string::npos ||
               operation.name.find("CompiledFunction") != std::string::npos;
  }
  const char* reason = "it holds collective calls and no layers";
  const char* expected = "the trace of a rank that computes";
  if (!trace.operations.empty() && !shapes) {
    reason = "shapes of tensors were not recorded";
    expected = "a profile taken with record_shapes=True, or an execution trace";
  } else if (compiled) {
    reason = "the network was compiled, so that its layers do not show";
    expected = "a profile taken without torch.compile";
  } else if (!trace.operations.empty()) {
    reason = "none of its operations is a layer with a weight";
    expected = "a profile of a forward and backward pass";
  }
  input::Diagnostics diagnostics;
  diagnostics.error("E603", {}, {},
                    fmt::format("\"{}\" ({}) tells no network: {}", file, trace.format, reason),
                    expected);
  return tl::unexpected(std::move(diagnostics));
}

/// What a job calls the precision of products, and of gradients.
std::string precision(const std::string& type) {
  if (type.find("Half") != std::string::npos || type.find("half") != std::string::npos ||
      type.find("BFloat16") != std::string::npos || type.find("bfloat16") != std::string::npos) {
    return "fp16";
  }
  return type.find("8") != std::string::npos && type.find("oat8") != std::string::npos ? "fp8"
                                                                                       : "fp32";
}

std::string product_type(const TracedIteration& iteration) {
  for (const ForwardStep& step : iteration.forward) {
    if (step.work.layer && step.work.flops > 0) return step.work.kept.front().type;
  }
  return "float";
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Operations that compute and that nothing here understands, by name.
std::string count_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} x {}", count, name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void tell_unknown(const Trace& trace, std::vector<std::string>& skipped) {
  std::map<std::string, std::size_t> counts;
  for (const Operation& operation : trace.operations) {
    for (const std::string_view name : {"aten::lstm", "aten::gru", "aten::_cudnn_rnn", "fbgemm::",
                                        "triton", "aten::_scaled_mm", "aten::conv_tbc"}) {
      const bool backward = operation.name.find("backward") != std::string::npos;
      if (operation.name.rfind(name, 0) == 0 && !backward) ++counts[operation.name];
    }
  }
  if (!counts.empty()) {
    skipped.push_back("operations whose work is not known: " + count_text(counts));
  }
}

}  // namespace

std::vector<std::string> measured_facts(const Trace& trace) {
  std::vector<std::string> found;
  if (!trace.gpu.empty()) {
    found.push_back(fmt::format(
        "GPU: {}{}", trace.gpu,
        trace.ranks > 0 ? fmt::format(", one of {} ranks", trace.ranks) : std::string()));
  }
  if (!trace.step_seconds.empty()) {
    found.push_back(fmt::format("{} steps, median {:.1f} ms", trace.step_seconds.size(),
                                median(trace.step_seconds) * 1e3));
  }
  if (trace.kernel_seconds > 0) {
    found.push_back(fmt::format("kernels ran for {:.1f} ms in all, those of NCCL for {:.1f} ms",
                                trace.kernel_seconds * 1e3, trace.collective_seconds * 1e3));
  }
  std::map<std::string, std::vector<double>> calls;
  for (const TracedCollective& call : trace.collectives) calls[call.name].push_back(call.bytes);
  for (const auto& [name, sizes] : calls) {
    constexpr std::size_t kShown = 8;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(sizes.size(), kShown); ++i) {
      shown.push_back(fmt::format("{:.3g}", sizes[i] / 1e6));
    }
    found.push_back(fmt::format("{} calls of {}: {}{} MB", sizes.size(), name,
                                fmt::join(shown, ", "), sizes.size() > kShown ? " ..." : ""));
  }
  return found;
}

tl::expected<TracedNetwork, input::Diagnostics> network_of(const Trace& trace,
                                                           const TracedNetworkOptions& options) {
  const std::vector<TracedIteration> all = iterations(trace);
  const TracedIteration* iteration = fullest(all);
  const bool layers =
      iteration != nullptr && std::any_of(iteration->forward.begin(), iteration->forward.end(),
                                          [](const ForwardStep& step) { return step.work.layer; });
  if (!layers) return no_network(trace, options.file);

  Samples samples = samples_of(*iteration);
  TracedNetwork result;
  if (options.batch) {
    samples.batch = *options.batch;
  } else {
    result.assumed.push_back(
        fmt::format("a pass takes {} samples, the first extent of what its first layer reads "
                    "(--batch says otherwise)",
                    samples.batch));
  }
  const LayerBuilder builder(*iteration, samples);
  ordered_json list = ordered_json::array();
  double parameters = 0;
  double flops = 0;
  std::size_t tensors = 0;
  for (const TracedLayer& layer : builder.layers()) {
    list.push_back(layer_json(layer, samples));
    flops += layer.flops + layer.pair_flops;
    tensors += layer.tensors.size();
    for (const TracedTensor& tensor : layer.tensors) parameters += tensor.parameters;
  }
  const std::string seen =
      fmt::format("{} of {}, a pass of {} samples", trace.format, options.file, samples.batch);
  ordered_json document = {{"name", options.name},
                           {"sources", {{"trace", {{"title", seen}, {"evidence", "measured"}}}}}};
  if (samples.tokens > 0) document["sample"] = {{"sequence_length", samples.tokens}};
  document["layers"] = std::move(list);
  result.network = document.dump(2) + "\n";

  const std::string type = precision(product_type(*iteration));
  ordered_json job = {
      {"network", options.name}, {"batch_per_gpu", samples.batch}, {"precision", type}};
  if (samples.tokens > 0) job["sequence_length"] = samples.tokens;
  if (!iteration->gradients.empty()) {
    job["gradients"] = precision(iteration->gradients.front().type);
  }
  result.job = job.dump();

  result.found.push_back(fmt::format("{}, {} operations, {} forward and backward passes",
                                     trace.format, trace.operations.size(), all.size()));
  result.found.push_back(fmt::format("{} layers, {} tensors with {:.0f} parameters",
                                     builder.layers().size(), tensors, parameters));
  result.found.push_back(fmt::format("{:.2f} GFLOP forward for each sample",
                                     flops / static_cast<double>(samples.batch) / 1e9));
  for (std::string& fact : measured_facts(trace)) result.found.push_back(std::move(fact));
  if (type == "fp32") {
    result.assumed.push_back("products of floats run in fp32: a trace does not show TF32");
  }
  result.assumed.push_back(
      "activations: what products, norms, softmax, dropout and smooth activations read");
  if (iteration->gradients.empty()) {
    result.assumed.push_back("gradients were not recorded: every weight that was read has one");
  }
  if (builder.unplaced() > 0) {
    result.assumed.push_back(fmt::format(
        "{} tensors that no known operation reads belong to the layer whose gradients came before",
        builder.unplaced()));
  }
  if (builder.without_gradient() > 0) {
    result.skipped.push_back(fmt::format("{} weights without a gradient (frozen, or used twice)",
                                         builder.without_gradient()));
  }
  tell_unknown(trace, result.skipped);
  return result;
}

}  // namespace vgsim::traces
