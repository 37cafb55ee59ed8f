#pragma once

#include <cstdint>
#include <string_view>

namespace vgsim {

// Stateless (counter-based) random draws: each is a function of a stream and of its index in that
// stream. The order and number of draws, the compiler, its options and the C++ library do not
// affect any of them.

/// The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014): a bijection in which each input bit changes half of the output bits.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The stream of the entity with this name under the user's seed: FNV-1a of the name's bytes, mixed
/// with the seed. Adding or removing other entities does not change it.
[[nodiscard]] std::uint64_t seed_of(std::string_view entity, std::uint64_t seed);

/// 64 random bits: draw number `index` of SplitMix64 started at a hash of `stream`. Any stream
/// numbers are allowed, consecutive ones too.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t stream, std::uint64_t index);

/// Uniform between 0 and 1, both excluded: an odd multiple of 2^-53.
[[nodiscard]] double uniform(std::uint64_t stream, std::uint64_t index);

/// Standard normal: normal_quantile of `uniform`, so between -8.3 and 8.3.
[[nodiscard]] double standard_normal(std::uint64_t stream, std::uint64_t index);

/// A positive factor of mean 1 whose logarithm is normal with standard deviation `sigma`:
/// exp(sigma z - sigma^2 / 2). Exactly 1 when sigma is 0. Throws std::invalid_argument when sigma
/// is negative or not finite.
[[nodiscard]] double log_normal_factor(std::uint64_t stream, std::uint64_t index, double sigma);

}  // namespace vgsim
