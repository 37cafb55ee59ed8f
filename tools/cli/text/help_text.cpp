#include "tools/cli/text/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

constexpr std::size_t kHelpWidth = 80;

/// A name and its description.
struct HelpEntry {
  std::string name;
  std::string about;
};

/// Names in one column, descriptions in a second one; a long name has a separate line.
std::string help_entries_text(const std::vector<HelpEntry>& entries) {
  constexpr std::size_t kWidestColumn = 24;
  std::size_t column = 0;
  for (const HelpEntry& each : entries) {
    if (each.name.size() <= kWidestColumn) column = std::max(column, each.name.size());
  }
  const std::size_t indent = column + 4;
  std::string text;
  for (const auto& [name, about] : entries) {
    std::string line = fmt::format("  {:<{}}", name, column + 1);
    if (name.size() > column) {
      text += fmt::format("  {}\n", name);
      line = std::string(indent - 1, ' ');
    }
    // wrap() breaks at blanks, so the column is passed as one word.
    text += line +
            text::wrap(std::string(indent - 1, '.') + " " + about, indent, kHelpWidth)
                .substr(indent - 1) +
            "\n";
  }
  return text;
}

std::string help_section(const char* text, const std::vector<HelpEntry>& entries) {
  return entries.empty() ? "" : fmt::format("\n{}:\n{}", text, help_entries_text(entries));
}

/// The possible words of a value, if the description does not list them.
std::string argument_help(const Argument& argument) {
  const auto is_told = [&](const std::string& choice) {
    return argument.description.find(choice) != std::string::npos;
  };
  if (std::all_of(argument.choices.begin(), argument.choices.end(), is_told)) {
    return argument.description;
  }
  return fmt::format("{} ({})", argument.description, fmt::join(argument.choices, ", "));
}

std::vector<HelpEntry> option_entries(const Command& command) {
  std::vector<HelpEntry> entries;
  for (const Argument& option : command.options) {
    std::string name = fmt::format("{}", fmt::join(option.names, ", "));
    if (option.takes_value()) name += " " + option.label;
    entries.push_back({std::move(name), argument_help(option)});
  }
  return entries;
}

std::vector<HelpEntry> positional_entries(const Command& command) {
  std::vector<HelpEntry> entries;
  for (const Argument& each : command.positionals)
    entries.push_back({each.label, argument_help(each)});
  return entries;
}

std::string usage_text(const std::string& path, const Command& command) {
  std::string text = fmt::format("Usage: {}", path);
  if (!command.commands.empty()) return text + " COMMAND ...\n";
  if (command.options.size() > 1) text += " [options]";  // the first is --help
  for (const Argument& option : command.options) {
    if (option.required) text += fmt::format(" {} {}", option.names.back(), option.label);
  }
  for (const Argument& each : command.positionals) {
    const std::string name = each.label + (each.repeats ? " ..." : "");
    text += each.required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

/// The commands of a program by group, in the order of the first of each.
std::string commands_text(const Command& command) {
  std::vector<std::string> groups;
  for (const Command& each : command.commands) {
    if (std::find(groups.begin(), groups.end(), each.group) == groups.end()) {
      groups.push_back(each.group);
    }
  }
  std::string text;
  for (const std::string& group : groups) {
    std::vector<HelpEntry> entries;
    for (const Command& each : command.commands) {
      if (each.group == group) entries.push_back({each.name, each.description});
    }
    text += help_section(group.c_str(), entries);
  }
  return text;
}

}  // namespace

std::string help_text(const std::string& path, const Command& command,
                      const std::vector<HelpTopic>& topics) {
  std::string text =
      text::wrap(fmt::format("{}: {}", path, command.description), 2, kHelpWidth) + "\n\n";
  text += usage_text(path, command);
  text += help_section("Arguments", positional_entries(command));
  text += commands_text(command);
  if (!command.commands.empty()) {
    std::vector<HelpEntry> entries;
    for (const HelpTopic& topic : topics) entries.push_back({topic.name, topic.title});
    text += help_section("Topics", entries);
  }
  text += help_section("Options", option_entries(command));
  if (!command.footer.empty()) text += command.footer + "\n";
  return text;
}

}  // namespace vgsim::cli
