#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/kernel_gpu.hpp"

namespace vgsim::kernels {

/// The product C[m, n] = A[m, k] x B[k, n]. m, n and k are counts of elements. A grouped product
/// computes several of them, with other A, B and C, in one kernel.
struct MatrixProduct {
  double m = 0;
  double n = 0;
  double k = 0;
  double operand_bytes = 2;  ///< bytes of an element of A or B
  double result_bytes = 2;   ///< bytes of an element of C
  double groups = 1;         ///< products of this shape
};

/// Overlap of successive tiles in kernels of an architecture. Times are in seconds. Source: as of
/// ProductConstants.
struct TileOrder {
  double start = 0;  ///< launch and start of the kernel
  /// Time that a multiprocessor loses at the end of each tile of the largest size.
  double tile_end = 0;
  double whole_rounds = 0;  ///< 1: all wait for the last tile of a round; 0: no waiting
};

/// Constants of the model, common to all GPUs. Times and rates of multiprocessors are those at a
/// clock of 1.8 GHz.
///
/// Source: the parameters product_* and *_tile_end in configs/parameters/kernels.json, fitted to
/// tests/kernel-tables/matrix_products.csv. Valid for bf16 and fp8 products on A100, H100, B200,
/// L40S and RTX PRO 6000 (median error 6 %, 90th percentile 26 %; below 1,024 rows 11 and 37 %);
/// extrapolated for other GPUs.
struct ProductConstants {
  double math_share = 0;    ///< rate of a multiprocessor inside a tile, as a share of its peak
  double load_rate = 0;     ///< into one multiprocessor, bytes/s
  double cache_rate = 0;    ///< out of the cache, bytes/s for each multiprocessor
  double memory_share = 0;  ///< share of the peak rate of device memory
  /// Size of operands and result, in cache sizes, above which no load hits the cache.
  double cache_reach = 0;
  /// Share of the bytes reloaded by later rounds of tiles that come from memory, 0 to 1.
  double reread = 0;
  double split_time = 0;    ///< time to sum the parts of a product split along k, s
  double usual_weight = 0;  ///< 0 to 1: weight of large unsplit tiles against the fastest choice
  TileOrder in_turn;
  TileOrder overlapped;
};

/// Reads the constants from the parameters.
[[nodiscard]] ProductConstants product_constants(const calibration::Parameters& parameters);

/// Predicted time in seconds of one kernel on an idle GPU. The launch is not included.
[[nodiscard]] double seconds_of(const MatrixProduct& product, const KernelGpu& gpu,
                                const ProductConstants& constants);

/// Seconds of a kernel that moves `bytes` bytes once, over a range of `footprint` bytes.
[[nodiscard]] double seconds_to_move(double bytes, double footprint, const KernelGpu& gpu,
                                     const ProductConstants& constants);

/// Lower bound of the time in seconds by the datasheet: operations or bytes, whichever takes
/// longer.
[[nodiscard]] double roof_of(const MatrixProduct& product, const KernelGpu& gpu);

}  // namespace vgsim::kernels
