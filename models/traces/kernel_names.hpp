#pragma once

#include <string>
#include <string_view>

namespace vgsim::traces {

/// The precision in the words of a job ("fp32", "tf32", "fp16", "fp8") of a matrix product or
/// convolution kernel of NVIDIA's libraries: "cutlass_80_tensorop_s1688gemm_128x128_32x5_tn" is
/// TF32, "volta_h884gemm_128x64_nn" FP16. bf16 counts as fp16. Empty for other kernels.
[[nodiscard]] std::string product_precision(std::string_view kernel);

}  // namespace vgsim::traces
