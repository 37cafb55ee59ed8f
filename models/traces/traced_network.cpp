#include "models/traces/traced_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "models/traces/measured_pass.hpp"
#include "models/traces/trace_facts.hpp"
#include "models/traces/trace_refusals.hpp"
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

/// The name in a job of the precision of products and gradients.
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

/// Unknown operations that compute, by name.
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
    skipped.push_back("operations with unknown work: " + count_text(counts));
  }
}

/// Builds the parts of a network and the remarks about it from the most complete pass.
class NetworkText {
 public:
  NetworkText(const Trace& trace, const TracedPasses& passes, const TracedIteration& pass,
              const TracedNetworkOptions& options)
      : trace_(trace), passes_(passes), pass_(pass), options_(options), samples_(samples_of(pass)) {
    if (options.batch) samples_.batch = *options.batch;
    traced_ = layers_of(pass, samples_);
    for (const TracedLayer& layer : traced_.layers) {
      sums_.forward_flops += layer.flops + layer.pair_flops;
      tensors_ += layer.tensors.size();
      for (const TracedTensor& tensor : layer.tensors) sums_.parameters += tensor.parameters;
    }
    measured_ = measured_pass(trace, passes, pass, traced_.layers);
    precision_ = measured_ && !measured_->precision.empty() ? measured_->precision
                                                            : precision(product_type(pass));
    const auto peak = options.gpu.peaks.find(precision_);
    if (measured_ && peak != options.gpu.peaks.end()) {
      peak_ = peak->second;
      share_ =
          std::min(achieved_share(*measured_, sums_.forward_flops, peak_, options.kernel_gap), 1.0);
    }
  }

  tl::expected<TracedNetwork, input::Diagnostics> make() {
    input::Diagnostics wrong = contradictions(passes_, pass_, sums_, options_.file);
    if (share_ > 0 && 3 * sums_.forward_flops > peak_ * measured_->seconds) {
      wrong.append(faster_than_peak(*measured_, sums_, peak_, options_.file));
    }
    if (wrong.has_errors()) return tl::unexpected(std::move(wrong));
    TracedNetwork result;
    result.network = network();
    result.job = job();
    tell_found(result.found);
    tell_assumed(result.assumed);
    tell_skipped(result.skipped);
    return result;
  }

