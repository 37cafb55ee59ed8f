#include "tools/probe/cuda/networks/network_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "tools/probe/cuda/embedded_ptx.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

// As in column_sums.cuh.
constexpr unsigned kSumPacks = 16;
constexpr unsigned kSumRows = 16;
constexpr unsigned kChunkLanes = 32;

/// Blocks per multiprocessor for sums over chunks of rows.
constexpr unsigned kSumBlocks = 4;

const unsigned char* ptx_of(Number number) {
  switch (number) {
    case Number::kFp32:
      return kNetworkFp32Ptx;
    case Number::kFp16:
      return kNetworkFp16Ptx;
    case Number::kBf16:
      return kNetworkBf16Ptx;
    case Number::kFp8:
      break;
  }
  throw DeviceError("the training steps have no tensors of fp8");
}

std::int64_t pack_of(Number number) { return 16 / static_cast<std::int64_t>(size_of(number)); }

/// Two fp32 numbers for every column.
std::size_t sum_bytes(std::int64_t columns) {
  return 2 * sizeof(float) * static_cast<std::size_t>(columns);
}

/// The largest product of columns and chunks.
std::int64_t most_chunk_columns(const Gpu& gpu, Number number) {
  const std::int64_t of_all_blocks =
      std::int64_t{kSumBlocks} * gpu.multiprocessors() * kSumPacks * pack_of(number);
  return std::max(of_all_blocks, NetworkKernels::kMostColumns);
}

Extent column_blocks(const Rows& size) {
  return {static_cast<unsigned>(size.columns) / kChunkLanes, 1};
}

}  // namespace

NetworkKernels::NetworkKernels(const GpuPtr& gpu, const Stream& stream, Number number)
    : stream_(stream),
      number_(number),
      pack_(pack_of(number)),
      module_(ptx_of(number)),
      chunks_(gpu, sum_bytes(most_chunk_columns(*gpu, number))),
      sums_(gpu, sum_bytes(kMostColumns)) {}

NetworkKernels::~NetworkKernels() { stream_.gpu().try_make_current(); }

Extent NetworkKernels::pack_blocks(std::int64_t count) const {
  return blocks_for(stream_.gpu(), packs(count));
}

/// A thread for each pack of a row, in whole warps.
Extent NetworkKernels::row_threads(std::int64_t columns) const {
  constexpr std::int64_t kWarp = 32;
  const std::int64_t wanted = (packs(columns) + kWarp - 1) / kWarp * kWarp;
  return {static_cast<unsigned>(std::min<std::int64_t>(wanted, kThreads)), 1};
}

Extent NetworkKernels::chunk_blocks(const Rows& size) const {
  const auto across = static_cast<unsigned>(packs(size.columns)) / kSumPacks;
  const unsigned down = kSumBlocks * stream_.gpu().multiprocessors() / across;
  return {across, std::max(1U, down)};
}

void NetworkKernels::add(CUdeviceptr a, CUdeviceptr b, CUdeviceptr sum, std::int64_t count) const {
  launch(stream_, add_, pack_blocks(count), {kThreads}, a, b, sum, packs(count));
}

void NetworkKernels::gelu(CUdeviceptr x, CUdeviceptr y, std::int64_t count) const {
  launch(stream_, gelu_, pack_blocks(count), {kThreads}, x, y, packs(count));
}

void NetworkKernels::gelu_backward(CUdeviceptr x, CUdeviceptr gradients, std::int64_t count) const {
  launch(stream_, gelu_backward_, pack_blocks(count), {kThreads}, x, gradients, packs(count));
}

void NetworkKernels::relu(CUdeviceptr x, std::int64_t count) const {
  launch(stream_, relu_, pack_blocks(count), {kThreads}, x, packs(count));
}

void NetworkKernels::relu_backward(CUdeviceptr y, CUdeviceptr dy, CUdeviceptr dx,
                                   std::int64_t count) const {
  launch(stream_, relu_backward_, pack_blocks(count), {kThreads}, y, dy, dx, packs(count));
}

// The rates are small, so that the random numbers stay in range for many steps.
void NetworkKernels::adam(const OptimizedWeights& state, std::int64_t step) const {
  constexpr float kRate = 1e-7F;
  const auto correction = [step](double beta) {
    return static_cast<float>(1 / (1 - std::pow(beta, static_cast<double>(step))));
  };
  launch(stream_, adam_, pack_blocks(state.count), {kThreads}, state.parameters, state.momenta,
         state.variances, state.gradients, state.weights, packs(state.count), kRate,
         correction(0.9), correction(0.999));
}

