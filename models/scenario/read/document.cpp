#include "models/scenario/read/document.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {

using input::Member;
using input::Value;

namespace {

/// For any JSON value: a scenario file may contain something else than an object.
std::optional<Value> member_of(const Value& document, const char* name) {
  return document.is_object() ? input::find(document, name) : std::nullopt;
}

}  // namespace

tl::expected<Document, input::Diagnostics> Document::parse(const input::SourcePtr& file) {
  auto value = input::read_json(file);
  if (!value) return tl::unexpected(std::move(value.error()));
  return Document(std::move(*value));
}

bool Document::has(const char* member) const { return member_of(value_, member).has_value(); }

std::string Document::text(const char* member) const {
  const auto found = member_of(value_, member);
  return found && found->is_string() ? found->string() : std::string();
}

std::vector<std::string> Document::layouts() const {
  std::vector<std::string> names;
  const auto layouts = member_of(value_, "layouts");
  if (layouts && layouts->is_object()) {
    for (const Member& layout : layouts->members()) names.push_back(layout.name);
  } else if (std::string name = text("name"); !name.empty()) {
    names.push_back(std::move(name));
  }
  return names;
}

input::Location Document::location_of(const std::string& layout) const {
  const Member* layouts = value_.is_object() ? value_.member("layouts") : nullptr;
  const bool has_patches = layouts != nullptr && layouts->value.is_object();
  const Member* patch = has_patches ? layouts->value.member(layout) : nullptr;
  const input::Location& start = value_.location();
  return patch == nullptr ? input::Location{start.source, start.offset, 1} : patch->key;
}

Document Document::with_layouts(const std::vector<std::string>& names) const {
  const auto layouts = member_of(value_, "layouts");
  if (!layouts || !layouts->is_object()) return *this;
  std::vector<Member> kept;
  for (const std::string& name : names) {
    const Member* layout = layouts->member(name);
    const bool twice = std::any_of(kept.begin(), kept.end(),
                                   [&](const Member& each) { return each.name == name; });
    if (layout != nullptr && !twice) kept.push_back(*layout);
  }
  std::vector<Member> members = value_.members();
  for (Member& member : members) {
    if (member.name != "layouts") continue;
    member.value = Value::make_object(std::move(kept), layouts->origin());
  }
  return Document(Value::make_object(std::move(members), value_.origin()));
}

}  // namespace vgsim::scenario
