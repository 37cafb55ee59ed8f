#include "tools/cli/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

namespace vgsim::cli {
namespace {

/// The words of CLI::IsMember, which shows them as "{text,json}" behind the type.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open == type.npos ? 0 : open);
  if (open == type.npos || close == type.npos) return {};
  std::vector<std::string> words;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  const bool positional = argument.names.empty();
  if (positional) argument.names.push_back(option.get_name(true));
  argument.description = option.get_description();
  argument.required = option.get_required();
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    argument.label = type.substr(0, type.find(':'));
    if (argument.label.empty()) argument.label = "VALUE";
    argument.choices = choices_in(type);
  }
  // Lists take all values; other options keep the default policy.
  argument.repeats = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll ||
                     option.get_items_expected_max() > 1;
  return argument;
}

void add_arguments(const CLI::App& app, Command& command) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    const bool positional = option->get_positional() && !option->nonpositional();
    (positional ? command.positionals : command.options).push_back(argument_of(*option));
  }
}

}  // namespace

Command command_tree(const CLI::App& app) {
  Command command;
  command.name = app.get_name();
  command.description = app.get_description();
  command.group = app.get_group();
  command.footer = app.get_footer();
  add_arguments(app, command);
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_group().empty()) continue;
    if (each->get_name().empty()) {  // a group of options
      add_arguments(*each, command);
    } else {
      command.commands.push_back(command_tree(*each));
    }
  }
  return command;
}

}  // namespace vgsim::cli
