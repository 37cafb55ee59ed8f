#include "models/traces/operation_work.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace vgsim::traces {
namespace {

const TensorUse* tensor(const Operation& operation, std::size_t index) {
  if (index >= operation.inputs.size() || !operation.inputs[index]) return nullptr;
  return can_be(operation.inputs[index]->shape) ? &*operation.inputs[index] : nullptr;
}

/// "[2, 2]" as `count` numbers, with the last one repeated; empty if it is not a list.
std::vector<std::int64_t> numbers(const Operation& operation, std::size_t index,
                                  std::size_t count) {
  std::vector<std::int64_t> values;
  if (index >= operation.literals.size()) return values;
  const std::string& text = operation.literals[index];
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc()) values.push_back(value);
    at = error == std::errc() ? next : at + 1;
  }
  if (!values.empty()) values.resize(count, values.back());
  return values;
}

void add_parameter(const Operation& operation, std::size_t index, const char* name,
                   OperationWork& work) {
  if (const TensorUse* use = tensor(operation, index))
    work.parameters.push_back({name, use->shape});
}

/// Extents of the output besides samples and channels: (n + 2 padding - dilation (kernel - 1) - 1)
/// / stride + 1, as documented for PyTorch's Conv2d.
double output_pixels(const Operation& operation, const TensorShape& in, const TensorShape& weight) {
  const std::size_t dimensions = in.size() - 2;
  const auto stride = numbers(operation, 3, dimensions);
  const auto padding = numbers(operation, 4, dimensions);
  const auto dilation = numbers(operation, 5, dimensions);
  if (stride.empty() || padding.empty() || dilation.empty()) return 0;
  double pixels = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (stride[i] < 1) return 0;
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    const double reach = number(dilation[i]) * number(weight[i + 2] - 1) + 1;
    const double room = number(in[i + 2]) + 2 * number(padding[i]) - reach;
    pixels *= std::max(std::floor(room / number(stride[i])) + 1, 0.0);
  }
  return pixels;
}

std::optional<OperationWork> convolution(const Operation& operation) {
  const TensorUse* in = tensor(operation, 0);
  const TensorUse* weight = tensor(operation, 1);
  if (in == nullptr || weight == nullptr || in->shape.size() != weight->shape.size() ||
      in->shape.size() < 3 || weight->shape[0] < 1) {
    return std::nullopt;
  }
  OperationWork work;
  work.layer = true;
  work.kept = {*in};
  add_parameter(operation, 1, "weight", work);
  add_parameter(operation, 2, "bias", work);
  const double of_channel = elements(weight->shape) / static_cast<double>(weight->shape[0]);
  const bool transposed = operation.name.find("transpose") != std::string::npos;
  double multiplied = transposed ? elements(in->shape) : 0;
  if (!transposed && !operation.outputs.empty()) multiplied = elements(operation.outputs[0]);
  if (!transposed && operation.outputs.empty()) {
    multiplied = static_cast<double>(in->shape[0]) * static_cast<double>(weight->shape[0]) *
                 output_pixels(operation, in->shape, weight->shape);
  }
  if (multiplied <= 0) return std::nullopt;
  work.flops = 2 * multiplied * of_channel;
  return work;
}

/// x of [..., k] times a weight of [n, k].
std::optional<OperationWork> linear(const Operation& operation) {
  const TensorUse* in = tensor(operation, 0);
  const TensorUse* weight = tensor(operation, 1);
  if (in == nullptr || weight == nullptr || weight->shape.empty()) return std::nullopt;
  OperationWork work;
  work.layer = true;
  work.kept = {*in};
  work.flops = 2 * elements(in->shape) * static_cast<double>(weight->shape[0]);
  add_parameter(operation, 1, "weight", work);
  add_parameter(operation, 2, "bias", work);
  return work;
}

/// a of [..., k] times b of [k, n]; b can be a weight.
std::optional<OperationWork> product(const Operation& operation, std::size_t first) {
  const TensorUse* a = tensor(operation, first);
  const TensorUse* b = tensor(operation, first + 1);
  if (a == nullptr || b == nullptr || a->shape.empty() || b->shape.empty()) return std::nullopt;
  OperationWork work;
  work.kept = {*a};
  const double columns = b->shape.size() < 2 ? 1.0 : static_cast<double>(b->shape.back());
  const double flops = 2 * elements(a->shape) * columns;
  if (b->shape.size() > 2) {
    work.pair_flops = flops;
    work.kept.push_back(*b);
    return work;
  }
  work.layer = true;
  work.flops = flops;
  add_parameter(operation, first + 1, "weight", work);
  if (first == 1) add_parameter(operation, 0, "bias", work);
  return work;
}

