#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/studio/session_folder.hpp"
#include "tools/studio/sources.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// A scenario that is open, and where it is saved.
struct OpenScenario {
  Studio studio;
  Opening origin;
  std::optional<std::string> file;  ///< nothing until it is saved
  std::string saved_text;           ///< of that file, or as it was read
};

/// The open scenario, those that were open before it, and those to which undo has gone back.
/// Each is saved in a separate file; opening one never writes to the file of another.
class OpenScenarios {
 public:
  OpenScenarios(OpenScenario first, SessionFolder folder)
      : now_(std::move(first)), folder_(std::move(folder)) {}

  [[nodiscard]] Studio& studio() { return now_.studio; }  ///< the same object for good
  [[nodiscard]] const Opening& origin() const { return now_.origin; }
  [[nodiscard]] const SessionFolder& folder() const { return folder_; }

  void open(OpenScenario next);
  [[nodiscard]] bool can_go_back() const { return !before_.empty(); }
  [[nodiscard]] bool can_go_on() const { return !after_.empty(); }
  /// The names of the scenarios that these lead to; requires that there is one.
  [[nodiscard]] std::string name_before() const { return before_.back().origin.name; }
  [[nodiscard]] std::string name_after() const { return after_.back().origin.name; }
  void go_back();
  void go_on();
  void forget_later() { after_.clear(); }

  /// Writes the scenario if it differs from what is on disk, in a new file of the session folder
  /// if it has none. Errors are kept, see error().
  void save();
  [[nodiscard]] const std::optional<std::string>& file() const { return now_.file; }
  /// Whether changes are not on disk, and why; empty if they are.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  OpenScenario now_;
  std::vector<OpenScenario> before_;  ///< the last one is the latest
  std::vector<OpenScenario> after_;   ///< the last one is the next
  SessionFolder folder_;
  std::string error_;
};

/// The text in which a scenario is saved.
[[nodiscard]] std::string text_of(const OpenScenario& scenario);

}  // namespace vgsim::studio
