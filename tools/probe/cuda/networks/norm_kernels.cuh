// Layer norm: a block per row. Batch norm: the columns are the channels; the columns of a row
// divide the packs of a block, so that a thread always has the same columns.

#pragma once

#include "column_sums.cuh"
#include "element.cuh"
#include "reductions.cuh"

constexpr float kNormEpsilon = 1e-5f;

extern "C" {

__global__ void layer_norm(const Element* x, const Element* gamma, const Element* beta, Element* y,
                           float* means, float* scales, int columns) {
  const int packs = columns / kPack;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * packs;
  float sum = 0;
  float squares = 0;
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats values = load(x, row + pack);
    for (int k = 0; k < kPack; ++k) {
      sum += values.at[k];
      squares += values.at[k] * values.at[k];
    }
  }
  const float mean = reduce_block(sum, Sum{}) / columns;
  const float variance = fmaxf(reduce_block(squares, Sum{}) / columns - mean * mean, 0.0f);
  const float scale = rsqrtf(variance + kNormEpsilon);
  if (threadIdx.x == 0) {
    means[blockIdx.x] = mean;
    scales[blockIdx.x] = scale;
  }
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    Floats values = load(x, row + pack);
    const Floats g = load(gamma, pack);
    const Floats b = load(beta, pack);
    for (int k = 0; k < kPack; ++k) {
      values.at[k] = (values.at[k] - mean) * scale * g.at[k] + b.at[k];
    }
    store(y, row + pack, values);
  }
}

/// The gradient of the input, added to that of the skip connection: dx = past + ...
__global__ void layer_norm_backward(const Element* x, const Element* gamma, const float* means,
                                    const float* scales, const Element* dy, const Element* past,
                                    Element* dx, int columns) {
  const int packs = columns / kPack;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * packs;
  const float mean = means[blockIdx.x];
  const float scale = scales[blockIdx.x];
  float sum = 0;
  float sum_normed = 0;
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats values = load(x, row + pack);
    const Floats gradients = load(dy, row + pack);
    const Floats g = load(gamma, pack);
    for (int k = 0; k < kPack; ++k) {
      const float scaled = gradients.at[k] * g.at[k];
      sum += scaled;
      sum_normed += scaled * (values.at[k] - mean) * scale;
    }
  }
  const float mean_gradient = reduce_block(sum, Sum{}) / columns;
  const float mean_normed = reduce_block(sum_normed, Sum{}) / columns;
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats values = load(x, row + pack);
    const Floats gradients = load(dy, row + pack);
    const Floats g = load(gamma, pack);
    Floats result = load(past, row + pack);
    for (int k = 0; k < kPack; ++k) {
      const float normed = (values.at[k] - mean) * scale;
      result.at[k] += scale * (gradients.at[k] * g.at[k] - mean_gradient - normed * mean_normed);
    }
    store(dx, row + pack, result);
  }
}

/// Chunks of the gradients of gamma and beta.
__global__ void layer_norm_sums(const Element* x, const float* means, const float* scales,
                                const Element* dy, std::int64_t rows, int columns, float* partial) {
  partial_sums(rows, columns, partial,
               [=](std::int64_t row, std::int64_t pack, Floats& first, Floats& second) {
                 const Floats values = load(x, pack);
                 const Floats gradients = load(dy, pack);
                 const float mean = means[row];
                 const float scale = scales[row];
                 for (int k = 0; k < kPack; ++k) {
                   first.at[k] += gradients.at[k] * (values.at[k] - mean) * scale;
                   second.at[k] += gradients.at[k];
                 }
               });
}

/// Chunks of the sums of the values and of their squares.
__global__ void batch_norm_sums(const Element* x, std::int64_t rows, int columns, float* partial) {
  partial_sums(rows, columns, partial,
               [=](std::int64_t, std::int64_t pack, Floats& first, Floats& second) {
                 const Floats values = load(x, pack);
                 for (int k = 0; k < kPack; ++k) {
                   first.at[k] += values.at[k];
                   second.at[k] += values.at[k] * values.at[k];
                 }
               });
}

