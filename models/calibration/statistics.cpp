#include "models/calibration/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <stdexcept>

namespace vgsim::calibration {
namespace {

void require_values(const std::vector<double>& values) {
  if (values.empty()) throw std::logic_error("statistics of no values");
}

}  // namespace

double median(std::vector<double> values) {
  require_values(values);
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

double percentile(std::vector<double> values, std::size_t percent) {
  require_values(values);
  std::ranges::sort(values);
  const std::size_t rank = (percent * values.size() + 99) / 100;
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

double student_95(double freedom) {
  // Boost initializes long double constants at program start, which fails under valgrind.
  using InDoubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, InDoubles> distribution(freedom);
  return boost::math::quantile(distribution, 0.95);
}

}  // namespace vgsim::calibration
