#include "tests/generated/dice.hpp"

#include "sim/random.hpp"

namespace vgsim::generated {

Dice::Dice(std::string_view what, std::uint64_t seed, std::uint64_t number)
    : stream_(seed_of(what, split_mix(seed) + number)) {}

std::uint64_t Dice::below(std::uint64_t count) {
  return count == 0 ? 0 : random_bits(stream_, index_++) % count;
}

std::int64_t Dice::between(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low + 1)));
}

bool Dice::chance(double share) { return uniform(stream_, index_++) < share; }

}  // namespace vgsim::generated
