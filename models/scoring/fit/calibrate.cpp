#include "models/scoring/fit/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <set>

#include "models/calibration/residuals.hpp"
#include "models/calibration/robust_fit.hpp"
#include "models/calibration/statistics.hpp"
#include "models/scoring/fit/subject_predictor.hpp"

namespace vgsim::scenario {
namespace {

using calibration::Uncertain;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using input::Diagnostics;

constexpr double kProbe = 0.05;   // trial change of a parameter
constexpr double kShows = 0.002;  // change of a prediction that counts
constexpr double kRelated = 0.2;  // smallest correlation that is reported

/// The prior of a parameter: the standard deviation of its logarithm.
double believed(const Uncertain& quantity) {
  constexpr double kLeastKnown = 0.5;
  if (quantity.low <= 0) return kLeastKnown;
  return std::max(0.01, std::log(quantity.high / quantity.low) / (2 * calibration::kQuantile95));
}

using Values = ParameterValues;

/// The key of a correction.
struct Collective {
  std::string name;
  std::size_t ranks = 0;
  std::size_t machines = 0;

  auto operator<=>(const Collective&) const = default;
};

double octave_of(Bytes size) { return std::log2(static_cast<double>(size.count())); }

class Calibrator {
 public:
  Calibrator(const std::vector<std::unique_ptr<FitSubject>>& subjects, const Library& library,
             double held_back)
      : library_(noting(library, used_)), predictor_(subjects, library_), held_back_(held_back) {}

  tl::expected<CalibrationFit, Diagnostics> run() {
    Diagnostics diagnostics;
    const auto before = predictor_.observe({{}}, diagnostics);
    if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
    choose_points(before.front());
    if (fitted_.empty()) {
      diagnostics.error("E611", {}, "", "no measured point to fit",
                        "cases, measurements or logs with times");
      return tl::unexpected(diagnostics);
    }
    choose_unknowns();
    if (names_.empty()) {
      diagnostics.error("E612", {}, "", "the measurements determine no parameter of the model");
      return tl::unexpected(diagnostics);
    }
    CalibrationFit found = fit();
    constexpr double kNotTheMachine = 3.0;
    const double factor = factor_left(found);
    if (factor > kNotTheMachine) {
      diagnostics.error("E617", {}, "",
                        fmt::format("no parameters fit the measurements: half of them have errors "
                                    "of a factor of {:.1f} or more after the fit",
                                    factor),
                        "measurements of the machines that the scenarios describe");
      return tl::unexpected(diagnostics);
    }
    return found;
  }

 private:
  void choose_points(const Observations& before) {
    double owed = 0;
    for (std::size_t p = 0; p < before.size(); ++p) {
      const Observation& observed = before[p];
      const bool first = p == 0 || observed.id != before[p - 1].id;
      if (first) owed = 0;
      FittedPoint point;
      point.id = observed.id;
      point.what = observed.what;
      point.measured_s = observed.measured_s;
      point.before_s = observed.predicted_s;
      owed += held_back_;
      point.held_back = owed >= 1.0 && !first;
      if (point.held_back) owed -= 1.0;
      if (!point.held_back) fitted_.push_back(static_cast<Index>(p));
      sizes_.push_back(observed.collective ? observed.collective->size : Bytes{0});
      if (const auto& collective = observed.collective) {
        members_[{collective->collective, collective->ranks, collective->machines}].push_back(p);
      }
      points_.push_back(point);
    }
  }

  [[nodiscard]] MatrixXd at_fitted(const MatrixXd& all) const { return all(fitted_, Eigen::all); }

  /// The median factor between fitted points and predictions without corrections, in either
  /// direction.
  static double factor_left(const CalibrationFit& found) {
    std::vector<double> factors;
    for (const FittedPoint& point : found.points) {
      if (!point.held_back)
        factors.push_back(std::fabs(std::log(point.fitted_s / point.measured_s)));
    }
    return std::exp(calibration::median(factors));
  }

  static Library noting(Library library, const std::shared_ptr<calibration::UsedParameters>& used) {
    library.parameters = library.parameters.noting(used);
    return library;
  }

