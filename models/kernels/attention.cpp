#include "models/kernels/attention.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace vgsim::kernels {
namespace {

/// Side of a block of queries and keys; half for short sequences.
constexpr double kBlock = 128;
constexpr double kShort = 64;

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
  c.tile = to_seconds(
      parameters.time(gpu.overlaps ? "overlapped_attention_tile" : "in_turn_attention_tile"));
  c.tail = parameters.number("attention_tail");
  c.diagonal = parameters.number("attention_diagonal");
  c.load_rate = static_cast<double>(parameters.rate("attention_load_rate").count());
  c.keys_rate = static_cast<double>(parameters.rate("attention_keys_rate").count());
  return c;
}

double operations_of(const Attention& a) {
  return 2 * a.sequences * a.heads * a.tokens * a.tokens * a.head_size;
}

/// A tile of queries visits all keys before it block by block, and the block on the diagonal. Tiles
/// differ in length, so multiprocessors idle until the last ones end. Memory traffic is not
/// overlapped.
double seconds_of(const Attention& a, const KernelGpu& gpu, const AttentionConstants& c) {
  const double side = a.tokens <= kShort ? kShort : kBlock;
  const double block = a.tokens <= kShort ? 0.0
                                          : 4 * side * side * a.head_size /
                                                (gpu.peak / gpu.multiprocessors * c.share);
  const double rows = std::ceil(a.tokens / side);
  const double all = a.sequences * a.heads * (rows * (rows - 1) / 2 + rows * c.diagonal) * block +
                     a.sequences * a.heads * rows * c.tile;
  const double longest = (rows - 1 + c.diagonal) * block + c.tile;
  const double computing = std::max(longest, all / gpu.multiprocessors + c.tail * longest);
  const double elements = a.sequences * a.tokens * a.head_size;
  const double moving =
      elements * (2 * a.heads + 2 * a.kv_heads) * 2 / (c.load_rate * gpu.multiprocessors);
  const double laying_out = elements * a.kv_heads * 4 / c.keys_rate;
  return c.start + laying_out + moving + computing;
}

}  // namespace vgsim::kernels
