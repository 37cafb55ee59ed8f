#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// One of several values of a figure: of a loss, an axis, a message size.
struct FigureMember {
  std::string name;
  double value = 0.0;
  std::optional<Interval> interval;
};

/// Where the members of a figure are in the JSON of a result, if they are entries of a list:
/// pointers into an entry. An object has a key for each member instead.
struct MemberPointers {
  const char* name = nullptr;   ///< "/mechanism"
  const char* value = nullptr;  ///< "/time_s"
  const char* low = nullptr;    ///< of the interval
  const char* high = nullptr;
};

/// A figure of a layout's result. Its row in figures() is all that JSON, its schema, screen,
/// `--full`, report, studio, compare, check, sweep, CSV and xlsx need to show it.
struct Figure {
  /// No row on a terminal's screen.
  static constexpr int kNotOnScreen = -1;

  const char* key;             ///< in results, checks and sweeps; ends with its unit
  const char* title;           ///< "exposed communication"
  const char* head = nullptr;  ///< the same above a narrow column; nullptr: the title
  MetricUnit unit = MetricUnit::kSeconds;
  Better better = Better::kLower;
  const char* pointer;  ///< in the JSON of a layout
  const char* meaning;  ///< a sentence, for the schema
  /// Nothing where the layout has none. Infinite where it never ends.
  std::optional<double> (*read)(const LayoutResult&) = nullptr;
  /// 90 % of the draws lie within; nothing without draws.
  std::optional<Interval> (*interval)(const LayoutResult&) = nullptr;
  const char* interval_pointer = nullptr;
  const char* interval_title = "nine in ten";

  /// A figure of several values has these instead of `read`, in the order in which they are shown.
  std::vector<FigureMember> (*members)(const LayoutResult&) = nullptr;
  MemberPointers in_list{};
  const char* member = nullptr;  ///< the name of one, as an example

  /// The smaller, the sooner it is on the screen.
  int screen = kNotOnScreen;
  int interval_screen = kNotOnScreen;
  bool screen_if_differs = false;                    ///< on the screen only where layouts differ
  bool (*screen_if)(const LayoutResult&) = nullptr;  ///< or where this holds of one
  bool (*matters)(const LayoutResult&) = nullptr;    ///< shown only where this holds of one
  bool of_iteration = false;                         ///< a part of it: a share on the screen
  bool minor = false;                                ///< left out where layouts are many
  bool begins_block = false;                         ///< below a blank line in long tables
  const char* infinite = nullptr;                    ///< the word for an infinite value
  std::optional<double> (*whole)(const LayoutResult&) = nullptr;  ///< "64 of 80 GiB"

  [[nodiscard]] bool is_list() const { return in_list.name != nullptr; }
  /// Of a collective, by message size.
  [[nodiscard]] bool is_size() const { return std::string_view(pointer) == "/points"; }
};

/// All of them, in the order in which every output shows them.
[[nodiscard]] std::span<const Figure> figures();

/// The value of a figure, or those of its members, each once; none of a layout that was refused.
[[nodiscard]] std::vector<Metric> metrics_of(const Figure& figure, const LayoutResult& layout);

/// All figures of a layout, most important first; none of a layout that was refused. A value that
/// is not finite is left out.
[[nodiscard]] std::vector<Metric> metrics_of(const LayoutResult& layout);

/// The same of a layout in a file (an object of "layouts" in vgsim.result/1).
[[nodiscard]] std::vector<Metric> metrics_of(const nlohmann::ordered_json& layout);

/// What a figure of that name is, with value 0; nothing if no result has one. Sizes of collectives
/// are written as results have them: "time_s@64 KiB".
[[nodiscard]] std::optional<Metric> metric_named(const std::string& name);

/// All names, of figures with members that of one member.
[[nodiscard]] std::vector<std::string> metric_names();

/// "1 GiB", "1500 B": sizes as nccl-tests sweeps them, exactly.
[[nodiscard]] std::string message_size_words(std::int64_t bytes);

}  // namespace vgsim::scenario
