// Kernels of the training steps, for tensors of VGSIM_ELEMENT. Every tensor is aligned to 16
// bytes and has whole packs of elements.

#include "attention_kernels.cuh"
#include "elementwise_kernels.cuh"
#include "norm_kernels.cuh"
