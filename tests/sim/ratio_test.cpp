#include "sim/ratio.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>

#include "sim/exact.hpp"
#include "sim/instant.hpp"

namespace vgsim {
namespace ratio_test {

using namespace literals;

/// Small numbers and numbers near the 64-bit limit.
std::int64_t some_integer() {
  const std::int64_t small = *rc::gen::inRange<std::int64_t>(-7, 8);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return INT64_MAX - 7 + small;
    case 1:
      return INT64_MIN + 7 + small;
    case 2:
      return (std::int64_t{1} << 32) + small;
    default:
      return small;
  }
}

std::int64_t some_divisor() {
  const std::int64_t value = some_integer();
  return value > 0 ? value : 1;
}

Exact some_exact() {
  const Exact above(some_integer());
  return above / some_divisor();
}

RC_GTEST_PROP(Ratio, AgreesWithExactArithmetic, ()) {
  const Exact x = some_exact();
  const Exact y = some_exact();
  const Ratio a = ratio_of(x);
  const Ratio b = ratio_of(y);
  RC_ASSERT(exact_of(a) == x);
  RC_ASSERT(exact_of(a + b) == x + y);
  RC_ASSERT(exact_of(a - b) == x - y);
  RC_ASSERT(exact_of(a * b) == x * y);
  if (y != 0) RC_ASSERT(exact_of(a / b) == x / y);
  RC_ASSERT((a < b) == (x < y));
  RC_ASSERT((a == b) == (x == y));
  RC_ASSERT(a.is_zero() == (x == 0));
  RC_ASSERT(to_double(a) == static_cast<double>(x));
}

RC_GTEST_PROP(Ratio, EveryIntegerIsARatio, ()) {
  const std::int64_t value = some_integer();
  RC_ASSERT(exact_of(Ratio(value)) == Exact(value));
  RC_ASSERT(exact_of(Ratio(static_cast<std::uint64_t>(value))) ==
            Exact(static_cast<std::uint64_t>(value)));
}

RC_GTEST_PROP(Ratio, ReturnsFromLargeNumbersToTheSameRepresentation, ()) {
  const Ratio a = ratio_of(some_exact());
  Ratio there_and_back = a;
  there_and_back *= INT64_MAX;
  there_and_back /= INT64_MAX;
  RC_ASSERT(there_and_back == a);
  const Ratio copy = there_and_back;
  RC_ASSERT((there_and_back - copy).is_zero());
}

RC_GTEST_PROP(Ratio, DurationsAreTheLeastThatDeliverTheAmount, ()) {
  const Ratio amount = ratio_of(abs(some_exact()));
  const Ratio rate = Ratio::of(some_divisor(), some_divisor());
  const Exact ticks = exact_of(amount) * kPicosecondsPerSecond / exact_of(rate);
  if (ticks > INT64_MAX) {
    RC_ASSERT_THROWS_AS(static_cast<void>(duration_of(amount, rate)), OverflowError);
    return;
  }
  const SimTime time = duration_of(amount, rate);
  RC_ASSERT(Exact(time.count()) >= ticks);
  RC_ASSERT(Exact(time.count() - 1) < ticks);
  RC_ASSERT(exact_of(delivered(rate, time)) ==
            exact_of(rate) * time.count() / kPicosecondsPerSecond);
  RC_ASSERT(!delivers_less(rate, time, amount));
  if (time > SimTime{0}) RC_ASSERT(delivers_less(rate, time - SimTime{1}, amount));
}

TEST(Ratio, DurationsRoundUpToTheNextPicosecond) {
  EXPECT_EQ(duration_of(1, 3), SimTime{333'333'333'334});
  EXPECT_EQ(duration_of(1, 4), SimTime{250'000'000'000});
  EXPECT_EQ(duration_of(0, 7), 0_ps);
  EXPECT_EQ(duration_of(Ratio::of(1, 1'000'000'000), 1'000'000'000), 1_ps);
}

TEST(Ratio, DurationsBeyondTheRangeThrow) {
  EXPECT_THROW(static_cast<void>(duration_of(9'223'373, 1)), OverflowError);
  EXPECT_EQ(duration_of(9'223'372, 1), 9'223'372_s);
}

TEST(Ratio, SharesAreReadToNineDecimals) {
  EXPECT_EQ(exact_share(0.86), Ratio::of(43, 50));
  EXPECT_EQ(exact_share(1.0 / 3), Ratio::of(333'333'333, 1'000'000'000));
}

/// Below 2^63 in either part, at least 0; often close to a fraction of small denominators.
Ratio some_level() {
  const std::int64_t below = std::int64_t{1} << *rc::gen::inRange(0, 60);
  const std::int64_t above = *rc::gen::inRange<std::int64_t>(0, INT64_MAX);
  if (*rc::gen::inRange(0, 2) == 0) return Ratio::of(above, below + *rc::gen::inRange(0, 1000));
  const Ratio small = Ratio::of(*rc::gen::inRange(0, 200'000), *rc::gen::inRange(1, 70'000));
  const Ratio moved = small + Ratio::of(1, below);
  return moved.is_small() ? moved : small;
}

/// The largest number of kShortBits significant bits, or 62 places, up to the value.
Ratio floor_in_bits(const Ratio& value) {
  int places = 62;
  while (places > 0 && value * (std::int64_t{1} << places) >= std::int64_t{1} << kShortBits) {
    --places;
  }
  const Ratio scale = std::int64_t{1} << places;
  return ratio_of(Exact(floor_of(exact_of(value * scale)))) / scale;
}

RC_GTEST_PROP(Ratio, ShortenedIsTheLargestShortNumberUpToTheValue, ()) {
  const Ratio value = some_level();
  const Wide whole = Wide{value.numerator()} / value.denominator();
  const Wide rest = Wide{value.numerator()} % value.denominator();
  Wide numerator = 0;
  Wide denominator = 1;
  for (Wide below = 1; below <= kShortDenominator; ++below) {
    const Wide most = whole * below + rest * below / value.denominator();
    if (most * denominator > numerator * below) {
      numerator = most;
      denominator = below;
    }
  }
  RC_ASSERT(shortened(value) == std::max(floor_in_bits(value), Ratio::of(numerator, denominator)));
}

RC_GTEST_PROP(Ratio, ShorteningKeepsTheOrderWithinItsErrorBound, ()) {
  const Exact some = abs(some_exact() * some_exact());
  const Exact other = some + Exact(Integer(1), Integer(1) << *rc::gen::inRange(1, 200));
  RC_PRE(other < Exact(INT64_MAX));
  const Exact low = exact_of(shortened(ratio_of(some)));
  const Exact high = exact_of(shortened(ratio_of(other)));
  RC_ASSERT(low <= some);
  RC_ASSERT(high <= other);
  RC_ASSERT(low <= high);
  RC_ASSERT(other - high <
            std::max(Exact(other / (Integer(1) << 56)), Exact(Integer(1), Integer(1) << 62)));
}

RC_GTEST_PROP(Ratio, ShortenedDoesNotDependOnTheRepresentation, ()) {
  const std::int64_t above = *rc::gen::inRange<std::int64_t>(0, INT64_MAX);
  const std::int64_t below = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 40);
  const std::int64_t times = *rc::gen::inRange<std::int64_t>(1, INT64_MAX);
  const Ratio value = Ratio::of(above, below);
  RC_ASSERT(shortened(Wide{above} * times, Wide{below} * times) == shortened(value));
  RC_ASSERT(shortened(shortened(value)) == shortened(value));
}

RC_GTEST_PROP(Remaining, IsTheAmountOrTheNextFinestPartAboveIt, ()) {
  const Exact amount = abs(some_exact());
  RC_PRE(amount <= Exact(Integer(1) << 62));
  const Exact wanted = amount * kPicosecondsPerSecond;
  const Remaining kept = Remaining::of(ratio_of(amount));
  const Exact units = Exact(Integer(kept.units), Integer(kept.parts));
  RC_ASSERT(kept.parts <= kFinest);
  if (boost::multiprecision::denominator(wanted) <= kFinest) {
    RC_ASSERT(units == wanted);
  } else {
    RC_ASSERT(units > wanted);
    RC_ASSERT(units - wanted <= Exact(Integer(1), Integer(kFinest)));
  }
}

}  // namespace ratio_test
}  // namespace vgsim
