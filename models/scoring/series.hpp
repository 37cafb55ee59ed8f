#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "topology/input/origin.hpp"

namespace vgsim::scoring {

/// A property of a case or point besides its figures, such as {"ranks", 8}: a key in files and, if
/// it is a number, a column on screen.
struct Fact {
  std::string name;
  std::variant<bool, std::int64_t, double, std::string> value;
};

/// A 90 % interval, ends included. Both ends are positive.
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

/// The metric of verdicts: 1 for supported, 0 for refused or lost.
inline constexpr const char* kVerdictMetric = "verdict";

/// A verdict against that of the sources.
enum class VerdictOutcome : std::uint8_t {
  kRight,
  kFalseAccept,   ///< supported against the sources, or a lost feature kept
  kFalseRefusal,  ///< the other way round
  kWrongReason,   ///< refused, but not by the rule that was named
};

/// Where the source of a case has a point, and in which unit.
struct SourcePlace {
  std::string series;  ///< empty: the case is one list
  std::size_t point = 0;
  double factor = 1.0;  ///< value in the source's unit divided by the value here
};

/// Times for the same work, such as seconds per sample, by which points are compared.
struct ComparedTimes {
  std::string work;  ///< only points with equal text are compared
  double measured_s = 0;
  double predicted_s = 0;
  /// In each draw, common to all points; nothing if it could not run.
  std::vector<std::optional<double>> drawn_s;
};

/// A measured and a predicted value in the metric of the series.
struct Point {
  std::string label;  ///< "1 MiB"
  Role role = Role::kScored;
  std::optional<double> measured;
  std::optional<double> predicted;
  std::optional<double> null_model;  ///< prediction of a model without knowledge
  std::optional<Interval> interval;
  std::optional<ComparedTimes> compared;  ///< of points that were drawn
  /// (predicted - measured) / measured; of verdicts the difference alone.
  std::optional<double> error;
  std::optional<double> null_error;  ///< the same of the null model
  std::optional<VerdictOutcome> verdict;
  std::string failure;            ///< why there is no prediction
  std::vector<std::string> tags;  ///< by which points are summarized: "small", "sharded"
  std::vector<Fact> facts;
  SourcePlace source;

  /// Whether it counts in summaries.
  [[nodiscard]] bool is_scored() const { return role == Role::kScored && error.has_value(); }
  /// Whether it should count but could not be predicted.
  [[nodiscard]] bool is_missing() const { return role == Role::kScored && !error; }
};

/// Points that differ in few properties.
struct MeasuredSeries {
  std::string id;
  std::string metric;  ///< with its unit: "samples_per_s", "time_s"
  std::vector<Point> points;
};

/// Properties of a case from its file.
struct CaseHead {
  std::string id;
  std::string title;
  std::string group;            ///< one machine or document
  std::string class_name;       ///< class for summaries; empty: none
  std::string grade;            ///< trustworthiness, "A" to "C"
  bool counts = true;           ///< else it is shown, but excluded from summaries of several cases
  std::optional<double> noise;  ///< relative spread of the measurements
  input::Origin origin;
};

/// The comparison of a case with the model.
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
