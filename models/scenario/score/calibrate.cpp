#include "models/scenario/score/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <stdexcept>

#include "models/calibration/residuals.hpp"
#include "models/calibration/robust_fit.hpp"
#include "models/calibration/statistics.hpp"
#include "models/scenario/parallel_for.hpp"
#include "models/scenario/score/point_error.hpp"
#include "models/scenario/score/predict.hpp"

namespace vgsim::scenario {
namespace {

using calibration::Uncertain;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using input::Diagnostics;

constexpr double kProbe = 0.05;   // change of a parameter that must show
constexpr double kShows = 0.002;  // change of a prediction that does
constexpr double kRelated = 0.2;  // correlations that are told

/// What is believed of a parameter before: the standard deviation of its logarithm.
double believed(const Uncertain& quantity) {
  constexpr double kLeastKnown = 0.5;
  if (quantity.low <= 0) return kLeastKnown;
  return std::max(0.01, std::log(quantity.high / quantity.low) / (2 * calibration::kNineInTen));
}

using Values = std::map<std::string, Uncertain>;

/// What a correction is of.
struct Subject {
  std::string collective;
  std::size_t ranks = 0;
  std::size_t machines = 0;

  auto operator<=>(const Subject&) const = default;
};

double octave_of(Bytes size) { return std::log2(static_cast<double>(size.count())); }

/// All cases with some of the parameters changed.
class Predictor {
 public:
  Predictor(const std::vector<FitCase>& cases, const Library& library)
      : cases_(cases), library_(library) {}

  /// Of all cases, for each set of changes; reports what cannot be run.
  std::vector<std::vector<CasePrediction>> predictions(const std::vector<Values>& changes,
                                                       Diagnostics& diagnostics) const {
    using Outcome = tl::expected<CasePrediction, Diagnostics>;
    std::vector<Library> libraries;
    for (const Values& changed : changes) {
      libraries.push_back(library_);
      libraries.back().parameters = library_.parameters.with(changed, "fit");
    }
    std::vector<Outcome> outcomes(changes.size() * cases_.size());
    parallel_for(outcomes.size(), [&](std::size_t o) {
      const FitCase& each = cases_[o % cases_.size()];
      outcomes[o] = predict(each.measured, libraries[o / cases_.size()], each.load);
    });
    std::vector<std::vector<CasePrediction>> all(changes.size());
    for (std::size_t o = 0; o < outcomes.size(); ++o) {
      if (outcomes[o]) {
        all[o / cases_.size()].push_back(std::move(*outcomes[o]));
      } else {
        diagnostics.append(outcomes[o].error());
      }
    }
    return all;
  }

  /// The measured points of all cases, one case after the other.
  std::vector<PointError> points(const std::vector<CasePrediction>& predictions) const {
    std::vector<PointError> all;
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      const auto own = point_errors(cases_[c].measured, predictions[c]);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

  /// The same for each set of changes. Cases that could be run can be run with other parameters.
  std::vector<std::vector<PointError>> points(const std::vector<Values>& changes) const {
    Diagnostics diagnostics;
    const auto predicted = predictions(changes, diagnostics);
    if (diagnostics.has_errors()) {
      throw std::logic_error("a case of a fit runs with some parameters alone: " +
                             input::render(diagnostics));
    }
    std::vector<std::vector<PointError>> all;
    for (const auto& each : predicted) all.push_back(points(each));
    return all;
  }

  /// A column for each set of changes.
  MatrixXd logs(const std::vector<Values>& changes) const {
    const auto all = points(changes);
    MatrixXd result(static_cast<Index>(all.front().size()), static_cast<Index>(changes.size()));
    for (std::size_t c = 0; c < all.size(); ++c) {
      for (std::size_t p = 0; p < all[c].size(); ++p) {
        result(static_cast<Index>(p), static_cast<Index>(c)) = std::log(predicted(all[c][p]));
      }
    }
    return result;
  }

  /// Where the algorithm is unknown, that with the prediction nearer to the measurement.
  static double predicted(const PointError& point) { return point.measured_s * (1 + point.error); }

 private:
  const std::vector<FitCase>& cases_;
  const Library& library_;
};

class Calibrator {
 public:
  Calibrator(const std::vector<FitCase>& cases, const Library& library, double held_back)
      : cases_(cases), library_(library), predictor_(cases, library), held_back_(held_back) {}

  tl::expected<CalibrationFit, Diagnostics> run() {
    Diagnostics diagnostics;
    const auto before = predictor_.predictions({{}}, diagnostics);
    if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
    choose_points(before.front());
    if (fitted_.empty()) {
      diagnostics.error("E611", {}, "", "there is no measured point to fit",
                        "cases with measurements");
      return tl::unexpected(diagnostics);
    }
    choose_unknowns();
    if (names_.empty()) {
      diagnostics.error("E612", {}, "", "the measurements determine no parameter of the model");
      return tl::unexpected(diagnostics);
    }
    return fit();
  }

