#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/cli/command_tree.hpp"

namespace vgsim::cli::completion {

enum class Shell { kBash, kZsh, kFish };

/// Words that stand for something where the command line itself does not list them.
struct Words {
  std::vector<std::string> always;
  /// Positional arguments: those that hold where this word stands before.
  std::map<std::string, std::vector<std::string>> after;
};

/// By what takes them: "catalog 0" for the first positional argument of a command, "import --kind"
/// for an option of one command, "--calibration" for an option of every command.
using WordTable = std::map<std::string, Words>;

/// The script that makes a shell complete the commands, options, words and file names of this
/// command line. Words with characters that mean something to a shell are left out.
[[nodiscard]] std::string script(const Command& command, Shell shell, const WordTable& words);

/// What may stand for the value of an argument.
struct Value {
  Words words;
  bool files = false;
  bool folders = false;  ///< alone; folders on the way to a file are always offered
  std::string ending;    ///< of the files: ".json"; empty for all

  [[nodiscard]] bool is_known() const {
    return files || folders || !words.always.empty() || !words.after.empty();
  }
};

/// Of the option `argument` of a command, or of its positional argument of that index. `path`:
/// "run", or "sweep export" for a command within another.
[[nodiscard]] Value value_of(const std::string& path, const Argument& argument, std::size_t index,
                             const WordTable& words);

/// A command with those within it, each with its path ("" for the program itself).
struct Place {
  std::string path;
  const Command* command = nullptr;
};
[[nodiscard]] std::vector<Place> places(const Command& command);

[[nodiscard]] std::string bash_script(const Command& command, const WordTable& words);
[[nodiscard]] std::string zsh_script(const Command& command, const WordTable& words);
[[nodiscard]] std::string fish_script(const Command& command, const WordTable& words);

}  // namespace vgsim::cli::completion
