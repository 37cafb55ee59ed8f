#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::traces {

using TensorShape = std::vector<std::int64_t>;

/// Number of elements of a tensor with that shape; saturates at 2^53.
[[nodiscard]] double elements(const TensorShape& shape);

/// Whether a tensor of that shape is not empty and fits a GPU.
[[nodiscard]] bool can_be(const TensorShape& shape);

/// A tensor that an operation reads.
struct TensorUse {
  TensorShape shape;
  std::string type;     ///< as PyTorch spells it: "float", "c10::Half"
  std::int64_t id = 0;  ///< of the tensor in its trace; 0: unknown
};

/// An operation that PyTorch ran on the host, such as "aten::conv2d".
struct Operation {
  std::string name;
  /// One entry for each argument; empty for arguments that are not tensors.
  std::vector<std::optional<TensorUse>> inputs;
  std::vector<TensorShape> outputs;   ///< as far as known
  std::vector<std::string> literals;  ///< arguments as text, as far as known: "[2, 2]"
  std::optional<std::size_t> parent;  ///< the calling operation; precedes this one
  std::int64_t thread = 0;
  std::int64_t sequence = -1;  ///< of autograd: common to an operation and its backward pass
  bool optimizer = false;      ///< inside a step of an optimizer
};

/// A call of NCCL or Gloo.
struct TracedCollective {
  std::string name;  ///< "all_reduce"
  double bytes = 0;
  std::size_t operation = 0;  ///< the first that started after the call
  std::string group{};        ///< process group in the trace; empty: unknown
  std::int64_t ranks = 0;     ///< of that group; 0: unknown
};

/// A kernel on a GPU, except NCCL's. Times in seconds of one clock.
struct TracedKernel {
  double start = 0;
  double seconds = 0;
  double launched = 0;                   ///< by the host
  std::string precision;                 ///< of a matrix product: "tf32"; else empty
  std::optional<std::size_t> operation;  ///< the launching operation
};

/// The operations and kernels of one rank of a training job.
struct Trace {
  std::string format;                    ///< "PyTorch execution trace 1.1.0-chakra.0.0.4"
  bool profile = false;                  ///< operations have times
  std::string gpu;                       ///< CUDA's name of the GPU, or empty
  std::int64_t ranks = 0;                ///< of the job; 0: unknown
  std::vector<Operation> operations;     ///< in order of start; callers precede their calls
  std::vector<std::size_t> step_starts;  ///< first operations of marked steps
  std::vector<TracedCollective> collectives;
  std::vector<TracedKernel> kernels;  ///< in order of start
  std::vector<double> step_seconds;   ///< of the steps that were marked
  double kernel_seconds = 0;          ///< of all kernels but NCCL's
  double collective_seconds = 0;      ///< of NCCL's kernels, including waiting for other ranks
};

}  // namespace vgsim::traces