 private:
  [[nodiscard]] std::string network() const {
    const std::string seen =
        fmt::format("{} of {}, a pass of {} samples", trace_.format, options_.file, samples_.batch);
    ordered_json document = {{"name", options_.name},
                             {"sources", {{"trace", {{"title", seen}, {"evidence", "measured"}}}}}};
    if (samples_.tokens > 0) document["sample"] = {{"sequence_length", samples_.tokens}};
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < traced_.layers.size(); ++i) {
      list.push_back(layer_json(traced_.layers[i], samples_));
      if (measured_ && measured_->kernels[i] > 0) list.back()["kernels"] = measured_->kernels[i];
    }
    document["layers"] = std::move(list);
    if (share_ > 0) {
      document["achieved_share"] = {
          {precision_, {{"value", std::stod(fmt::format("{:.3g}", share_))}, {"source", "trace"}}}};
    }
    return document.dump(2) + "\n";
  }

  [[nodiscard]] std::string job() const {
    ordered_json job = {
        {"network", options_.name}, {"batch_per_gpu", samples_.batch}, {"precision", precision_}};
    if (samples_.tokens > 0) job["sequence_length"] = samples_.tokens;
    if (!pass_.gradients.empty()) job["gradients"] = precision(pass_.gradients.front().type);
    if (measured_ && measured_->launch_interval > 0) {
      job["kernel_launch_interval"] = fmt::format("{:.3g}us", measured_->launch_interval * 1e6);
    }
    return job.dump();
  }

  void tell_found(std::vector<std::string>& found) const {
    found.push_back(fmt::format("{}, {} operations, {} forward and backward passes", trace_.format,
                                trace_.operations.size(), passes_.passes.size()));
    found.push_back(fmt::format("{} layers, {} tensors with {:.0f} parameters",
                                traced_.layers.size(), tensors_, sums_.parameters));
    found.push_back(fmt::format("{:.2f} GFLOP forward for each sample",
                                sums_.forward_flops / static_cast<double>(samples_.batch) / 1e9));
    for (std::string& fact : measured_facts(trace_)) found.push_back(std::move(fact));
    if (!measured_) return;
    found.push_back(
        fmt::format("kernels of a pass run for {:.4g} ms forward and backward (median of {})",
                    measured_->seconds * 1e3, measured_->passes));
    if (share_ > 0) {
      found.push_back(fmt::format("achieved share: {:.3g} of the {} peak of {}", share_, precision_,
                                  options_.gpu.name));
    }
  }

  void tell_assumed(std::vector<std::string>& assumed) const {
    if (!options_.batch) {
      assumed.push_back(
          fmt::format("a pass has {} samples, the first extent of its first layer's input "
                      "(--batch sets another number)",
                      samples_.batch));
    }
    if (precision_ == "fp32" && (!measured_ || measured_->precision.empty())) {
      assumed.emplace_back(
          "products of floats run in fp32: without kernels a trace does not contain "
          "TF32");
    }
    assumed.emplace_back(
        "activations: inputs of products, norms, softmax, dropout and smooth activations");
    if (pass_.gradients.empty()) {
      assumed.emplace_back(
          "gradients were not recorded: every weight that was read is assumed to have one");
    }
    if (traced_.unplaced > 0) {
      assumed.push_back(
          fmt::format("{} tensors that no known operation reads belong to the layer "
                      "whose gradients came before",
                      traced_.unplaced));
    }
    if (measured_ && measured_->launch_interval > 0) {
      assumed.emplace_back(
          "launch intervals are those under the profiler, which slows "
          "the host");
    }
  }

  void tell_skipped(std::vector<std::string>& skipped) const {
    if (passes_.tensor_ranks > 1) {
      skipped.push_back(fmt::format(
          "tensor parallelism: the layers are the shares of one of {} ranks, and the {:.4g} "
          "MB "
          "that these ranks sum among themselves in a pass are not part of the network",
          passes_.tensor_ranks, pass_.tensor_bytes / 1e6));
    }
    if (traced_.without_gradient > 0) {
      skipped.push_back(fmt::format("{} weights without a gradient (frozen, or used twice)",
                                    traced_.without_gradient));
    }
    if (measured_ && share_ == 0) {
      skipped.push_back(
          options_.gpu.name.empty()
              ? "achieved share: the catalogue lacks the GPU of the trace; "
                "select one of the catalogue with --gpu"
              : fmt::format("achieved share: {} has no {} peak", options_.gpu.name, precision_));
    }
    if (!measured_) {
      skipped.emplace_back(
          "achieved share: the trace contains no kernels of a pass; give the job an "
          "\"achieved_share\"");
    }
    tell_unknown(trace_, skipped);
  }

  const Trace& trace_;
  const TracedPasses& passes_;
  const TracedIteration& pass_;
  const TracedNetworkOptions& options_;
  Samples samples_;
  TracedLayers traced_;
  NetworkSums sums_;
  std::size_t tensors_ = 0;
  std::optional<MeasuredPass> measured_;
  std::string precision_;
  double peak_ = 0;
  double share_ = 0;  ///< 0: unknown
};

}  // namespace

/// The pass with most gradients, then most operations, is the network. The kernels of all equal
/// passes determine its speed. The result is checked against the collectives, products and times in
/// the trace.
tl::expected<TracedNetwork, input::Diagnostics> network_of(const Trace& trace,
                                                           const TracedNetworkOptions& options) {
  if (auto refusal = compiled_network(trace, options.file)) {
    return tl::unexpected(std::move(*refusal));
  }
  const TracedPasses passes = passes_of(trace);
  const TracedIteration* pass = fullest_of(passes.passes);
  const bool layers =
      pass != nullptr && std::any_of(pass->forward.begin(), pass->forward.end(),
                                     [](const ForwardStep& step) { return step.work.layer; });
  if (!layers) return tl::unexpected(no_network(trace, options.file));
  return NetworkText(trace, passes, *pass, options).make();
}

}  // namespace vgsim::traces
