// Sums and maxima over the threads of a block, whose size is a multiple of 32 and at most 1024.

#pragma once

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

struct Maximum {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// Every thread gets the result.
template <class Operation>
__device__ float reduce_block(float value, Operation operation) {
  __shared__ float of_warps[32];
  for (int lane = 16; lane > 0; lane /= 2) {
    value = operation(value, __shfl_xor_sync(0xffffffffU, value, lane));
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
  __syncthreads();  // the array may still be in use by the previous reduction
  if (threadIdx.x % 32 == 0) of_warps[warp] = value;
  __syncthreads();
  value = of_warps[0];
  for (int i = 1; i < static_cast<int>(blockDim.x) / 32; ++i) value = operation(value, of_warps[i]);
  return value;
}
