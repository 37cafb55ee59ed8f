#include "models/kernels/matrix_product.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vgsim::kernels {
namespace {

struct Tile {
  double m = 0;
  double n = 0;

  [[nodiscard]] double area() const { return m * n; }
};

/// Tile sizes that libraries provide for all types, small to large. Source: CUTLASS, default tile
/// sizes.
constexpr std::array<Tile, 11> kTiles = {{{64, 32},
                                          {32, 64},
                                          {128, 32},
                                          {64, 64},
                                          {128, 64},
                                          {64, 128},
                                          {256, 64},
                                          {64, 256},
                                          {128, 128},
                                          {128, 256},
                                          {256, 128}}};
constexpr double kUsualArea = 128 * 128;
constexpr double kLargestArea = 128 * 256;

/// Numbers of parts that k can be split into, each of at least kLeastPart elements.
constexpr std::array<double, 8> kSplits = {1, 2, 3, 4, 6, 8, 12, 16};
constexpr double kLeastPart = 256;
/// Parts for each multiprocessor at most.
constexpr double kPartsAtOnce = 2;
/// Elements of k that a tile processes in one step.
constexpr double kStep = 64;

/// Layers with as large weights that run between two uses of one layer's: the tables measured six
/// in turn, and weights of training also come from memory.
constexpr double kOtherLayers = 5;

/// Near the crossover of two limits a kernel is slower than either of them.
double softened(double a, double b) {
  const double squared = a * a * a * a + b * b * b * b;
  return std::sqrt(std::sqrt(squared));
}

double seconds_from(const calibration::Parameters& parameters, const std::string& name) {
  return to_seconds(parameters.time(name));
}

TileOrder tile_order(const calibration::Parameters& parameters, const char* kind) {
  TileOrder order;
  order.start = seconds_from(parameters, fmt::format("{}_product_start", kind));
  order.tile_end = seconds_from(parameters, fmt::format("{}_tile_end", kind));
  return order;
}

/// One kernel for a product on a GPU, for tile sizes to be tried.
class Kernel {
 public:
  Kernel(const MatrixProduct& p, const KernelGpu& gpu, const ProductConstants& c)
      : p_(p), gpu_(gpu), c_(c), order_(gpu.overlaps ? c.overlapped : c.in_turn) {
    results_ = p.groups * p.m * p.n * p.result_bytes;
    operands_ = p.groups * (p.m * p.k + p.n * p.k) * p.operand_bytes;
    footprint_ = operands_ + results_ + kOtherLayers * p.groups * p.n * p.k * p.operand_bytes;
    sustained_ = p.groups * 2 * p.m * p.n * p.k / (gpu.peak * gpu.sustained_share);
  }

  [[nodiscard]] double with(const Tile& tile, double splits) const {
    const double depth = std::ceil(p_.k / splits / kStep) * kStep;
    const double computing =
        2 * tile.area() * depth / (gpu_.peak / gpu_.multiprocessors * c_.math_share);
    const double loading =
        (tile.m + tile.n) * depth * p_.operand_bytes / (c_.load_rate * gpu_.clock);
    const double one = softened(computing, loading) +
                       order_.tile_end / gpu_.clock * std::sqrt(tile.area() / kLargestArea);
    const double each = tiles(tile) * splits / gpu_.multiprocessors;
    const double rounds =
        std::max(1.0, order_.whole_rounds * std::ceil(each) + (1 - order_.whole_rounds) * each);
    const double busy = softened(rounds * one, moving(tile));
    double seconds = order_.start / gpu_.clock + std::max(sustained_, busy);
    if (splits > 1) {
      // Partial sums in 32 bits are written and read again.
      seconds +=
          c_.split_time / gpu_.clock + splits * p_.groups * p_.m * p_.n * 8 /
                                           (c_.cache_rate * gpu_.multiprocessors * gpu_.clock);
    }
    return seconds;
  }

  /// No tile has elements of two groups.
  [[nodiscard]] double tiles(const Tile& tile) const {
    return p_.groups * std::ceil(p_.m / tile.m) * std::ceil(p_.n / tile.n);
  }

 private:
  /// Time of memory traffic. Multiprocessors that work concurrently load the rows and columns of a
  /// square of tiles once.
  [[nodiscard]] double moving(const Tile& tile) const {
    const double side = std::sqrt(gpu_.multiprocessors * tile.area());
    const double again = p_.groups * p_.m * p_.n * p_.k * p_.operand_bytes * 2 / side * c_.reread;
    return seconds_to_move(std::max(operands_, again) + results_, footprint_, gpu_, c_);
  }

  const MatrixProduct& p_;
  const KernelGpu& gpu_;
  const ProductConstants& c_;
  const TileOrder& order_;
  double results_ = 0;
  double operands_ = 0;
  double footprint_ = 0;
  double sustained_ = 0;
};

}  // namespace

ProductConstants product_constants(const calibration::Parameters& parameters) {
  ProductConstants c;
  c.math_share = parameters.number("product_math_share");
  c.load_rate = static_cast<double>(parameters.rate("product_load_rate").count());
  c.cache_rate = static_cast<double>(parameters.rate("product_cache_rate").count());
  c.memory_share = parameters.number("product_memory_share");
  c.cache_reach = parameters.number("product_cache_reach");
  c.reread = parameters.number("product_reread");
  c.split_time = seconds_from(parameters, "product_split_time");
  c.usual_weight = parameters.number("product_usual_weight");
  c.in_turn = tile_order(parameters, "in_turn");
  c.in_turn.whole_rounds = 1;
  c.overlapped = tile_order(parameters, "overlapped");
  c.overlapped.whole_rounds = parameters.number("overlapped_whole_rounds");
  return c;
}

double seconds_to_move(double bytes, double footprint, const KernelGpu& gpu,
                       const ProductConstants& constants) {
  const double reach = constants.cache_reach * gpu.cache;
  const double hit = reach > footprint ? 1 - footprint / reach : 0;
  return bytes * (1 - hit) / (gpu.memory_rate * constants.memory_share) +
         bytes * hit / (constants.cache_rate * gpu.multiprocessors * gpu.clock);
}

double roof_of(const MatrixProduct& p, const KernelGpu& gpu) {
  const double bytes = (p.m * p.k + p.n * p.k) * p.operand_bytes + p.m * p.n * p.result_bytes;
  return p.groups * std::max(2 * p.m * p.n * p.k / gpu.peak, bytes / gpu.memory_rate);
}

/// Tries all tiles, and splits of k that leave at most two tiles for each multiprocessor. Libraries
/// choose by heuristics and not always the fastest kernel: the result is a weighted geometric mean
/// of the fastest choice and of the fastest large tile without a split.
double seconds_of(const MatrixProduct& product, const KernelGpu& gpu,
                  const ProductConstants& constants) {
  const Kernel kernel(product, gpu, constants);
  double best = std::numeric_limits<double>::infinity();
  double usual = best;
  for (const Tile& tile : kTiles) {
    for (const double splits : kSplits) {
      if (splits > 1 && (product.k / splits < kLeastPart ||
                         kernel.tiles(tile) * splits > kPartsAtOnce * gpu.multiprocessors)) {
        break;
      }
      const double seconds = kernel.with(tile, splits);
      best = std::min(best, seconds);
      if (splits == 1 && tile.area() >= kUsualArea && std::min(tile.m, tile.n) >= 128) {
        usual = std::min(usual, seconds);
      }
    }
  }
  return best * std::pow(usual / best, constants.usual_weight);
}

}  // namespace vgsim::kernels
