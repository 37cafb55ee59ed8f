#include "sim/random.hpp"

#include <cmath>
#include <stdexcept>

#include "sim/portable_math.hpp"

namespace vgsim {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;  // SplitMix64's increment

}  // namespace

std::uint64_t seed_of(std::string_view entity, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a: offset basis and prime for 64 bits
  for (const char c : entity) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return split_mix(hash ^ split_mix(seed + kGolden));
}

std::uint64_t random_bits(std::uint64_t stream, std::uint64_t index) {
  // Without the hash, stream s + kGolden would equal stream s shifted by one draw.
  return split_mix(split_mix(stream ^ kGolden) + (index + 1) * kGolden);
}

double uniform(std::uint64_t stream, std::uint64_t index) {
  // 52 bits, so that the offset of one half that excludes 0 and 1 is exact.
  return (static_cast<double>(random_bits(stream, index) >> 12) + 0.5) * 0x1p-52;
}

double standard_normal(std::uint64_t stream, std::uint64_t index) {
  return normal_quantile(uniform(stream, index));
}

double log_normal_factor(std::uint64_t stream, std::uint64_t index, double sigma) {
  if (!(sigma >= 0) || !std::isfinite(sigma)) {
    throw std::invalid_argument("the spread of a log-normal factor must be finite, 0 or more");
  }
  if (sigma == 0) return 1;
  return portable_exp(sigma * standard_normal(stream, index) - sigma * sigma / 2);
}

}  // namespace vgsim
