// Fits with a known result: noise of 3 %, 5 % of the measurements are wrong.

#include "models/calibration/robust_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/random.hpp"

namespace vgsim::calibration {
namespace robust_fit_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kPoints = 48;
const double kTruth[] = {std::log(1.25), std::log(0.9), std::log(1.1)};

/// Copies and, in the second half, AllReduces of 8 B to 16 GiB on eight GPUs: a launch, a latency
/// of each of 14 steps, and a rate.
VectorXd transfer_logs(const VectorXd& x) {
  constexpr Index kSizes = kPoints / 2;
  const double launch = 7.5e-6 * std::exp(x[0]);
  const double rate = 200e9 * std::exp(x[1]);
  const double step = 2e-6 * std::exp(x[2]);
  VectorXd logs(kPoints);
  for (Index i = 0; i < kSizes; ++i) {
    const double size = 8 * std::pow(2.0, static_cast<double>(i) * 31 / (kSizes - 1));
    logs[i] = std::log(launch + size / rate);
    logs[i + kSizes] = std::log(launch + 14 * step + 1.75 * size / rate);
  }
  return logs;
}

/// For each column.
MatrixXd each(const MatrixXd& columns, const std::function<VectorXd(const VectorXd&)>& model) {
  MatrixXd logs;
  for (Index c = 0; c < columns.cols(); ++c) {
    const VectorXd column = model(columns.col(c));
    if (c == 0) logs.resize(column.size(), columns.cols());
    logs.col(c) = column;
  }
  return logs;
}

MatrixXd transfers(const MatrixXd& columns) { return each(columns, transfer_logs); }

VectorXd truth() { return Eigen::Map<const VectorXd>(kTruth, 3); }

VectorXd measured(std::uint64_t trial) {
  VectorXd logs = transfer_logs(truth());
  for (Index i = 0; i < kPoints; ++i) {
    const auto place = static_cast<std::uint64_t>(i);
    logs[i] += 0.03 * standard_normal(seed_of("noise", trial), place);
    const bool wrong = uniform(seed_of("wrong", trial), place) < 0.05;
    if (wrong) logs[i] += 0.3 + uniform(seed_of("size", trial), place);
  }
  return logs;
}

TEST(RobustFit, FindsTheTruthAndItsIntervalsHoldIt) {
  constexpr int kTrials = 500;
  const VectorXd believed = VectorXd::Constant(3, 0.5);
  int held[3] = {};
  int close[3] = {};
  for (int trial = 0; trial < kTrials; ++trial) {
    const RobustFit fit =
        robust_fit(transfers, measured(static_cast<std::uint64_t>(trial)), believed);
    for (Index j = 0; j < 3; ++j) {
      const double off = std::fabs(fit.best[j] - kTruth[j]);
      close[j] += off < 0.03 ? 1 : 0;
      held[j] += off <= fit.half_interval(j) ? 1 : 0;
    }
  }
  for (int j = 0; j < 3; ++j) {
    EXPECT_GE(close[j], kTrials * 95 / 100) << "unknown " << j;
    EXPECT_GE(held[j], kTrials * 86 / 100) << "unknown " << j;
    EXPECT_LE(held[j], kTrials * 94 / 100) << "unknown " << j;
  }
}

TEST(RobustFit, NamesThePointsThatAreFarOff) {
  VectorXd logs = transfer_logs(truth());
  logs[7] += 0.5;
  logs[30] -= 0.4;
  const RobustFit fit = robust_fit(transfers, logs, VectorXd::Constant(3, 0.5));
  EXPECT_EQ(fit.outliers, (std::vector<std::size_t>{7, 30}));
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(fit.best[j], kTruth[j], 1e-3);
}

TEST(RobustFit, WhatNothingDeterminesStaysAsBelieved) {
  // The last unknown has no effect.
  const auto blind = [](const MatrixXd& columns) {
    return each(columns, [](const VectorXd& x) { return transfer_logs(x.head(3)); });
  };
  VectorXd believed = VectorXd::Constant(4, 0.5);
  believed[3] = 0.2;
  const RobustFit fit = robust_fit(blind, measured(1), believed);
  EXPECT_NEAR(fit.best[3], 0.0, 1e-9);
  EXPECT_NEAR(std::sqrt(fit.covariance(3, 3)), 0.2, 1e-9);
}

TEST(RobustFit, MorePointsNarrowTheInterval) {
  const auto twice = [](const MatrixXd& columns) {
    return each(columns, [](const VectorXd& x) {
      VectorXd logs(2 * kPoints);
      logs << transfer_logs(x), transfer_logs(x);
      return logs;
    });
  };
  VectorXd both(2 * kPoints);
  both << measured(1), measured(2);
  const VectorXd believed = VectorXd::Constant(3, 0.5);
  const RobustFit one = robust_fit(transfers, measured(1), believed);
  const RobustFit two = robust_fit(twice, both, believed);
  for (Index j = 0; j < 3; ++j) EXPECT_LT(two.half_interval(j), one.half_interval(j));
}

}  // namespace robust_fit_test
}  // namespace vgsim::calibration
