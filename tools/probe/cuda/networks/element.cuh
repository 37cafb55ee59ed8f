// The elements of a network's tensors (VGSIM_ELEMENT, from the compiler's command line), and
// packs of 16 bytes of them, loaded and stored by one thread at once.

#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

using Element = VGSIM_ELEMENT;

constexpr int kPack = 16 / static_cast<int>(sizeof(Element));

struct alignas(16) Pack {
  Element at[kPack];
};

struct alignas(16) Floats {
  float at[kPack];
};

__device__ inline float as_float(float value) { return value; }
__device__ inline float as_float(__half value) { return __half2float(value); }
__device__ inline float as_float(__nv_bfloat16 value) { return __bfloat162float(value); }

__device__ inline void assign(float& to, float value) { to = value; }
__device__ inline void assign(__half& to, float value) { to = __float2half(value); }
__device__ inline void assign(__nv_bfloat16& to, float value) { to = __float2bfloat16(value); }

__device__ inline Floats load(const Element* tensor, std::int64_t pack) {
  const uint4 bits = reinterpret_cast<const uint4*>(tensor)[pack];
  const Pack& elements = reinterpret_cast<const Pack&>(bits);
  Floats values;
#pragma unroll
  for (int k = 0; k < kPack; ++k) values.at[k] = as_float(elements.at[k]);
  return values;
}

__device__ inline void store(Element* tensor, std::int64_t pack, const Floats& values) {
  uint4 bits;
  Pack& elements = reinterpret_cast<Pack&>(bits);
#pragma unroll
  for (int k = 0; k < kPack; ++k) assign(elements.at[k], values.at[k]);
  reinterpret_cast<uint4*>(tensor)[pack] = bits;
}

__device__ inline std::int64_t first_pack() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline std::int64_t pack_step() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}
