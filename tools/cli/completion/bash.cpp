#include <fmt/format.h>

#include "tools/cli/completion/completion.hpp"

namespace vgsim::cli::completion {
namespace {

/// Common to all command lines. `cur`, `path`, `option`, `count` and `before` belong to the
/// calling function.
constexpr const char* kBashHelpers = R"(
_vgsim_words() {
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_vgsim_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
    compgen -d -- "$cur"
    [[ $1 == / ]] || compgen -f -X "!*$1" -- "$cur" | while IFS= read -r file; do
      [[ -d $file ]] || printf '%s\n' "$file"
    done
  )
}
)";

/// Walks over the words before the cursor. bash splits "--format=json" at the "=" by default.
constexpr const char* kWalk = R"(
_vgsim() {
  local cur=${COMP_WORDS[COMP_CWORD]} path='' option='' before=' ' count=0 i word start=''
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $option ]]; then
      [[ $word == = ]] || option=''
      continue
    fi
    if _vgsim_is_command; then
      path=${path:+$path }$word count=0
    elif _vgsim_takes_value; then
      option=$word
    elif [[ $word != -* ]]; then
      before+="$word " count=$((count + 1))
    fi
  done
  [[ $option && $cur == = ]] && cur=''
  if [[ ! $option && $cur == --*=* ]]; then
    option=${cur%%=*} start=$option= cur=${cur#*=}
  fi
  if [[ $option ]]; then
    _vgsim_value
  elif [[ $cur == -* ]]; then
    _vgsim_options
  else
    _vgsim_positional
  fi
  [[ ! $start ]] || COMPREPLY=("${COMPREPLY[@]/#/$start}")
}

complete -F _vgsim vgsim
)";

std::string words_call(const std::vector<std::string>& words) {
  return words.empty() ? "" : fmt::format("_vgsim_words '{}'", fmt::join(words, " "));
}

/// The commands that offer a value, one per line.
std::string offer(const Value& value, const std::string& indent) {
  std::vector<std::string> lines;
  if (!value.words.always.empty()) lines.push_back(words_call(value.words.always));
  if (!value.words.after.empty()) {
    lines.emplace_back("case $before in");
    for (const auto& [word, list] : value.words.after) {
      lines.push_back(fmt::format("  *' {} '*) {} ;;", word, words_call(list)));
    }
    lines.emplace_back("esac");
  }
  if (value.files) lines.push_back(fmt::format("_vgsim_files '{}'", value.ending));
  if (value.folders) lines.emplace_back("_vgsim_files /");
  std::string text;
  for (const std::string& line : lines) text += fmt::format("{}{}\n", indent, line);
  return text;
}

/// "'run:-o' | 'run:--out'"
std::string patterns(const std::string& path, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(fmt::format("'{}:{}'", path, name));
  return fmt::format("{}", fmt::join(all, " | "));
}

std::string function(const char* name, const char* subject, const std::string& cases) {
  return fmt::format("\n{}() {{\n  case {} in\n{}  esac\n}}\n", name, subject, cases);
}

std::string positional_cases(const Place& place, const WordTable& words) {
  std::string text;
  const auto& list = place.command->positionals;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value value = value_of(place.path, list[i], i, words);
    const bool all_others = list[i].repeats && i + 1 == list.size();
    if (!value.is_known()) continue;
    text +=
        fmt::format("    '{}':{})\n{}      ;;\n", place.path,
                    all_others ? std::string("*") : fmt::format("{}", i), offer(value, "      "));
  }
  return text;
}

}  // namespace

std::string bash_script(const Command& command, const WordTable& words) {
  std::string commands;
  std::string values;
  std::string offers;
  std::string options;
  std::string positionals;
  for (const Place& place : places(command)) {
    std::vector<std::string> names;
    for (const Argument& option : place.command->options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      if (!option.takes_value()) continue;
      const std::string pattern = patterns(place.path, option.names);
      values += fmt::format("    {}) return 0 ;;\n", pattern);
      const Value value = value_of(place.path, option, 0, words);
      if (value.is_known()) {
        offers += fmt::format("    {})\n{}      ;;\n", pattern, offer(value, "      "));
      }
    }
    options += fmt::format("    '{}') {} ;;\n", place.path, words_call(names));
    std::vector<std::string> within;
    for (const Command& each : place.command->commands) within.push_back(each.name);
    if (!within.empty()) {
      commands += fmt::format("    {}) return 0 ;;\n", patterns(place.path, within));
      positionals += fmt::format("    '{}':0) {} ;;\n", place.path, words_call(within));
    } else {
      positionals += positional_cases(place, words);
    }
  }
  return std::string(
             "# Completion of vgsim for bash 4 and later: source <(vgsim completion bash)\n") +
         kBashHelpers +
         function("_vgsim_is_command", "$path:$word", commands + "    *) return 1 ;;\n") +
         function("_vgsim_takes_value", "$path:$word", values + "    *) return 1 ;;\n") +
         function("_vgsim_value", "$path:$option", offers) +
         function("_vgsim_options", "$path", options) +
         function("_vgsim_positional", "$path:$count", positionals) + kWalk;
}

}  // namespace vgsim::cli::completion
