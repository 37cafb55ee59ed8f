#include "models/scoring/fit/calibration_fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/calibration/read/calibration_file.hpp"
#include "models/calibration/statistics.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return value == 0 ? 0 : std::stod(fmt::format("{:.4g}", value)); }

/// With its unit, or a plain number.
Json amount_json(const std::string& name, double amount) {
  const std::string words = calibration::in_words(name, rounded(amount));
  return words.find(' ') == std::string::npos ? Json(rounded(amount)) : Json(words);
}

Json parameters_json(const CalibrationFit& fit, const Library& library) {
  Json parameters = Json::object();
  for (const FittedParameter& each : fit.parameters) {
    parameters[each.name] = {{"meaning", library.parameters.at(each.name).meaning},
                             {"value", amount_json(each.name, each.after.value)},
                             {"low", amount_json(each.name, each.after.low)},
                             {"high", amount_json(each.name, each.after.high)},
                             {"source", "fit"}};
  }
  for (const auto& [name, spread] : fit.spreads) {
    parameters[name] = {{"meaning", library.parameters.at(name).meaning},
                        {"value", 1},
                        {"low", rounded(spread.low)},
                        {"high", rounded(spread.high)},
                        {"source", "fit"}};
  }
  return parameters;
}

Json corrections_json(const std::vector<calibration::Correction>& corrections) {
  Json list = Json::array();
  for (const auto& correction : corrections) {
    Json sizes = Json::array();
    Json factors = Json::array();
    for (const auto& [size, factor] : correction.factors) {
      sizes.push_back(fmt::format("{} B", size.count()));
      factors.push_back(rounded(factor));
    }
    list.push_back({{"collective", correction.collective},
                    {"ranks", correction.ranks},
                    {"machines", correction.machines},
                    {"sizes", sizes},
                    {"factors", factors}});
  }
  return list;
}

Json errors_json(const FitErrors& errors) {
  return {{"median", rounded(errors.median)}, {"p90", rounded(errors.p90)}};
}

}  // namespace

std::optional<FitErrors> CalibrationFit::errors(bool held_back,
                                                double FittedPoint::*predicted) const {
  std::vector<double> all;
  for (const FittedPoint& point : points) {
    if (point.held_back != held_back) continue;
    all.push_back(std::fabs(point.*predicted / point.measured_s - 1));
  }
  if (all.empty()) return std::nullopt;
  return FitErrors{all.size(), calibration::median(all), calibration::percentile(all, 90)};
}

std::string to_json(const CalibrationFit& fit, const CalibrationText& text,
                    const Library& library) {
  Json document = {{"format", calibration::kCalibrationFormat},
                   {"name", text.name},
                   {"date", text.date},
                   {"sources", {{"fit", {{"title", text.source}, {"evidence", "measured"}}}}},
                   {"parameters", parameters_json(fit, library)}};
  if (!fit.correlations.empty()) {
    document["correlations"] = Json::array();
    for (const auto& pair : fit.correlations) {
      document["correlations"].push_back({pair.one, pair.other, rounded(pair.coefficient)});
    }
  }
  if (!fit.corrections.empty()) document["corrections"] = corrections_json(fit.corrections);
  Json outliers = Json::array();
  for (const FittedPoint& point : fit.points) {
    if (point.outlier) outliers.push_back(fmt::format("{}, {}", point.id, point.what));
  }
  const auto fitted = fit.errors(false, &FittedPoint::after_s);
  const auto proof = fit.errors(true, &FittedPoint::after_s);
  document["fit"] = {{"points", fitted ? fitted->points : 0},
                     {"validation_points", proof ? proof->points : 0},
                     {"noise", rounded(fit.noise)}};
  if (fitted) {
    document["fit"]["before"] = errors_json(*fit.errors(false, &FittedPoint::before_s));
    document["fit"]["after"] = errors_json(*fitted);
  }
  if (proof) document["fit"]["proof"] = errors_json(*proof);
  document["fit"]["outliers"] = outliers;
  return document.dump(2) + "\n";
}

}  // namespace vgsim::scenario
