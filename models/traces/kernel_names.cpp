#include "models/traces/kernel_names.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace vgsim::traces {
namespace {

bool mentions_any(const std::string& name, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != name.npos; });
}

}  // namespace

/// The letter before the shape of a tensor core's instruction is the type of the sums (h, s). The
/// shape determines the type of the operands: 884 and 16816 are half precision, 1688 is TF32, or
/// half precision on Turing, whose names then contain f16.
std::string product_precision(std::string_view kernel) {
  std::string name(kernel);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool product =
      mentions_any(name, {"gemm", "xmma", "wgmma", "conv", "cudnn", "winograd", "cutlass", "gemv",
                          "fmha", "flash_fwd", "flash_bwd", "nvjet"});
  const bool moves =
      mentions_any(name, {"fbgemm", "nchwtonhwc", "nhwctonchw", "bn_fw", "bn_bw", "convert",
                          "elementwise", "reduce_kernel", "pool", "softmax"});
  if (!product || moves) return {};
  if (mentions_any(name, {"e4m3", "e5m2", "fp8"})) return "fp8";
  if (mentions_any(name, {"tf32"})) return "tf32";
  if (mentions_any(name, {"f16", "fp16", "half", "h884", "h1688", "h16816", "s884", "s16816",
                          "hgemm", "hcudnn", "fmha", "flash_", "_hss", "_hsh", "_tst"})) {
    return "fp16";
  }
  if (mentions_any(name, {"s1688", "tensorop"})) return "tf32";
  return "fp32";
}

}  // namespace vgsim::traces
