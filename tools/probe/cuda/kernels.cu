// Kernels for all measurements, with grid-stride loops.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

namespace {

__device__ std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t grid_size() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

/// The mixing function of SplitMix64: 64 pseudo-random bits of each index.
__device__ std::uint64_t random_bits(std::uint64_t index) {
  std::uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15ULL;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

/// In [-1, 1], nearly normal: the sum of four uniform numbers of 16 bits.
__device__ float random_number(std::uint64_t index) {
  const std::uint64_t bits = random_bits(index);
  const std::uint32_t sum = static_cast<std::uint32_t>((bits & 0xffff) + ((bits >> 16) & 0xffff) +
                                                       ((bits >> 32) & 0xffff) + (bits >> 48));
  return static_cast<float>(sum) * (2.0f / (4 * 65535)) - 1.0f;
}

__device__ void store(float value, float* at) { *at = value; }
__device__ void store(float value, __half* at) { *at = __float2half(value); }
__device__ void store(float value, __nv_bfloat16* at) { *at = __float2bfloat16(value); }
__device__ void store(float value, __nv_fp8_e4m3* at) { *at = __nv_fp8_e4m3(value); }

template <class Number>
__device__ void fill(Number* numbers, std::int64_t count, float scale, float offset) {
  for (std::int64_t i = first_index(); i < count; i += grid_size()) {
    store(offset + scale * random_number(static_cast<std::uint64_t>(i)), numbers + i);
  }
}

}  // namespace

extern "C" {

__global__ void nothing() {}

/// Both arrays are aligned to 16 bytes.
__global__ void copy(const uint4* from, uint4* to, std::int64_t size) {
  constexpr int kUnrolled = 4;
  const std::int64_t count = size / static_cast<std::int64_t>(sizeof(uint4));
  const std::int64_t step = grid_size();
  std::int64_t i = first_index();
  for (; i + (kUnrolled - 1) * step < count; i += kUnrolled * step) {
    uint4 values[kUnrolled];
#pragma unroll
    for (int k = 0; k < kUnrolled; ++k) values[k] = from[i + k * step];
#pragma unroll
    for (int k = 0; k < kUnrolled; ++k) to[i + k * step] = values[k];
  }
  for (; i < count; i += step) to[i] = from[i];
  const std::int64_t rest = count * static_cast<std::int64_t>(sizeof(uint4)) + first_index();
  if (rest < size) {
    reinterpret_cast<char*>(to)[rest] = reinterpret_cast<const char*>(from)[rest];
  }
}

__global__ void fill_fp32(float* numbers, std::int64_t count, float scale, float offset) {
  fill(numbers, count, scale, offset);
}

__global__ void fill_fp16(__half* numbers, std::int64_t count, float scale, float offset) {
  fill(numbers, count, scale, offset);
}

__global__ void fill_bf16(__nv_bfloat16* numbers, std::int64_t count, float scale, float offset) {
  fill(numbers, count, scale, offset);
}

__global__ void fill_fp8(__nv_fp8_e4m3* numbers, std::int64_t count, float scale, float offset) {
  fill(numbers, count, scale, offset);
}

}  // extern "C"
