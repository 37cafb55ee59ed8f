// Softmax over causal scores, a block per row, and reordering of heads, a block per token.

#pragma once

#include "element.cuh"
#include "reductions.cuh"

extern "C" {

/// In place. Row i of a matrix of sequence x sequence scores has i + 1 of them; the others
/// become 0.
__global__ void softmax(Element* scores, float scale, int sequence) {
  const int packs = sequence / kPack;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * packs;
  const int last = static_cast<int>(blockIdx.x) % sequence;
  float highest = -INFINITY;
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats values = load(scores, row + pack);
    for (int k = 0; k < kPack; ++k) {
      if (pack * kPack + k <= last) highest = fmaxf(highest, values.at[k]);
    }
  }
  highest = reduce_block(highest, Maximum{});
  float sum = 0;
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats values = load(scores, row + pack);
    for (int k = 0; k < kPack; ++k) {
      if (pack * kPack + k <= last) sum += expf(scale * (values.at[k] - highest));
    }
  }
  const float factor = 1 / reduce_block(sum, Sum{});
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    Floats values = load(scores, row + pack);
    for (int k = 0; k < kPack; ++k) {
      const bool seen = pack * kPack + k <= last;
      values.at[k] = seen ? factor * expf(scale * (values.at[k] - highest)) : 0.0f;
    }
    store(scores, row + pack, values);
  }
}

/// In place of the gradients. Masked probabilities are 0, so their gradients become 0.
__global__ void softmax_backward(const Element* probabilities, Element* gradients, float scale,
                                 int sequence) {
  const int packs = sequence / kPack;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * packs;
  float sum = 0;
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats p = load(probabilities, row + pack);
    const Floats values = load(gradients, row + pack);
    for (int k = 0; k < kPack; ++k) sum += p.at[k] * values.at[k];
  }
  sum = reduce_block(sum, Sum{});
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Floats p = load(probabilities, row + pack);
    Floats values = load(gradients, row + pack);
    for (int k = 0; k < kPack; ++k) values.at[k] = scale * p.at[k] * (values.at[k] - sum);
    store(gradients, row + pack, values);
  }
}

/// From [batch, sequence, parts, heads, head size] to [parts, batch, heads, sequence, head
/// size], or back if `merge` is not 0. One block per token.
__global__ void rearrange_heads(const uint4* from, uint4* to, int sequence, int parts, int heads,
                                int head_size, int merge) {
  const int packs = head_size / kPack;
  const std::int64_t batches = gridDim.x / sequence;
  const std::int64_t batch = blockIdx.x / sequence;
  const std::int64_t position = blockIdx.x % sequence;
  const int width = parts * heads * packs;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const int within = i % packs;
    const int head = i / packs % heads;
    const int part = i / (packs * heads);
    const std::int64_t by_token = static_cast<std::int64_t>(blockIdx.x) * width + i;
    const std::int64_t by_head =
        (((part * batches + batch) * heads + head) * sequence + position) * packs + within;
    if (merge != 0) {
      to[by_token] = from[by_head];
    } else {
      to[by_head] = from[by_token];
    }
  }
}

}  // extern "C"
