#include "models/scenario/score/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/calibration/robust_fit.hpp"
#include "models/scenario/parallel_for.hpp"
#include "models/scenario/score/point_error.hpp"
#include "models/scenario/score/predict.hpp"
#include "models/scenario/score/statistics.hpp"
#include "topology/host_input.hpp"

namespace vgsim::scenario {
namespace {

using calibration::Uncertain;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using input::Diagnostics;
using Json = nlohmann::ordered_json;

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

/// A residual of a fit: measured over predicted, both as logarithms.
struct Residual {
  double octave = 0;  ///< of the size
  double value = 0;
  bool counts = true;  ///< no outlier that stands alone
};

/// Of the residuals near a size, the nearer the more; without the one at `left_out`.
double smoothed(const std::vector<Residual>& all, double octave,
                std::optional<std::size_t> left_out = std::nullopt) {
  constexpr double kWidth = 0.7;  // octaves
  double sum = 0;
  double weights = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].counts || i == left_out) continue;
    const double apart = (all[i].octave - octave) / kWidth;
    const double weight = std::exp(-apart * apart / 2) + 1e-9;  // far from all: their mean
    sum += weight * all[i].value;
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0.0;
}

/// An outlier does not count between two neighbours of half and twice its size that disagree with
/// it: that are not off to the same side by half as much.
void drop_lonely(std::vector<Residual>& all, const std::vector<bool>& outlier) {
  constexpr double kNear = 1.01;  // octaves
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    if (!outlier[i]) continue;
    const auto disagrees = [&](std::size_t other) {
      return std::fabs(all[other].octave - all[i].octave) <= kNear &&
             all[other].value / all[i].value < 0.5;
    };
    all[i].counts = !disagrees(i - 1) || !disagrees(i + 1);
  }
}

/// All cases with some of the parameters changed.
class Predictor {
 public:
  Predictor(const std::vector<FitCase>& cases, const Library& library)
      : cases_(cases), library_(library) {}

  /// Predictions of all points of all cases, for each set of changes; reports what cannot be run.
  std::vector<std::vector<PointError>> points(const std::vector<Values>& changes,
                                              Diagnostics& diagnostics) const {
    using Outcome = tl::expected<std::vector<PointError>, Diagnostics>;
    std::vector<Library> libraries;
    for (const Values& changed : changes) {
      libraries.push_back(library_);
      libraries.back().parameters = library_.parameters.with(changed, "fit");
    }
    std::vector<Outcome> outcomes(changes.size() * cases_.size());
    parallel_for(outcomes.size(), [&](std::size_t o) {
      const FitCase& each = cases_[o % cases_.size()];
      const auto prediction = predict(each.measured, libraries[o / cases_.size()], each.load);
      outcomes[o] = prediction ? Outcome(point_errors(each.measured, *prediction))
                               : tl::unexpected(prediction.error());
    });
    std::vector<std::vector<PointError>> all(changes.size());
    for (std::size_t o = 0; o < outcomes.size(); ++o) {
      if (!outcomes[o]) {
        diagnostics.append(outcomes[o].error());
        continue;
      }
      auto& own = all[o / cases_.size()];
      own.insert(own.end(), outcomes[o]->begin(), outcomes[o]->end());
    }
    return all;
  }

  /// What each point is a measurement of.
  std::vector<Subject> subjects() const {
    std::vector<std::vector<Subject>> of_case(cases_.size());
    parallel_for(cases_.size(), [&](std::size_t c) {
      const auto prediction = predict(cases_[c].measured, library_, cases_[c].load);
      if (!prediction) return;
      for (const MeasuredPoint& point : cases_[c].measured.points) {
        if (!point.is_measured()) continue;
        of_case[c].push_back({prediction->collective, prediction->ranks, prediction->nodes});
      }
    });
    std::vector<Subject> all;
    for (const auto& own : of_case) all.insert(all.end(), own.begin(), own.end());
    return all;
  }

