#include <algorithm>
#include <array>
#include <string_view>

#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

/// Arguments of an operation in the newest of PyTorch's releases (native_functions.yaml).
struct Arity {
  std::string_view name;
  std::size_t arguments;
};

constexpr std::array kArities = {
    Arity{"aten::addmm", 5},   Arity{"aten::baddbmm", 5},     Arity{"aten::batch_norm", 9},
    Arity{"aten::bmm", 2},     Arity{"aten::conv1d", 7},      Arity{"aten::conv2d", 7},
    Arity{"aten::conv3d", 7},  Arity{"aten::convolution", 9}, Arity{"aten::embedding", 5},
    Arity{"aten::gelu", 2},    Arity{"aten::layer_norm", 6},  Arity{"aten::linear", 3},
    Arity{"aten::matmul", 2},  Arity{"aten::mm", 2},          Arity{"aten::native_dropout", 3},
    Arity{"aten::sigmoid", 1}, Arity{"aten::silu", 1},        Arity{"aten::softmax", 3},
    Arity{"aten::tanh", 1},    Arity{"aten::dropout", 3}};

template <class List>
void keep_last(List& list, std::size_t count) {
  if (list.size() <= count) return;
  list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace

void drop_callers_arguments(Operation& operation) {
  const auto arity = std::find_if(kArities.begin(), kArities.end(),
                                  [&](const Arity& each) { return each.name == operation.name; });
  if (arity == kArities.end() || operation.inputs.size() <= arity->arguments) return;
  if (operation.literals.size() == operation.inputs.size()) {
    keep_last(operation.literals, arity->arguments);
  }
  keep_last(operation.inputs, arity->arguments);
}

}  // namespace vgsim::traces
