#include "models/calibration/link_fit.hpp"

#include <algorithm>
#include <cmath>

#include "models/calibration/robust_fit.hpp"

namespace vgsim::calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Point {
  double bytes = 0;
  double seconds = 0;
  double spread = 0;  ///< relative half-width of a sample's interval
};

/// The copies over the same routes.
struct Sweep {
  LinkFit fit;
  std::vector<Point> points;

  [[nodiscard]] bool is_of(const Copies& copies) const {
    return fit.routes == copies.routes && fit.by_kernel == copies.by_kernel &&
           fit.peer_access == copies.peer_access;
  }
};

Uncertain around(double value, double half_log) {
  return {value, value * std::exp(-half_log), value * std::exp(half_log)};
}

void fit_one_size(Sweep& sweep) {
  const Point& point = sweep.points.front();
  sweep.fit.rate = around(point.bytes / point.seconds, point.spread);
}

void fit_sizes(Sweep& sweep) {
  const auto by_size = [](const Point& a, const Point& b) { return a.bytes < b.bytes; };
  const auto [smallest, largest] =
      std::minmax_element(sweep.points.begin(), sweep.points.end(), by_size);
  const double rate = largest->bytes / largest->seconds;
  const double latency = std::max(smallest->seconds - smallest->bytes / rate,
                                  0.01 * smallest->seconds);  // initial value
  const auto predict = [&](const MatrixXd& columns) {
    MatrixXd logs(static_cast<Index>(sweep.points.size()), columns.cols());
    for (Index c = 0; c < columns.cols(); ++c) {
      for (std::size_t p = 0; p < sweep.points.size(); ++p) {
        logs(static_cast<Index>(p), c) =
            std::log(latency * std::exp(columns(0, c)) +
                     sweep.points[p].bytes / (rate * std::exp(columns(1, c))));
      }
    }
    return logs;
  };
  VectorXd measured(static_cast<Index>(sweep.points.size()));
  for (std::size_t p = 0; p < sweep.points.size(); ++p) {
    measured[static_cast<Index>(p)] = std::log(sweep.points[p].seconds);
  }
  constexpr double kNothingBelieved = 10.0;
  const RobustFit found = robust_fit(predict, measured, VectorXd::Constant(2, kNothingBelieved));
  const double least =
      sweep.points.front().spread / std::sqrt(static_cast<double>(sweep.points.size()));
  sweep.fit.latency_s =
      around(latency * std::exp(found.best[0]), std::max(found.half_interval(0), least));
  sweep.fit.rate = around(rate * std::exp(found.best[1]), std::max(found.half_interval(1), least));
}

}  // namespace

std::vector<LinkFit> fit_links(const Measurement& measurement) {
  std::vector<Sweep> sweeps;
  for (const Measured& each : measurement.results) {
    const auto* copies = std::get_if<Copies>(&each.work);
    if (copies == nullptr) continue;
    auto found =
        std::ranges::find_if(sweeps, [&](const Sweep& sweep) { return sweep.is_of(*copies); });
    if (found == sweeps.end()) {
      sweeps.push_back({{copies->routes, copies->by_kernel, copies->peer_access, {}, {}, 0}, {}});
      found = std::prev(sweeps.end());
    }
    const Timing& timing = each.timing;
    found->points.push_back({static_cast<double>(copies->size.count()), timing.median_s,
                             (timing.high_s - timing.low_s) / (2 * timing.median_s)});
  }
  std::vector<LinkFit> links;
  for (Sweep& sweep : sweeps) {
    sweep.fit.sizes = sweep.points.size();
    if (sweep.points.size() < 3) {
      const auto by_size = [](const Point& a, const Point& b) { return a.bytes > b.bytes; };
      std::ranges::sort(sweep.points, by_size);
      fit_one_size(sweep);
    } else {
      fit_sizes(sweep);
    }
    links.push_back(std::move(sweep.fit));
  }
  return links;
}

}  // namespace vgsim::calibration
