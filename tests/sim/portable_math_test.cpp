#include "sim/portable_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/random.hpp"

namespace vgsim {
namespace portable_math_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The largest relative difference of two functions over a million draws between two bounds.
template <class Own, class Standard>
double worst_error(Own own, Standard standard, double low, double high) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const double x = low + (high - low) * uniform(1, i);
    const double want = standard(x);
    if (want != 0) worst = std::max(worst, std::abs(own(x) - want) / std::abs(want));
  }
  return worst;
}

TEST(PortableMath, ExpAgreesWithTheLibrary) {
  const auto standard = [](double x) { return std::exp(x); };
  EXPECT_LT(worst_error(portable_exp, standard, -1, 1), 1e-15);
  EXPECT_LT(worst_error(portable_exp, standard, -708, 709), 1e-15);
}

TEST(PortableMath, ExpAtTheEdges) {
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-0.0), 1);
  EXPECT_EQ(portable_exp(710), kInfinity);
  EXPECT_EQ(portable_exp(kInfinity), kInfinity);
  EXPECT_EQ(portable_exp(-746), 0);
  EXPECT_EQ(portable_exp(-kInfinity), 0);
  EXPECT_EQ(portable_exp(-745), 0x1p-1074) << "the smallest number above 0";
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
}

TEST(PortableMath, LogAgreesWithTheLibrary) {
  const auto standard = [](double x) { return std::log(x); };
  EXPECT_LT(worst_error(portable_log, standard, 0.5, 2), 1e-15);
  EXPECT_LT(worst_error(portable_log, standard, 1 - 1e-9, 1 + 1e-9), 1e-15);
  EXPECT_LT(worst_error(portable_log, standard, 0, 1e300), 1e-15);
  EXPECT_LT(worst_error(portable_log, standard, 0, 1e-300), 1e-15);
  EXPECT_LT(worst_error(portable_log, standard, 0, 1e-310), 1e-15) << "subnormal numbers";
}

TEST(PortableMath, LogAtTheEdges) {
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_log(0), -kInfinity);
  EXPECT_EQ(portable_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(portable_log(-1)));
  EXPECT_TRUE(std::isnan(portable_log(std::nan(""))));
}

void expect_quantile(double p, double z) {
  EXPECT_NEAR(normal_quantile(p), z, 1e-15 * std::abs(z)) << "at " << p;
}

// The z solve Phi(z) = p in 36 digits, with p the double nearest to the literal.
TEST(PortableMath, NormalQuantilesAreThoseOfTheTables) {
  expect_quantile(0.975, 1.9599639845400538556);
  expect_quantile(0.9999, 3.7190164854557083867);
  expect_quantile(0.84, 0.99445788320975303998);
  expect_quantile(0.1, -1.2815515655446004353);
  expect_quantile(0.075, -1.4395314709384559349);  // boundary between centre and tail
  expect_quantile(1e-10, -6.3613409024040561991);
  expect_quantile(0x1p-53, -8.2095361516013868556);
}

TEST(PortableMath, NormalQuantileInvertsTheDistribution) {
  const auto there_and_back = [](double p) {
    return std::erfc(-normal_quantile(p) / std::sqrt(2.0)) / 2;
  };
  const auto same = [](double p) { return p; };
  EXPECT_LT(worst_error(there_and_back, same, 0, 1), 3e-14);
  EXPECT_LT(worst_error(there_and_back, same, 0, 1e-11), 1e-13) << "the far tail";
}

TEST(PortableMath, NormalQuantileAtTheEdges) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile(0), -kInfinity);
  EXPECT_EQ(normal_quantile(1), kInfinity);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::nan(""))));
}

TEST(PortableMath, HasTheSameBitsUnderEveryCompiler) {
  EXPECT_EQ(portable_exp(1), 0x1.5bf0a8b14576ap+1);
  EXPECT_EQ(portable_exp(709.7), 0x1.d75ae7a50ee14p+1023);
  EXPECT_EQ(portable_log(10), 0x1.26bb1bbb55516p+1);
  EXPECT_EQ(portable_log(0x1p-1074), -0x1.74385446d71c3p+9);
  EXPECT_EQ(normal_quantile(0.3), -0x1.0c7e39582c5fap-1);
  EXPECT_EQ(normal_quantile(1e-3), -0x1.8b8cbb7204470p+1);
  EXPECT_EQ(normal_quantile(1e-20), -0x1.2865170b43a4bp+3);
}

}  // namespace portable_math_test
}  // namespace vgsim
