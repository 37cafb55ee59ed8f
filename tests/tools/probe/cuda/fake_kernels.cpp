#include "tests/tools/probe/cuda/fake_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "tests/tools/probe/cuda/fake_truth.hpp"

namespace vgsim::fake {
namespace {

constexpr std::size_t kPackBytes = 16;

/// A launch, with its arguments by their places.
class Arguments {
 public:
  explicit Arguments(const KernelLaunch& launch) : launch_(launch) {}

  [[nodiscard]] std::size_t number(std::size_t place) const {
    std::size_t value = 0;
    std::memcpy(&value, launch_.arguments[place], launch_.function.parameters.at(place));
    return value;
  }

  [[nodiscard]] std::size_t element() const { return launch_.function.element; }
  [[nodiscard]] std::size_t elements_of_pack() const { return kPackBytes / element(); }
  [[nodiscard]] std::size_t blocks() const { return launch_.grid_x; }

  /// Tensors at those places, as large as each other.
  void use(const std::vector<std::size_t>& places, std::size_t size) {
    for (const std::size_t place : places) {
      uses_.push_back({reinterpret_cast<const void*>(number(place)), size});
    }
  }

  void need(bool condition) const {
    if (!condition) misuse(launch_.function.name + ": a grid or block that does not fit the size");
  }

  /// Of kernels with a block for each row, at most a thread for each pack of it.
  void need_warps(std::size_t columns) const {
    need(launch_.block_x % 32 == 0 && launch_.block_y == 1 && launch_.block_x <= 1024);
    need(columns % elements_of_pack() == 0);
  }

  /// Of kernels that sum chunks of rows into `partial`.
  void use_chunks(std::size_t partial, std::size_t columns) {
    need(launch_.block_x == 16 && launch_.block_y == 16);
    need(blocks() * 16 * elements_of_pack() == columns);
    use({partial}, 2 * launch_.grid_y * columns * sizeof(float));
  }

  /// Of kernels that add the chunks up.
  void read_chunks(std::size_t partial, std::size_t chunks, std::size_t columns) {
    need(launch_.block_x == 32 && launch_.block_y == 32 && blocks() * 32 == columns);
    use({partial}, 2 * chunks * columns * sizeof(float));
  }

  /// Of kernels whose threads stay with their columns.
  void need_whole_rows(std::size_t columns) const {
    const std::size_t packs = columns / elements_of_pack();
    need(packs > 0 && launch_.block_x % packs == 0);
  }

  [[nodiscard]] std::vector<Use> take() && { return std::move(uses_); }

