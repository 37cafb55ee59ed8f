#include "sim/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace vgsim {
namespace random_test {

constexpr std::uint64_t kDraws = 1'000'000;
const double kRoot = std::sqrt(static_cast<double>(kDraws));

struct Moments {
  double mean = 0;
  double variance = 0;
  double skewness = 0;
  double kurtosis = 0;
};

Moments moments_of(const std::function<double(std::uint64_t)>& draw) {
  std::vector<double> draws;
  for (std::uint64_t i = 0; i < kDraws; ++i) draws.push_back(draw(i));
  const auto central = [&](double mean, int power) {
    double sum = 0;
    for (const double x : draws) sum += std::pow(x - mean, power);
    return sum / static_cast<double>(kDraws);
  };
  Moments result;
  result.mean = central(0, 1);
  result.variance = central(result.mean, 2);
  result.skewness = central(result.mean, 3) / std::pow(result.variance, 1.5);
  result.kurtosis = central(result.mean, 4) / std::pow(result.variance, 2);
  return result;
}

/// Correlation of pairs of draws. For a million independent pairs it is 0 with a standard error of
/// 0.001.
double correlation(const std::function<double(std::uint64_t)>& a,
                   const std::function<double(std::uint64_t)>& b) {
  const Moments of_a = moments_of(a);
  const Moments of_b = moments_of(b);
  double sum = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) sum += (a(i) - of_a.mean) * (b(i) - of_b.mean);
  return sum / static_cast<double>(kDraws) / std::sqrt(of_a.variance * of_b.variance);
}

std::function<double(std::uint64_t)> uniforms(std::uint64_t stream) {
  return [stream](std::uint64_t i) { return uniform(stream, i); };
}

// Bounds below are four standard errors of the estimate. Draws are fixed, so results do not vary.

TEST(Random, UniformHasTheMomentsOfTheUnitInterval) {
  const Moments got = moments_of(uniforms(1));
  EXPECT_NEAR(got.mean, 1.0 / 2, 4 * std::sqrt(1.0 / 12) / kRoot);
  EXPECT_NEAR(got.variance, 1.0 / 12, 4 * std::sqrt(1.0 / 180) / kRoot);
  EXPECT_NEAR(got.skewness, 0, 0.01);
  EXPECT_NEAR(got.kurtosis, 9.0 / 5, 0.01);
}

TEST(Random, UniformFillsTheIntervalEvenly) {
  std::array<double, 1000> counts{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double x = uniform(2, i);
    ASSERT_GT(x, 0);
    ASSERT_LT(x, 1);
    counts.at(static_cast<std::size_t>(x * 1000)) += 1;
  }
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 1000) * (count - 1000) / 1000;
  EXPECT_NEAR(chi_square, 999, 4 * std::sqrt(2.0 * 999));
}

TEST(Random, NormalHasTheMomentsOfTheNormalDistribution) {
  const Moments got = moments_of([](std::uint64_t i) { return standard_normal(3, i); });
  EXPECT_NEAR(got.mean, 0, 4 / kRoot);
  EXPECT_NEAR(got.variance, 1, 4 * std::sqrt(2.0) / kRoot);
  EXPECT_NEAR(got.skewness, 0, 4 * std::sqrt(6.0) / kRoot);
  EXPECT_NEAR(got.kurtosis, 3, 4 * std::sqrt(24.0) / kRoot);
}

TEST(Random, NormalDrawsHaveTheQuantilesOfTheTables) {
  std::vector<double> draws;
  for (std::uint64_t i = 0; i < kDraws; ++i) draws.push_back(standard_normal(4, i));
  std::sort(draws.begin(), draws.end());
  EXPECT_NEAR(draws[kDraws / 2], 0, 4 * 1.2533 / kRoot);
  EXPECT_NEAR(draws[kDraws / 1000 * 975], 1.9599639845400539, 4 * 2.672 / kRoot);
  EXPECT_NEAR(draws[kDraws / 1000 * 25], -1.9599639845400539, 4 * 2.672 / kRoot);
}