/// Queries of [..., s, d] and keys of [..., t, d]: 2 s t d for the scores, as much for the values.
std::optional<OperationWork> attention(const Operation& operation) {
  const TensorUse* query = tensor(operation, 0);
  const TensorUse* key = tensor(operation, 1);
  const TensorUse* value = tensor(operation, 2);
  if (query == nullptr || key == nullptr || value == nullptr || key->shape.size() < 2) {
    return std::nullopt;
  }
  OperationWork work;
  const double keys = static_cast<double>(key->shape[key->shape.size() - 2]);
  work.pair_flops = 4 * elements(query->shape) * keys;
  work.kept = {*query, *key, *value, *query};
  return work;
}

std::optional<OperationWork> norm(const Operation& operation, std::size_t weight) {
  const TensorUse* in = tensor(operation, 0);
  if (in == nullptr) return std::nullopt;
  OperationWork work;
  work.kept = {*in};
  add_parameter(operation, weight, "weight", work);
  add_parameter(operation, weight + 1, "bias", work);
  return work;
}

std::optional<OperationWork> embedding(const Operation& operation) {
  if (tensor(operation, 0) == nullptr) return std::nullopt;
  OperationWork work;
  work.layer = true;
  add_parameter(operation, 0, "weight", work);
  return work;
}

/// Operations whose backward pass needs all of their input.
std::optional<OperationWork> elementwise(const Operation& operation) {
  const TensorUse* in = tensor(operation, 0);
  if (in == nullptr) return std::nullopt;
  OperationWork work;
  work.kept = {{in->shape, in->type, 0}};
  return work;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The gradients of a convolution's input and weight, from [gradient of the output, input, weight].
double convolution_backward(const Operation& operation) {
  const TensorUse* gradient = tensor(operation, 0);
  const TensorUse* weight = tensor(operation, 2);
  if (gradient == nullptr || weight == nullptr || weight->shape.empty()) return 0;
  const auto channels = static_cast<double>(std::max<std::int64_t>(weight->shape[0], 1));
  return 4 * elements(gradient->shape) * elements(weight->shape) / channels;
}

/// Five products for the two of the forward pass, from [gradient of the output, query, key].
double attention_backward(const Operation& operation) {
  const TensorUse* query = tensor(operation, 1);
  const TensorUse* key = tensor(operation, 2);
  if (query == nullptr || key == nullptr || key->shape.size() < 2) return 0;
  return 10 * elements(query->shape) * static_cast<double>(key->shape[key->shape.size() - 2]);
}

}  // namespace

double backward_flops_of(const Operation& operation) {
  const std::string_view name = operation.name;
  if (is_one_of(name, {"aten::convolution_backward", "aten::cudnn_convolution_backward"})) {
    return convolution_backward(operation);
  }
  if (name.starts_with("aten::_scaled_dot_product") && name.ends_with("_backward")) {
    return attention_backward(operation);
  }
  if (!is_one_of(name, {"aten::mm", "aten::bmm", "aten::matmul", "aten::addmm", "aten::baddbmm",
                        "aten::linear"})) {
    return 0;
  }
  const auto work = work_of(operation);
  return work ? work->flops + work->pair_flops : 0;
}

std::optional<OperationWork> work_of(const Operation& operation) {
  constexpr std::string_view kLibrary = "aten::";
  if (operation.name.rfind(kLibrary, 0) != 0) return std::nullopt;
  const std::string_view name = std::string_view(operation.name).substr(kLibrary.size());
  if (name.find("backward") != std::string_view::npos) return std::nullopt;
  if (is_one_of(name,
                {"conv1d", "conv2d", "conv3d", "convolution", "_convolution", "cudnn_convolution",
                 "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"})) {
    return convolution(operation);
  }
  if (name == "linear") return linear(operation);
  if (is_one_of(name, {"addmm", "baddbmm"})) return product(operation, 1);
  if (is_one_of(name, {"mm", "matmul", "bmm"})) return product(operation, 0);
  if (is_one_of(name, {"scaled_dot_product_attention", "_scaled_dot_product_flash_attention",
                       "_scaled_dot_product_efficient_attention"})) {
    return attention(operation);
  }
  if (is_one_of(name, {"embedding", "embedding_bag", "_embedding_bag"})) {
    return embedding(operation);
  }
  if (is_one_of(name, {"batch_norm", "native_batch_norm", "cudnn_batch_norm"})) {
    return norm(operation, 1);
  }
  if (is_one_of(name, {"layer_norm", "native_layer_norm", "group_norm", "rms_norm"})) {
    return norm(operation, 2);
  }
  if (is_one_of(name, {"softmax", "_softmax", "log_softmax", "dropout", "native_dropout", "gelu",
                       "silu", "mish", "tanh", "sigmoid"})) {
    return elementwise(operation);
  }
  return std::nullopt;
}

}  // namespace vgsim::traces
