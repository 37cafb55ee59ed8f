#include "tools/probe/cuda/networks/attention.hpp"

#include <cmath>

namespace vgsim::probe::cuda {
namespace {

int matrices(const HeadLayout& layout) { return static_cast<int>(layout.batch) * layout.heads; }

}  // namespace

// Column-major for cuBLASLt: queries, keys, values and context are head size x sequence, a
// matrix of scores is keys x queries.
Attention::Attention(const BlasPtr& blas, const Precision& precision, const NetworkKernels& kernels,
                     const HeadLayout& layout)
    : kernels_(kernels),
      rows_(layout.batch * layout.heads * layout.sequence),
      sequence_(layout.sequence),
      scale_(1 / std::sqrt(static_cast<float>(layout.head_size))),
      scores_(blas, precision,
              {layout.sequence, layout.sequence, layout.head_size, true, false, matrices(layout)}),
      weighted_(
          blas, precision,
          {layout.head_size, layout.sequence, layout.sequence, false, false, matrices(layout)}),
      transposed_(
          blas, precision,
          {layout.head_size, layout.sequence, layout.sequence, false, true, matrices(layout)}) {}

void Attention::forward(const Heads& heads, CUdeviceptr probabilities, CUdeviceptr context) const {
  const Stream& stream = kernels_.stream();
  scores_.enqueue(stream, heads.keys, heads.queries, probabilities);
  kernels_.softmax(probabilities, scale_, rows_, sequence_);
  weighted_.enqueue(stream, heads.values, probabilities, context);
}

void Attention::backward(const Heads& heads, CUdeviceptr probabilities,
                         CUdeviceptr context_gradient, CUdeviceptr scores,
                         const Heads& gradients) const {
  const Stream& stream = kernels_.stream();
  transposed_.enqueue(stream, context_gradient, probabilities, gradients.values);
  scores_.enqueue(stream, heads.values, context_gradient, scores);
  kernels_.softmax_backward(probabilities, scores, scale_, rows_, sequence_);
  weighted_.enqueue(stream, heads.keys, scores, gradients.queries);
  transposed_.enqueue(stream, heads.queries, scores, gradients.keys);
}

}  // namespace vgsim::probe::cuda
