#include "tools/studio/patches.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "topology/input/folded_names.hpp"

namespace vgsim::studio {
namespace {

using input::Member;
using input::Value;

bool same(const Value& a, const Value& b) {
  return a.content() == b.content() || to_canonical_string(a) == to_canonical_string(b);
}

bool is_plain_name(const std::string& name) { return name.find_first_of("[]") == name.npos; }

/// The declaration of a machine, and the host that it alone is placed on.
struct FoldedMachine {
  std::string rest;
  Value value;                                             ///< with its NICs folded
  std::vector<std::pair<std::string, std::string>> names;  ///< its own, and that of its host
};

Value folded_members(const Value& object);

/// Groups members of equal value, in the order of the first of each; `host` is compared apart.
std::vector<FoldedMachine> alike(const Value& object) {
  std::vector<FoldedMachine> kinds;
  std::map<std::string, std::size_t> known;
  for (const Member& member : object.members()) {
    const Member* host = member.value.member("host");
    const bool goes_along =
        host != nullptr && host->value.is_string() && is_plain_name(host->value.string());
    const std::string of = goes_along ? host->value.string() : std::string();
    const Value rest = goes_along ? without(member.value, "host") : member.value;
    const std::string key = to_canonical_string(rest) + (goes_along ? "+" : "");
    const auto [at, is_new] = known.emplace(key, kinds.size());
    if (is_new) kinds.push_back({key, rest, {}});
    kinds[at->second].names.emplace_back(member.name, of);
  }
  return kinds;
}

/// Whether they are all on different hosts, so that a range of hosts can be used.
bool are_apart(const FoldedMachine& machine) {
  std::vector<std::string> hosts;
  for (const auto& [name, host] : machine.names) hosts.push_back(host);
  std::sort(hosts.begin(), hosts.end());
  return std::adjacent_find(hosts.begin(), hosts.end()) == hosts.end();
}

void add_folded(const FoldedMachine& machine, std::vector<Member>& members) {
  const auto host_of = [&](const std::string& host) {
    return host.empty() ? machine.value : with(machine.value, "host", Value::make_string(host));
  };
  std::vector<std::string> names;
  for (const auto& [name, host] : machine.names) names.push_back(name);
  const bool foldable = std::all_of(names.begin(), names.end(), is_plain_name);
  if (!foldable || names.size() == 1) {
    for (const auto& [name, host] : machine.names) members.push_back({name, {}, host_of(host)});
  } else if (machine.names.front().second.empty()) {
    for (const auto& each : input::fold_names(names)) {
      members.push_back({each.names, {}, machine.value});
    }
  } else if (are_apart(machine)) {
    for (const auto& each : input::fold_pairs(machine.names)) {
      members.push_back({each.names, {}, host_of(each.others)});
    }
  } else {
    for (const auto& [name, host] : machine.names) members.push_back({name, {}, host_of(host)});
  }
}

Value folded_members(const Value& object) {
  std::vector<Member> members;
  for (const FoldedMachine& machine : alike(object)) add_folded(machine, members);
  return Value::make_object(std::move(members));
}

/// Folds machines by name, first their NICs.
Value folded_machines(const Value& machines) {
  std::vector<Member> members;
  for (const Member& member : machines.members()) {
    const Member* nics = member.value.member("nics");
    members.push_back({member.name,
                       {},
                       nics != nullptr && nics->value.is_object()
                           ? with(member.value, "nics", folded_members(nics->value))
                           : member.value});
  }
  return folded_members(Value::make_object(std::move(members)));
}

}  // namespace

Value difference(const Value& base, const Value& changed) {
  std::vector<Member> members;
  for (const Member& member : base.members()) {
    if (changed.member(member.name) == nullptr) {
      members.push_back({member.name, {}, Value::make_null()});
    }
  }
  for (const Member& member : changed.members()) {
    const Member* before = base.member(member.name);
    if (before == nullptr) {
      members.push_back({member.name, {}, member.value});
    } else if (before->value.is_object() && member.value.is_object()) {
      if (before->value.content() == member.value.content()) continue;
      const Value inside = difference(before->value, member.value);
      if (!inside.members().empty()) members.push_back({member.name, {}, inside});
    } else if (!same(before->value, member.value)) {
      members.push_back({member.name, {}, member.value});
    }
  }
  return Value::make_object(std::move(members));
}

Value without(const Value& object, const std::string& name) {
  std::vector<Member> members = object.members();
  std::erase_if(members, [&](const Member& member) { return member.name == name; });
  return Value::make_object(std::move(members), object.origin());
}

Value with(const Value& object, const std::string& name, const Value& value) {
  std::vector<Member> members = object.members();
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == name; });
  if (found == members.end()) {
    members.push_back({name, {}, value});
  } else {
    found->value = value;
  }
  return Value::make_object(std::move(members), object.origin());
}

Value with_ranges(const Value& patch) {
  Value folded = patch;
  for (const char* machines : {"hosts", "vms"}) {
    const Member* member = folded.member(machines);
    if (member == nullptr || !member->value.is_object()) continue;
    folded = with(folded, machines, folded_machines(member->value));
  }
  return folded;
}

}  // namespace vgsim::studio
