#include "models/questions/read/document_changes.hpp"

#include <fmt/core.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {
namespace {

using input::Member;
using input::Value;
using Tokens = std::vector<std::string>;

struct Leaf {
  Tokens tokens;
  std::string before;
  std::string after;
};

std::string shortened(const Value& value) {
  constexpr std::size_t kMost = 60;
  std::string text = input::as_written(value);
  if (text.size() <= kMost) return text;
  return fmt::format("{}...", std::string_view(text).substr(0, kMost - 3));
}

void differ(const Tokens& at, const std::optional<Value>& before, const std::optional<Value>& after,
            std::vector<Leaf>& leaves) {
  if (before && after && before->content() == after->content()) return;
  const bool descends = (before ? before->is_object() : after->is_object()) &&
                        (after ? after->is_object() : before->is_object()) && (before && after);
  if (!descends) {
    if (before && after &&
        input::to_canonical_string(*before) == input::to_canonical_string(*after)) {
      return;
    }
    leaves.push_back({at, before ? shortened(*before) : "", after ? shortened(*after) : ""});
    return;
  }
  const auto inside = [&](const std::string& name, const std::optional<Value>& one,
                          const std::optional<Value>& other) {
    Tokens deeper = at;
    deeper.push_back(name);
    differ(deeper, one, other, leaves);
  };
  for (const Member& member : before->members()) {
    const Member* other = after->member(member.name);
    inside(member.name, member.value,
           other == nullptr ? std::nullopt : std::optional(other->value));
  }
  for (const Member& member : after->members()) {
    if (before->member(member.name) == nullptr) inside(member.name, std::nullopt, member.value);
  }
}

bool counts(const Leaf& leaf) {
  static const std::set<std::string> ignored{"name", "$schema", "description", "expect", "layouts"};
  return leaf.tokens.empty() || !ignored.contains(leaf.tokens.front());
}

bool is_of_machine(const Tokens& tokens) {
  return tokens.size() >= 2 && (tokens[0] == "hosts" || tokens[0] == "vms");
}

std::string pointer_of(const Tokens& tokens) {
  std::string pointer;
  for (const std::string& token : tokens) pointer += "/" + token;
  return pointer;
}

std::size_t machines_in(const Value& before, const Value& after, const std::string& group) {
  std::set<std::string> names;
  for (const Value* document : {&before, &after}) {
    const Member* machines = document->member(group);
    if (machines == nullptr || !machines->value.is_object()) continue;
    for (const Member& member : machines->value.members()) names.insert(member.name);
  }
  return names.size();
}

}  // namespace

std::vector<DocumentChange> document_changes(const Document& before, const Document& after) {
  std::vector<Leaf> leaves;
  differ({}, before.value(), after.value(), leaves);
  std::erase_if(leaves, [](const Leaf& leaf) { return !counts(leaf); });
  // Equal changes of machines, without their names.
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, std::vector<std::string>> machines;
  const auto key_of = [](const Leaf& leaf) {
    Tokens tokens = leaf.tokens;
    if (is_of_machine(tokens)) tokens[1] = "*";
    return Key{pointer_of(tokens), leaf.before, leaf.after};
  };
  for (const Leaf& leaf : leaves) {
    if (is_of_machine(leaf.tokens)) machines[key_of(leaf)].push_back(leaf.tokens[1]);
  }
  std::vector<DocumentChange> changes;
  std::set<Key> said;
  for (const Leaf& leaf : leaves) {
    const Key key = key_of(leaf);
    if (!said.insert(key).second) continue;
    Tokens tokens = leaf.tokens;
    if (is_of_machine(tokens)) {
      const auto& names = machines.at(key);
      const bool all =
          names.size() > 1 && names.size() == machines_in(before.value(), after.value(), tokens[0]);
      tokens[1] = all ? "*" : input::and_more(names);
    }
    changes.push_back({pointer_of(tokens), leaf.before, leaf.after});
  }
  return changes;
}

}  // namespace vgsim::scenario
