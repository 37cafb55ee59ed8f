// Elementwise operations: additions, activation functions and optimizers.

#pragma once

#include "element.cuh"

/// Density and cumulative distribution function of the normal distribution.
__device__ inline float normal_density(float x) { return 0.3989422804f * expf(-0.5f * x * x); }
__device__ inline float normal_distribution(float x) {
  return 0.5f * (1 + erff(0.7071067812f * x));
}

/// The weights for the network, if they are not the fp32 weights themselves.
__device__ inline void store_weights(float*, std::int64_t, const Floats&) {}
template <class Other>
__device__ void store_weights(Other* weights, std::int64_t pack, const Floats& values) {
  store(weights, pack, values);
}

/// kPack numbers of fp32.
__device__ inline Floats load_floats(const float* numbers, std::int64_t pack) {
  return reinterpret_cast<const Floats*>(numbers)[pack];
}
__device__ inline void store_floats(float* numbers, std::int64_t pack, const Floats& values) {
  reinterpret_cast<Floats*>(numbers)[pack] = values;
}

extern "C" {

__global__ void add(const Element* a, const Element* b, Element* sum, std::int64_t packs) {
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    Floats values = load(a, pack);
    const Floats others = load(b, pack);
    for (int k = 0; k < kPack; ++k) values.at[k] += others.at[k];
    store(sum, pack, values);
  }
}

__global__ void gelu(const Element* x, Element* y, std::int64_t packs) {
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    Floats values = load(x, pack);
    for (int k = 0; k < kPack; ++k) values.at[k] *= normal_distribution(values.at[k]);
    store(y, pack, values);
  }
}

/// In place of the gradients.
__global__ void gelu_backward(const Element* x, Element* gradients, std::int64_t packs) {
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    const Floats values = load(x, pack);
    Floats changed = load(gradients, pack);
    for (int k = 0; k < kPack; ++k) {
      const float v = values.at[k];
      changed.at[k] *= normal_distribution(v) + v * normal_density(v);
    }
    store(gradients, pack, changed);
  }
}

/// In place.
__global__ void relu(Element* x, std::int64_t packs) {
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    Floats values = load(x, pack);
    for (int k = 0; k < kPack; ++k) values.at[k] = fmaxf(values.at[k], 0.0f);
    store(x, pack, values);
  }
}

/// `y` is the output of the ReLU.
__global__ void relu_backward(const Element* y, const Element* dy, Element* dx,
                              std::int64_t packs) {
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    const Floats values = load(y, pack);
    Floats gradients = load(dy, pack);
    for (int k = 0; k < kPack; ++k) {
      if (values.at[k] <= 0) gradients.at[k] = 0;
    }
    store(dx, pack, gradients);
  }
}

/// `corrections` of the two moments: 1 / (1 - beta^step).
__global__ void adam(float* parameters, float* first, float* second, const Element* gradients,
                     Element* weights, std::int64_t packs, float rate, float first_correction,
                     float second_correction) {
  constexpr float kBeta1 = 0.9f;
  constexpr float kBeta2 = 0.999f;
  constexpr float kEpsilon = 1e-8f;
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    const Floats gradient = load(gradients, pack);
    Floats parameter = load_floats(parameters, pack);
    Floats m = load_floats(first, pack);
    Floats v = load_floats(second, pack);
    for (int k = 0; k < kPack; ++k) {
      const float g = gradient.at[k];
      m.at[k] = kBeta1 * m.at[k] + (1 - kBeta1) * g;
      v.at[k] = kBeta2 * v.at[k] + (1 - kBeta2) * g * g;
      parameter.at[k] -=
          rate * m.at[k] * first_correction / (sqrtf(v.at[k] * second_correction) + kEpsilon);
    }
    store_floats(parameters, pack, parameter);
    store_floats(first, pack, m);
    store_floats(second, pack, v);
    store_weights(weights, pack, parameter);
  }
}

/// Stochastic gradient descent with momentum.
__global__ void sgd(float* parameters, float* momenta, const Element* gradients, Element* weights,
                    std::int64_t packs, float rate) {
  constexpr float kMomentum = 0.9f;
  for (std::int64_t pack = first_pack(); pack < packs; pack += pack_step()) {
    const Floats gradient = load(gradients, pack);
    Floats parameter = load_floats(parameters, pack);
    Floats momentum = load_floats(momenta, pack);
    for (int k = 0; k < kPack; ++k) {
      momentum.at[k] = kMomentum * momentum.at[k] + gradient.at[k];
      parameter.at[k] -= rate * momentum.at[k];
    }
    store_floats(parameters, pack, parameter);
    store_floats(momenta, pack, momentum);
    store_weights(weights, pack, parameter);
  }
}

}  // extern "C"
