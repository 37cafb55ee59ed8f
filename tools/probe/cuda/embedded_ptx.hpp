#pragma once

namespace vgsim::probe::cuda {

// The kernels as zero-terminated PTX text. embed_ptx.cmake writes the definitions.

extern const unsigned char kKernelsPtx[];      ///< kernels.cu
extern const unsigned char kNetworkFp32Ptx[];  ///< network_kernels.cu for float
extern const unsigned char kNetworkFp16Ptx[];  ///< for __half
extern const unsigned char kNetworkBf16Ptx[];  ///< for __nv_bfloat16

}  // namespace vgsim::probe::cuda
