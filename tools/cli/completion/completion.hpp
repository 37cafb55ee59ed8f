#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/cli/command_tree.hpp"

namespace vgsim::cli::completion {

enum class Shell { kBash, kZsh, kFish };

/// Words for a value that the command line itself does not list.
struct Words {
  std::vector<std::string> always;
  /// Positional arguments: the words that follow this word.
  std::map<std::string, std::vector<std::string>> after;
};

/// By argument: "catalog 0" for the first positional argument of a command, "import --kind" for
/// an option of one command, "--calibration" for an option of every command.
using WordTable = std::map<std::string, Words>;

/// The completion script of a shell for commands, options, words and file names. Words with
/// special characters of a shell are left out.
[[nodiscard]] std::string script(const Command& command, Shell shell, const WordTable& words);

/// The possible values of an argument.
struct Value {
  Words words;
  bool files = false;
  bool folders = false;  ///< only folders; folders on the way to a file are always offered
  std::string ending;    ///< extension of the files: ".json"; empty for all

  [[nodiscard]] bool is_known() const {
    return files || folders || !words.always.empty() || !words.after.empty();
  }
};

/// Of the option `argument` of a command, or of its positional argument of that index. `path`:
/// "run", or "sweep export" for a subcommand.
[[nodiscard]] Value value_of(const std::string& path, const Argument& argument, std::size_t index,
                             const WordTable& words);

/// A command with its subcommands, each with its path ("" for the program itself).
struct Place {
  std::string path;
  const Command* command = nullptr;
};
[[nodiscard]] std::vector<Place> places(const Command& command);

[[nodiscard]] std::string bash_script(const Command& command, const WordTable& words);
[[nodiscard]] std::string zsh_script(const Command& command, const WordTable& words);
[[nodiscard]] std::string fish_script(const Command& command, const WordTable& words);

}  // namespace vgsim::cli::completion
