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

/// One of several values of a figure: for a loss, an axis or a message size.
struct FigureMember {
  std::string name;
  double value = 0.0;
  std::optional<Interval> interval;
};

/// JSON pointers into an entry, for figures whose members are entries of a list in the result.
/// Objects have a key per member instead.
struct MemberPointers {
  const char* name = nullptr;   ///< "/mechanism"
  const char* value = nullptr;  ///< "/time_s"
  const char* low = nullptr;    ///< of the interval
  const char* high = nullptr;
};

/// A figure of a layout's result. JSON, its schema, screen, `--full`, report, studio, compare,
/// check, sweep, CSV and xlsx all use its row in figures().
struct Figure {
  /// Not shown on a terminal's screen.
  static constexpr int kNotOnScreen = -1;

  const char* key;             ///< in results, checks and sweeps; ends with its unit
  const char* title;           ///< "exposed communication"
  const char* head = nullptr;  ///< short title for a narrow column; nullptr: the title
  MetricUnit unit = MetricUnit::kSeconds;
  Better better = Better::kLower;
  const char* pointer;  ///< in the JSON of a layout
  const char* meaning;  ///< description in the schema
  /// The value; nothing if the layout has none; infinite if the job never ends.
  std::optional<double> (*read)(const LayoutResult&) = nullptr;
  /// The 90 % interval; nothing without draws.
  std::optional<Interval> (*interval)(const LayoutResult&) = nullptr;
  const char* interval_pointer = nullptr;
  const char* interval_title = "90 % interval";

  /// Replaces `read` for a figure of several values, in display order.
  std::vector<FigureMember> (*members)(const LayoutResult&) = nullptr;
  MemberPointers in_list{};
  const char* member = nullptr;  ///< example of a member's name

  /// Priority on the screen: smaller numbers first.
  int screen = kNotOnScreen;
  int interval_screen = kNotOnScreen;
  bool screen_if_differs = false;                    ///< on the screen only where layouts differ
  bool (*screen_if)(const LayoutResult&) = nullptr;  ///< or if this holds for one layout
  bool (*matters)(const LayoutResult&) = nullptr;    ///< shown only if this holds for one layout
  bool of_iteration = false;       ///< part of the iteration: shown as a share on the screen
  bool minor = false;              ///< omitted for many layouts
  bool begins_block = false;       ///< preceded by a blank line in long tables
  const char* infinite = nullptr;  ///< the word for an infinite value
  std::optional<double> (*whole)(const LayoutResult&) = nullptr;  ///< "64 of 80 GiB"

  [[nodiscard]] bool is_list() const { return in_list.name != nullptr; }
  /// Whether it is a figure of a collective, by message size.
  [[nodiscard]] bool is_size() const { return std::string_view(pointer) == "/points"; }
};

/// All figures, in the order of all outputs.
[[nodiscard]] std::span<const Figure> figures();

/// The value of a figure, or the values of its members, each once; empty for a refused layout.
[[nodiscard]] std::vector<Metric> metrics_of(const Figure& figure, const LayoutResult& layout);

/// All finite figures of a layout, most important first; empty for a refused layout.
[[nodiscard]] std::vector<Metric> metrics_of(const LayoutResult& layout);

/// The same for a layout of a result file (an object of "layouts" in vgsim.result/2).
[[nodiscard]] std::vector<Metric> metrics_of(const nlohmann::ordered_json& layout);

/// The description of a figure by name, with value 0; nothing for an unknown name. Message sizes
/// are written as in results: "time_s@64 KiB".
[[nodiscard]] std::optional<Metric> metric_named(const std::string& name);

/// All names; figures with members have the name of an example member.
[[nodiscard]] std::vector<std::string> metric_names();

/// "1 GiB", "1500 B": exact message sizes, as in nccl-tests.
[[nodiscard]] std::string message_size_words(std::int64_t bytes);

}  // namespace vgsim::scenario
