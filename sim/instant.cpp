#include "sim/instant.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/exact.hpp"

namespace vgsim {
namespace {

constexpr std::int64_t kLastTick = std::numeric_limits<std::int64_t>::max();

Exact exact_of(const Instant& instant) {
  return Exact(instant.tick.count()) + Exact(instant.part, instant.parts);
}

Exact exact_of(const Remaining& left) { return Exact(Integer(left.units), left.parts); }

/// value as units / parts, rounded down if its denominator exceeds kFinest.
Remaining with_allowed_denominator(const Exact& value) {
  const Integer below = boost::multiprecision::denominator(value);
  if (below <= kFinest) {
    return {static_cast<Wide>(boost::multiprecision::numerator(value)),
            static_cast<std::uint32_t>(below)};
  }
  return {static_cast<Wide>(floor_of(value * kFinest)), kFinest};
}

/// n / parts in multiples of 1 / kFinest, rounded down; n is not negative.
Wide in_finest(Wide n, std::uint64_t parts) {
  const Wide by = static_cast<Wide>(parts);
  if (kFinest % parts == 0) return n * static_cast<Wide>(kFinest / parts);
  return n / by * kFinest + n % by * kFinest / by;
}

/// Time from one instant to another: ticks / parts.
struct Span {
  Wide ticks = 0;
  std::uint64_t parts = 1;
};

Span span(const Instant& from, const Instant& to) {
  const Wide whole = static_cast<Wide>(to.tick.count()) - from.tick.count();
  const std::uint64_t parts =
      from.parts == to.parts ? from.parts : std::lcm<std::uint64_t>(from.parts, to.parts);
  const auto part_of = [&](const Instant& at) {
    return static_cast<Wide>(at.part) * static_cast<Wide>(parts / at.parts);
  };
  return {whole * static_cast<Wide>(parts) + part_of(to) - part_of(from), parts};
}

/// left - rate x span, exactly; nothing if it does not fit in machine words or the denominator
/// exceeds kFinest.
std::optional<Remaining> exactly_after(const Remaining& left, const Ratio& rate, const Span& span) {
  std::int64_t below = 0;
  Wide kept = 0;
  Wide carried = 0;
  if (__builtin_mul_overflow(rate.denominator(), static_cast<std::int64_t>(span.parts), &below) ||
      __builtin_mul_overflow(left.units, static_cast<Wide>(below), &kept) ||
      __builtin_mul_overflow(static_cast<Wide>(rate.numerator()), span.ticks, &carried) ||
      __builtin_mul_overflow(carried, static_cast<Wide>(left.parts), &carried) ||
      __builtin_mul_overflow(below, static_cast<std::int64_t>(left.parts), &below)) {
    return std::nullopt;
  }
  const Wide units = kept - carried;
  if (units <= 0) return Remaining{};
  if (below == 1) return Remaining{units, 1};
  const auto common = static_cast<std::int64_t>(
      greatest_common_divisor(static_cast<UnsignedWide>(units), static_cast<UnsignedWide>(below)));
  if (below / common > kFinest) return std::nullopt;
  return Remaining{units / common, static_cast<std::uint32_t>(below / common)};
}

/// The same in multiples of 1 / kFinest; nothing if it does not fit in machine words.
std::optional<Remaining> approximately_after(const Remaining& left, const Ratio& rate,
                                             const Span& span) {
  Wide carried = 0;
  if (__builtin_mul_overflow(static_cast<Wide>(rate.numerator()), in_finest(span.ticks, span.parts),
                             &carried)) {
    return std::nullopt;
  }
  const Wide units = in_finest(left.units, left.parts) - carried / rate.denominator();
  return Remaining{std::max<Wide>(units, 0), kFinest};
}

std::optional<Due> due_by_integers(const Remaining& left, const Ratio& rate, const Instant& from) {
  const Exact at = exact_of(left) / exact_of(rate) + exact_of(from);
  const Integer tick = floor_of(at);
  if (tick > kLastTick) return std::nullopt;
  const Exact rest = at - Exact(tick);
  Due result{SimTime{static_cast<std::int64_t>(tick)}, 0, 1};
  const Integer below = boost::multiprecision::denominator(rest);
  if (below <= kFinest) {
    result.part = static_cast<UnsignedWide>(boost::multiprecision::numerator(rest));
    result.whole = static_cast<UnsignedWide>(below);
    return result;
  }
  result.part = static_cast<UnsignedWide>(floor_of(rest * kFinest)) + 1;
  result.whole = kFinest;
  if (result.part < result.whole) return result;
  if (tick == kLastTick) return std::nullopt;
  return Due{result.tick + SimTime{1}, 0, 1};
}

}  // namespace

Instant Due::instant() const {
  if (part == 0) return {tick, 0, 1};
  const UnsignedWide common = greatest_common_divisor(part, whole);
  UnsignedWide above = part / common;
  UnsignedWide below = whole / common;
  if (below <= kFinest) {
    return {tick, static_cast<std::uint32_t>(above), static_cast<std::uint32_t>(below)};
  }
  while (below >> 100 != 0) {
    above >>= 8;
    below >>= 8;
  }
  const auto rounded_up = static_cast<std::uint32_t>(above * kFinest / below + 1);
  if (rounded_up >= kFinest) return {tick + SimTime{1}, 0, 1};
  return {tick, rounded_up, kFinest};
}

bool operator==(const Due& a, const Due& b) {
  if (a.tick != b.tick) return false;
  if (a.part == b.part && a.whole == b.whole) return true;
  return !(a < b) && !(b < a);
}

bool operator<(const Due& a, const Due& b) {
  if (a.tick != b.tick) return a.tick < b.tick;
  const double x = static_cast<double>(a.part) / static_cast<double>(a.whole);
  const double y = static_cast<double>(b.part) / static_cast<double>(b.whole);
  constexpr double kClear = 1e-14;
  if (x < y - kClear) return true;
  if (y < x - kClear) return false;
  return Integer(a.part) * Integer(b.whole) < Integer(b.part) * Integer(a.whole);
}

Remaining Remaining::of(const Ratio& amount) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 62;
  if (amount > kLargest) throw OverflowError("an amount exceeds 62 bits");
  if (amount.is_small()) {
    const Wide units = static_cast<Wide>(amount.numerator()) * kPicosecondsPerSecond;
    const Wide common = std::gcd(amount.denominator(), kPicosecondsPerSecond);
    const Wide parts = amount.denominator() / common;
    if (parts <= kFinest) return {units / common, static_cast<std::uint32_t>(parts)};
    const Wide whole = units / amount.denominator();
    const Wide rest = units % amount.denominator() * kFinest;
    const Wide up = rest % amount.denominator() > 0 ? 1 : 0;
    return {whole * kFinest + rest / amount.denominator() + up, kFinest};
  }
  const Exact value = exact_of(amount) * kPicosecondsPerSecond;
  Remaining left = with_allowed_denominator(value);
  if (exact_of(left) != value) ++left.units;
  return left;
}

