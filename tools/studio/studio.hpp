#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/answer/computed_parts.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/read/document.hpp"
#include "models/scenario/run/result.hpp"
#include "sim/engine.hpp"
#include "tools/studio/change.hpp"
#include "tools/studio/changed_machines.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// Name of the layout of a saved scenario that holds the changes of another one: "vgpu, changed".
/// Scenarios of earlier versions have the changes of the first layout in "studio".
inline constexpr const char* kChanged = ", changed";
inline constexpr const char* kFormerWorkingLayout = "studio";

/// Steps that can be undone; older ones are merged into one.
inline constexpr std::size_t kMostSteps = 500;

/// Why a change was not made: a rule of vSphere, or an error.
struct Objection {
  std::string rule;  ///< "mmio-too-small", or the code of an error
  std::string text;
  std::string remedy;
  std::string source;
};

enum class Done {
  kAnswered,
  kRefused,    ///< nothing was changed
  kOvertaken,  ///< a newer request comes first
};

struct Outcome {
  Done done = Done::kAnswered;
  std::vector<Objection> objections;
};

struct Step {
  std::string title;
  std::string gesture;
  input::Value patch;  ///< RFC 7396, of the scenario before
  input::Value after;  ///< the scenario, with single names and without layouts
  /// Devices before it, if that has run, and what it took away.
  std::optional<MachineCounts> before;
  std::vector<std::string> removed;
};

/// As many layouts as a table shows beside the present one.
inline constexpr std::size_t kMostPinned = 5;

/// A layout that the answer is compared with.
struct Pinned {
  std::string name;  ///< the layout's, or the title of the latest change
  input::Value variant;
  std::shared_ptr<const scenario::LayoutResult> result;  ///< nothing until it has run
  std::uint64_t draws = 0;                               ///< in the result
};

/// Results of the present scenario.
struct Answer {
  std::shared_ptr<const scenario::LayoutResult> result;  ///< nothing until it has run
  bool in_full = false;  ///< with intervals, inputs and next bottleneck, as far as they exist
  std::optional<scenario::Tornado> tornado;
  std::optional<std::vector<scenario::TriedChange>> tried;  ///< possible improvements
  /// Finished simulations of these, until they are complete (pause_when()).
  scenario::ComputedParts parts_in_full;
  scenario::ComputedParts parts_of_tried;
};

/// Polled during a run: whether it has to stop.
using Overtaken = std::function<bool()>;

using Reporter = std::function<void(const Progress&)>;

/// A scenario that is edited step by step, with the answer to each step. One layout is edited;
/// it is simulated as `vgsim run` simulates the saved scenario. Used by one thread.
class Studio {
 public:
  /// Begins with the first layout; if there is a layout "NAME, changed", with the layout NAME,
  /// and that content is the first step. `load` reads files that the scenario names. Errors: an
  /// invalid scenario.
  [[nodiscard]] static tl::expected<Studio, input::Diagnostics> open(
      const scenario::Document& document, const scenario::Library& library, input::FileLoader load);

  Outcome change(const Change& change, const Overtaken& overtaken = {});
  /// One step back or forward; no effect if there is none.
  Outcome undo(const Overtaken& overtaken = {});
  Outcome redo(const Overtaken& overtaken = {});
  /// Starts again with that layout and drops all steps. Unknown names have no effect.
  Outcome start_with(const std::string& layout, const Overtaken& overtaken = {});

  /// Receives the progress of runs.
  void report_to(Reporter reporter) { reporter_ = std::move(reporter); }
  [[nodiscard]] const Reporter& reporter() const { return reporter_; }

  /// Updates the answer.
  Outcome run(const Overtaken& overtaken = {});
  /// From now on parts that take longer are also interrupted if it is true between two simulations,
  /// and the next call goes on from there. Each call makes at least one simulation.
  void pause_when(Overtaken pause) { pause_ = std::move(pause); }
  /// Adds parts that take longer. False if it was overtaken or interrupted.
  bool run_in_full(const Overtaken& overtaken = {});
  bool find_what_helps(const Overtaken& overtaken = {});

  /// The reasons against a change, without running it.
  [[nodiscard]] std::vector<Objection> objections_to(const Change& change) const;