  /// A column for each set of changes. What can be run can be run with other parameters.
  MatrixXd logs(const std::vector<Values>& changes) const {
    Diagnostics ignored;
    const auto all = points(changes, ignored);
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
    before_ = predictor_.points({{}}, diagnostics).front();
    if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
    choose_points();
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
  void choose_points() {
    std::size_t p = 0;
    for (const FitCase& each : cases_) {
      double owed = 0;
      std::size_t measured = 0;
      for (const MeasuredPoint& point : each.measured.points) {
        if (!point.is_measured()) continue;
        FittedPoint told;
        told.id = each.measured.id;
        told.size = point.size;
        told.measured_s = before_[p].measured_s;
        told.before_s = Predictor::predicted(before_[p]);
        owed += held_back_;
        if (owed >= 1.0 && measured > 0) {
          told.held_back = true;
          owed -= 1.0;
        } else {
          fitted_.push_back(static_cast<Index>(p));
        }
        points_.push_back(told);
        ++measured;
        ++p;
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
    result.noise = found.noise;
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
    const std::vector<Subject> subjects = predictor_.subjects();
    std::map<Subject, std::vector<std::size_t>> members;
    for (std::size_t p = 0; p < points_.size(); ++p) members[subjects[p]].push_back(p);
    std::vector<double> left;
    for (auto& [subject, own] : members) {
      std::stable_sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
        return points_[a].size < points_[b].size;
      });
      correct(subject, own, left, result);
    }
    constexpr double kNormalMad = 1.4826;
    constexpr double kLeastNoise = 0.01;
    if (!left.empty()) result.noise = std::max(kLeastNoise, kNormalMad * median(left));
  }

  void correct(const Subject& subject, const std::vector<std::size_t>& own,
               std::vector<double>& left, CalibrationFit& result) {
    std::vector<Residual> residuals;
    std::vector<bool> outlier;
    for (const std::size_t p : own) {
      if (points_[p].held_back) continue;
      const double octave = std::log2(static_cast<double>(points_[p].size.count()));
      residuals.push_back({octave, std::log(points_[p].measured_s / points_[p].after_s), true});
      outlier.push_back(points_[p].outlier);
    }
    if (residuals.empty()) return;
    drop_lonely(residuals, outlier);
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      const bool alone = residuals.size() == 1;
      const double expected = alone ? 0.0 : smoothed(residuals, residuals[i].octave, i);
      left.push_back(std::fabs(residuals[i].value - expected));
    }
    calibration::Correction correction{subject.collective, subject.ranks, subject.machines, {}};
    for (const std::size_t p : own) {
      const Bytes size = points_[p].size;
      const bool known = !correction.factors.empty() && correction.factors.back().first == size;
      if (points_[p].held_back || known) continue;
      const double octave = std::log2(static_cast<double>(size.count()));
      correction.factors.emplace_back(size, std::exp(smoothed(residuals, octave)));
    }
    for (const std::size_t p : own) points_[p].after_s *= correction.at(points_[p].size);
    result.corrections.push_back(std::move(correction));
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
    Diagnostics ignored;
    const auto all = predictor_.points(changes, ignored);
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
  std::vector<PointError> before_;
  std::vector<FittedPoint> points_;
  std::vector<Index> fitted_;  ///< of points_
  std::vector<std::string> names_;
};

/// Median and 90th percentile of relative errors.
Json errors_json(const std::vector<FittedPoint>& points, bool held_back,
                 double FittedPoint::* predicted) {
  std::vector<double> errors;
  for (const FittedPoint& point : points) {
    if (point.held_back != held_back) continue;
    errors.push_back(std::fabs(point.*predicted / point.measured_s - 1));
  }
  if (errors.empty()) return nullptr;
  return {{"median", median(errors)}, {"p90", percentile(errors, 90)}};
}

double rounded(double value) { return value == 0 ? 0 : std::stod(fmt::format("{:.4g}", value)); }

}  // namespace

tl::expected<CalibrationFit, Diagnostics> calibrate(const std::vector<FitCase>& cases,
                                                    const Library& library, double held_back) {
  return Calibrator(cases, library, held_back).run();
}

std::string to_json(const CalibrationFit& fit, const CalibrationText& text,
                    const Library& library) {
  Json parameters = Json::object();
  const auto written = [](const std::string& name, double amount) {
    const std::string words = calibration::in_words(name, rounded(amount));
    return words.find(' ') == std::string::npos ? Json(rounded(amount)) : Json(words);
  };
  for (const FittedParameter& each : fit.parameters) {
    parameters[each.name] = {{"meaning", library.parameters.meaning(each.name)},
                             {"value", written(each.name, each.after.value)},
                             {"low", written(each.name, each.after.low)},
                             {"high", written(each.name, each.after.high)},
                             {"source", "fit"}};
  }
  for (const auto& [name, value] : fit.spreads) {
    parameters[name] = {{"meaning", library.parameters.meaning(name)},
                        {"value", rounded(value)},
                        {"source", "fit"}};
  }
  Json document = {{"format", "vgsim.calibration/1"},
                   {"name", text.name},
                   {"date", text.date},
                   {"sources", {{"fit", {{"title", text.source}, {"evidence", "measured"}}}}},
                   {"parameters", parameters}};
  if (!fit.correlations.empty()) {
    document["correlations"] = Json::array();
    for (const auto& pair : fit.correlations) {
      document["correlations"].push_back({pair.one, pair.other, rounded(pair.coefficient)});
    }
  }
  if (!fit.corrections.empty()) {
    document["corrections"] = Json::array();
    for (const auto& correction : fit.corrections) {
      Json sizes = Json::array();
      Json factors = Json::array();
      for (const auto& [size, factor] : correction.factors) {
        sizes.push_back(fmt::format("{} B", size.count()));
        factors.push_back(rounded(factor));
      }
      document["corrections"].push_back({{"collective", correction.collective},
                                         {"ranks", correction.ranks},
                                         {"machines", correction.machines},
                                         {"sizes", sizes},
                                         {"factors", factors}});
    }
  }
  std::size_t held_back = 0;
  Json outliers = Json::array();
  for (const FittedPoint& point : fit.points) {
    held_back += point.held_back ? 1 : 0;
    if (point.outlier) outliers.push_back(fmt::format("{}, {} B", point.id, point.size.count()));
  }
  document["fit"] = {{"points", fit.points.size() - held_back},
                     {"held_back", held_back},
                     {"noise", rounded(fit.noise)},
                     {"before", errors_json(fit.points, false, &FittedPoint::before_s)},
                     {"after", errors_json(fit.points, false, &FittedPoint::after_s)}};
  const Json proof = errors_json(fit.points, true, &FittedPoint::after_s);
  if (!proof.is_null()) document["fit"]["proof"] = proof;
  document["fit"]["outliers"] = outliers;
  return document.dump(2) + "\n";
}

}  // namespace vgsim::scenario
