#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "topology/input/origin.hpp"

namespace vgsim::scoring {

/// Something that is known of a case or a point besides its figures, such as {"ranks", 8}: a key in
/// files and, if it is a number, a column on screen.
struct Fact {
  std::string name;
  std::variant<bool, std::int64_t, double, std::string> value;
};

/// Holds 90 % of the measurements, ends included. Both above 0.
struct Interval {
  double low = 0;
  double high = 0;
};

enum class Role : std::uint8_t {
  kScored,   ///< measured, and compared with its prediction
  kGiven,    ///< measured, and used to predict the other points: an anchor
  kBlind,    ///< not measured
  kLeftOut,  ///< not run; Point::failure states the reason
};

/// Where the source of a case has a point, and in which unit.
struct SourcePlace {
  std::string series;  ///< empty: the case is one list
  std::size_t point = 0;
  double factor = 1.0;  ///< a value in the source's unit over the same value here
};

/// What was measured and what was predicted, in the metric of the series.
struct Point {
  std::string label;  ///< "1 MiB"
  Role role = Role::kScored;
  std::optional<double> measured;
  std::optional<double> predicted;
  std::optional<double> null_model;  ///< what a model without any knowledge predicts
  std::optional<Interval> interval;
  std::optional<double> error;       ///< (predicted - measured) / measured
  std::optional<double> null_error;  ///< the same of the null model
  std::string failure;               ///< why there is no prediction
  std::vector<std::string> tags;     ///< by which points are summarized: "small", "sharded"
  std::vector<Fact> facts;
  SourcePlace source;

  /// Counts in summaries.
  [[nodiscard]] bool is_scored() const { return role == Role::kScored && error.has_value(); }
  /// Should count, but could not be predicted.
  [[nodiscard]] bool is_missing() const { return role == Role::kScored && !error; }
};

/// Points that differ in few things.
struct MeasuredSeries {
  std::string id;
  std::string metric;  ///< with its unit: "samples_per_s", "time_s"
  std::vector<Point> points;
};

/// What a case file says of itself.
struct CaseHead {
  std::string id;
  std::string title;
  std::string group;            ///< one machine or document
  std::string class_name;       ///< by which cases are summarized; empty: by none
  std::string grade;            ///< how far it can be trusted: "A" to "C"
  bool counts = true;           ///< else it is shown, but is in no summary of several cases
  std::optional<double> noise;  ///< relative spread of the measurements
  input::Origin origin;
};

/// What the model says of a case.
struct Prediction {
  std::vector<MeasuredSeries> series;
  std::vector<Fact> facts;
  std::vector<std::string> tags;  ///< of all its points
};

struct ScoredCase {
  CaseHead head;
  Prediction prediction;
};

}  // namespace vgsim::scoring
