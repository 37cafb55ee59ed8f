// Sums over the rows of a matrix, two for each column, in two steps: each block sums a chunk of
// rows, then the sums of the chunks are added.
//
// partial_sums: blocks of kSumPacks x kSumRows threads, a grid of (columns / (kSumPacks kPack),
// chunks) of them. `partial` holds two rows of `columns` numbers for each chunk.

#pragma once

#include "element.cuh"

constexpr int kSumPacks = 16;
constexpr int kSumRows = 16;
constexpr int kChunkLanes = 32;

/// `terms(row, pack, first, second)` returns the terms of a pack of a row for the two sums.
template <class Terms>
__device__ void partial_sums(std::int64_t rows, int columns, float* partial, Terms terms) {
  __shared__ float shared[2][kSumRows][kSumPacks * kPack];
  const int packs = columns / kPack;
  const int column_pack = static_cast<int>(blockIdx.x) * kSumPacks + static_cast<int>(threadIdx.x);
  Floats first{};
  Floats second{};
  const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * kSumRows;
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kSumRows + threadIdx.y;
       row < rows; row += step) {
    terms(row, row * packs + column_pack, first, second);
  }
#pragma unroll
  for (int k = 0; k < kPack; ++k) {
    shared[0][threadIdx.y][threadIdx.x * kPack + k] = first.at[k];
    shared[1][threadIdx.y][threadIdx.x * kPack + k] = second.at[k];
  }
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.y * kSumPacks + threadIdx.x);
  constexpr int kColumns = kSumPacks * kPack;
  for (int i = thread; i < 2 * kColumns; i += kSumPacks * kSumRows) {
    const int which = i / kColumns;
    float sum = 0;
    for (int row = 0; row < kSumRows; ++row) sum += shared[which][row][i % kColumns];
    const std::int64_t chunk = 2 * static_cast<std::int64_t>(blockIdx.y) + which;
    partial[chunk * columns + static_cast<int>(blockIdx.x) * kColumns + i % kColumns] = sum;
  }
}

/// The two sums of a column, for blocks of kChunkLanes x kChunkLanes threads with a column for
/// each threadIdx.x. The result is complete in threads with threadIdx.y == 0.
__device__ inline float2 sum_of_chunks(const float* partial, int chunks, int columns, int column) {
  __shared__ float2 shared[kChunkLanes][kChunkLanes];
  float2 sums = make_float2(0, 0);
  for (int chunk = static_cast<int>(threadIdx.y); chunk < chunks; chunk += kChunkLanes) {
    const float* at = partial + 2 * static_cast<std::int64_t>(chunk) * columns + column;
    sums.x += at[0];
    sums.y += at[columns];
  }
  shared[threadIdx.y][threadIdx.x] = sums;
  __syncthreads();
  for (int lane = 1; threadIdx.y == 0 && lane < kChunkLanes; ++lane) {
    sums.x += shared[lane][threadIdx.x].x;
    sums.y += shared[lane][threadIdx.x].y;
  }
  return sums;
}