Ratio Remaining::amount() const { return ratio_of(exact_of(*this) / kPicosecondsPerSecond); }

/// ticks = left / rate is estimated in floating point and corrected by the exact remainder. The
/// remainder is small, so it is correct in machine words although the products overflow.
std::optional<Due> due(const Remaining& left, const Ratio& rate, const Instant& from) {
  if (!rate.is_small()) return due_by_integers(left, rate, from);
  const double estimate = static_cast<double>(left.units) *
                          static_cast<double>(rate.denominator()) /
                          (static_cast<double>(left.parts) * static_cast<double>(rate.numerator()));
  if (estimate > 9.2e18) return std::nullopt;
  auto ticks = static_cast<std::int64_t>(estimate);
  const Wide whole = static_cast<Wide>(left.parts) * rate.numerator();
  auto rest = static_cast<Wide>(
      static_cast<UnsignedWide>(left.units) * static_cast<UnsignedWide>(rate.denominator()) -
      static_cast<UnsignedWide>(ticks) * static_cast<UnsignedWide>(whole));
  while (rest < 0 || rest >= whole) {
    const auto step = static_cast<std::int64_t>(rest / whole) - (rest < 0 ? 1 : 0);
    ticks += step;
    rest -= whole * step;
  }
  Due result{from.tick, static_cast<UnsignedWide>(rest), static_cast<UnsignedWide>(whole)};
  if (from.part != 0) {
    result.part = result.part * from.parts + result.whole * from.part;
    result.whole *= from.parts;
    if (result.part >= result.whole) {
      result.part -= result.whole;
      ++ticks;
    }
  }
  std::int64_t tick = 0;
  if (__builtin_add_overflow(from.tick.count(), ticks, &tick) || tick == kLastTick) {
    return std::nullopt;
  }
  result.tick = SimTime{tick};
  return result;
}

Remaining remaining_after(const Remaining& left, const Ratio& rate, const Instant& from,
                          const Instant& to) {
  if (rate.is_zero() || from == to) return left;
  if (rate.is_small()) {
    const Span elapsed = span(from, to);
    if (const auto result = exactly_after(left, rate, elapsed)) return *result;
    if (const auto result = approximately_after(left, rate, elapsed)) return *result;
  }
  const Exact rest = exact_of(left) - exact_of(rate) * (exact_of(to) - exact_of(from));
  return rest <= 0 ? Remaining{} : with_allowed_denominator(rest);
}

}  // namespace vgsim
