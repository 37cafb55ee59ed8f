#include "tools/cli/completion/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace vgsim::cli::completion {
namespace {

bool is_plain(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,+-@%/";
  return !word.empty() && word.find_first_not_of(kPlain) == word.npos;
}

std::vector<std::string> plain(std::vector<std::string> words) {
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](const std::string& word) { return !is_plain(word); }),
              words.end());
  return words;
}

/// The extension in a label: ".json" of "SCENARIO.json|RESULT.json".
std::string ending_of(const std::string& label) {
  const std::size_t dot = label.find_last_of('.');
  if (dot == label.npos || dot + 1 == label.size()) return {};
  const std::string ending = label.substr(dot);
  const bool letters =
      std::all_of(ending.begin() + 1, ending.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return letters ? ending : std::string();
}

/// Whether a label names files.
bool names_files(const std::string& label) {
  for (const char* word : {"FILE", "LOG", "TOPOLOGY", "PATH", "STORE", "TRACE"}) {
    if (label.find(word) != label.npos) return true;
  }
  return false;
}

void add_places(const std::string& path, const Command& command, std::vector<Place>& all) {
  all.push_back({path, &command});
  for (const Command& each : command.commands) {
    add_places(path.empty() ? each.name : path + " " + each.name, each, all);
  }
}

}  // namespace

std::vector<Place> places(const Command& command) {
  std::vector<Place> all;
  add_places("", command, all);
  return all;
}

Value value_of(const std::string& path, const Argument& argument, std::size_t index,
               const WordTable& words) {
  Value value;
  value.ending = ending_of(argument.label);
  value.files = !value.ending.empty() || names_files(argument.label);
  value.folders = !value.files && argument.label.find("DIR") != argument.label.npos;
  if (!argument.choices.empty()) {
    value.words.always = plain(argument.choices);
    return value;
  }
  std::vector<std::string> keys;
  for (const std::string& name : argument.names) {
    if (!name.starts_with('-')) continue;
    keys.push_back(fmt::format("{} {}", path, name));
    keys.push_back(name);
  }
  if (keys.empty()) keys.push_back(fmt::format("{} {}", path, index));
  for (const std::string& key : keys) {
    const auto found = words.find(key);
    if (found == words.end()) continue;
    value.words.always = plain(found->second.always);
    for (const auto& [before, list] : found->second.after) {
      if (is_plain(before)) value.words.after[before] = plain(list);
    }
    break;
  }
  return value;
}

std::string script(const Command& command, Shell shell, const WordTable& words) {
  if (shell == Shell::kBash) return bash_script(command, words);
  return shell == Shell::kZsh ? zsh_script(command, words) : fish_script(command, words);
}

}  // namespace vgsim::cli::completion
