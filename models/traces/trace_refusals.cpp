#include "models/traces/trace_refusals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace vgsim::traces {
namespace {

input::Diagnostics refused(const char* code, std::string message, std::string expected) {
  input::Diagnostics diagnostics;
  diagnostics.error(code, {}, {}, std::move(message), std::move(expected));
  return diagnostics;
}

/// Operations of torch.compile that represent a region of the network.
bool is_compiled_region(std::string_view name) {
  constexpr std::string_view kNames[] = {"CompiledFunction", "CompiledFxGraph",
                                         "Torch-Compiled Region", "triton_"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view each) {
    return name.find(each) != name.npos && name.find("Backward") == name.npos;
  });
}

/// Bytes of a parameter's gradient: single or half precision.
constexpr double kGradientBytes[] = {4, 2};
/// Tolerance for padding, averaged buffers and frozen parameters.
constexpr double kSlack = 1.25;

bool is_near(double a, double b) { return a <= b * kSlack && b <= a * kSlack; }

}  // namespace

input::Diagnostics no_network(const Trace& trace, const std::string& file) {
  bool shapes = false;
  for (const Operation& operation : trace.operations) {
    for (const auto& input : operation.inputs) shapes = shapes || input.has_value();
  }
  const char* reason = "it contains only collective calls";
  const char* expected = "the trace of a rank that computes";
  if (!trace.operations.empty() && !shapes) {
    reason = "shapes of tensors were not recorded";
    expected = "a profile taken with record_shapes=True, or an execution trace";
  } else if (!trace.operations.empty()) {
    reason = "none of its operations is a layer with a weight";
    expected = "a profile of a forward and backward pass";
  }
  return refused("E603",
                 fmt::format("\"{}\" ({}) contains no network: {}", file, trace.format, reason),
                 expected);
}

std::optional<input::Diagnostics> compiled_network(const Trace& trace, const std::string& file) {
  const auto regions =
      std::count_if(trace.operations.begin(), trace.operations.end(),
                    [](const Operation& operation) { return is_compiled_region(operation.name); });
  if (regions == 0) return std::nullopt;
  return refused(
      "E603",
      fmt::format("\"{}\" ({}) contains no network: it was compiled, and {} operations are "
                  "compiled regions without visible layers",
                  file, trace.format, regions),
      "a profile taken without torch.compile");
}

/// A pass can sum no gradients if they are accumulated, so the largest sum of all passes counts;
/// sums of a few numbers are not gradients. In the backward pass each product becomes two, one for
/// a first layer, or three with recomputation. Fewer than one for each product means that not all
/// were recorded: then nothing is checked.
input::Diagnostics contradictions(const TracedPasses& passes, const TracedIteration& pass,
                                  const NetworkSums& sums, const std::string& file) {
  constexpr double kLeastPart = 0.01;
  constexpr double kLeastRatio = 0.9;
  constexpr double kMostRatio = 4.0;
  input::Diagnostics diagnostics;
  double reduced = 0;
  for (const TracedIteration& each : passes.passes) reduced = std::max(reduced, each.reduced_bytes);
  const bool gradients = reduced > kLeastPart * sums.parameters;
  const bool fits =
      std::any_of(std::begin(kGradientBytes), std::end(kGradientBytes),
                  [&](double bytes) { return is_near(reduced, bytes * sums.parameters); });
  if (gradients && !fits && passes.unknown_forward_bytes > 0) {
    diagnostics.append(refused(
        "E604",
        fmt::format(
            "\"{}\" does not distinguish gradients from activations: its collectives sum up {:.4g} "
            "MB in "
            "a "
            "pass, {:.4g} MB of them between layers of the forward pass, as tensor-parallel ranks "
            "do, and it does not name their groups",
            file, reduced / 1e6, passes.unknown_forward_bytes / 1e6),
        "a profile that names process groups, as PyTorch 2.3 and later write it"));
  } else if (gradients && !fits) {
    diagnostics.append(refused(
        "E604",
        fmt::format(
            "\"{}\" contradicts itself: its collectives sum up {:.4g} MB in a pass, and the "
            "layers that it contains have {:.4g} million parameters ({:.4g} MB of gradients)",
            file, reduced / 1e6, sums.parameters / 1e6, 4 * sums.parameters / 1e6),
        "a complete profile of a rank with the whole network and all of its training"));
  }
  const double ratio = sums.forward_flops > 0 ? pass.backward_flops / sums.forward_flops : 0;
  const auto products = std::count_if(pass.forward.begin(), pass.forward.end(),
                                      [](const ForwardStep& step) { return step.work.flops > 0; });
  const bool complete = pass.backward_products >= static_cast<std::size_t>(products);
  if (complete && pass.backward_flops > 0 && (ratio < kLeastRatio || ratio > kMostRatio)) {
    diagnostics.append(refused(
        "E604",
        fmt::format("\"{}\" contradicts itself: products of the backward pass are {:.4g} GFLOP, "
                    "those of the forward pass {:.4g} GFLOP",
                    file, pass.backward_flops / 1e9, sums.forward_flops / 1e9),
        "twice as many in the backward pass: a complete profile of forward and backward passes"));
  }
  return diagnostics;
}

input::Diagnostics faster_than_peak(const MeasuredPass& measured, const NetworkSums& sums,
                                    double peak, const std::string& file) {
  return refused(
      "E604",
      fmt::format("\"{}\" contradicts itself: its layers have {:.4g} GFLOP in both passes, "
                  "and its kernels ran for {:.4g} ms, enough for {:.4g} GFLOP on the GPU",
                  file, 3 * sums.forward_flops / 1e9, measured.seconds * 1e3,
                  peak * measured.seconds / 1e9),
      "--gpu and --batch of the recorded run");
}

}  // namespace vgsim::traces
