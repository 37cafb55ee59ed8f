#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/kernel_gpu.hpp"

namespace vgsim::kernels {

/// C[m, n] = A[m, k] x B[k, n].
struct MatrixProduct {
  double m = 0;
  double n = 0;
  double k = 0;
  double operand_bytes = 2;  ///< of an element of A or B
  double result_bytes = 2;   ///< of an element of C
};

/// How kernels for one kind of architecture go from tile to tile. Times are in seconds.
struct TileOrder {
  double start = 0;         ///< of the kernel
  double tile_end = 0;      ///< what a multiprocessor loses with each of the largest tiles
  double whole_rounds = 0;  ///< 1: all wait for the last tile of a round; 0: nobody waits
};

/// The constants of the model, of all GPUs alike.
struct ProductConstants {
  double math_share = 0;    ///< of its peak, that a multiprocessor reaches inside of a tile
  double load_rate = 0;     ///< bytes a second into one multiprocessor
  double cache_rate = 0;    ///< bytes a second out of the cache, for each multiprocessor
  double memory_share = 0;  ///< of the rate of device memory
  double cache_reach = 0;   ///< caches' sizes that operands and result have where nothing is hit
  double reread = 0;        ///< of the bytes that rounds of tiles load, what memory sees
  double split_time = 0;    ///< seconds to add up what was split along k
  double usual_weight = 0;  ///< of large tiles that are not split, against the best ones
  TileOrder in_turn;
  TileOrder overlapped;
};

[[nodiscard]] ProductConstants product_constants(const calibration::Parameters& parameters);

/// Seconds of one kernel on a GPU that does nothing else, launched before it could start.
[[nodiscard]] double seconds_of(const MatrixProduct& product, const KernelGpu& gpu,
                                const ProductConstants& constants);

/// Of a kernel that moves so many bytes once, over a range of `footprint` bytes.
[[nodiscard]] double seconds_to_move(double bytes, double footprint, const KernelGpu& gpu,
                                     const ProductConstants& constants);

/// The least that the datasheet allows: by operations or by bytes, whichever takes longer.
[[nodiscard]] double roof_of(const MatrixProduct& product, const KernelGpu& gpu);

}  // namespace vgsim::kernels
