#include "models/traces/kernel_names.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

namespace vgsim::traces {
namespace kernel_names_test {

TEST(KernelNames, TellThePrecisionOfProducts) {
  constexpr std::pair<std::string_view, std::string_view> kKernels[] = {
      {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_32x5_tn_align4>(Params)",
       "tf32"},
      {"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw", "tf32"},
      {"ampere_sgemm_32x128_tn", "fp32"},
      {"volta_sgemm_128x64_nn", "fp32"},
      {"void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(cudnn::Params)",
       "fp32"},
      {"volta_h884gemm_128x64_ldg8_nn", "fp16"},
      {"turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn", "fp16"},
      {"ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn", "fp16"},
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_tn", "fp16"},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1", "fp16"},
      {"sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x128x128_cublas", "fp8"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >", ""},
      {"void at::native::unrolled_elementwise_kernel<fbgemm_gpu::_float_to_hfp8_gpu>", ""},
      {"void fbgemm_gpu::permute_2D_data_kernel<false, int, c10::Half>(int, int, int const*)", ""},
      {"void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>(cudnn::Params)", ""},
      {"void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(cudnn::Params)", ""}};
  for (const auto& [kernel, precision] : kKernels) {
    EXPECT_EQ(product_precision(kernel), precision) << kernel;
  }
}

}  // namespace kernel_names_test
}  // namespace vgsim::traces
