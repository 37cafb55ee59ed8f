#pragma once

#include <cstdint>
#include <optional>

#include "sim/ratio.hpp"
#include "sim/units.hpp"
#include "sim/wide.hpp"

namespace vgsim {

/// The finest part of a tick, and of a unit of what remains to be carried, that is kept where an
/// exact value would need a larger denominator. See FluidNetwork for what follows from it.
inline constexpr std::uint32_t kFinest = 1U << 24;

/// A time inside the fluid network: tick + part / parts, part < parts <= kFinest.
struct Instant {
  SimTime tick{};
  std::uint32_t part = 0;
  std::uint32_t parts = 1;

  bool operator==(const Instant&) const = default;
  friend bool operator<(const Instant& a, const Instant& b) {
    if (a.tick != b.tick) return a.tick < b.tick;
    return std::uint64_t{a.part} * b.parts < std::uint64_t{b.part} * a.parts;
  }
  /// The first whole tick that is not earlier.
  [[nodiscard]] SimTime visible() const { return part == 0 ? tick : tick + SimTime{1}; }
};

/// When a flow ends at its present rate: tick + part / whole, part < whole, not yet in the form of
/// an Instant, which costs more to find than most of these are ever worth.
struct Due {
  SimTime tick{};
  UnsignedWide part = 0;
  UnsignedWide whole = 1;

  [[nodiscard]] SimTime visible() const { return part == 0 ? tick : tick + SimTime{1}; }
  /// Exact where the denominator allows, else the next part of kFinest.
  [[nodiscard]] Instant instant() const;
};

/// Exact.
[[nodiscard]] bool operator<(const Due& a, const Due& b);
[[nodiscard]] bool operator==(const Due& a, const Due& b);

/// What a flow has left to carry, in 10^-12 of its unit, so that a rate per second times
/// picoseconds is a whole number where the rate is one: units / parts, parts <= kFinest.
struct Remaining {
  Wide units = 0;
  std::uint32_t parts = 1;

  /// Exact where the denominator allows, else rounded up to a part of kFinest. Throws
  /// OverflowError when the amount leaves 62 bits.
  [[nodiscard]] static Remaining of(const Ratio& amount);
  [[nodiscard]] Ratio amount() const;  ///< in the flow's unit
  bool operator==(const Remaining&) const = default;
};

/// When `left` is carried at a positive rate per second from `from` on; nothing past 106 days.
[[nodiscard]] std::optional<Due> due(const Remaining& left, const Ratio& rate, const Instant& from);

/// What remains of `left` at `to`; never negative. Exact where the denominator allows.
[[nodiscard]] Remaining remaining_after(const Remaining& left, const Ratio& rate,
                                        const Instant& from, const Instant& to);

}  // namespace vgsim
