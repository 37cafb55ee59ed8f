#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/read/document.hpp"
#include "models/scenario/run/result.hpp"
#include "sim/engine.hpp"
#include "tools/studio/change.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// Under which layout a saved scenario has what was changed.
inline constexpr const char* kWorkingLayout = "studio";

/// Steps that can be undone; older ones are kept, but as one.
inline constexpr std::size_t kMostSteps = 500;

/// Why a change was not made: what a rule of vSphere says, or what is wrong with it.
struct Objection {
  std::string rule;  ///< "mmio-too-small", or the code of an error
  std::string text;
  std::string remedy;
  std::string source;
};

enum class Done {
  kAnswered,
  kRefused,    ///< nothing was changed
  kOvertaken,  ///< something newer has to be answered first
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
};

/// A layout that the answer is held against.
struct Pinned {
  std::string name;
  input::Value variant;
  std::shared_ptr<const scenario::LayoutResult> result;  ///< nothing until it has run
};

/// What is known of the scenario as it stands.
struct Answer {
  std::shared_ptr<const scenario::LayoutResult> result;  ///< nothing until it has run
  bool in_full = false;  ///< with intervals, inputs and what would limit next
  std::optional<scenario::Tornado> tornado;
  std::optional<std::vector<scenario::TriedChange>> tried;  ///< what might help
};

/// Says now and then whether what it was handed to has to stop.
using Overtaken = std::function<bool()>;

using Reporter = std::function<void(const Progress&)>;

/// A scenario that somebody changes step by step, with the answer to each step. One layout is
/// worked on; it is simulated as `vgsim run` simulates the saved scenario. Used by one thread.
class Studio {
 public:
  /// Begins with the first layout; where there is one of kWorkingLayout's name, what that says of
  /// it is the first step. `load` is asked for what the scenario names. Errors: no valid scenario.
  [[nodiscard]] static tl::expected<Studio, input::Diagnostics> open(
      const scenario::Document& document, const scenario::Library& library, input::FileLoader load);

  Outcome change(const Change& change, const Overtaken& overtaken = {});
  /// One step back or forward; what is not there changes nothing.
  Outcome undo(const Overtaken& overtaken = {});
  Outcome redo(const Overtaken& overtaken = {});
  /// Begins again with that layout; the steps are gone. Unknown names change nothing.
  Outcome start_with(const std::string& layout, const Overtaken& overtaken = {});

  /// Whom to tell how far a run has come; nobody at first.
  void report_to(Reporter reporter) { reporter_ = std::move(reporter); }
  [[nodiscard]] const Reporter& reporter() const { return reporter_; }

  /// Brings the answer up to date.
  Outcome run(const Overtaken& overtaken = {});
  /// Adds to it what takes longer. False where it was overtaken.
  bool run_in_full(const Overtaken& overtaken = {});
  bool find_what_helps(const Overtaken& overtaken = {});

  /// Whether a change could be made: what speaks against it. Nothing is run.
  [[nodiscard]] std::vector<Objection> objections_to(const Change& change) const;

  /// Times, as time_of() has them, with each of the changes; nothing of those that do not run.
  [[nodiscard]] std::vector<std::optional<double>> curve(const std::vector<Change>& changes,
                                                         const Overtaken& overtaken) const;

  /// Holds the answer against what stands now, or a layout of the scenario.
  void pin();
  bool pin_layout(const std::string& layout, const Overtaken& overtaken = {});
  void unpin() { pinned_.reset(); }

  /// Makes what stands now a layout of the scenario. False where the name is taken or empty.
  bool save_as_layout(const std::string& name);

  /// The scenario with all layouts, and with what was changed under `name`.
  [[nodiscard]] scenario::Document document(const std::string& name = kWorkingLayout) const;
  /// The scenario as it stands, as the only layout.
  [[nodiscard]] scenario::Document document_alone() const { return document_of(variant()); }
  /// What was changed of the base, with ranges of names, and of the layout that it began with.
  [[nodiscard]] input::Value patch() const;
  [[nodiscard]] input::Value patch_of_start() const;

  [[nodiscard]] const scenario::Document& base() const { return base_; }
  [[nodiscard]] const std::string& start() const { return start_; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::size_t step_count() const { return done_; }  ///< those that are not undone
  /// The scenario as it stands: single names, no layouts.
  [[nodiscard]] const input::Value& variant() const;
  [[nodiscard]] const Answer& answer() const { return answer_; }
  [[nodiscard]] const std::optional<Pinned>& pinned() const { return pinned_; }
  /// What it was prepared to; nothing where it has not run.
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
  [[nodiscard]] scenario::Document document_of(const input::Value& variant) const;
  void add_step(const Change& change, const input::Value& after);
  Outcome step_to(std::size_t done, const Overtaken& overtaken);
  Outcome run_variant(const input::Value& variant, bool all_the_same, const Overtaken& overtaken);

  const scenario::Library* library_;
  input::FileLoader load_;
  scenario::Document base_;
  input::Value single_;  ///< the base with single names, without layouts
  std::string start_;
  input::Value first_;  ///< what it began with
  std::vector<Step> steps_;
  std::size_t done_ = 0;
  std::optional<scenario::PreparedScenario> prepared_;
  Answer answer_;
  Reporter reporter_;
  std::optional<Pinned> pinned_;
};

}  // namespace vgsim::studio
