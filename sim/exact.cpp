#include "sim/exact.hpp"

#include <cmath>
#include <limits>

namespace vgsim {
namespace {

using Integer = boost::multiprecision::cpp_int;

Integer ceil_of(const Exact& value) {
  const Integer numerator = boost::multiprecision::numerator(value);
  const Integer denominator = boost::multiprecision::denominator(value);
  Integer quotient;
  Integer remainder;
  boost::multiprecision::divide_qr(numerator, denominator, quotient, remainder);
  if (remainder > 0) ++quotient;
  return quotient;
}

}  // namespace

SimTime duration_of(const Exact& amount, const Exact& rate_per_second) {
  const Integer ticks = ceil_of(amount * kPicosecondsPerSecond / rate_per_second);
  if (ticks > std::numeric_limits<std::int64_t>::max()) {
    throw OverflowError("simulated time exceeds 106 days");
  }
  return SimTime{static_cast<std::int64_t>(ticks)};
}

Exact delivered(const Exact& rate_per_second, SimTime elapsed) {
  return rate_per_second * elapsed.count() / kPicosecondsPerSecond;
}

double to_double(const Exact& value) { return static_cast<double>(value); }

Exact exact_share(double share) {
  constexpr std::int64_t kResolution = 1'000'000'000;
  return Exact(std::llround(share * static_cast<double>(kResolution))) / kResolution;
}

}  // namespace vgsim
