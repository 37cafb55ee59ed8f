#pragma once

#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// An option, a flag or a positional argument.
struct Argument {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional one its name alone
  std::string description;
  std::string label;                 ///< stands for its value: "FILE"; empty for flags
  std::vector<std::string> choices;  ///< the words that it takes; empty where others do as well
  bool required = false;
  bool repeats = false;

  [[nodiscard]] bool takes_value() const { return !label.empty(); }
};

/// A command with what it takes.
struct Command {
  std::string name;
  std::string description;
  std::string group;                  ///< of commands, that it is listed with
  std::string footer;                 ///< what its own help ends with
  std::vector<Argument> positionals;  ///< in their order
  std::vector<Argument> options;      ///< flags too
  std::vector<Command> commands;
};

/// The whole command line as the program reads it, without what is hidden from its help: what is
/// written of it, such as completions and the manual page, is read from here and so never stale.
[[nodiscard]] Command command_tree(const CLI::App& app);

}  // namespace vgsim::cli
