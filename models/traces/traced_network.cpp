#include "models/traces/traced_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "models/traces/trace_facts.hpp"
#include "models/traces/traced_iteration.hpp"
#include "models/traces/traced_layers.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::ordered_json;

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
  const TracedLayers traced = layers_of(*iteration, samples);
  ordered_json list = ordered_json::array();
  double parameters = 0;
  double flops = 0;
  std::size_t tensors = 0;
  for (const TracedLayer& layer : traced.layers) {
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
                                     traced.layers.size(), tensors, parameters));
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
  if (traced.unplaced > 0) {
    result.assumed.push_back(fmt::format(
        "{} tensors that no known operation reads belong to the layer whose gradients came before",
        traced.unplaced));
  }
  if (traced.without_gradient > 0) {
    result.skipped.push_back(fmt::format("{} weights without a gradient (frozen, or used twice)",
                                         traced.without_gradient));
  }
  tell_unknown(trace, result.skipped);
  return result;
}

}  // namespace vgsim::traces
