#include "models/vsphere/import/vim/vim_value.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::array<std::string_view, 24> kLeftOut = {"healthSystemRuntime",
                                                       "capability",
                                                       "storageDevice",
                                                       "fileSystemVolume",
                                                       "option",
                                                       "optionDef",
                                                       "systemResources",
                                                       "service",
                                                       "firewall",
                                                       "certificate",
                                                       "featureCapability",
                                                       "maskedFeatureCapability",
                                                       "layout",
                                                       "layoutEx",
                                                       "availableField",
                                                       "customValue",
                                                       "rootSnapshot",
                                                       "rootSnapshotList",
                                                       "snapshot",
                                                       "multipathState",
                                                       "datastoreUrl",
                                                       "effectiveRole",
                                                       "virtualNicManagerInfo",
                                                       "featureVersion"};

/// The first member of that name with something in it.
const VimValue* member(const VimValue& value, std::string_view name) {
  for (const VimValue& child : value.children) {
    if (!same_name(child.name, name)) continue;
    if (!child.text.empty() || !child.children.empty()) return &child;
  }
  return nullptr;
}

/// Removes the first part of a path. Text in brackets after a part is a key within a list.
std::string_view take_part(std::string_view& path) {
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  const std::string_view part = path.substr(0, end);
  std::size_t next = end;
  if (path.substr(end).starts_with('[')) {
    const std::size_t close = path.find(']', end);
    next = close == path.npos ? path.size() : close + 1;
  }
  path = path.substr(std::min(next + 1, path.size()));
  return part;
}

}  // namespace

bool same_name(std::string_view name, std::string_view wanted) {
  return name.size() == wanted.size() && !name.empty() && name.substr(1) == wanted.substr(1) &&
         same_word(name.substr(0, 1), wanted.substr(0, 1));
}

const VimValue* find(const VimValue* value, std::string_view path) {
  while (value != nullptr && !path.empty()) value = member(*value, take_part(path));
  return value;
}

std::vector<const VimValue*> items(const VimValue* value, std::string_view path) {
  const std::size_t last = path.rfind('.');
  if (last != path.npos) {
    value = find(value, path.substr(0, last));
    path = path.substr(last + 1);
  }
  std::vector<const VimValue*> found;
  if (value == nullptr) return found;
  for (const VimValue& child : value->children) {
    if (!same_name(child.name, path)) continue;
    if (!child.is_list) {
      found.push_back(&child);
    } else {
      for (const VimValue& item : child.children) found.push_back(&item);
    }
  }
  return found;
}

std::string reference(const VimValue* value) {
  if (value == nullptr) return {};
  const VimValue* id = find(value, "value");
  return printable(id == nullptr ? value->text : id->text);
}

Maybe<std::string> vim_text(const VimValue* value, const FileNotes& notes) {
  std::string text = value == nullptr ? std::string() : printable(value->text);
  if (text.empty()) return std::nullopt;
  return notes.stated(std::move(text));
}

Maybe<std::int64_t> vim_number(const VimValue* value, std::int64_t min, std::int64_t max,
                               FileNotes& notes) {
  if (value == nullptr) return std::nullopt;
  const auto number = notes.number(value->text, value->place, value->name, min, max);
  if (!number) return std::nullopt;
  return notes.stated(*number);
}

Maybe<bool> vim_truth(const VimValue* value, FileNotes& notes) {
  if (value == nullptr) return std::nullopt;
  const auto flag = truth(value->text);
  if (flag) return notes.stated(*flag);
  notes.error(codes::kBadValue, value->place,
              fmt::format("{} is \"{}\"", value->name, printable(value->text)), "true or false");
  return std::nullopt;
}

void add_at_path(VimValue& object, std::string_view path, VimValue value) {
  constexpr int kMostParts = 16;
  VimValue* at = &object;
  for (int i = 0; i < kMostParts; ++i) {
    const std::string part(take_part(path));
    if (path.empty()) {
      value.name = part;
      at->children.push_back(std::move(value));
      return;
    }
    const auto known = std::ranges::find_if(
        at->children, [&](const VimValue& child) { return child.name == part; });
    if (known != at->children.end()) {
      at = &*known;
    } else {
      VimValue& added = at->children.emplace_back();
      added.name = part;
      at = &added;
    }
  }
}

bool is_left_out(std::string_view name) {
  return std::ranges::any_of(kLeftOut,
                             [&](std::string_view known) { return same_name(name, known); });
}

}  // namespace vgsim::vsphere::import