 private:
  void choose_points(const std::vector<CasePrediction>& before) {
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      double owed = 0;
      bool first = true;
      for (const PointError& error : point_errors(cases_[c].measured, before[c])) {
        FittedPoint point;
        point.id = cases_[c].measured.id;
        point.size = error.size;
        point.measured_s = error.measured_s;
        point.before_s = Predictor::predicted(error);
        owed += held_back_;
        point.held_back = owed >= 1.0 && !first;
        if (point.held_back) owed -= 1.0;
        if (!point.held_back) fitted_.push_back(static_cast<Index>(points_.size()));
        members_[{before[c].collective, before[c].ranks, before[c].nodes}].push_back(
            points_.size());
        points_.push_back(point);
        first = false;
      }
    }
  }

  [[nodiscard]] MatrixXd at_fitted(const MatrixXd& all) const { return all(fitted_, Eigen::all); }

  void choose_unknowns() {
    std::vector<std::string> candidates;
    std::vector<Values> changes{{}};
    for (const std::string& name : library_.parameters.uncertain_names()) {
      if (library_.parameters.uncertain(name)->value <= 0) continue;
      candidates.push_back(name);
      changes.push_back(changed({name}, VectorXd::Constant(1, kProbe)));
    }
    const MatrixXd logs = at_fitted(predictor_.logs(changes));
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const auto moved = logs.col(static_cast<Index>(c) + 1) - logs.col(0);
      if (moved.cwiseAbs().maxCoeff() >= kShows) names_.push_back(candidates[c]);
    }
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
      points_[p].after_s = std::exp(after[static_cast<Index>(p)]);
    }
    for (const std::size_t i : found.outliers) {
      points_[static_cast<std::size_t>(fitted_[i])].outlier = true;
    }
    find_corrections(result);
    result.points = points_;
    find_spreads(result);
    return result;
  }

  /// Residuals of each collective become its correction, and what is left of them the noise.
  void find_corrections(CalibrationFit& result) {
    std::vector<double> left;
    for (auto& [subject, own] : members_) {
      std::stable_sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
        return points_[a].size < points_[b].size;
      });
      std::vector<calibration::Residual> residuals;
      for (const std::size_t p : own) {
        if (points_[p].held_back) continue;
        residuals.push_back({octave_of(points_[p].size),
                             std::log(points_[p].measured_s / points_[p].after_s),
                             points_[p].outlier});
      }
      if (residuals.empty()) continue;
      const calibration::SmoothResiduals smooth(std::move(residuals));
      for (const double surprise : smooth.surprises()) left.push_back(surprise);
      result.corrections.push_back(correct(subject, own, smooth));
    }
    constexpr double kLeastNoise = 0.01;
    result.noise = std::max(kLeastNoise, calibration::kNormalMad * calibration::median(left));
  }

  /// Corrects the points of one collective.
  calibration::Correction correct(const Subject& subject, const std::vector<std::size_t>& own,
                                  const calibration::SmoothResiduals& smooth) {
    calibration::Correction correction{subject.collective, subject.ranks, subject.machines, {}};
    for (const std::size_t p : own) {
      const Bytes size = points_[p].size;
      const bool known = !correction.factors.empty() && correction.factors.back().first == size;
      if (points_[p].held_back || known) continue;
      correction.factors.emplace_back(size, std::exp(smooth.at(octave_of(size))));
    }
    for (const std::size_t p : own) points_[p].after_s *= correction.at(points_[p].size);
    return correction;
  }

  /// Residuals after the fit replace the spreads that predictions of these cases have.
  void find_spreads(CalibrationFit& result) {
    constexpr double kWider = 1.5;
    std::vector<std::string> names;
    std::vector<Values> changes{{}};
    for (const auto& [name, written] : library_.parameters.all()) {
      if (name.find("_spread_") == std::string::npos) continue;
      names.push_back(name);
      changes.push_back({{name, {library_.parameters.number(name) * kWider, 0, 0}}});
    }
    const auto all = predictor_.points(changes);
    const auto same = [](const PointError& a, const PointError& b) {
      return a.low_s == b.low_s && a.high_s == b.high_s;
    };
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (std::equal(all[0].begin(), all[0].end(), all[n + 1].begin(), same)) continue;
      result.spreads[names[n]] = std::expm1(calibration::kNineInTen * result.noise);
    }
  }

  const std::vector<FitCase>& cases_;
  const Library& library_;
  Predictor predictor_;
  double held_back_;
  std::vector<FittedPoint> points_;
  std::vector<Index> fitted_;                            ///< of points_
  std::map<Subject, std::vector<std::size_t>> members_;  ///< points of each
  std::vector<std::string> names_;
};

}  // namespace

tl::expected<CalibrationFit, Diagnostics> calibrate(const std::vector<FitCase>& cases,
                                                    const Library& library, double held_back) {
  return Calibrator(cases, library, held_back).run();
}

}  // namespace vgsim::scenario