  /// Finds the parameters that change a prediction. Parameters that no prediction reads are
  /// excluded; the others are changed all together, and the set is halved while something changes:
  /// most of them belong to other GPUs and transports.
  void choose_unknowns() {
    using Names = std::vector<std::string>;
    const std::set<std::string> used = used_->names();
    Names candidates;
    for (const std::string& name : library_.parameters.uncertain_names()) {
      const bool counts = used.contains(name) && library_.parameters.uncertain(name)->value > 0;
      if (counts) candidates.push_back(name);
    }
    const MatrixXd unchanged = at_fitted(predictor_.logs({{}}));
    std::vector<Names> groups{candidates};
    while (!groups.empty()) {
      std::vector<Values> changes;
      for (const Names& group : groups) changes.push_back(changed(group, probe_of(group.size())));
      const MatrixXd logs = at_fitted(predictor_.logs(changes));
      std::vector<Names> halves;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto moved = logs.col(static_cast<Index>(g)) - unchanged.col(0);
        if (moved.cwiseAbs().maxCoeff() < kShows) continue;
        const auto middle =
            groups[g].begin() + static_cast<std::ptrdiff_t>((groups[g].size() + 1) / 2);
        if (groups[g].size() == 1) {
          names_.push_back(groups[g].front());
        } else {
          halves.emplace_back(groups[g].begin(), middle);
          halves.emplace_back(middle, groups[g].end());
        }
      }
      groups = std::move(halves);
    }
    std::sort(names_.begin(), names_.end());
  }

  /// Changes of several parameters at once, all different, so that they do not cancel.
  static VectorXd probe_of(std::size_t parameters) {
    VectorXd logs(static_cast<Index>(parameters));
    for (Index i = 0; i < logs.size(); ++i) {
      logs[i] = kProbe * (1 + static_cast<double>(i) / static_cast<double>(parameters));
    }
    return logs;
  }

  [[nodiscard]] Values changed(const std::vector<std::string>& names, const VectorXd& logs) const {
    Values values;
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double factor = std::exp(logs[static_cast<Index>(j)]);
      const Uncertain quantity = *library_.parameters.uncertain(names[j]);
      values[names[j]] = {quantity.value * factor, quantity.low, quantity.high};
    }
    return values;
  }

  CalibrationFit fit() {
    VectorXd measured(static_cast<Index>(fitted_.size()));
    for (std::size_t i = 0; i < fitted_.size(); ++i) {
      measured[static_cast<Index>(i)] =
          std::log(points_[static_cast<std::size_t>(fitted_[i])].measured_s);
    }
    VectorXd belief(static_cast<Index>(names_.size()));
    for (std::size_t j = 0; j < names_.size(); ++j) {
      belief[static_cast<Index>(j)] = believed(*library_.parameters.uncertain(names_[j]));
    }
    const auto predicted = [&](const MatrixXd& columns) {
      std::vector<Values> changes;
      for (Index c = 0; c < columns.cols(); ++c) changes.push_back(changed(names_, columns.col(c)));
      return MatrixXd(at_fitted(predictor_.logs(changes)));
    };
    const auto found = calibration::robust_fit(predicted, measured, belief);
    return describe(found);
  }

  CalibrationFit describe(const calibration::RobustFit& found) {
    CalibrationFit result;
    for (std::size_t j = 0; j < names_.size(); ++j) {
      const auto index = static_cast<Index>(j);
      const Uncertain before = *library_.parameters.uncertain(names_[j]);
      const double value = before.value * std::exp(found.best[index]);
      const double factor = std::exp(found.half_interval(index));
      result.parameters.push_back({names_[j], before, {value, value / factor, value * factor}});
    }
    for (Index a = 0; a < found.covariance.rows(); ++a) {
      for (Index b = a + 1; b < found.covariance.rows(); ++b) {
        const double together =
            found.covariance(a, b) / std::sqrt(found.covariance(a, a) * found.covariance(b, b));
        if (std::fabs(together) < kRelated) continue;
        result.correlations.push_back(
            {names_[static_cast<std::size_t>(a)], names_[static_cast<std::size_t>(b)], together});
      }
    }
    const VectorXd after = predictor_.logs({changed(names_, found.best)});
    for (std::size_t p = 0; p < points_.size(); ++p) {
      points_[p].fitted_s = points_[p].after_s = std::exp(after[static_cast<Index>(p)]);
    }
    for (const std::size_t i : found.outliers) {
      points_[static_cast<std::size_t>(fitted_[i])].outlier = true;
    }
    find_corrections(result, found.noise);
    result.points = points_;
    find_spreads(result);
    return result;
  }

