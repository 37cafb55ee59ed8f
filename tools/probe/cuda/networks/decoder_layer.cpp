#include "tools/probe/cuda/networks/decoder_layer.hpp"

#include "models/calibration/probe_networks.hpp"

namespace vgsim::probe::cuda {
namespace {

using calibration::probe_transformer::kFeedForward;
using calibration::probe_transformer::kHeads;
using calibration::probe_transformer::kHeadSize;
using calibration::probe_transformer::kHidden;
using calibration::probe_transformer::kSequence;

/// Random weights with a standard deviation of 0.02, as in GPT.
constexpr float kWeightScale = 0.07F;

HeadLayout layout(std::int64_t batch, int parts) {
  return {batch, static_cast<int>(kSequence), parts, static_cast<int>(kHeads),
          static_cast<int>(kHeadSize)};
}

Norm norm_with(Parameters& parameters, TensorPool& pool, std::int64_t tokens) {
  return parameters.add_norm(kHidden, pool.floats(2 * tokens), tokens);
}

}  // namespace

// A row-major tensor is its transpose in column-major order, as used by cuBLASLt: x is in x
// rows, y is out x rows, W is in x out.
LinearLayer::LinearLayer(const BlasPtr& blas, const Precision& precision, const Size& size)
    : forward_(blas, precision, {size.out, size.rows, size.in, true, false}),
      input_gradient_(blas, precision, {size.in, size.rows, size.out, false, false}),
      weight_gradient_(blas, precision, {size.in, size.out, size.rows, false, true}) {}

void LinearLayer::forward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w,
                          CUdeviceptr y) const {
  forward_.enqueue(stream, w.weight, x, y);
}

void LinearLayer::backward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w,
                           CUdeviceptr dy, CUdeviceptr dx) const {
  input_gradient_.enqueue(stream, w.weight, dy, dx);
  weight_gradient_.enqueue(stream, x, dy, w.gradient);
}

DecoderOperations::DecoderOperations(const GpuPtr& gpu, const NetworkKernels& network,
                                     const Precision& precision, std::int64_t batch,
                                     TensorPool& pool)
    : kernels(network),
      rows(batch * kSequence),
      blas(std::make_shared<const Blas>(gpu)),
      three_parts(layout(batch, 3)),
      one_part(layout(batch, 1)),
      attention(blas, precision, network, one_part),
      projection(blas, precision, {rows, kHidden, 3 * kHidden}),
      output(blas, precision, {rows, kHidden, kHidden}),
      up(blas, precision, {rows, kHidden, kFeedForward}),
      down(blas, precision, {rows, kFeedForward, kHidden}),
      narrow(pool.tensor(rows * kHidden)),
      other(pool.tensor(rows * kHidden)),
      past_middle(pool.tensor(rows * kHidden)),
      three(pool.tensor(rows * 3 * kHidden)),
      heads(pool.tensor(rows * 3 * kHidden)),
      wide(pool.tensor(rows * kFeedForward)),
      scores(pool.tensor(rows * kHeads * kSequence)) {}

DecoderLayer::DecoderLayer(const DecoderOperations& operations, Parameters& parameters,
                           TensorPool& pool)
    : operations_(operations),
      normed_(pool.tensor(operations.rows * kHidden)),
      heads_(pool.tensor(operations.rows * 3 * kHidden)),
      probabilities_(pool.tensor(operations.rows * kHeads * kSequence)),
      context_(pool.tensor(operations.rows * kHidden)),
      middle_(pool.tensor(operations.rows * kHidden)),
      middle_normed_(pool.tensor(operations.rows * kHidden)),
      up_(pool.tensor(operations.rows * kFeedForward)),
      active_(pool.tensor(operations.rows * kFeedForward)),
      y_(pool.tensor(operations.rows * kHidden)),
      norm_(norm_with(parameters, pool, operations.rows)),
      middle_norm_(norm_with(parameters, pool, operations.rows)),
      projection_(parameters.add(3 * kHidden * kHidden, kWeightScale)),
      output_(parameters.add(kHidden * kHidden, kWeightScale)),
      up_weights_(parameters.add(kFeedForward * kHidden, kWeightScale)),
      down_weights_(parameters.add(kHidden * kFeedForward, kWeightScale)) {}

std::int64_t DecoderLayer::parameters() {
  constexpr std::int64_t kNorms = 2 * 2 * kHidden;
  return 4 * kHidden * kHidden + 2 * kHidden * kFeedForward + kNorms;
}

Attention::Heads DecoderLayer::parts(CUdeviceptr three) const {
  const std::size_t bytes =
      static_cast<std::size_t>(operations_.rows * kHidden) * size_of(operations_.kernels.number());
  return {three, three + bytes, three + 2 * bytes};
}

CUdeviceptr DecoderLayer::forward(CUdeviceptr x) {
  const DecoderOperations& o = operations_;
  const Stream& stream = o.kernels.stream();
  const std::int64_t count = o.rows * kHidden;
  x_ = x;
  o.kernels.layer_norm(x, norm_, normed_, {o.rows, kHidden});
  o.projection.forward(stream, normed_, projection_, o.three);
  o.kernels.split_heads(o.three, heads_, o.three_parts);
  o.attention.forward(parts(heads_), probabilities_, o.narrow);
  o.kernels.merge_heads(o.narrow, context_, o.one_part);
  o.output.forward(stream, context_, output_, o.narrow);
  o.kernels.add(x, o.narrow, middle_, count);

  o.kernels.layer_norm(middle_, middle_norm_, middle_normed_, {o.rows, kHidden});
  o.up.forward(stream, middle_normed_, up_weights_, up_);
  o.kernels.gelu(up_, active_, o.rows * kFeedForward);
  o.down.forward(stream, active_, down_weights_, o.narrow);
  o.kernels.add(middle_, o.narrow, y_, count);
  return y_;
}

void DecoderLayer::feed_forward_backward(CUdeviceptr dy) const {
  const DecoderOperations& o = operations_;
  const Stream& stream = o.kernels.stream();
  o.down.backward(stream, active_, down_weights_, dy, o.wide);
  o.kernels.gelu_backward(up_, o.wide, o.rows * kFeedForward);
  o.up.backward(stream, middle_normed_, up_weights_, o.wide, o.narrow);
  o.kernels.layer_norm_backward(middle_, middle_norm_, o.narrow, dy, o.past_middle,
                                {o.rows, kHidden});
}

void DecoderLayer::backward(CUdeviceptr dy, CUdeviceptr dx) const {
  const DecoderOperations& o = operations_;
  const Stream& stream = o.kernels.stream();
  feed_forward_backward(dy);
  o.output.backward(stream, context_, output_, o.past_middle, o.narrow);
  o.kernels.split_heads(o.narrow, o.other, o.one_part);
  o.attention.backward(parts(heads_), probabilities_, o.other, o.scores, parts(o.heads));
  o.kernels.merge_heads(o.heads, o.three, o.three_parts);
  o.projection.backward(stream, normed_, projection_, o.three, o.narrow);
  o.kernels.layer_norm_backward(x_, norm_, o.narrow, o.past_middle, dx, {o.rows, kHidden});
}

}  // namespace vgsim::probe::cuda
