#include "models/scenario/read/overrides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/override_setter.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::Member;
using input::Value;

constexpr const char* kExample = "a JSON pointer such as /job/batch_per_gpu";

/// The tokens of a JSON pointer; nothing for other texts.
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

bool needs_names(const std::vector<std::string>& tokens) {
  const auto is_group = [](const std::string& token) { return token == "hosts" || token == "vms"; };
  if (tokens.size() >= 2 && is_group(tokens[0])) return true;
  return tokens.size() >= 4 && tokens[0] == "layouts" && is_group(tokens[2]);
}

/// The hosts or VMs of a document during many single changes; avoids copying all of them for each
/// change.
class OpenGroup {
 public:
  explicit OpenGroup(std::string name) : name_(std::move(name)) {}

  /// Whether tokens address an existing member of the group, in a document without layouts.
  [[nodiscard]] bool holds(const Value& document, const std::vector<std::string>& tokens) const {
    if (tokens.size() < 2 || tokens[0] != name_ || document.member("layouts") != nullptr) {
      return false;
    }
    if (is_open_) return places_.contains(tokens[1]);
    const Member* group = document.member(name_);
    return group != nullptr && group->value.member(tokens[1]) != nullptr;
  }

  void set(OverrideSetter& setter, const std::string& name, const Value& document) {
    if (!is_open_) open(document);
    Member& member = members_[places_.at(name)];
    const Value alone = Value::make_object({{name_, {}, Value::make_object({member})}});
    const Value changed = setter.in(alone);
    const Member* left = changed.member(name_)->value.member(name);
    if (left != nullptr) {
      member = *left;
    } else {
      places_.erase(name);
    }
  }

  /// Writes the members back.
  void close(Value& document) {
    if (!is_open_) return;
    std::vector<Member> all = document.members();
    for (Member& group : all) {
      if (group.name != name_) continue;
      std::erase_if(members_, [&](const Member& each) { return !places_.contains(each.name); });
      group.value = Value::make_object(std::move(members_), group.value.origin());
    }
    document = Value::make_object(std::move(all), document.origin());
    is_open_ = false;
    members_.clear();
    places_.clear();
  }

 private:
  void open(const Value& document) {
    is_open_ = true;
    members_ = document.member(name_)->value.members();
    for (std::size_t m = 0; m < members_.size(); ++m) places_.emplace(members_[m].name, m);
  }

  std::string name_;
  bool is_open_ = false;
  std::vector<Member> members_;
  std::unordered_map<std::string, std::size_t> places_;  ///< of the remaining members
};

}  // namespace

Override set_text(std::string pointer, std::string text) {
  return {std::move(pointer), Value::make_string(std::move(text))};
}

Override set_number(std::string pointer, double number) {
  const auto whole = static_cast<std::int64_t>(number);
  const bool is_whole = static_cast<double>(whole) == number;
  return {std::move(pointer), is_whole ? Value::make_integer(whole) : Value::make_number(number)};
}

Override set_flag(std::string pointer, bool flag) {
  return {std::move(pointer), Value::make_boolean(flag)};
}

Override set_texts(std::string pointer, const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(Value::make_string(text));
  return {std::move(pointer), Value::make_array(std::move(values))};
}

Override set_pairs(std::string pointer,
                   const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  std::vector<Value> values;
  for (const auto& [one, other] : pairs) {
    values.push_back(Value::make_array({Value::make_integer(one), Value::make_integer(other)}));
  }
  return {std::move(pointer), Value::make_array(std::move(values))};
}

Override set_members(std::string pointer,
                     const std::vector<std::pair<std::string, std::string>>& members) {
  std::vector<input::Member> values;
  for (const auto& [name, text] : members) values.push_back({name, {}, Value::make_string(text)});
  return {std::move(pointer), Value::make_object(std::move(values))};
}

Override take_away(std::string pointer) { return {std::move(pointer), Value::make_null()}; }

std::string words_of(const Override& change) { return input::as_written(change.value); }

tl::expected<Override, Diagnostics> read_override(const std::string& text) {
  Diagnostics diagnostics;
  const std::size_t equals = text.find('=');
  const bool may_make = text.starts_with(kMayMake);
  const std::size_t begin = may_make ? std::string_view(kMayMake).size() : 0;
  const std::string pointer = text.substr(begin, equals == text.npos ? text.npos : equals - begin);
  if (equals == std::string::npos || !tokens_of(pointer)) {
    diagnostics.error("E630", {}, "", fmt::format("cannot read \"{}\" as a setting", text),
                      "POINTER=VALUE, such as /job/batch_per_gpu=64");
    return tl::unexpected(diagnostics);
  }
  const std::string written = text.substr(equals + 1);
  const auto source = input::make_source("--set " + pointer, written);
  const auto value = input::read_json(source);
  const input::Origin origin{{source, 0, written.size()}, nullptr};
  return Override{pointer, value ? *value : Value::make_string(written, origin), may_make};
}

Document with_overrides(const Document& document, const std::vector<Override>& overrides,
                        Diagnostics& diagnostics, std::vector<std::string>* matched) {
  Value changed = document.value();
  bool expanded = false;
  std::array groups{OpenGroup("hosts"), OpenGroup("vms")};
  for (const Override& each : overrides) {
    auto tokens = tokens_of(each.pointer);
    if (!tokens) {
      diagnostics.error("E630", each.value.location(), each.pointer,
                        fmt::format("\"{}\" is not a JSON pointer", each.pointer), kExample);
      continue;
    }
    if (!expanded && needs_names(*tokens) && changed.is_object()) {
      changed = with_single_names(changed, diagnostics).value();
      expanded = true;
    }
    OverrideSetter setter(each, *tokens, diagnostics);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const OpenGroup& open) {
      return open.holds(changed, *tokens);
    });
    if (group != groups.end()) {
      group->set(setter, (*tokens)[1], changed);
    } else {
      for (OpenGroup& open : groups) open.close(changed);
      changed = setter.in(changed);
    }
    if (matched != nullptr && setter.stands_for_many()) matched->push_back(setter.matched());
  }
  for (OpenGroup& open : groups) open.close(changed);
  return changed;
}

}  // namespace vgsim::scenario
