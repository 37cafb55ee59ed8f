#include "models/scenario/build/parameter_draw.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "sim/portable_math.hpp"
#include "sim/random.hpp"

namespace vgsim::scenario {
namespace {

/// The quantile of a parameter in this draw.
std::uint64_t part_of(std::uint64_t stream, const ParameterDraw& draw) {
  const std::uint64_t mine = random_bits(stream, draw.index);
  std::uint64_t before = 0;
  for (std::uint64_t other = 0; other < draw.count; ++other) {
    const std::uint64_t bits = random_bits(stream, other);
    before += bits < mine || (bits == mine && other < draw.index) ? 1 : 0;
  }
  return before;
}

/// Correlates deviations.
void correlate(const std::vector<calibration::Correlation>& correlations,
               std::map<std::string, double>& deviations) {
  std::set<std::string> names;
  for (const auto& pair : correlations) {
    if (!deviations.contains(pair.one) || !deviations.contains(pair.other)) continue;
    names.insert({pair.one, pair.other});
  }
  if (names.empty()) return;
  const std::vector<std::string> order(names.begin(), names.end());
  const auto place = [&](const std::string& name) {
    return std::lower_bound(order.begin(), order.end(), name) - order.begin();
  };
  const auto size = static_cast<Eigen::Index>(order.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
  for (const auto& pair : correlations) {
    if (!names.contains(pair.one) || !names.contains(pair.other) || pair.one == pair.other)
      continue;
    matrix(place(pair.one), place(pair.other)) = pair.coefficient;
    matrix(place(pair.other), place(pair.one)) = pair.coefficient;
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return;  // rounded coefficients without a valid distribution
  Eigen::VectorXd apart(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    apart[i] = deviations.at(order[static_cast<std::size_t>(i)]);
  }
  const Eigen::VectorXd together = factor.matrixL() * apart;
  for (Eigen::Index i = 0; i < size; ++i) {
    deviations[order[static_cast<std::size_t>(i)]] = together[i];
  }
}

}  // namespace

double deviation(const std::string& name, const ParameterDraw& draw) {
  const std::uint64_t stream = seed_of(name, draw.seed);
  const double inside = uniform(split_mix(stream), draw.index);
  const double place =
      (static_cast<double>(part_of(stream, draw)) + inside) / static_cast<double>(draw.count);
  constexpr double kMost = 2.5;
  return std::clamp(normal_quantile(place), -kMost, kMost);
}

calibration::Parameters drawn(const calibration::Parameters& parameters,
                              const std::vector<calibration::Correlation>& correlations,
                              const ParameterDraw& draw) {
  std::map<std::string, double> deviations;
  for (const std::string& name : parameters.uncertain_names()) {
    deviations[name] = deviation(name, draw);
  }
  correlate(correlations, deviations);
  std::map<std::string, calibration::Uncertain> values;
  for (const auto& [name, z] : deviations) {
    const calibration::Uncertain quantity = *parameters.uncertain(name);
    double value = calibration::at_deviation(quantity, z);
    const bool share = name.ends_with("_share") && quantity.high <= 1.0;
    if (share) value = std::min(value, 1.0);
    values[name] = {value, value, value};
  }
  return parameters.with(values, "drawn");
}

}  // namespace vgsim::scenario
