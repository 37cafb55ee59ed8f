#include "models/scenario/overrides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "models/scenario/layouts.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::Member;
using input::Value;

constexpr const char* kExample = "a JSON pointer such as /job/batch_per_gpu";

/// The tokens of a pointer, or nothing if it is none.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer) {
  if (pointer.empty() || pointer.front() != '/') return std::nullopt;
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] != '~') {
      tokens.back() += pointer[i];
    } else if (i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      tokens.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return tokens;
}

/// What is put into a document: everything has the origin of the new value, so that messages about
/// it point to where it was written.
class Setter {
 public:
  Setter(const Override& change, std::vector<std::string> tokens, Diagnostics& diagnostics)
      : change_(change), tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

  [[nodiscard]] Value in(const Value& document) { return set(document, 0); }

 private:
  void error(const std::string& message, const std::string& expected) {
    diagnostics_.error("E631", change_.value.location(), change_.pointer, message, expected);
  }

  Value set(const Value& old, std::size_t depth) {
    if (depth == tokens_.size()) return change_.value;
    if (old.is_array()) return set_in_array(old, depth);
    if (old.is_object()) return set_in_object(old, depth);
    error(fmt::format("{}: there is nothing inside \"{}\"", change_.pointer,
                      depth == 0 ? "" : tokens_[depth - 1]),
          "a place in an object or an array");
    return old;
  }

  Value set_in_array(const Value& old, std::size_t depth) {
    std::vector<Value> elements = old.elements();
    const std::string& token = tokens_[depth];
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), index);
    if (token == "*" && !elements.empty()) {
      for (Value& each : elements) each = set(each, depth + 1);
    } else if (token == "-") {
      elements.push_back(set(Value::make_object({}, change_.value.origin()), depth + 1));
    } else if (problem == std::errc() && end == token.data() + token.size() &&
               index < elements.size()) {
      elements[index] = set(elements[index], depth + 1);
    } else {
      error(fmt::format("{}: no element \"{}\"", change_.pointer, token),
            elements.empty() ? "\"-\", the list is empty"
                             : fmt::format("0 to {}, \"-\" for a new one, or \"*\" for all",
                                           elements.size() - 1));
    }
    return Value::make_array(std::move(elements), old.origin());
  }

  Value set_in_object(const Value& old, std::size_t depth) {
    std::vector<Member> members = old.members();
    for (const std::string& name : names(old, tokens_[depth])) {
      const auto there = std::find_if(members.begin(), members.end(),
                                      [&](const Member& each) { return each.name == name; });
      const bool last = depth + 1 == tokens_.size();
      if (there == members.end() && change_.value.is_null()) continue;
      if (last && change_.value.is_null()) {
        members.erase(there);
      } else if (there != members.end()) {
        there->value = set(there->value, depth + 1);
      } else {
        members.push_back({name, change_.value.location(),
                           set(Value::make_object({}, change_.value.origin()), depth + 1)});
      }
    }
    return Value::make_object(std::move(members), old.origin());
  }

  /// The members that a token stands for.
  std::vector<std::string> names(const Value& object, const std::string& token) {
    std::vector<std::string> names;
    if (token == "*") {
      for (const Member& member : object.members()) names.push_back(member.name);
      if (names.empty()) {
        error(fmt::format("{}: \"*\" stands for nothing there", change_.pointer), "a name");
      }
      return names;
    }
    if (object.member(token) != nullptr || !input::has_range(token)) return {token};
    auto expanded = input::expand_names(token);
    if (expanded) return std::move(*expanded);
    error(fmt::format("{}: {}", change_.pointer, expanded.error()), "a range such as esx[01-04]");
    return {};
  }

  const Override& change_;
  std::vector<std::string> tokens_;
  Diagnostics& diagnostics_;
};

bool needs_names(const std::vector<std::string>& tokens) {
  const auto is_group = [](const std::string& token) { return token == "hosts" || token == "vms"; };
  if (tokens.size() >= 2 && is_group(tokens[0])) return true;
  return tokens.size() >= 4 && tokens[0] == "layouts" && is_group(tokens[2]);
}

}  // namespace

tl::expected<Override, Diagnostics> read_override(const std::string& text) {
  Diagnostics diagnostics;
  const std::size_t equals = text.find('=');
  const std::string pointer = text.substr(0, equals);
  if (equals == std::string::npos || !tokens_of(pointer)) {
    diagnostics.error("E630", {}, "", fmt::format("\"{}\" sets nothing", text),
                      "POINTER=VALUE, such as /job/batch_per_gpu=64");
    return tl::unexpected(diagnostics);
  }
  const std::string written = text.substr(equals + 1);
  const auto source = std::make_shared<input::SourceFile>("--set " + pointer, written);
  const auto value = input::read_json(source);
  const input::Origin origin{{source, 0, written.size()}, nullptr};
  return Override{pointer, value ? *value : Value::make_string(written, origin)};
}

Value with_overrides(const Value& document, const std::vector<Override>& overrides,
                     Diagnostics& diagnostics) {
  Value changed = document;
  bool expanded = false;
  for (const Override& each : overrides) {
    auto tokens = tokens_of(each.pointer);
    if (!tokens) {
      diagnostics.error("E630", each.value.location(), each.pointer,
                        fmt::format("\"{}\" is no place", each.pointer), kExample);
      continue;
    }
    if (!expanded && needs_names(*tokens) && changed.is_object()) {
      changed = with_single_names(changed, diagnostics);
      expanded = true;
    }
    changed = Setter(each, std::move(*tokens), diagnostics).in(changed);
  }
  return changed;
}

}  // namespace vgsim::scenario
