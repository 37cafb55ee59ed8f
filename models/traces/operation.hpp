#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::traces {

using TensorShape = std::vector<std::int64_t>;

/// Elements of a tensor of that shape; saturates at 2^53.
[[nodiscard]] double elements(const TensorShape& shape);

/// Whether there is something in a tensor of that shape, and a GPU could hold it.
[[nodiscard]] bool can_be(const TensorShape& shape);

/// A tensor that an operation reads.
struct TensorUse {
  TensorShape shape;
  std::string type;     ///< as PyTorch spells it: "float", "c10::Half"
  std::int64_t id = 0;  ///< of the tensor in its trace; 0: not told
};

/// An operation that PyTorch ran on the host, such as "aten::conv2d".
struct Operation {
  std::string name;
  /// One entry for each argument; without a value for those that are no tensor.
  std::vector<std::optional<TensorUse>> inputs;
  std::vector<TensorShape> outputs;   ///< as far as told
  std::vector<std::string> literals;  ///< arguments as text, as far as told: "[2, 2]"
  std::optional<std::size_t> parent;  ///< the operation that called it; stands before it
  std::int64_t thread = 0;
  std::int64_t sequence = -1;  ///< of autograd: an operation and its backward pass share it
  bool optimizer = false;      ///< within a step of an optimizer
};

/// A call of NCCL or Gloo, as it was made.
struct TracedCollective {
  std::string name;  ///< "all_reduce"
  double bytes = 0;
  std::size_t operation = 0;  ///< the first that started after the call
  std::string group{};        ///< of processes, as the trace names it; empty: not told
  std::int64_t ranks = 0;     ///< of that group; 0: not told
};

/// A kernel that a GPU ran, of another library than NCCL. Times in seconds of one clock.
struct TracedKernel {
  double start = 0;
  double seconds = 0;
  double launched = 0;                   ///< by the host
  std::string precision;                 ///< of a matrix product: "tf32"; else empty
  std::optional<std::size_t> operation;  ///< that launched it
};

/// What one rank of a training job did.
struct Trace {
  std::string format;                    ///< "PyTorch execution trace 1.1.0-chakra.0.0.4"
  bool profile = false;                  ///< operations have times
  std::string gpu;                       ///< as CUDA names it, or empty
  std::int64_t ranks = 0;                ///< of the job; 0: not told
  std::vector<Operation> operations;     ///< in order of start; callers before those they call
  std::vector<std::size_t> step_starts;  ///< operations with which marked steps begin
  std::vector<TracedCollective> collectives;
  std::vector<TracedKernel> kernels;  ///< in order of start
  std::vector<double> step_seconds;   ///< of the steps that were marked
  double kernel_seconds = 0;          ///< of all kernels but NCCL's
  double collective_seconds = 0;      ///< of NCCL's kernels, waiting for other ranks included
};

}  // namespace vgsim::traces