__global__ void batch_norm_statistics(const float* partial, int chunks, std::int64_t rows,
                                      int columns, float* means, float* scales) {
  const int column = static_cast<int>(blockIdx.x) * kChunkLanes + static_cast<int>(threadIdx.x);
  const float2 sums = sum_of_chunks(partial, chunks, columns, column);
  if (threadIdx.y != 0) return;
  const float mean = sums.x / static_cast<float>(rows);
  const float variance = fmaxf(sums.y / static_cast<float>(rows) - mean * mean, 0.0f);
  means[column] = mean;
  scales[column] = rsqrtf(variance + kNormEpsilon);
}

__global__ void batch_norm(const Element* x, const float* means, const float* scales,
                           const Element* gamma, const Element* beta, Element* y,
                           std::int64_t packs, int columns) {
  const int column_pack = static_cast<int>(threadIdx.x) % (columns / kPack);
  Floats factor = load(gamma, column_pack);
  Floats shift = load(beta, column_pack);
  for (int k = 0; k < kPack; ++k) {
    factor.at[k] *= scales[column_pack * kPack + k];
    shift.at[k] -= means[column_pack * kPack + k] * factor.at[k];
  }
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    Floats values = load(x, pack);
    for (int k = 0; k < kPack; ++k) values.at[k] = values.at[k] * factor.at[k] + shift.at[k];
    store(y, pack, values);
  }
}

/// Chunks of the gradients of gamma and beta.
__global__ void batch_norm_backward_sums(const Element* x, const float* means, const float* scales,
                                         const Element* dy, std::int64_t rows, int columns,
                                         float* partial) {
  const int column_pack = static_cast<int>(blockIdx.x) * kSumPacks + static_cast<int>(threadIdx.x);
  Floats mean;
  Floats scale;
  for (int k = 0; k < kPack; ++k) {
    mean.at[k] = means[column_pack * kPack + k];
    scale.at[k] = scales[column_pack * kPack + k];
  }
  partial_sums(rows, columns, partial,
               [=](std::int64_t, std::int64_t pack, Floats& first, Floats& second) {
                 const Floats values = load(x, pack);
                 const Floats gradients = load(dy, pack);
                 for (int k = 0; k < kPack; ++k) {
                   first.at[k] += gradients.at[k] * (values.at[k] - mean.at[k]) * scale.at[k];
                   second.at[k] += gradients.at[k];
                 }
               });
}

/// `sums` holds the gradients of gamma, then those of beta.
__global__ void batch_norm_backward(const Element* x, const float* means, const float* scales,
                                    const Element* gamma, const float* sums, const Element* dy,
                                    Element* dx, std::int64_t rows, std::int64_t packs,
                                    int columns) {
  const int column_pack = static_cast<int>(threadIdx.x) % (columns / kPack);
  const Floats g = load(gamma, column_pack);
  Floats mean;
  Floats scale;
  Floats mean_normed;
  Floats mean_gradient;
  for (int k = 0; k < kPack; ++k) {
    const int column = column_pack * kPack + k;
    mean.at[k] = means[column];
    scale.at[k] = scales[column];
    mean_normed.at[k] = sums[column] / static_cast<float>(rows);
    mean_gradient.at[k] = sums[columns + column] / static_cast<float>(rows);
  }
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    const Floats values = load(x, pack);
    Floats gradients = load(dy, pack);
    for (int k = 0; k < kPack; ++k) {
      const float normed = (values.at[k] - mean.at[k]) * scale.at[k];
      gradients.at[k] = g.at[k] * scale.at[k] *
                        (gradients.at[k] - mean_gradient.at[k] - normed * mean_normed.at[k]);
    }
    store(dx, pack, gradients);
  }
}

/// Adds the chunks of the gradients of gamma and beta: into `sums`, and as elements.
__global__ void norm_gradients(const float* partial, int chunks, int columns, float* sums,
                               Element* gamma, Element* beta) {
  const int column = static_cast<int>(blockIdx.x) * kChunkLanes + static_cast<int>(threadIdx.x);
  const float2 both = sum_of_chunks(partial, chunks, columns, column);
  if (threadIdx.y != 0) return;
  sums[column] = both.x;
  sums[columns + column] = both.y;
  assign(gamma[column], both.x);
  assign(beta[column], both.y);
}

}  // extern "C"
