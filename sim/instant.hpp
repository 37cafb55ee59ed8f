#pragma once

#include <cstdint>
#include <optional>

#include "sim/ratio.hpp"
#include "sim/units.hpp"
#include "sim/wide.hpp"

namespace vgsim {

/// Largest denominator of an exact fraction of a tick or of a unit of a remaining amount. Other
/// fractions are rounded to multiples of 1 / kFinest; FluidNetwork states the effect.
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

/// When a flow ends at its current rate: tick + part / whole, part < whole. Conversion to an
/// Instant is expensive and most of these are never needed.
struct Due {
  SimTime tick{};
  UnsignedWide part = 0;
  UnsignedWide whole = 1;

  [[nodiscard]] SimTime visible() const { return part == 0 ? tick : tick + SimTime{1}; }
  /// Exact if the denominator is at most kFinest, else rounded up to a multiple of 1 / kFinest.
  [[nodiscard]] Instant instant() const;
};

/// Exact.
[[nodiscard]] bool operator<(const Due& a, const Due& b);
[[nodiscard]] bool operator==(const Due& a, const Due& b);

/// The amount that a flow has left, in 10^-12 of its unit, so that a rate per second times
/// picoseconds is an integer if the rate is one: units / parts, parts <= kFinest.
struct Remaining {
  Wide units = 0;
  std::uint32_t parts = 1;

  /// Exact if the denominator is at most kFinest, else rounded up to a multiple of 1 / kFinest.
  /// Throws OverflowError when the amount exceeds 62 bits.
  [[nodiscard]] static Remaining of(const Ratio& amount);
  [[nodiscard]] Ratio amount() const;  ///< in the flow's unit
  bool operator==(const Remaining&) const = default;
};

/// When `left` has been carried at a positive rate per second from `from` on; nothing past 106
/// days.
[[nodiscard]] std::optional<Due> due(const Remaining& left, const Ratio& rate, const Instant& from);

/// The part of `left` that remains at `to`; never negative. Exact if the denominator is at most
/// kFinest.
[[nodiscard]] Remaining remaining_after(const Remaining& left, const Ratio& rate,
                                        const Instant& from, const Instant& to);

}  // namespace vgsim