  /// The figures with a change, with their intervals if wanted; none if it does not run.
  [[nodiscard]] std::vector<scenario::Metric> figures_with(const Change& change, bool intervals,
                                                           const Overtaken& overtaken) const;

  /// Compares the answer with the present scenario, or with one of its layouts. False if nothing
  /// has run, for unknown layouts, and if there are kMostPinned.
  bool pin();
  bool pin_layout(const std::string& layout, const Overtaken& overtaken = {});
  void unpin(std::size_t index);

  /// Drops results, which run() computes again.
  void forget_answer();

  /// Saves the present scenario as a layout. False if the name is in use or empty.
  bool save_as_layout(const std::string& name);

  /// The scenario with all layouts, and the changes, if there are any, as working_name().
  [[nodiscard]] scenario::Document document() const;
  /// The present scenario as the only layout.
  [[nodiscard]] scenario::Document document_alone() const { return document_of(variant()); }
  /// The changes of the base, with ranges of names, including those of the first layout.
  [[nodiscard]] input::Value patch() const;
  [[nodiscard]] input::Value patch_of_start() const;

  [[nodiscard]] const scenario::Document& base() const { return base_; }
  [[nodiscard]] const std::string& start() const { return start_; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::size_t step_count() const { return done_; }  ///< without undone ones
  /// The present scenario: single names, no layouts.
  [[nodiscard]] const input::Value& variant() const;
  [[nodiscard]] const Answer& answer() const { return answer_; }
  /// The result as `vgsim run` writes it: with the effects of assumptions. Something must have run.
  [[nodiscard]] scenario::LayoutResult result_with_assumptions() const;
  [[nodiscard]] const std::vector<Pinned>& pinned() const { return pinned_; }
  /// The prepared scenario; null if it has not run.
  [[nodiscard]] const scenario::PreparedScenario* prepared() const {
    return prepared_ ? &*prepared_ : nullptr;
  }
  [[nodiscard]] const scenario::Library& library() const { return *library_; }
  [[nodiscard]] const input::FileLoader& loader() const { return load_; }
  /// "passthrough", or "passthrough, changed".
  [[nodiscard]] std::string working_name() const;

 private:
  Studio(const scenario::Document& document, const scenario::Library& library,
         input::FileLoader load);

  [[nodiscard]] std::optional<input::Value> variant_of(const std::string& layout) const;
  [[nodiscard]] std::string name_of(const input::Value& variant) const;
  [[nodiscard]] scenario::Document document_of(const input::Value& variant) const;
  [[nodiscard]] scenario::Document with_present_as(const std::string& name) const;
  void add_step(const Change& change, const input::Value& after);
  Outcome step_to(std::size_t done, const Overtaken& overtaken);
  [[nodiscard]] std::uint64_t draws_of(const scenario::ScenarioResult& result) const;
  [[nodiscard]] scenario::ComputedParts* repeated(scenario::ComputedParts& parts) const;
  [[nodiscard]] bool compute_in_full(const Overtaken& overtaken, scenario::ComputedParts* parts);
  [[nodiscard]] bool add_draws_to_pinned(std::uint64_t draws, const Overtaken& overtaken,
                                         scenario::ComputedParts* parts);
  bool add_pinned(Pinned pinned);
  [[nodiscard]] std::optional<std::vector<scenario::TriedChange>> tried_changes(
      const Overtaken& overtaken, scenario::ComputedParts* parts) const;
  Outcome run_variant(const input::Value& variant, bool all_the_same, const Overtaken& overtaken);

  const scenario::Library* library_;
  input::FileLoader load_;
  scenario::Document base_;
  input::Value single_;  ///< the base with single names, without layouts
  std::string start_;
  input::Value begun_;  ///< the layout `start_`
  input::Value first_;  ///< before the first step: `begun_`, unless steps were merged
  std::vector<Step> steps_;
  std::size_t done_ = 0;
  std::optional<scenario::PreparedScenario> prepared_;
  Answer answer_;
  Reporter reporter_;
  Overtaken pause_;  ///< none: nothing is interrupted between simulations
  std::vector<Pinned> pinned_;
};

}  // namespace vgsim::studio
