#pragma once

#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// An option, a flag or a positional argument.
struct Argument {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional one its name alone
  std::string description;
  std::string label;                 ///< placeholder of its value: "FILE"; empty for flags
  std::vector<std::string> choices;  ///< the words that it takes; empty where others do as well
  bool required = false;
  bool repeats = false;

  [[nodiscard]] bool takes_value() const { return !label.empty(); }
};

/// A command with its options and arguments.
struct Command {
  std::string name;
  std::string description;
  std::string group;                  ///< of commands, that it is listed with
  std::string footer;                 ///< last part of its help
  std::vector<Argument> positionals;  ///< in their order
  std::vector<Argument> options;      ///< flags too
  std::vector<Command> commands;
};

/// The whole command line as the program reads it, without hidden parts. Completions and the manual
/// page are generated from it, so they are never stale.
[[nodiscard]] Command command_tree(const CLI::App& app);

}  // namespace vgsim::cli