void NetworkKernels::sgd(const OptimizedWeights& state) const {
  constexpr float kRate = 1e-7F;
  launch(stream_, sgd_, pack_blocks(state.count), {kThreads}, state.parameters, state.momenta,
         state.gradients, state.weights, packs(state.count), kRate);
}

void NetworkKernels::softmax(CUdeviceptr scores, float scale, std::int64_t rows,
                             int sequence) const {
  launch(stream_, softmax_, {static_cast<unsigned>(rows)}, row_threads(sequence), scores, scale,
         sequence);
}

void NetworkKernels::softmax_backward(CUdeviceptr probabilities, CUdeviceptr gradients, float scale,
                                      std::int64_t rows, int sequence) const {
  launch(stream_, softmax_backward_, {static_cast<unsigned>(rows)}, row_threads(sequence),
         probabilities, gradients, scale, sequence);
}

void NetworkKernels::split_heads(CUdeviceptr from, CUdeviceptr to, const HeadLayout& layout) const {
  rearrange_heads(from, to, layout, false);
}

void NetworkKernels::merge_heads(CUdeviceptr from, CUdeviceptr to, const HeadLayout& layout) const {
  rearrange_heads(from, to, layout, true);
}

void NetworkKernels::rearrange_heads(CUdeviceptr from, CUdeviceptr to, const HeadLayout& layout,
                                     bool merge) const {
  const auto tokens = static_cast<unsigned>(layout.batch * layout.sequence);
  launch(stream_, rearrange_heads_, {tokens}, {kThreads}, from, to, layout.sequence, layout.parts,
         layout.heads, layout.head_size, merge ? 1 : 0);
}

void NetworkKernels::layer_norm(CUdeviceptr x, const Norm& norm, CUdeviceptr y,
                                const Rows& size) const {
  launch(stream_, layer_norm_, {static_cast<unsigned>(size.rows)}, row_threads(size.columns), x,
         norm.gamma, norm.beta, y, norm.means, norm.scales, static_cast<int>(size.columns));
}

void NetworkKernels::layer_norm_backward(CUdeviceptr x, const Norm& norm, CUdeviceptr dy,
                                         CUdeviceptr past, CUdeviceptr dx, const Rows& size) const {
  const int columns = static_cast<int>(size.columns);
  launch(stream_, layer_norm_sums_, chunk_blocks(size), {kSumPacks, kSumRows}, x, norm.means,
         norm.scales, dy, size.rows, columns, chunks_.address());
  add_gradients(norm, size);
  launch(stream_, layer_norm_backward_, {static_cast<unsigned>(size.rows)},
         row_threads(size.columns), x, norm.gamma, norm.means, norm.scales, dy, past, dx, columns);
}

void NetworkKernels::batch_norm(CUdeviceptr x, const Norm& norm, CUdeviceptr y,
                                const Rows& size) const {
  const int columns = static_cast<int>(size.columns);
  const Extent blocks = chunk_blocks(size);
  launch(stream_, batch_norm_sums_, blocks, {kSumPacks, kSumRows}, x, size.rows, columns,
         chunks_.address());
  launch(stream_, batch_norm_statistics_, column_blocks(size), {kChunkLanes, kChunkLanes},
         chunks_.address(), static_cast<int>(blocks.y), size.rows, columns, norm.means,
         norm.scales);
  const std::int64_t count = size.rows * size.columns;
  launch(stream_, batch_norm_, pack_blocks(count), {kThreads}, x, norm.means, norm.scales,
         norm.gamma, norm.beta, y, packs(count), columns);
}

void NetworkKernels::batch_norm_backward(CUdeviceptr x, const Norm& norm, CUdeviceptr dy,
                                         CUdeviceptr dx, const Rows& size) const {
  const int columns = static_cast<int>(size.columns);
  launch(stream_, batch_norm_backward_sums_, chunk_blocks(size), {kSumPacks, kSumRows}, x,
         norm.means, norm.scales, dy, size.rows, columns, chunks_.address());
  add_gradients(norm, size);
  const std::int64_t count = size.rows * size.columns;
  launch(stream_, batch_norm_backward_, pack_blocks(count), {kThreads}, x, norm.means, norm.scales,
         norm.gamma, sums_.address(), dy, dx, size.rows, packs(count), columns);
}

void NetworkKernels::add_gradients(const Norm& norm, const Rows& size) const {
  launch(stream_, norm_gradients_, column_blocks(size), {kChunkLanes, kChunkLanes},
         chunks_.address(), static_cast<int>(chunk_blocks(size).y), static_cast<int>(size.columns),
         sums_.address(), norm.gamma_gradient, norm.beta_gradient);
}

}  // namespace vgsim::probe::cuda
