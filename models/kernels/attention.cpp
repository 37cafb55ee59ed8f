#include "models/kernels/attention.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace vgsim::kernels {
namespace {

constexpr double kUsualHead = 128;
/// Rows of a tile that are computed for a shorter sequence come in such steps.
constexpr double kRowStep = 64;
constexpr double kBytes = 2;  ///< of an element

/// Returns "hopper_attention_start" if that parameter exists, else "attention_start".
std::string own_name(const KernelGpu& gpu, const char* name) {
  const std::string own = fmt::format("{}_{}", gpu.architecture, name);
  return calibration::declared_parameters().count(own) > 0 ? own : name;
}

}  // namespace

AttentionConstants attention_constants(const KernelGpu& gpu,
                                       const calibration::Parameters& parameters) {
  AttentionConstants c;
  c.start = to_seconds(parameters.time(own_name(gpu, "attention_start")));
  c.share = parameters.number(own_name(gpu, "attention_share"));
  c.tile = to_seconds(parameters.time("attention_tile"));
  c.tail = parameters.number("attention_tail");
  c.exponentials = parameters.number("attention_exponentials");
  // Blackwell works on two tiles of 128 queries in turn while their results fit its tensor memory.
  const bool two_tiles = gpu.architecture == "blackwell";
  c.rows_of_large_heads = gpu.overlaps ? 128 : 64;
  c.rows = two_tiles ? 256 : c.rows_of_large_heads;
  c.packed_tokens = gpu.architecture == "hopper" ? 127 : 1;
  c.stores_keys = !two_tiles;
  c.memory = product_constants(parameters);
  return c;
}

double operations_of(const Attention& a) {
  return 2 * a.sequences * a.heads * a.tokens * a.tokens * a.head_size;
}

/// A tile of queries visits all keys up to its own, in blocks with as many keys as queries. The
/// time of a block has a part for products, which grows with the head size, and one for
/// exponentials. Tiles differ in length, so multiprocessors idle until the last ones end. Memory
/// traffic is not overlapped.
double seconds_of(const Attention& a, const KernelGpu& gpu, const AttentionConstants& c) {
  const double side = a.head_size > kUsualHead ? c.rows_of_large_heads : c.rows;
  const double queries_of_key = a.tokens <= c.packed_tokens ? a.heads / a.kv_heads : 1;
  const double rows = std::min(side, std::ceil(a.tokens / kRowStep) * kRowStep);
  const double of_usual_head =
      4 * rows * side * kUsualHead / (gpu.peak / gpu.multiprocessors * c.share);
  const double block =
      of_usual_head * (c.exponentials + (1 - c.exponentials) * a.head_size / kUsualHead);
  const double tiles = std::ceil(a.tokens * queries_of_key / side);
  const double tile = c.tile / gpu.clock;
  const double visited = queries_of_key > 1 ? 1 : tiles;
  const double longest = visited * block + tile;
  const double all =
      a.sequences * a.heads / queries_of_key * tiles * ((visited + 1) / 2 * block + tile);
  const double computing = std::max(longest, all / gpu.multiprocessors + c.tail * longest);
  const double elements = a.sequences * a.tokens * a.head_size;
  const double keys = elements * 2 * a.kv_heads * kBytes;
  const double all_bytes = elements * 2 * a.heads * kBytes + keys;
  const double moved = all_bytes + (c.stores_keys ? 2 * keys : 0);
  return c.start + seconds_to_move(moved, all_bytes, gpu, c.memory) + computing;
}

}  // namespace vgsim::kernels
