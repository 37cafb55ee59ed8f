#include "sim/ratio.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace vgsim {
namespace {

/// Small numbers and those where 64 bits run out.
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

RC_GTEST_PROP(Ratio, CalculatesLikeExact, ()) {
  const Exact a = some_exact();
  const Exact b = some_exact();
  const std::int64_t factor = some_integer();
  const std::int64_t divisor = some_divisor();
  Ratio sum(a);
  sum += Ratio(b);
  RC_ASSERT(sum.exact() == a + b);
  RC_ASSERT((Ratio(a) - Ratio(b)).exact() == a - b);
  RC_ASSERT((Ratio(a) * factor).exact() == a * factor);
  RC_ASSERT((Ratio(a) / divisor).exact() == a / divisor);
  RC_ASSERT((Ratio(a) < Ratio(b)) == (a < b));
  RC_ASSERT((Ratio(a) == Ratio(b)) == (a == b));
  RC_ASSERT(Ratio(a).is_zero() == (a == 0));
}

RC_GTEST_PROP(Ratio, ComesBackFromLargeNumbersToTheSameForm, ()) {
  const Exact a = some_exact();
  Ratio there_and_back(a);
  there_and_back *= INT64_MAX;
  there_and_back /= INT64_MAX;
  RC_ASSERT(there_and_back == Ratio(a));
  const Ratio copy = there_and_back;
  RC_ASSERT((there_and_back - copy).is_zero());
}

}  // namespace
}  // namespace vgsim
