#include <fmt/format.h>

#include "tools/cli/completion/completion.hpp"

namespace vgsim::cli::completion {
namespace {

/// "_vgsim_sweep_export" of "sweep export".
std::string function_name(const std::string& path) {
  std::string name = "_vgsim";
  for (const char c : path.empty() ? "" : " " + path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return name;
}

/// Escaped for single quotes, and for brackets and colons of a specification.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// Functions that offer values, called by name from specifications.
class Offers {
 public:
  /// The action of a specification for a value: " " if nothing is known of it.
  std::string action(const Value& value) {
    if (!value.is_known()) return " ";
    std::string body;
    if (!value.words.always.empty()) {
      body += fmt::format("  compadd -- {}\n", fmt::join(value.words.always, " "));
    }
    if (!value.words.after.empty()) {
      body += "  case \" $words \" in\n";
      for (const auto& [word, list] : value.words.after) {
        body += fmt::format("    *' {} '*) compadd -- {} ;;\n", word, fmt::join(list, " "));
      }
      body += "  esac\n";
    }
    if (value.files && value.ending.empty()) body += "  _files\n";
    if (value.files && !value.ending.empty()) {
      body += fmt::format("  _files -g '*{}'\n", value.ending);
    }
    if (value.folders) body += "  _files -/\n";
    const std::string name = fmt::format("_vgsim_value_{}", ++count_);
    functions_ += fmt::format("{}() {{\n{}}}\n\n", name, body);
    return name;
  }

  [[nodiscard]] const std::string& functions() const { return functions_; }

 private:
  std::string functions_;
  int count_ = 0;
};

std::string option_spec(const Place& place, const Argument& option, const WordTable& words,
                        Offers& offers) {
  std::string value;
  if (option.takes_value()) {
    value = fmt::format(":{}:{}", escaped(option.label),
                        offers.action(value_of(place.path, option, 0, words)));
  }
  std::string text;
  for (const std::string& name : option.names) {
    const char* sign = !option.takes_value() ? "" : name.starts_with("--") ? "=" : "+";
    const std::string others =
        option.repeats ? "*" : fmt::format("({})", fmt::join(option.names, " "));
    text += fmt::format(" \\\n    '{}{}{}[{}]{}'", others, name, sign, escaped(option.description),
                        value);
  }
  return text;
}

std::string positional_spec(const Place& place, std::size_t index, const WordTable& words,
                            Offers& offers) {
  const Argument& argument = place.command->positionals[index];
  const bool all_others = argument.repeats && index + 1 == place.command->positionals.size();
  return fmt::format(
      " \\\n    '{}:{}:{}'", all_others ? std::string("*") : fmt::format("{}", index + 1),
      escaped(argument.label), offers.action(value_of(place.path, argument, index, words)));
}

/// Calls the function of a subcommand with the remaining words.
std::string dispatch(const Place& place) {
  std::string list;
  std::string cases;
  for (const Command& each : place.command->commands) {
    const std::string path = place.path.empty() ? each.name : place.path + " " + each.name;
    list += fmt::format("    '{}:{}'\n", each.name, escaped(each.description));
    cases += fmt::format("    {}) {} ;;\n", each.name, function_name(path));
  }
  return fmt::format(
      "  [[ -n $state ]] || return\n  if [[ $state == command ]]; then\n    commands=(\n{}    )\n"
      "    _describe -t commands command commands\n    return\n  fi\n  case $line[1] in\n{}"
      "  esac\n",
      list, cases);
}

std::string function(const Place& place, const WordTable& words, Offers& offers) {
  std::string specs;
  for (const Argument& option : place.command->options) {
    specs += option_spec(place, option, words, offers);
  }
  const std::string name = function_name(place.path);
  if (!place.command->commands.empty()) {
    return fmt::format(
        "{}() {{\n  local curcontext=$curcontext state\n  local -a line commands\n"
        "  _arguments -C{} \\\n    '1: :->command' \\\n    '*:: :->rest'\n{}}}\n\n",
        name, specs, dispatch(place));
  }
  for (std::size_t i = 0; i < place.command->positionals.size(); ++i) {
    specs += positional_spec(place, i, words, offers);
  }
  return fmt::format("{}() {{\n  _arguments{}\n}}\n\n", name, specs);
}

}  // namespace

std::string zsh_script(const Command& command, const WordTable& words) {
  Offers offers;
  std::string functions;
  for (const Place& place : places(command)) functions += function(place, words, offers);
  return std::string(
             "#compdef vgsim\n# Completion of vgsim for zsh: source <(vgsim completion zsh), or as "
             "a file _vgsim in $fpath\n\n") +
         offers.functions() + functions +
         "if [[ $funcstack[1] == _vgsim ]]; then\n  _vgsim \"$@\"\nelse\n  compdef _vgsim "
         "vgsim\nfi\n";
}

}  // namespace vgsim::cli::completion
