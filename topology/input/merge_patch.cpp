#include "topology/input/merge_patch.hpp"

#include <utility>
#include <vector>

namespace vgsim::input {
namespace {

/// A patch applied to nothing: the patch without its nulls.
Value without_nulls(const Value& patch) {
  if (!patch.is_object()) return patch;
  std::vector<Member> members;
  for (const Member& member : patch.members()) {
    if (member.value.is_null()) continue;
    members.push_back({member.name, member.key, without_nulls(member.value)});
  }
  return Value::make_object(std::move(members), patch.origin());
}

}  // namespace

Value merge_patch(const Value& base, const Value& patch) {
  if (!patch.is_object() || !base.is_object()) return without_nulls(patch);
  bool takes_away = false;
  std::vector<Member> members;
  for (const Member& old : base.members()) {
    const Member* change = patch.member(old.name);
    if (change == nullptr) {
      members.push_back(old);
    } else if (change->value.is_null()) {
      takes_away = true;
    } else {
      const bool merges = old.value.is_object() && change->value.is_object();
      members.push_back(
          {old.name, merges ? old.key : change->key, merge_patch(old.value, change->value)});
    }
  }
  for (const Member& added : patch.members()) {
    if (added.value.is_null() || base.member(added.name) != nullptr) continue;
    members.push_back({added.name, added.key, without_nulls(added.value)});
  }
  return Value::make_object(std::move(members), takes_away ? patch.origin() : base.origin());
}

}  // namespace vgsim::input
