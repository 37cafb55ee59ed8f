#include <fmt/format.h>

#include "tools/cli/completion/completion.hpp"

namespace vgsim::cli::completion {
namespace {

/// "__vgsim_at run" is true within that command; with a count, only at that positional
/// argument.
constexpr const char* kFishHelpers = R"(
function __vgsim_at
    set -l path
    set -l count 0
    set -l option 0
    for word in (commandline -opc)[2..-1]
        if test $option -eq 1
            set option 0
        else if contains -- "$path $word" $__vgsim_commands
            set path "$path $word"
            set count 0
        else if contains -- "$path $word" $__vgsim_takes_value
            set option 1
        else if not string match -q -- '-*' $word
            set count (math $count + 1)
        end
    end
    test "$path" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    test $option -eq 0 -a $count -ge $argv[2] -a $count -le $argv[3]
end

function __vgsim_after
    contains -- $argv[1] (commandline -opc)
end

function __vgsim_files
    __fish_complete_path (commandline -ct) | string match -r -- "^[^\t]*(?:/|\\$argv[1])(?:\t.*)?\$"
end
)";

constexpr int kNoLast = 1'000'000;

/// In single quotes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

/// The path as __vgsim_at expects it.
std::string shown(const std::string& path) { return path.empty() ? "" : " " + path; }

/// Arguments of `complete` that offer a value: one for each kind of value, with its condition.
struct Offer {
  std::string condition;
  std::string rest;
};

std::vector<Offer> offers_of(const Value& value) {
  std::vector<Offer> offers;
  if (!value.words.always.empty()) {
    offers.push_back({"", fmt::format("-a '{}'", fmt::join(value.words.always, " "))});
  }
  for (const auto& [word, list] : value.words.after) {
    offers.push_back({fmt::format("; and __vgsim_after {}", word),
                      fmt::format("-a '{}'", fmt::join(list, " "))});
  }
  if (value.files && !value.ending.empty()) {
    offers.push_back({"", fmt::format("-a '(__vgsim_files {})'", value.ending)});
  } else if (value.files) {
    offers.push_back({"", "-F"});
  }
  if (value.folders) offers.push_back({"", "-a '(__fish_complete_directories)'"});
  return offers;
}

std::string option_lines(const Place& place, const Argument& option, const WordTable& words) {
  std::string names;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    names += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  const std::string start =
      fmt::format("complete -c vgsim -n \"__vgsim_at '{}'", shown(place.path));
  const std::string about = fmt::format("-d {}", quoted(option.description));
  if (!option.takes_value()) return fmt::format("{}\"{} {}\n", start, names, about);
  const Value value = value_of(place.path, option, 0, words);
  std::string text;
  for (const Offer& offer : offers_of(value)) {
    const bool files = offer.rest == "-F";
    text += fmt::format("{}{}\"{} {} {} {}\n", start, offer.condition, names, files ? "-r" : "-x",
                        offer.rest, about);
  }
  return text.empty() ? fmt::format("{}\"{} -x {}\n", start, names, about) : text;
}

std::string positional_lines(const Place& place, const WordTable& words) {
  std::string text;
  const auto& list = place.command->positionals;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool repeats = list[i].repeats && i + 1 == list.size();
    const Value value = value_of(place.path, list[i], i, words);
    for (const Offer& offer : offers_of(value)) {
      text += fmt::format("complete -c vgsim -n \"__vgsim_at '{}' {} {}{}\" {} -d {}\n",
                          shown(place.path), i, repeats ? kNoLast : static_cast<int>(i),
                          offer.condition, offer.rest, quoted(list[i].description));
    }
  }
  return text;
}

}  // namespace

std::string fish_script(const Command& command, const WordTable& words) {
  std::string known = "set -g __vgsim_commands";
  std::string valued = "set -g __vgsim_takes_value";
  std::string lines = "complete -c vgsim -f\n";
  for (const Place& place : places(command)) {
    for (const Command& each : place.command->commands) {
      known += fmt::format(" '{} {}'", shown(place.path), each.name);
      lines += fmt::format("complete -c vgsim -n \"__vgsim_at '{}' 0 0\" -a {} -d {}\n",
                           shown(place.path), each.name, quoted(each.description));
    }
    for (const Argument& option : place.command->options) {
      for (const std::string& name : option.names) {
        if (option.takes_value()) valued += fmt::format(" '{} {}'", shown(place.path), name);
      }
      lines += option_lines(place, option, words);
    }
    if (place.command->commands.empty()) lines += positional_lines(place, words);
  }
  return fmt::format(
      "# Completion of vgsim for fish: vgsim completion fish | source\n\n{}\n{}\n{}\n{}", known,
      valued, kFishHelpers, lines);
}

}  // namespace vgsim::cli::completion
