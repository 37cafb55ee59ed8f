#include "models/training/slowest_rank.hpp"

#include <boost/math/distributions/normal.hpp>

namespace vgsim::training {

double expected_largest_deviation(std::size_t values) {
  if (values < 2) return 0.0;
  const auto n = static_cast<double>(values);
  return boost::math::quantile(boost::math::normal(), (n - 0.375) / (n + 0.25));
}

}  // namespace vgsim::training
