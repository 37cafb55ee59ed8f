#pragma once

#include <cstdint>
#include <string_view>

namespace vgsim {

// Random draws without a state: each is a function of a stream and of its place in that stream.
// Which draws a simulation asks for, in which order and how often, therefore changes none of them,
// and neither does the compiler, its options or the C++ library.

/// The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014): a bijection in which each input bit changes half of the output bits.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The stream of the entity with this name under the user's seed. It depends on nothing else, so
/// that an entity more or less shifts no one else's draws. FNV-1a of the name's bytes, mixed with
/// the seed.
[[nodiscard]] std::uint64_t seed_of(std::string_view entity, std::uint64_t seed);

/// 64 random bits: draw number `index` of SplitMix64 started at a hash of `stream`. Streams may be
/// any numbers, neighbours too.
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