// exp(sigma z - sigma^2 / 2): mean 1, variance exp(sigma^2) - 1, median exp(-sigma^2 / 2).
TEST(Random, LogNormalFactorsHaveMeanOne) {
  for (const double sigma : {0.02, 0.1, 0.5}) {
    std::vector<double> draws;
    const Moments got = moments_of([&](std::uint64_t i) {
      draws.push_back(log_normal_factor(5, i, sigma));
      return draws.back();
    });
    const double variance = std::expm1(sigma * sigma);
    EXPECT_NEAR(got.mean, 1, 4 * std::sqrt(variance) / kRoot);
    EXPECT_NEAR(got.variance / variance, 1, 0.03);
    std::sort(draws.begin(), draws.end());
    EXPECT_GT(draws.front(), 0);
    EXPECT_NEAR(draws[kDraws / 2], std::exp(-sigma * sigma / 2), 4 * 1.2533 * sigma / kRoot);
  }
}

TEST(Random, LogNormalFactorWithoutSpreadIsOne) {
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(log_normal_factor(6, i, 0), 1);
}

TEST(Random, LogNormalFactorRefusesANegativeOrInfiniteSpread) {
  for (const double sigma : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(static_cast<void>(log_normal_factor(1, 0, sigma)), std::invalid_argument);
  }
}

TEST(Random, DrawsDoNotDependOnEachOther) {
  const auto shifted = [](std::uint64_t i) { return uniform(1, i + 1); };
  const auto neighbour = [](std::uint64_t i) { return uniform(i + 1, 0); };
  const auto self = [](std::uint64_t i) { return uniform(i, 0); };
  EXPECT_NEAR(correlation(uniforms(1), shifted), 0, 0.004) << "successive draws of a stream";
  EXPECT_NEAR(correlation(uniforms(1), uniforms(2)), 0, 0.004) << "neighbouring streams";
  EXPECT_NEAR(correlation(self, neighbour), 0, 0.004) << "first draws of neighbouring streams";
}

TEST(Random, NamesGetIndependentStreams) {
  const auto of = [](const char* name) { return uniforms(seed_of(name, 1)); };
  EXPECT_NEAR(correlation(of("esx01"), of("esx02")), 0, 0.004);
  EXPECT_NEAR(correlation(of("esx01/gpu0"), of("esx01/gpu1")), 0, 0.004);
  const auto name = [](std::uint64_t i) { return "esx" + std::to_string(i); };
  const auto one = [&](std::uint64_t i) { return uniform(seed_of(name(i), 1), 0); };
  const auto two = [&](std::uint64_t i) { return uniform(seed_of(name(i), 2), 0); };
  EXPECT_NEAR(correlation(one, two), 0, 0.004) << "one name under two seeds";
}

TEST(Random, NamesAndSeedsDoNotCollide) {
  std::set<std::uint64_t> streams;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (int i = 0; i < 10'000; ++i) streams.insert(seed_of("esx" + std::to_string(i), seed));
  }
  EXPECT_EQ(streams.size(), 100'000U);
}

TEST(Random, StreamsDoNotOverlapAsThoseOfPlainSplitMixWould) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  EXPECT_NE(random_bits(7, 1), random_bits(7 + kGolden, 0));
}

TEST(Random, HasTheSameBitsUnderEveryCompiler) {
  EXPECT_EQ(split_mix(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);  // SplitMix64 from seed 0
  EXPECT_EQ(seed_of("", 0), 0xaebe53f85cdc3c4cULL);
  EXPECT_EQ(seed_of("esx01", 0), 0xd4e640d50d26a41bULL);
  EXPECT_EQ(seed_of("esx01", 1), 0x28964c1a98c0540cULL);
  EXPECT_EQ(random_bits(0, 0), 0xa706dd2f4d197e6fULL);
  EXPECT_EQ(random_bits(1, 2), 0x82b43276abb80226ULL);
  EXPECT_EQ(uniform(1, 2), 0x1.056864ed57701p-1);
  EXPECT_EQ(standard_normal(0, 0), 0x1.91588c88ea018p-2);
  EXPECT_EQ(standard_normal(1, 2), 0x1.b1d226f5a351ap-6);
  EXPECT_EQ(standard_normal(7, 45), -0x1.bd3c97ce20386p+1) << "in the tail";
  EXPECT_EQ(log_normal_factor(1, 2, 0.1), 0x1.fecc0f1cb6eadp-1);
}

/// A hash over all bits of many draws, so that any difference is detected.
TEST(Random, HasTheSameSumOfManyDrawsUnderEveryCompiler) {
  double sum = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) sum += log_normal_factor(i, i, 0.3);
  EXPECT_EQ(sum, 0x1.86fddd0151ba2p+16);
}

}  // namespace random_test
}  // namespace vgsim