 private:
  const KernelLaunch& launch_;
  std::vector<Use> uses_;
};

using Uses = std::function<void(Arguments&)>;

Uses packs(const std::vector<std::size_t>& places, std::size_t count) {
  return [=](Arguments& a) { a.use(places, a.number(count) * kPackBytes); };
}

Uses numbers(std::size_t size) {
  return [=](Arguments& a) { a.use({0}, a.number(1) * size); };
}

/// Optimizers: `floats` tensors of fp32, the gradients, the weights and the count.
Uses optimizer(std::size_t floats) {
  return [=](Arguments& a) {
    const std::size_t count = a.number(floats + 2);
    for (std::size_t i = 0; i < floats; ++i) {
      a.use({i}, count * a.elements_of_pack() * sizeof(float));
    }
    a.use({floats}, count * kPackBytes);
    if (a.element() < sizeof(float)) a.use({floats + 1}, count * kPackBytes);
  };
}

Uses rows_of_scores(const std::vector<std::size_t>& places, std::size_t sequence) {
  return [=](Arguments& a) {
    const std::size_t columns = a.number(sequence);
    a.need_warps(columns);
    a.need(a.blocks() % columns == 0);
    a.use(places, a.blocks() * columns * a.element());
  };
}

void rearrange_heads(Arguments& a) {
  a.need(a.blocks() % a.number(2) == 0);
  a.need(a.number(5) % a.elements_of_pack() == 0);
  a.use({0, 1}, a.blocks() * a.number(3) * a.number(4) * a.number(5) * a.element());
}

/// `tensors` have a row for each block, `rows` a number for each block, `columns` for each column.
Uses layer_norm(const std::vector<std::size_t>& tensors, const std::vector<std::size_t>& rows,
                const std::vector<std::size_t>& columns, std::size_t width) {
  return [=](Arguments& a) {
    a.need_warps(a.number(width));
    a.use(tensors, a.blocks() * a.number(width) * a.element());
    a.use(rows, a.blocks() * sizeof(float));
    a.use(columns, a.number(width) * a.element());
  };
}

/// x, means, scales, dy, rows, columns, partial; `by_rows`: means and scales of rows, not columns.
Uses gradient_chunks(bool by_rows) {
  return [=](Arguments& a) {
    const std::size_t rows = a.number(4);
    const std::size_t columns = a.number(5);
    a.use({0, 3}, rows * columns * a.element());
    a.use({1, 2}, (by_rows ? rows : columns) * sizeof(float));
    a.use_chunks(6, columns);
  };
}

void batch_norm_sums(Arguments& a) {
  a.use({0}, a.number(1) * a.number(2) * a.element());
  a.use_chunks(3, a.number(2));
}

void batch_norm_statistics(Arguments& a) {
  a.read_chunks(0, a.number(1), a.number(3));
  a.use({4, 5}, a.number(3) * sizeof(float));
}

void batch_norm(Arguments& a) {
  const std::size_t columns = a.number(7);
  a.need_whole_rows(columns);
  a.use({0, 5}, a.number(6) * kPackBytes);
  a.use({1, 2}, columns * sizeof(float));
  a.use({3, 4}, columns * a.element());
}

void batch_norm_backward(Arguments& a) {
  const std::size_t columns = a.number(9);
  a.need_whole_rows(columns);
  a.need(a.number(7) * columns == a.number(8) * a.elements_of_pack());
  a.use({0, 5, 6}, a.number(8) * kPackBytes);
  a.use({1, 2}, columns * sizeof(float));
  a.use({3}, columns * a.element());
  a.use({4}, 2 * columns * sizeof(float));
}

void norm_gradients(Arguments& a) {
  const std::size_t columns = a.number(2);
  a.read_chunks(0, a.number(1), columns);
  a.use({3}, 2 * columns * sizeof(float));
  a.use({4, 5}, columns * a.element());
}

const std::map<std::string, Uses>& kernels() {
  static const std::map<std::string, Uses> all{
      {"nothing", [](Arguments&) {}},
      {"copy",
       [](Arguments& a) {
         a.use({0, 1}, a.number(2));
       }},
      {"fill_fp32", numbers(4)},
      {"fill_fp16", numbers(2)},
      {"fill_bf16", numbers(2)},
      {"fill_fp8", numbers(1)},
      {"add", packs({0, 1, 2}, 3)},
      {"gelu", packs({0, 1}, 2)},
      {"gelu_backward", packs({0, 1}, 2)},
      {"relu", packs({0}, 1)},
      {"relu_backward", packs({0, 1, 2}, 3)},
      {"adam", optimizer(3)},
      {"sgd", optimizer(2)},
      {"softmax", rows_of_scores({0}, 2)},
      {"softmax_backward", rows_of_scores({0, 1}, 3)},
      {"rearrange_heads", rearrange_heads},
      {"layer_norm", layer_norm({0, 3}, {4, 5}, {1, 2}, 6)},
      {"layer_norm_backward", layer_norm({0, 4, 5, 6}, {2, 3}, {1}, 7)},
      {"layer_norm_sums", gradient_chunks(true)},
      {"batch_norm_sums", batch_norm_sums},
      {"batch_norm_statistics", batch_norm_statistics},
      {"batch_norm", batch_norm},
      {"batch_norm_backward_sums", gradient_chunks(false)},
      {"batch_norm_backward", batch_norm_backward},
      {"norm_gradients", norm_gradients}};
  return all;
}

/// Of copying by a kernel, by where the farther end is.
double copy_rate(const Arguments& arguments, const Context& context) {
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
    const Memory* const memory = find_memory(reinterpret_cast<void*>(arguments.number(place)), 1);
    if (memory == nullptr || memory->context == nullptr) continue;
    if (memory->kind != MemoryKind::kDevice) return place == 0 ? kToGpuRate : kToHostRate;
    if (memory->context != &context) return kPeerRate;
  }
  return kMemoryRate / 2;
}

}  // namespace

std::vector<Use> uses_of(const KernelLaunch& launch) {
  const auto found = kernels().find(launch.function.name);
  if (found == kernels().end()) {
    misuse(launch.function.name + ": a kernel that the fake does not support");
    return {};
  }
  Arguments arguments(launch);
  found->second(arguments);
  return std::move(arguments).take();
}

double duration_of(const KernelLaunch& launch, const Context& context) {
  if (launch.function.name == "nothing") return kLaunch;
  if (launch.function.name != "copy") return kOtherKernel;
  const Arguments arguments(launch);
  return kLaunch + static_cast<double>(arguments.number(2)) / copy_rate(arguments, context);
}

}  // namespace vgsim::fake