  /// The residuals of each collective become its correction, and the rest the noise; without
  /// collectives the noise of the fit is used.
  void find_corrections(CalibrationFit& result, double noise) {
    std::vector<double> left;
    for (auto& [collective, own] : members_) {
      std::stable_sort(own.begin(), own.end(),
                       [&](std::size_t a, std::size_t b) { return sizes_[a] < sizes_[b]; });
      std::vector<calibration::Residual> residuals;
      for (const std::size_t p : own) {
        if (points_[p].held_back) continue;
        residuals.push_back({octave_of(sizes_[p]),
                             std::log(points_[p].measured_s / points_[p].after_s),
                             points_[p].outlier});
      }
      if (residuals.empty()) continue;
      const calibration::SmoothResiduals smooth(std::move(residuals));
      for (const double surprise : smooth.surprises()) left.push_back(surprise);
      result.corrections.push_back(correct(collective, own, smooth));
    }
    constexpr double kLeastNoise = 0.01;
    const double surprise =
        left.empty() ? noise : calibration::kNormalMad * calibration::median(left);
    result.noise = std::max(kLeastNoise, surprise);
  }

  /// Corrects the points of one collective.
  calibration::Correction correct(const Collective& collective, const std::vector<std::size_t>& own,
                                  const calibration::SmoothResiduals& smooth) {
    calibration::Correction correction{collective.name, collective.ranks, collective.machines, {}};
    for (const std::size_t p : own) {
      const Bytes size = sizes_[p];
      const bool known = !correction.factors.empty() && correction.factors.back().first == size;
      if (points_[p].held_back || known) continue;
      correction.factors.emplace_back(size, std::exp(smooth.at(octave_of(size))));
    }
    for (const std::size_t p : own) points_[p].after_s *= correction.at(sizes_[p]);
    return correction;
  }

  /// The residuals after the fit replace the spreads of collectives. The model error of jobs of a
  /// measured kind becomes that of anchored jobs.
  void find_spreads(CalibrationFit& result) {
    constexpr double kWider = 1.5;
    const std::string model_error = "_model_error";
    std::vector<std::string> names;
    std::vector<Values> changes{{}};
    for (const auto& [name, written] : library_.parameters.all()) {
      if (!name.ends_with("_spread") && !name.ends_with(model_error)) continue;
      names.push_back(name);
      const Uncertain& quantity = written->quantity;
      changes.push_back({{name, {1, quantity.low / kWider, quantity.high * kWider}}});
    }
    const auto all = predictor_.observe(changes);
    const auto same = [](const Observation& a, const Observation& b) {
      return a.low_s == b.low_s && a.high_s == b.high_s;
    };
    const double factor = std::exp(calibration::kQuantile95 * result.noise);
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (std::equal(all[0].begin(), all[0].end(), all[n + 1].begin(), same)) continue;
      const std::string kind = names[n].substr(0, names[n].size() - model_error.size());
      result.spreads[names[n]] =
          names[n].ends_with("_spread") ? Uncertain{1, 1 / factor, factor}
          : kind.ends_with("_anchored")
              ? library_.parameters.at(names[n]).quantity
              : library_.parameters.at(fmt::format("{}_anchored{}", kind, model_error)).quantity;
    }
  }

  std::shared_ptr<calibration::UsedParameters> used_ =
      std::make_shared<calibration::UsedParameters>();
  Library library_;
  SubjectPredictor predictor_;
  double held_back_;
  std::vector<FittedPoint> points_;
  std::vector<Bytes> sizes_;                                ///< of the points of collectives
  std::vector<Index> fitted_;                               ///< indices into points_
  std::map<Collective, std::vector<std::size_t>> members_;  ///< points of each collective
  std::vector<std::string> names_;
};

}  // namespace

tl::expected<CalibrationFit, Diagnostics> calibrate(
    const std::vector<std::unique_ptr<FitSubject>>& subjects, const Library& library,
    double held_back) {
  return Calibrator(subjects, library, held_back).run();
}

}  // namespace vgsim::scenario
