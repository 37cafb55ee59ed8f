#include "sim/portable_math.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#ifdef __FAST_MATH__
#error "results would depend on the compiler: build without -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "double must be computed in double");

namespace vgsim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ln 2 as a sum of two numbers. The first has 32 significant bits, so its product with an exponent
// (11 bits) is exact; the error of the sum is 2^-86.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// Horner's rule; coefficients in ascending order of the power.
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

/// 2^exponent for exponents of normal numbers.
double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

// x = k ln 2 + r with |r| <= ln(2)/2, e^x = 2^k e^r, and e^r by its Taylor series up to r^13:
// the remainder is below 0.3466^14 / 14! = 4.2e-18.
double portable_exp(double x) {
  if (x > 709.8) return kInfinity;
  if (x < -745.2) return 0;
  if (x != x) return x;
  static constexpr std::array<double, 14> kTaylor = {1.0,
                                                     1.0,
                                                     1.0 / 2,
                                                     1.0 / 6,
                                                     1.0 / 24,
                                                     1.0 / 120,
                                                     1.0 / 720,
                                                     1.0 / 5040,
                                                     1.0 / 40320,
                                                     1.0 / 362880,
                                                     1.0 / 3628800,
                                                     1.0 / 39916800,
                                                     1.0 / 479001600,
                                                     1.0 / 6227020800.0};
  constexpr double kPerLn2 = 0x1.71547652b82fep+0;  // 1 / ln 2
  const auto k = static_cast<std::int64_t>(x * kPerLn2 + (x < 0 ? -0.5 : 0.5));
  const double multiple = static_cast<double>(k);
  const double r = (x - multiple * kLn2High) - multiple * kLn2Low;
  // Two factors, each within the range of exponents even if the result is not.
  const std::int64_t half = k / 2;
  return polynomial(kTaylor, r) * power_of_two(half) * power_of_two(k - half);
}

// x = 2^k m with m between sqrt(1/2) and sqrt(2); ln m = 2 artanh s with s = (m - 1) / (m + 1), by
// the series s + s^3/3 + s^5/5 + ... up to s^21. With |s| <= 0.1716 the remainder is below
// 1.1e-18 of the sum.
double portable_log(double x) {
  if (x != x || x == kInfinity) return x;
  if (x == 0) return -kInfinity;
  if (x < 0) return kNaN;
  std::int64_t k = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    k = -54;
  }
  constexpr std::uint64_t kMantissa = (1ULL << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & kMantissa) | std::bit_cast<std::uint64_t>(1.0));
  if (m > 0x1.6a09e667f3bcdp+0) {  // sqrt(2)
    m *= 0.5;
    ++k;
  }
  static constexpr std::array<double, 10> kSeries = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,
                                                     2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                                                     2.0 / 19, 2.0 / 21};
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  const double multiple = static_cast<double>(k);
  const double rest = s * square * polynomial(kSeries, square) + multiple * kLn2Low;
  return multiple * kLn2High + (2 * s + rest);
}

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return kNaN;
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    static constexpr std::array<double, 8> kA = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                                 1.9715909503065514427e3, 1.3731693765509461125e4,
                                                 4.5921953931549871457e4, 6.7265770927008700853e4,
                                                 3.3430575583588128105e4, 2.5090809287301226727e3};
    static constexpr std::array<double, 8> kB = {1.0,
                                                 4.2313330701600911252e1,
                                                 6.8718700749205790830e2,
                                                 5.3941960214247511077e3,
                                                 2.1213794301586595867e4,
                                                 3.9307895800092710610e4,
                                                 2.8729085735721942674e4,
                                                 5.2264952788528545610e3};
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  double z = 0;
  if (r <= 5) {
    static constexpr std::array<double, 8> kC = {
        1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
        3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
        2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr std::array<double, 8> kD = {1.0,
                                                 2.05319162663775882187e0,
                                                 1.67638483018380384940e0,
                                                 6.89767334985100004550e-1,
                                                 1.48103976427480074590e-1,
                                                 1.51986665636164571966e-2,
                                                 5.47593808499534494600e-4,
                                                 1.05075007164441684324e-9};
    z = polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6);
  } else {
    static constexpr std::array<double, 8> kE = {
        6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
        2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr std::array<double, 8> kF = {1.0,
                                                 5.99832206555887937690e-1,
                                                 1.36929880922735805310e-1,
                                                 1.48753612908506148525e-2,
                                                 7.86869131145613259100e-4,
                                                 1.84631831751005468180e-5,
                                                 1.42151175831644588870e-7,
                                                 2.04426310338993978564e-15};
    z = polynomial(kE, r - 5) / polynomial(kF, r - 5);
  }
  return q < 0 ? -z : z;
}

}  // namespace vgsim
